// pow of lanes: within 4 ulp of long double over the whole range, and C's results at the special values.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_power.hpp>

#include "lane_accuracy.hpp"

namespace jq = jacquard;

namespace {
using lane_accuracy::distance, lane_accuracy::width;

/// The largest distance for bases e^[low, high] and exponents that make results of any size.
template <class T>
double worst(double low, double high, double largest) {
  using numbers = jq::lanes<T, width>;
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> logarithm(low, high), share(-largest, largest);
  double r = 0;
  for (int n = 0; n < 20000; ++n) {
    numbers x(T(0)), y(T(0));
    for (int i = 0; i < width; ++i) {
      const double l = logarithm(generator);
      x.v[i] = T(std::exp(l));
      y.v[i] = T(share(generator) / l);
    }
    const numbers z = numbers::pow(x, y);
    for (int i = 0; i < width; ++i) r = std::max(r, distance<T>(z[i], std::pow((long double)(x[i]), (long double)(y[i]))));
  }
  return r;
}
}  // namespace

TEST_CASE("pow of lanes is within 4 ulp") {
  CHECK(worst<double>(-1, 1, 700) < 4);
  CHECK(worst<double>(1e-6, 1e-3, 700) < 4);
  CHECK(worst<double>(-1e-3, -1e-6, 700) < 4);
  CHECK(worst<double>(-740, 700, 700) < 4);
  CHECK(worst<double>(-1, 1, 3) < 4);
  CHECK(worst<float>(-1, 1, 80) < 4);
  CHECK(worst<float>(-80, 80, 80) < 4);
}
TEST_CASE("pow of lanes at special values") {
  using numbers = jq::lanes<double, width>;
  const double values[] = {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, INFINITY, -INFINITY, NAN, 5e-324, 1.7e308, 1e300, 1 + 0x1p-52, 1 - 0x1p-53};
  for (double x : values)
    for (double y : values) {
      INFO(x, " ", y);
      const double got = numbers::pow(numbers(x), numbers(y))[0], want = std::pow(x, y);
      CHECK(distance<double>(got, want) <= 1);
      CHECK((std::isnan(want) || std::signbit(got) == std::signbit(want)));
    }
}
TEST_CASE("one unusual lane does not disturb the others") {
  using numbers = jq::lanes<double, width>;
  numbers x(2.0), y(10.0);
  x.v[0] = -2;
  y.v[0] = 3;
  const numbers z = numbers::pow(x, y);
  CHECK(z[0] == -8);
  CHECK(z[1] == 1024);
}
