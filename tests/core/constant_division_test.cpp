// Division by numbers that are known when it is written down: steps without divisions, whose results are those of math::int_div and int_rem.
#include <jacquard/core/constant_division.hpp>

#include <ostream>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::literal, jq::recorded_scalar, jq::scalar_op, jq::scalar_program, jq::scalar_step;

namespace {

/// What the steps make of x, in the wrapping arithmetic of their dtypes. Anything but conversions, sums, products and operations on bits is an error.
template <class T>
constexpr std::uint64_t value_of(const scalar_program& p, std::int32_t last, T x) {
  std::vector<std::uint64_t> values;
  for (std::int32_t i = 0; i <= last; ++i) {
    const scalar_step& s = p.steps[std::size_t(i)];
    const auto in = [&](int k) { return values[std::size_t(s.in[k])]; };
    std::uint64_t v = 0;
    switch (s.op) {
      case scalar_op::load: v = std::uint64_t(std::int64_t(x)); break;
      case scalar_op::constant: v = s.value.low; break;
      case scalar_op::convert: v = in(0); break;
      case scalar_op::add: v = in(0) + in(1); break;
      case scalar_op::subtract: v = in(0) - in(1); break;
      case scalar_op::multiply: v = in(0) * in(1); break;
      case scalar_op::bit_and: v = in(0) & in(1); break;
      case scalar_op::bit_xor: v = in(0) ^ in(1); break;
      case scalar_op::shift_right_logical: v = in(0) >> in(1); break;
      case scalar_op::shift_right_arithmetic: v = std::uint64_t(std::int64_t(in(0)) >> in(1)); break;
      default: throw "a step that divides";
    }
    values.push_back(literal(v).as(s.type).low);  // wraps, and extends the sign
  }
  return values[std::size_t(last)];
}

template <class T>
constexpr bool divides(T x, T d) {
  scalar_program p;
  const recorded_scalar a(p, p.load(0, jq::dtype_of<T>())), b(p, p.constant(literal(d)));
  const recorded_scalar q = jq::detail::recorded_quotient(a, b), r = jq::detail::recorded_remainder(a, b);
  return T(value_of(p, q.number(), x)) == jq::math::int_div(x, d) && T(value_of(p, r.number(), x)) == jq::math::int_rem(x, d);
}
static_assert(divides(std::int64_t(-1001), std::int64_t(1000)));

/// Numbers near powers of two and near their negatives, and random ones.
template <class T>
std::vector<T> numbers() {
  std::vector<T> all;
  for (int bits = 0; bits < int(8 * sizeof(T)); ++bits)
    for (int near = -2; near <= 2; ++near)
      for (int sign = 0; sign < 2; ++sign) {
        const std::uint64_t v = (std::uint64_t(1) << bits) + std::uint64_t(near);
        all.push_back(T(sign ? 0 - v : v));
      }
  std::uint64_t state = 1;
  for (int i = 0; i < 60; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    all.push_back(T(state >> (i % 59)));
  }
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("division by constants: the quotients and remainders of math, by products and shifts", T, std::int8_t, std::int16_t, std::int32_t,
                   std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t) {
  const std::vector<T> all = numbers<T>();
  int wrong = 0;
  for (T d : all)
    for (T x : all) {
      if (divides(x, d)) continue;
      if (wrong++ == 0) MESSAGE("first wrong: " << std::int64_t(x) << " by " << std::int64_t(d));
    }
  CHECK(wrong == 0);
}
TEST_CASE("division by constants: 0 divides as elsewhere, and what is not known or no integer is a step") {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::i32)), y(p, p.load(1, jq::i32)), none(p, p.constant(literal(0)));
  CHECK(jq::detail::recorded_remainder(x, none).number() == x.number());
  CHECK(p.steps[std::size_t(jq::detail::recorded_quotient(x, none).number())].value.get<int>() == -1);
  CHECK(p.steps[std::size_t(jq::detail::recorded_remainder(x, y).number())].op == scalar_op::rem);
  CHECK(p.steps[std::size_t(jq::detail::recorded_quotient(x, y).number())].op == scalar_op::divide);
  const recorded_scalar real(p, p.load(2, jq::f32)), three(p, p.constant(literal(3.0f)));
  CHECK(p.steps[std::size_t(jq::detail::recorded_quotient(real, three).number())].op == scalar_op::divide);
}
