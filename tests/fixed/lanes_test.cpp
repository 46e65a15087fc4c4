// Vector lanes: arithmetic, comparison, selection and conversion agree with numbers.
#include <doctest/doctest.h>
#include <jacquard/fixed/lanes.hpp>

#include <cmath>

namespace jq = jacquard;
using numbers = jq::lanes<double, 4>;
using mask = jq::lanes<bool, 4>;

namespace {

numbers of(double a, double b, double c, double d) { return numbers(numbers::vector{a, b, c, d}); }
template <class T>
bool are(const jq::lanes<T, 4>& x, T a, T b, T c, T d) {
  return x[0] == a && x[1] == b && x[2] == c && x[3] == d;
}
const double no_number = __builtin_nan("");

}  // namespace

TEST_CASE("lanes: arithmetic") {
  const numbers x = of(1, -2, 0.5, 8), y(2.0);
  CHECK(are(x + y, 3.0, 0.0, 2.5, 10.0));
  CHECK(are(x / y - y * x, -1.5, 3.0, -0.75, -12.0));
  CHECK(are(jq::math::powi(x, 3), 1.0, -8.0, 0.125, 512.0));
  CHECK(are(jq::math::powi(x, -1), 1.0, -0.5, 2.0, 0.125));
  CHECK(are(jq::math::sqrt(x * x), 1.0, 2.0, 0.5, 8.0));
  CHECK(are(jq::math::abs(x), 1.0, 2.0, 0.5, 8.0));
  CHECK(are(jq::math::sign(x), 1.0, -1.0, 1.0, 1.0));
}
TEST_CASE("lanes: comparison and choice, NaN as for numbers") {
  const numbers x = of(1, no_number, 3, -4), y = of(2, 2, no_number, -5);
  CHECK(are(x < y, true, false, false, false));
  CHECK(are(x != x, false, true, false, false));
  const numbers larger = jq::math::max(x, y);
  CHECK((larger[0] == 2 && larger[1] != larger[1] && larger[3] == -4));
  CHECK(jq::math::min(x, y)[3] == -5);
  CHECK(are(numbers::select(x > numbers(0.0), numbers(1.0), numbers(-1.0)), 1.0, -1.0, 1.0, -1.0));
  CHECK(are(!(x < y), false, true, true, true));
  CHECK((x < y).any());
  CHECK_FALSE((x < x).any());
  CHECK(are(jq::math::is_finite(of(1, no_number, __builtin_inf(), 0)), true, false, false, true));
}
TEST_CASE("lanes: false is less than true") {
  const mask x = of(0, 0, 1, 1) > numbers(0.5), y = of(0, 1, 0, 1) > numbers(0.5);
  CHECK(are(x < y, false, true, false, false));
  CHECK(are(x <= y, true, true, false, true));
  CHECK(are(x > y, false, false, true, false));
  CHECK(are(x >= y, true, false, true, true));
  CHECK(are(mask::max(x, y), false, true, true, true));
  CHECK(are(mask::min(x, y), false, false, false, true));
}
TEST_CASE("lanes: one mask serves all element types, and types convert") {
  using narrow = jq::lanes<float, 4>;
  const mask m = of(1, -1, 1, -1) > numbers(0.0);
  CHECK(are(narrow::select(m, narrow(1.f), narrow(0.f)), 1.f, 0.f, 1.f, 0.f));
  CHECK(are(numbers::from(narrow(0.5f)), 0.5, 0.5, 0.5, 0.5));
  CHECK(are(numbers::from(m), 1.0, 0.0, 1.0, 0.0));
  CHECK(are(jq::lanes<std::int64_t, 4>::from(of(1.5, -1.5, 3, 0)), std::int64_t(1), std::int64_t(-1), std::int64_t(3), std::int64_t(0)));
  CHECK(are(mask::from(of(0, 1, 2, 0)), false, true, true, false));
  using bytes = jq::lanes<std::uint8_t, 4>;
  CHECK(are(bytes::from(of(-20, 300, 255.9, no_number)), std::uint8_t(0), std::uint8_t(255), std::uint8_t(255), std::uint8_t(0)));
  CHECK(are(bytes::from(of(-0.7, 3e9, 12.5, -1e300)), std::uint8_t(0), std::uint8_t(255), std::uint8_t(12), std::uint8_t(0)));
  const double zero = numbers(-0.0)[0];
  CHECK(__builtin_signbit(zero));
}

namespace {

template <class T, int W>
int wrong_roots() {
  jq::lanes<T, W> x;
  for (int i = 0; i < W; ++i) x.put(i, T(i) * T(1.7));
  const jq::lanes<T, W> y = jq::math::sqrt(x);
  int wrong = 0;
  for (int i = 0; i < W; ++i) wrong += y[i] == std::sqrt(T(i) * T(1.7)) ? 0 : 1;
  return wrong;
}

}  // namespace

TEST_CASE("lanes: square roots of vectors of any size are rounded as those of numbers") {
  CHECK(wrong_roots<double, 1>() + wrong_roots<double, 2>() + wrong_roots<double, 4>() + wrong_roots<double, 8>() + wrong_roots<double, 16>() == 0);
  CHECK(wrong_roots<float, 2>() + wrong_roots<float, 4>() + wrong_roots<float, 8>() + wrong_roots<float, 16>() + wrong_roots<float, 32>() == 0);
}
