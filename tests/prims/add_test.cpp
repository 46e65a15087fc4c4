// add: values, wrapping integers, derivatives, rank-0 operands, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array sum(const array& a, const array& b) { return lax::add(a, b); }
}  // namespace

static_assert(jq::add_p::apply(std::int8_t(127), std::int8_t(1)) == -128 && jq::add_p::apply(inf, 1.0) == inf);

TEST_CASE("add: values") {
  CHECK_CLOSE(sum(make({1.0, inf, inf, 2.0}), make({3.0, 1.0, -inf, not_a_number})),
              make({4.0, inf, not_a_number, not_a_number}), 0);
  CHECK_CLOSE(sum(make<std::int64_t>({INT64_MAX}), make<std::int64_t>({1})), make<std::int64_t>({INT64_MIN}), 0);
  CHECK_CLOSE(sum(make<jq::complex64>({{1, 2}}), make<jq::complex64>({{3, -4}})), make<jq::complex64>({{4, -2}}), 0);
  CHECK_CLOSE(lax::add(make({1.0f, 2.0f}), 0.5), make({1.5f, 2.5f}), 0);
  CHECK_CLOSE(sum(make<int>({}, {0, 3}), scalar(1)), make<int>({}, {0, 3}), 0);
  check_dtypes(binary(sum), {make({1.5, 2.0}), make({-1.0, 3.0})}, jq::numbers);
}
TEST_CASE("add: derivative and batching") {
  const array a = make({1.0, 2.0}), b = make({3.0, 5.0}), s = scalar(2.0);
  for (const arrays& x : {arrays{a, b}, arrays{s, b}, arrays{a, s}, arrays{s, s}}) {
    check_derivatives(binary(sum), x);
    check_batching(binary(sum), x);
  }
  const arrays back = cotangents(binary(sum), {s, b}, make({1.0, 10.0}));
  CHECK_CLOSE(back[0], scalar(11.0), 0);
  CHECK_CLOSE(back[1], make({1.0, 10.0}), 0);
}
