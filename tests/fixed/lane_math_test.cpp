// Elementary functions of lanes: within 4 ulp of long double, and right at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_math.hpp>

#include <cmath>
#include <random>

namespace jq = jacquard;
constexpr int width = jq::preferred_lanes;
using numbers = jq::lanes<double, width>;

namespace {

double distance(double got, long double exact) {
  const double want = double(exact);
  if (got == want || (std::isnan(got) && std::isnan(want))) return 0;
  const double ulp = std::nextafter(std::fabs(want), INFINITY) - std::fabs(want);
  return double(std::fabs((got - exact) / (long double)(ulp)));
}
/// The largest distance over random arguments in [low, high], or e to the power of these.
template <class F, class G>
double worst(F f, G exact, double low, double high, bool exponential = false) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(low, high);
  double r = 0;
  for (int n = 0; n < 20000; ++n) {
    numbers x(0.0);
    for (int i = 0; i < width; ++i) {
      const double u = uniform(generator);
      x.v[i] = exponential ? std::exp(u) : u;
    }
    const numbers y = f(x);
    for (int i = 0; i < width; ++i) r = std::max(r, distance(y[i], exact((long double)(x[i]))));
  }
  return r;
}
const double inf = INFINITY, no_number = NAN;
template <class F>
bool special(F f, double x, double want) {
  const double got = f(numbers(x))[1];
  return got == want || (got != got && want != want);
}

}  // namespace

TEST_CASE("lane functions are within 4 ulp") {
  CHECK(worst(numbers::exp, [](long double x) { return std::exp(x); }, -745, 709) < 4);
  CHECK(worst(numbers::expm1, [](long double x) { return std::expm1(x); }, -2, 2) < 4);
  CHECK(worst(numbers::log, [](long double x) { return std::log(x); }, -744, 709, true) < 4);
  CHECK(worst(numbers::log, [](long double x) { return std::log(x); }, 0.5, 2) < 4);
  CHECK(worst(numbers::log1p, [](long double x) { return std::log1p(x); }, -0.9, 2) < 4);
  CHECK(worst(numbers::log1p, [](long double x) { return std::log1p(x); }, -40, 0, true) < 4);
  CHECK(worst(numbers::sin, [](long double x) { return std::sin(x); }, -1e5, 1e5) < 4);
  CHECK(worst(numbers::cos, [](long double x) { return std::cos(x); }, -1e5, 1e5) < 4);
  CHECK(worst(numbers::sin, [](long double x) { return std::sin(x); }, 1e5, 1e12) < 4);
  CHECK(worst(numbers::tanh, [](long double x) { return std::tanh(x); }, -3, 3) < 4);
}
TEST_CASE("lane functions at special values") {
  CHECK((special(numbers::exp, inf, inf) && special(numbers::exp, -inf, 0) && special(numbers::exp, no_number, no_number) &&
         special(numbers::exp, 0, 1)));
  CHECK((special(numbers::log, 0, -inf) && special(numbers::log, inf, inf) && special(numbers::log, -1, no_number) &&
         special(numbers::log, no_number, no_number) && special(numbers::log, 1, 0)));
  CHECK((special(numbers::log1p, -1, -inf) && special(numbers::log1p, inf, inf) && special(numbers::log1p, -2, no_number) &&
         special(numbers::log1p, 1e-300, 1e-300)));
  CHECK((special(numbers::sin, inf, no_number) && special(numbers::cos, no_number, no_number) && special(numbers::cos, 0, 1)));
  CHECK((special(numbers::tanh, inf, 1) && special(numbers::tanh, -inf, -1) && special(numbers::tanh, no_number, no_number)));
  CHECK(special(numbers::log, 5e-324, -744.4400719213812));
}
TEST_CASE("lanes of floats compute in double") {
  using narrow = jq::lanes<float, width>;
  for (float x : {-3.f, 0.1f, 2.5f}) CHECK(narrow::exp(narrow(x))[0] == float(std::exp(double(x))));
}
