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
TEST_CASE("shifts as operators, and what changes an array") {
  CHECK(show(asarray({1, -3}) << 4) == "i32[2] 16 -48");
  CHECK(show(asarray({-9, 9}) >> asarray({1, 40})) == "i32[2] -5 0");
  CHECK(show(1 << asarray({0, 5, 40})) == "i32[3] 1 32 0");
  array a = asarray({12, 7});
  CHECK(show(a <<= 3) == "i32[2] 96 56");
  CHECK(show(a >>= 1) == "i32[2] 48 28");
  CHECK(show(a %= 9) == "i32[2] 3 1");
  CHECK(show(a |= 4) == "i32[2] 7 5");
  CHECK(show(a ^= asarray({1, 1})) == "i32[2] 6 4");
  CHECK(show(a &= 2) == "i32[2] 2 0");
  CHECK_ERROR(jq::type_error, asarray(1.0) << 1, "shift_left", "float64", "integers");
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
TEST_CASE("packbits and unpackbits: as in numpy's documentation") {
  const array a = asarray({{{1, 0, 1}, {0, 1, 0}}, {{1, 1, 0}, {0, 0, 1}}});
  CHECK(show(jq::packbits(a, -1)) == "u8[2,2,1] 160 64 192 32");
  CHECK(show(jq::packbits(asarray({{2}, {7}, {23}}).astype(jq::u8))) == "u8[1] 224");
  CHECK(show(jq::packbits(asarray({1, 0, 0, 0, 0, 0, 0, 0, 1}), jq::none, "little")) == "u8[2] 1 1");
  CHECK(show(jq::unpackbits(asarray({{2}, {7}, {23}}).astype(jq::u8), 1)) == "u8[3,8] 0 0 0 0 0 0 1 0 0 0 0 0 0 1 1 1 0 0 0 1 0 1 1 1");
  CHECK(show(jq::unpackbits(asarray({7}).astype(jq::u8), jq::none, 4, "little")) == "u8[4] 1 1 1 0");
  const array bits = (jq::arange(77) * 7) % 3 == 0;
  CHECK(bool(jq::all((jq::unpackbits(jq::packbits(bits), jq::none, 77) != 0) == bits)));
  CHECK(jq::packbits(jq::zeros({9, 3}, jq::i32), 0).shape() == jq::shape{2, 3});
  CHECK_ERROR(jq::type_error, jq::packbits(jq::zeros({3})), "packbits", "float32");
  CHECK_ERROR(jq::type_error, jq::unpackbits(asarray({1})), "unpackbits", "int32", "uint8");
  CHECK_ERROR(jq::value_error, jq::packbits(a, 0, "middle"), "packbits", "middle", "big or little");
  CHECK_ERROR(jq::value_error, jq::unpackbits(asarray({1}).astype(jq::u8), 0, 9), "unpackbits", "9", "8 bits");
}
