// Prints the derivative of x * sin(x) at 2, from either lane, and checks it against sin(x) + x * cos(x). Checks a length that a unit without
// a backend computes.

#include <cmath>
#include <cstdio>

#include <jacquard/jacquard.hpp>

double derivative(const jacquard::array& x);
jacquard::array length(const jacquard::array& x);
double slope(double x);

int main() {
  const double got = derivative(jacquard::asarray(2.0));
  const double want = std::sin(2.0) + 2.0 * std::cos(2.0);
  const double fixed = slope(jacquard::id_print(jacquard::asarray(2.0)).item<double>());
  std::printf("derivative %.17g, by the compiler %.17g, expected %.17g\n", got, fixed, want);
  return std::abs(got - want) < 1e-12 && std::abs(fixed - want) < 1e-12 && length(jacquard::asarray({3.0, 4.0})).item<double>() == 5 ? 0 : 1;
}
