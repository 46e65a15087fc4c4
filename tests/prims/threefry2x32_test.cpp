// threefry2x32: the known answers of Random123, in the compiler and at run time, rank-0 keys, batching, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
using word = std::uint32_t;
using words = std::array<word, 2>;
arrays hash_of(const arrays& x) {
  const jq::array_list y = lax::threefry2x32(x[0], x[1], x[2], x[3]);
  return arrays(y.begin(), y.end());
}
}  // namespace

static_assert(jq::threefry2x32_p::hash(0, 0, 0, 0) == words{0x6b200159, 0x99ba4efe});
static_assert(jq::threefry2x32_p::hash(~0u, ~0u, ~0u, ~0u) == words{0x1cb996fc, 0xbb002be7});
static_assert(jq::threefry2x32_p::hash(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3) ==
              words{0xc4923a9c, 0x483df7a0});

TEST_CASE("threefry2x32: known answers") {
  const arrays y = hash_of({make<word>({0, ~0u, 0x13198a2e}), make<word>({0, ~0u, 0x03707344}),
                            make<word>({0, ~0u, 0x243f6a88}), make<word>({0, ~0u, 0x85a308d3})});
  CHECK_CLOSE(y[0], make<word>({0x6b200159, 0x1cb996fc, 0xc4923a9c}), 0);
  CHECK_CLOSE(y[1], make<word>({0x99ba4efe, 0xbb002be7, 0x483df7a0}), 0);
}
TEST_CASE("threefry2x32: keys of rank 0, counters of any shape") {
  const arrays y =
      hash_of({scalar<word>(0), scalar<word>(0), make<word>({0, 1, 2, 3}, {2, 2}), make<word>({0, 1, 2, 3}, {2, 2})});
  CHECK(y[0].shape() == shape{2, 2});
  const std::vector<word> got = values<word>(y[1]);
  for (word i = 0; i < 4; ++i) CHECK(got[i] == jq::threefry2x32_p::hash(0, 0, i, i)[1]);
  CHECK(hash_of({scalar<word>(0), scalar<word>(0), make<word>({}, {0, 3}), scalar<word>(0)})[1].shape() == shape{0, 3});
}
TEST_CASE("threefry2x32: batching") {
  const array s = scalar<word>(7), v = make<word>({1, 2, 3});
  check_batching(hash_of, {s, s, v, v});
  check_batching(hash_of, {v, v, v, v});
}
TEST_CASE("threefry2x32: errors") {
  const array s = scalar<word>(7);
  CHECK_THROWS_WITH_AS(
      hash_of({s, s, scalar(1), s}),
      doctest::Contains("Arguments to threefry2x32 must have uint32 type, got [uint32, uint32, int32, uint32]"),
      jq::type_error);
  CHECK_THROWS_WITH_AS(hash_of({s, s, make<word>({1, 2}), make<word>({1, 2, 3})}),
                       doctest::Contains("threefry2x32 got incompatible shapes"), jq::shape_error);
}
