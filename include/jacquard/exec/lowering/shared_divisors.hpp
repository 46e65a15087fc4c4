#pragma once
// Divisions of many elements by one number, as a row by its sum or its length, become products with its inverse, which is computed once. Only
// where rounding is free: the quotient has up to 1.5 units in the last place in place of 0.5. Deliberately leaves divisions by constants, which
// people expect to be exact where they can be, and changes nothing about what overflows, or about divisors that are zero, infinite or NaN.

#include "jacquard/exec/lowering/loop_kernel.hpp"

namespace jacquard::lowering {

namespace detail {

/// How many elements share the divisor of a step one after another, so that it stays in a register: of loops on which only the dividend depends
/// those that run within the ones on which the divisor does. 0: it is no division, or one by a constant.
inline std::int64_t elements_by_divisor(const loop_kernel& k, const std::vector<std::uint32_t>& depends, const scalar_step& s) {
  if (s.op != scalar_op::divide || (s.type != f32 && s.type != f64)) return 0;
  if (k.body.steps[std::size_t(s.in[1])].op == scalar_op::constant) return 0;
  const std::uint32_t divisor = depends[std::size_t(s.in[1])], alone = depends[std::size_t(s.in[0])] & ~divisor;
  std::int64_t n = 1;
  for (std::size_t i = 0; i < k.loops.size(); ++i)
    if (((alone >> i) & 1u) != 0 && (k.loops[i].inner || (divisor >> i) == 0)) n *= k.loops[i].extent;
  return n;
}
/// x / y as x * (1 / (y * p)) * p, with a power of two p that keeps the inverse within range: 1 but for the largest and smallest divisors. Where
/// p is less than 1 the product before it is less than x, where it is more than 1 more, so that nothing overflows or vanishes before its time.
inline std::int32_t product_with_inverse(scalar_program& to, std::int32_t x, std::int32_t y, dtype t) {
  if (const scalar_step divisor = to.steps[std::size_t(y)]; divisor.op == scalar_op::sqrt)  // whose inverse is always within range
    return to.apply(scalar_op::multiply, x, to.apply(scalar_op::rsqrt, divisor.in[0]));
  const bool wide = t == f64;
  const auto number = [&](double v) { return to.constant(literal(v, t, false)); };
  const double large = wide ? 0x1p900 : 0x1p100, power = wide ? 0x1p500 : 0x1p60;
  const std::int32_t size = to.apply(scalar_op::abs, y);
  const std::int32_t if_large = to.apply(scalar_op::select, to.apply(scalar_op::less, number(large), size), number(1 / power), number(1));
  const std::int32_t p = to.apply(scalar_op::select, to.apply(scalar_op::less, size, number(1 / large)), number(power), if_large);
  const std::int32_t inverse = to.apply(scalar_op::divide, number(1), to.apply(scalar_op::multiply, y, p));
  return to.apply(scalar_op::multiply, to.apply(scalar_op::multiply, x, inverse), p);
}

}  // namespace detail

/// Replaces such divisions of a kernel. Complexity: linear in the kernel, but for the search for equal steps.
inline void share_divisors(loop_kernel& k) {
  static constexpr std::int64_t fewest = 3;  // elements that are worth it: a row of so many numbers
  const std::vector<std::uint32_t> depends = loop_dependence(k);
  bool any = false;
  for (const scalar_step& s : k.body.steps) any = any || detail::elements_by_divisor(k, depends, s) >= fewest;
  if (!any) return;
  scalar_program to = k.body;
  to.steps.clear();
  std::vector<std::int32_t> now;  // by step
  for (const scalar_step& s : k.body.steps) {
    scalar_step moved = s;
    for (int i = 0; i < operand_count(s.op); ++i) moved.in[i] = now[std::size_t(s.in[i])];
    if (detail::elements_by_divisor(k, depends, s) >= fewest) now.push_back(detail::product_with_inverse(to, moved.in[0], moved.in[1], s.type));
    else now.push_back(to.share(moved));
  }
  k.body = std::move(to);
  const auto move = [&](std::int32_t& step) {
    if (step >= 0) step = now[std::size_t(step)];
  };
  for (stage& s : k.stages) move(s.step);
  for (output& o : k.outputs) move(o.step), move(o.place), move(o.inside);
}

}  // namespace jacquard::lowering
