// Scalar programs: steps that are shared, left out, or joined with others as they are written down.
#include <jacquard/core/scalar_program.hpp>

#include <cmath>
#include <ostream>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::scalar_op, jq::scalar_program;

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
TEST_CASE("constant factors that follow one another are one, where results are rounded freely") {
  for (const bool freely : {true, false})
    for (const jq::dtype t : {jq::f32, jq::f64}) {
      CAPTURE(freely);
      scalar_program p;
      p.rounds_freely = freely;
      const auto number = [&](double v) { return p.constant(jq::literal(v, t, false)); };
      const std::int32_t x = p.load(0, t), scaled = p.apply(scalar_op::multiply, number(3), x);
      const auto is_times = [&](std::int32_t step, double c) { return step == p.apply(scalar_op::multiply, x, number(c)); };
      CHECK(is_times(p.apply(scalar_op::add, x, x), 2) == freely);
      CHECK(is_times(p.apply(scalar_op::add, scaled, scaled), 6) == freely);
      CHECK(is_times(p.apply(scalar_op::negate, scaled), -3) == freely);
      CHECK(is_times(p.apply(scalar_op::multiply, scaled, number(4)), 12) == freely);
      CHECK(is_times(p.apply(scalar_op::multiply, number(4), scaled), 12) == freely);
      CHECK(is_times(p.apply(scalar_op::multiply, p.apply(scalar_op::multiply, x, number(0.25)), number(3)), 0.75) == freely);
      const std::int32_t half = p.apply(scalar_op::multiply, x, number(0.5));
      CHECK((p.apply(scalar_op::add, half, half) == x) == freely);
      CHECK(p.steps[std::size_t(p.apply(scalar_op::negate, x))].op == scalar_op::negate);
      CHECK(!is_times(p.apply(scalar_op::multiply, scaled, number(5)), 15));     // rounded twice
      CHECK(!is_times(p.apply(scalar_op::multiply, scaled, number(0.5)), 1.5));  // 3 x may overflow
      const double large = t == jq::f32 ? 0x1p119 : 0x1p999, small = 1 / large;
      CHECK(!is_times(p.apply(scalar_op::multiply, p.apply(scalar_op::multiply, x, number(large)), number(4)), 4 * large));
      CHECK(!is_times(p.apply(scalar_op::multiply, p.apply(scalar_op::multiply, x, number(small)), number(0.25)), 0.25 * small));
      for (const double odd : {0.0, double(INFINITY), double(NAN)}) {
        const std::int32_t product = p.apply(scalar_op::multiply, x, number(odd));
        CHECK(p.steps[std::size_t(p.apply(scalar_op::multiply, product, number(2)))].in[0] == product);
      }
    }
}
TEST_CASE("factors of whole numbers and of numbers of 16 bits stay as they are") {
  for (const jq::dtype t : {jq::i32, jq::u8, jq::f16, jq::bf16}) {
    scalar_program p;
    p.rounds_freely = true;
    const std::int32_t x = p.load(0, t);
    CHECK(p.steps[std::size_t(p.apply(scalar_op::add, x, x))].op == scalar_op::add);
  }
}
