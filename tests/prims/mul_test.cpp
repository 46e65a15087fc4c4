// mul: values, wrapping integers, derivatives, rank-0 operands, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array product(const array& a, const array& b) { return lax::mul(a, b); }
}  // namespace

static_assert(jq::mul_p::apply(std::int32_t(1) << 30, 4) == 0 && jq::mul_p::apply(1.5, 2.0) == 3);

TEST_CASE("mul: values") {
  CHECK_CLOSE(product(make({1.5, inf, 0.0, 2.0}), make({3.0, -1.0, inf, not_a_number})),
              make({4.5, -inf, not_a_number, not_a_number}), 0);
  CHECK_CLOSE(product(make<std::uint8_t>({16, 3}), make<std::uint8_t>({17, 4})), make<std::uint8_t>({16, 12}), 0);
  CHECK_CLOSE(product(make<jq::complex128>({{1, 2}}), make<jq::complex128>({{3, -4}})), make<jq::complex128>({{11, 2}}),
              0);
  CHECK_CLOSE(lax::mul(2.0, make({1.0f, 2.0f})), make({2.0f, 4.0f}), 0);
  check_dtypes(binary(product), {make({1.5, 2.0}), make({-1.0, 3.0})}, jq::numbers);
}
TEST_CASE("mul: derivative and batching") {
  const array a = make({1.0, 2.0}), b = make({3.0, -5.0}), s = scalar(2.0);
  for (const arrays& x : {arrays{a, b}, arrays{s, b}, arrays{a, s}}) {
    check_derivatives(binary(product), x);
    check_batching(binary(product), x);
  }
  check_derivatives(unary([](const array& x) { return lax::mul(x, x); }), {a});
  check_derivatives(binary(product), {make<jq::complex128>({{1, 2}}), make<jq::complex128>({{3, -4}})});
  const arrays back = cotangents(binary(product), {s, b}, make({1.0, 10.0}));
  CHECK_CLOSE(back[0], scalar(-47.0), 0);
  CHECK_CLOSE(back[1], make({2.0, 20.0}), 0);
}
