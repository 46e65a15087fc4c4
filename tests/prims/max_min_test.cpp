// max and min: values with NaN and signed zeros, the derivative at ties, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array larger(const array& a, const array& b) { return lax::max(a, b); }
array smaller(const array& a, const array& b) { return lax::min(a, b); }
}  // namespace

static_assert(jq::max_p::apply(1, 2) == 2 && jq::min_p::apply(1.0, 2.0) == 1 && jq::max_p::apply(false, true));

TEST_CASE("max, min: values") {
  const array a = make({1.0, 5.0, not_a_number, 1.0, inf, -inf}), b = make({2.0, 3.0, 1.0, not_a_number, 0.0, 0.0});
  CHECK_CLOSE(larger(a, b), make({2.0, 5.0, not_a_number, not_a_number, inf, 0.0}), 0);
  CHECK_CLOSE(smaller(a, b), make({1.0, 3.0, not_a_number, not_a_number, 0.0, -inf}), 0);
  CHECK_CLOSE(larger(make({true, false}), make({false, false})), make({true, false}), 0);
  CHECK_CLOSE(smaller(make<std::uint64_t>({~0ull}), make<std::uint64_t>({1})), make<std::uint64_t>({1}), 0);
  CHECK_CLOSE(lax::max(make({-1.0f, 2.0f}), 0.0), make({0.0f, 2.0f}), 0);
  for (const auto& f : {larger, smaller})
    check_dtypes(binary(f), {make({1.0, 5.0, -3.0}), make({2.0, 3.0, -3.5})}, jq::ordered);
}
TEST_CASE("max, min: the derivative goes to the operand chosen, half to each at ties") {
  const array a = make({1.0, 5.0, 2.0}), b = make({3.0, 4.0, 2.0}), one = make({1.0, 1.0, 1.0});
  arrays back = cotangents(binary(larger), {a, b}, one);
  CHECK_CLOSE(back[0], make({0.0, 1.0, 0.5}), 0);
  CHECK_CLOSE(back[1], make({1.0, 0.0, 0.5}), 0);
  back = cotangents(binary(smaller), {a, b}, one);
  CHECK_CLOSE(back[0], make({1.0, 0.0, 0.5}), 0);
  CHECK_CLOSE(back[1], make({0.0, 1.0, 0.5}), 0);
  back = cotangents(binary(larger), {make({not_a_number}), make({1.0})}, make({1.0}));
  CHECK_CLOSE(back[0], make({0.0}), 0);
  CHECK_CLOSE(back[1], make({0.0}), 0);
  const array relu_slope = cotangents([](const arrays& x) { return lax::max(x[0], 0.0); }, {make({-1.0f, 0.0f, 2.0f})},
                                      make({1.0f, 1.0f, 1.0f}))[0];
  CHECK_CLOSE(relu_slope, make({0.0f, 0.5f, 1.0f}), 0);
}
TEST_CASE("max, min: derivative and batching") {
  const array a = make({1.0, 5.0}), b = make({3.0, 4.0}), s = scalar(2.0);
  for (const auto& f : {larger, smaller})
    for (const arrays& x : {arrays{a, b}, arrays{s, b}, arrays{a, s}}) {
      check_derivatives(binary(f), x);
      check_batching(binary(f), x);
    }
}
