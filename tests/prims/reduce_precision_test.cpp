// reduce_precision: against the formats f16 and bf16, halves to even, what is too large or small; derivative, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array to_half(const array& x) { return lax::reduce_precision(x, 5, 10); }
array to_brain(const array& x) { return lax::reduce_precision(x, 8, 7); }
}  // namespace

static_assert(jq::reduce_precision_p::apply(1.0f + 0x1p-11f, {5, 10}) == 1 && jq::reduce_precision_p::apply(1e6f, {5, 10}) == float(inf));

TEST_CASE("reduce_precision: the numbers of the narrow formats") {
  const array x = make({1.0f, 1.0f + 0x1p-11f, 1.0f + 0x1.8p-10f, 0.1f, -3.14159f, 65519.0f, 65520.0f, -1e30f, float(inf), float(not_a_number), 0.0f});
  CHECK_CLOSE(to_half(x), cast(cast(x, jq::f16), jq::f32), 0);
  CHECK_CLOSE(to_brain(x), cast(cast(x, jq::bf16), jq::f32), 0);
  CHECK_CLOSE(to_half(make({1e-6f, -1e-6f})), make({0.0f, -0.0f}), 0);  // below the normal numbers
  CHECK_CLOSE(lax::reduce_precision(make({0.1, 1e300}), 11, 52), make({0.1, 1e300}), 0);
  CHECK_CLOSE(jq::jit(to_half)(x), to_half(x), 0);
}
TEST_CASE("reduce_precision: derivative, batching, errors") {
  const array x = make({1.0f, 2.0f}), t = make({0.1f, 3.0f});
  CHECK_CLOSE(derivative(unary(to_half), {x}, {t}), t, 0);
  CHECK_CLOSE(cotangents(unary(to_half), {x}, t)[0], t, 0);
  check_batching(unary(to_half), {make({0.1, 0.2})});
  CHECK_THROWS_WITH_AS(lax::reduce_precision(x, 0, 3), doctest::Contains("got 0 bits of exponent and 3 bits of mantissa"), jq::value_error);
  CHECK_THROWS_WITH_AS(to_half(make({1})), doctest::Contains("does not accept dtype"), jq::type_error);
}
