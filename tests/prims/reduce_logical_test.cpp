// reduce_and and reduce_or: all and any, integers bit by bit, empty reductions, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function all_over(const jq::int_list& axes) {
  return [axes](const arrays& x) { return lax::reduce_and(x[0], axes); };
}
function any_over(const jq::int_list& axes) {
  return [axes](const arrays& x) { return lax::reduce_or(x[0], axes); };
}
const array m = make({true, false, true, true, false, false}, {3, 2});
}  // namespace

static_assert(kernel_result<jq::reduce_or_p, 1>(std::array<int, 3>{1, 4, 8}, {3}, {},
                                                jq::reduce_or_p::params{{0}})[0] == 13);
static_assert(kernel_result<jq::reduce_and_p, 1>(std::array<int, 3>{7, 14, 6}, {3}, {},
                                                 jq::reduce_and_p::params{{0}})[0] == 6);

TEST_CASE("reduce_and, reduce_or: values") {
  CHECK_CLOSE(all_over({0})({m}), make({false, false}), 0);
  CHECK_CLOSE(all_over({1})({m}), make({false, true, false}), 0);
  CHECK_CLOSE(any_over({1})({m}), make({true, true, false}), 0);
  CHECK_CLOSE(any_over({0, 1})({m}), scalar(true), 0);
  CHECK_CLOSE(all_over({0})({make<std::uint8_t>({7, 14})}), scalar<std::uint8_t>(6), 0);
  CHECK_CLOSE(any_over({0})({make({8, -16})}), scalar(-8), 0);
  CHECK_CLOSE(all_over({0})({make<bool>({}, {0, 1})}), make({true}), 0);
  CHECK_CLOSE(all_over({0})({make<std::int16_t>({}, {0})}), scalar<std::int16_t>(-1), 0);
  CHECK_CLOSE(all_over({0})({make<std::uint64_t>({}, {0})}), scalar<std::uint64_t>(~0ull), 0);
  CHECK_CLOSE(any_over({0})({make<bool>({}, {0})}), scalar(false), 0);
}
TEST_CASE("reduce_and, reduce_or: dtypes, batching, errors") {
  const array x = make({3.0, 6.0, 0.0});
  for (const auto& f : {all_over, any_over}) {
    check_dtypes(f({0}), {x}, jq::bits);
    for (const jq::int_list& axes : {jq::int_list{0}, jq::int_list{1}, jq::int_list{1, 0}})
      check_batching(f(axes), {m});
    CHECK_THROWS_WITH_AS(f({2})({m}), doctest::Contains("got axes (2,) for an operand of shape (3, 2)"),
                         jq::shape_error);
  }
}
