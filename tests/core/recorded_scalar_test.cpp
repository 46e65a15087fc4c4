// Recorded scalars: what an elementwise function does to one element, written down by running it once.
#include <jacquard/core/recorded_scalar.hpp>

#include <ostream>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::recorded_scalar, jq::scalar_op, jq::scalar_program;

namespace {

constexpr std::size_t steps_of_square_sum() {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::f32));
  const recorded_scalar y = jq::math::add(jq::math::multiply(x, x), jq::math::multiply(x, x));
  return p.steps.size() + (y.number() == 2 ? 0 : 100);
}

}  // namespace

TEST_CASE("equal steps are shared, in constant evaluation too") { static_assert(steps_of_square_sum() == 3); }
TEST_CASE("plain numbers take the dtype of what they meet") {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::bf16));
  const recorded_scalar y = 2 * x - 1.0;
  CHECK(p.steps[std::size_t(y.number())].type == jq::bf16);
  CHECK(p.steps[1].type == jq::bf16);
  CHECK(p.steps[1].value == jq::literal(2.0, jq::f32, false));  // numbers of 16 bits are computed in 32
}
TEST_CASE("comparisons are bool, choices have the dtype of their cases") {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::f64));
  const recorded_scalar c = x > 0;
  CHECK(p.steps[std::size_t(c.number())].type == jq::bool_);
  CHECK(p.steps[std::size_t(p.apply(scalar_op::select, c.number(), x.number(), x.number()))].type == jq::f64);
}
TEST_CASE("integer powers multiply as often as they must") {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::f32));
  jq::math::powi(x, 8);
  int products = 0;
  for (const jq::scalar_step& s : p.steps) products += s.op == scalar_op::multiply;
  CHECK(products == 3);
}
TEST_CASE("a condition on a recorded number cannot be written down") {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::f32));
  CHECK_FALSE(p.refused);
  if (x > 0) CHECK(false);
  CHECK(p.refused);
}
TEST_CASE("scalar programs: constants of functions on numbers of 16 bits have the precision in which these are computed") {
  jq::scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::f16)), y = x * 0.33839763720473803;
  const jq::scalar_step& product = p.steps[std::size_t(y.number())];
  const jq::scalar_step& c = p.steps[std::size_t(product.in[product.in[0] == x.number() ? 1 : 0])];
  CHECK(c.type == jq::f16);
  CHECK(c.value.get<double>() == double(0.33839763720473803f));
}
