// Scalar programs: what an elementwise function does to one element, written down by running it once.
#include <jacquard/core/scalar_program.hpp>

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
TEST_CASE("constants convert at once, values by a step") {
  scalar_program p;
  CHECK(p.convert(p.constant(jq::literal(2.7)), jq::i32) == p.constant(jq::literal(2, jq::i32, false)));
  const std::int32_t x = p.load(0, jq::f32);
  CHECK(p.convert(x, jq::f32) == x);
  CHECK(p.steps[std::size_t(p.convert(x, jq::f64))].op == scalar_op::convert);
}
TEST_CASE("indices with start and step") {
  scalar_program p;
  CHECK(p.steps[std::size_t(p.index_at(-1, 5, 1))].value == jq::literal(std::int64_t(5)));
  const std::int32_t plain = p.index_at(2, 0, 1);
  CHECK(p.steps[std::size_t(plain)].op == scalar_op::index);
  CHECK(p.steps[std::size_t(plain)].in[0] == 2);
  CHECK(p.steps[std::size_t(p.index_at(2, 3, -1))].op == scalar_op::add);
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
TEST_CASE("extremes beside zero compare the zero with the number, where no sign of a zero can tell") {
  scalar_program p;
  const std::int32_t x = p.load(0, jq::f32), zero = p.constant(jq::literal(0.0, jq::f32, false)), minus = p.constant(jq::literal(-0.0, jq::f32, false));
  const auto first = [&](std::int32_t of) { return p.steps[std::size_t(p.apply(scalar_op::max, of, zero))].in[0]; };
  CHECK(first(x) == x);  // max(-0, 0) is 0
  CHECK(first(p.apply(scalar_op::add, x, minus)) != zero);
  CHECK(first(p.apply(scalar_op::multiply, x, p.load(1, jq::f32))) != zero);
  CHECK(first(p.apply(scalar_op::add, x, p.constant(jq::literal(1.0, jq::f32, false)))) == zero);
  CHECK(first(p.apply(scalar_op::multiply, x, x)) == zero);
  CHECK(first(p.apply(scalar_op::abs, x)) == zero);
  CHECK(p.steps[std::size_t(p.apply(scalar_op::min, p.apply(scalar_op::abs, x), zero))].in[0] == zero);
}
TEST_CASE("sums and products whose operands change places are one step") {
  scalar_program p;
  const std::int32_t x = p.load(0, jq::f32), y = p.load(1, jq::f32);
  CHECK(p.apply(scalar_op::add, x, y) == p.apply(scalar_op::add, y, x));
  CHECK(p.apply(scalar_op::multiply, x, y) == p.apply(scalar_op::multiply, y, x));
  CHECK(p.apply(scalar_op::subtract, x, y) != p.apply(scalar_op::subtract, y, x));
  CHECK(p.apply(scalar_op::max, x, y) != p.apply(scalar_op::max, y, x));  // which of two NaN or zeros it is depends on their order
}
TEST_CASE("zero is added to what may be -0, and no second time") {
  scalar_program p;
  const std::int32_t x = p.load(0, jq::f32), zero = p.constant(jq::literal(0.0f)), minus_zero = p.constant(jq::literal(-0.0f));
  const std::int32_t once = p.apply(scalar_op::add, x, zero);
  CHECK(once != x);
  CHECK(p.apply(scalar_op::add, once, zero) == once);
  CHECK(p.apply(scalar_op::add, zero, once) == once);
  CHECK(p.apply(scalar_op::add, p.apply(scalar_op::add, once, x), zero) == p.apply(scalar_op::add, once, x));
  CHECK(p.apply(scalar_op::add, zero, zero) == zero);
  CHECK(p.apply(scalar_op::add, minus_zero, zero) != minus_zero);
  CHECK(p.apply(scalar_op::add, p.apply(scalar_op::multiply, once, x), zero) != p.apply(scalar_op::multiply, once, x));
  const std::int32_t n = p.load(1, jq::i32);
  CHECK(p.apply(scalar_op::add, n, p.constant(jq::literal(0, jq::i32, false))) == n);
}
TEST_CASE("indices that are known are compared at once") {
  scalar_program p;
  const auto number = [&](std::int64_t n) { return p.constant(jq::literal(n)); };
  CHECK(p.apply(scalar_op::equal, number(3), number(3)) == p.constant(jq::literal(true)));
  CHECK(p.apply(scalar_op::equal, number(3), number(-4)) == p.constant(jq::literal(false)));
  CHECK(p.steps[std::size_t(p.apply(scalar_op::equal, number(3), p.index(0)))].op == scalar_op::equal);
}
