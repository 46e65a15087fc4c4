// Checks sum_of_slopes and slope, which is of the compile-time lane, against derivatives by hand, and that a program's text and an operation
// outside jit are there.

#include <cmath>
#include <cstdio>

#include <jacquard/jacquard.hpp>

double slope(double x);
double sum_of_slopes(const jacquard::array& x);

int main() {
  const auto by_hand = [](double x) { return std::cos(x) * (x + 1 / x) + std::sin(x) * (1 - 1 / (x * x)); };
  const double got = sum_of_slopes(jacquard::asarray({0.5, 1.5})), want = by_hand(0.5) + by_hand(1.5);
  const auto text = jacquard::to_string(jacquard::make_jaxpr([](jacquard::array x) { return jacquard::exp(x); })(1.0f));
  const jacquard::array eager = jacquard::linalg::inv(jacquard::asarray({{2.0, 0.0}, {0.0, 4.0}}));
  std::printf("sum of slopes %.17g, expected %.17g\n", got, want);
  const bool right = std::abs(got - want) < 1e-12 && std::abs(slope(0.5) - (std::sin(0.5) + 0.5 * std::cos(0.5))) < 1e-12;
  return right && text == "{ lambda ; a:f32[]. let b:f32[] = exp a in (b,) }" &&
                 jacquard::sum(eager).item<double>() == 0.75
             ? 0
             : 1;
}
