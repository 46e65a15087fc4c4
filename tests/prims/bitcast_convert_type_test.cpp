// bitcast_convert_type: patterns by hand, parts of numbers, round trips, the compile-time lane, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array patterns(const array& x) { return lax::bitcast_convert_type(x, jq::u32); }
}  // namespace

static_assert(jq::bitcast_convert_type_p::recast<std::uint32_t>(1.0f) == 0x3f800000u);
static_assert(jq::jit([](auto x) { return lax::bitcast_convert_type(x, jq::i32); })(1.0f) == 0x3f800000);

TEST_CASE("dtypes of one size") {
  CHECK_CLOSE(patterns(make({1.0f, -0.0f})), make<std::uint32_t>({0x3f800000u, 0x80000000u}), 0);
  CHECK_CLOSE(lax::bitcast_convert_type(make<std::uint64_t>({0x4000000000000000ull}), jq::f64), make({2.0}), 0);
  CHECK_CLOSE(lax::bitcast_convert_type(cast(make({1.0f}), jq::f16), jq::u16), make<std::uint16_t>({0x3c00}), 0);
  CHECK_CLOSE(lax::bitcast_convert_type(make<std::uint16_t>({0x3f80}), jq::bf16), cast(make({1.0f}), jq::bf16), 0);
  const array x = make({1.5f, -2.25f});
  CHECK_CLOSE(jq::jit([](const array& v) { return lax::bitcast_convert_type(lax::add(patterns(v), 1), jq::f32); })(x),
              make({std::nextafter(1.5f, 2.f), std::nextafter(-2.25f, -3.f)}), 0);
  CHECK_CLOSE(jq::jit([](const array& v) { return lax::bitcast_convert_type(v, jq::i16); })(cast(x, jq::bf16)), make<std::int16_t>({0x3fc0, std::int16_t(0xc010)}), 0);
}
TEST_CASE("parts, the least significant first") {
  const array parts = lax::bitcast_convert_type(make<std::uint32_t>({0x04030201u, 0x08070605u}), jq::u8);
  CHECK_CLOSE(parts, make<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4}), 0);
  CHECK_CLOSE(lax::bitcast_convert_type(parts, jq::u32), make<std::uint32_t>({0x04030201u, 0x08070605u}), 0);
  const array x = make({3.25, -1e300});
  CHECK_CLOSE(lax::bitcast_convert_type(lax::bitcast_convert_type(x, jq::i16), jq::f64), x, 0);
}
TEST_CASE("bitcasts: batching and errors") {
  check_batching(unary(patterns), {make({1.0f, 2.0f, 3.0f})});
  CHECK_THROWS_WITH_AS(lax::bitcast_convert_type(make({true}), jq::u8), doctest::Contains("does not accept dtype bool"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::bitcast_convert_type(make({1.0}), jq::c128), doctest::Contains("complex128"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::bitcast_convert_type(make<std::uint8_t>({1, 2, 3}), jq::u32), doctest::Contains("got the shape (3,)"), jq::shape_error);
}
