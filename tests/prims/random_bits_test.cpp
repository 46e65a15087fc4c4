// random_bits: words of threefry2x32 as numbers of every dtype, on all ways to compute them; batching, errors.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
using word = std::uint32_t;
array bits_of(word k1, word k2, std::int64_t size, jq::dtype t) { return lax::random_bits(scalar<word>(k1), scalar<word>(k2), size, t); }
std::array<word, 2> words_at(word k1, word k2, std::int64_t i) { return jq::threefry2x32_p::hash(k1, k2, 0, word(i)); }
/// What the number at a position shall be, from the definition.
double wanted(word k1, word k2, std::int64_t i, jq::dtype t) {
  const auto [x, y] = words_at(k1, k2, i);
  switch (t) {
    case jq::u8: return double((x ^ y) % 256);
    case jq::u16: return double((x ^ y) % 65536);
    case jq::u32: return double(x ^ y);
    case jq::bf16: return double((x ^ y) % 256 / 2) / 128;
    case jq::f16: return double((x ^ y) % 65536 / 64) / 1024;
    case jq::f32: return double((x ^ y) / 512) / std::pow(2, 23);
    case jq::f64: return double((std::uint64_t(x) << 32 | y) / 4096) / std::pow(2, 52);
    default: return -1;
  }
}
}  // namespace

TEST_CASE("random_bits: every dtype, whole vectors and rests") {
  for (jq::dtype t : {jq::u8, jq::u16, jq::u32, jq::bf16, jq::f16, jq::f32, jq::f64})
    for (std::int64_t n : {0, 1, 15, 16, 17, 50}) {
      const array x = bits_of(7, 11, n, t);
      CHECK(x.aval() == jq::aval(t, {n}));
      const std::vector<double> got = values<double>(cast(x, jq::f64));
      for (std::int64_t i = 0; i < n; ++i) CHECK(got[std::size_t(i)] == wanted(7, 11, i, t));
    }
  const std::vector<std::uint64_t> wide = values<std::uint64_t>(bits_of(7, 11, 20, jq::u64));
  for (std::int64_t i = 0; i < 20; ++i) CHECK(wide[std::size_t(i)] == (std::uint64_t(words_at(7, 11, i)[0]) << 32 | words_at(7, 11, i)[1]));
}
TEST_CASE("random_bits: a row for each key") {
  const array x = lax::random_bits(make<word>({1, 2, 3, 4}, {2, 2}), make<word>({5, 6, 7, 8}, {2, 2}), 3);
  CHECK(x.shape() == shape{2, 2, 3});
  const std::vector<word> got = values<word>(x);
  for (word k = 0; k < 4; ++k)
    for (word i = 0; i < 3; ++i) CHECK(double(got[k * 3 + i]) == wanted(1 + k, 5 + k, i, jq::u32));
}
TEST_CASE("random_bits: batching") {
  const array s = scalar<word>(7), v = make<word>({1, 2, 3});
  const auto rows = [](const arrays& x) { return arrays{lax::random_bits(x[0], x[1], 3, jq::f32)}; };
  check_batching(rows, {s, s});
  check_batching(rows, {v, v});
}
TEST_CASE("random_bits: errors") {
  const array s = scalar<word>(7);
  CHECK_THROWS_WITH_AS(lax::random_bits(s, scalar(1), 2), doctest::Contains("random_bits: the words of a key must have uint32 type, got uint32, int32"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(lax::random_bits(s, s, 2, jq::i32), doctest::Contains("random_bits: got the dtype int32; wanted an unsigned"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::random_bits(s, s, -1), doctest::Contains("random_bits: got -1 numbers"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::random_bits(s, make<word>({1}), 1), doctest::Contains("wanted equal shapes"), jq::shape_error);
}
