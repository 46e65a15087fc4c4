// Shifts, counts and divisors of whole numbers: against C++.
#include "numpy_testing.hpp"

#include <jacquard/numpy/bits.hpp>

#include <numeric>

TEST_CASE("shifts") {
  CHECK(show(jq::left_shift(asarray({1, -3}), 4)) == "i32[2] 16 -48");
  CHECK(show(jq::right_shift(asarray({-9, 9}), asarray({1, 40}))) == "i32[2] -5 0");
  CHECK(show(jq::right_shift(asarray({std::uint8_t(255)}), asarray({std::uint8_t(3)}))) == "u8[1] 31");
  CHECK_ERROR(jq::type_error, jq::left_shift(asarray(1.0), 1), "shift_left", "float64", "integers");
}
TEST_CASE("bits") {
  CHECK(show(jq::bitwise_count(asarray({7, -7, 0}))) == "i32[3] 3 3 0");
  CHECK(show(jq::invert(asarray({0, 5}))) == "i32[2] -1 -6");
}
TEST_CASE("divisors and multiples") {
  const array a = asarray({12, -18, 0, 7, 1071}), b = asarray({18, 12, 5, 0, 462});
  CHECK(show(jq::gcd(a, b)) == "i32[5] 6 6 5 7 21");
  CHECK(show(jq::lcm(a, b)) == "i32[5] 36 36 0 0 23562");
  CHECK(show(jq::gcd(asarray(12), asarray({8, 9}))) == "i32[2] 4 3");
  CHECK(show(jq::jit([](const array& x, const array& y) { return jq::gcd(x, y); })(a, b)) == "i32[5] 6 6 5 7 21");
  CHECK_ERROR(jq::type_error, jq::gcd(asarray(1.5), 2), "gcd", "float64", "integers");
}
