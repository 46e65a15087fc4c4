#pragma once
// Arithmetic on single elements. Operations on constants are constants, x * 1 and x + 0 are x. Factors that are a sign or a power of two are
// not computed where they arise: an element may stand for a factor times a value, factors of products come together, -a + b is b - a, and
// what is left is multiplied in where another operation needs the number. That is exact where no intermediate value overflows or underflows. x + (y + x) is y + 2 x, and products of the same values are one in
// whichever order they were multiplied, which moves the last bit, and may move what overflows between: the liberty that a person takes who
// writes a derivative by hand. One type of numbers has all of that. Deliberately few calls: every one costs the compiler microseconds.

#include "jacquard/fixed/value_graph.hpp"

namespace jacquard {
namespace detail {

class arithmetic_graph : public value_graph {
 public:
  using value_graph::value_graph;

  /// The code of a number that is there: with its factor multiplied in.
  constexpr std::uint32_t settled(std::uint32_t code) {
    if (is_constant(code) || values_[code].base == 0) return code;
    if (values_[code].settled == 0) {
      const std::uint32_t made = multiplied_in(values_[code].factor, values_[code].base - 1);
      values_[code].settled = made + 1;
    }
    return values_[code].settled - 1;
  }

 protected:
  /// One operation on numbers. A zero of a structural operand makes a product zero. Where constants have no more room, operations on
  /// them are steps.
  constexpr std::uint32_t arithmetic_element(arithmetic what, std::uint32_t a, std::uint32_t b, bool structural_a, bool structural_b) {
    if (is_constant(a) && (is_constant(b) || what == arithmetic::negate) && has_room_for_constants())
      return number(computed(what, double_of(a), is_constant(b) ? double_of(b) : 0));
    switch (what) {
      case arithmetic::multiply:
        if (structural_a && is_number(a, 0)) return a;
        if (structural_b && is_number(b, 0)) return b;
        return product(a, b);
      case arithmetic::divide: return structural_a && is_number(a, 0) ? a : quotient(a, b);
      case arithmetic::add: return sum(a, b, 1);
      case arithmetic::subtract: return sum(a, b, -1);
      case arithmetic::negate: return is_constant(a) ? operation(what, a, a) : scaled(-factor_of(a), base_of(a));
      default: return operation(what, settled(a), settled(b));
    }
  }

 private:
  // Factors.

  constexpr double factor_of(std::uint32_t value) const { return values_[value].base == 0 ? 1 : values_[value].factor; }
  constexpr std::uint32_t base_of(std::uint32_t value) const { return values_[value].base == 0 ? value : values_[value].base - 1; }
  /// The value that stands for factor * base, + 1; 0: none does.
  constexpr std::uint32_t multiple_of(double factor, std::uint32_t base) const {
    for (std::uint32_t n = values_[base].scaling;; n = values_[n - 1].next_scaling)
      if (n == 0 || values_[n - 1].factor == factor) return n;
  }
  /// The element factor * base, which no step computes yet.
  constexpr std::uint32_t scaled(double factor, std::uint32_t base) {
    if (factor == 1) return base;
    if (is_constant(base)) return number(factor * double_of(base));
    if (!is_factor(factor)) return multiplied_in(factor, base);
    if (const std::uint32_t n = multiple_of(factor, base); n != 0) return n - 1;
    const std::uint32_t value = new_value(number_type);
    values_[value].factor = factor, values_[value].base = base + 1;
    values_[value].next_scaling = values_[base].scaling;
    values_[base].scaling = value + 1;
    return value;
  }
  /// factor * base as a step. A constant that is multiplied or divided takes the factor in.
  constexpr std::uint32_t multiplied_in(double factor, std::uint32_t base) {
    if (const std::uint32_t maker = values_[base].maker; maker != 0) {
      const run_step s = steps[maker - 1];
      const bool times = s.is(arithmetic::multiply), over = s.is(arithmetic::divide);
      const std::uint32_t k = times ? 1 : 0;  // constants have the larger codes
      if ((times || over) && is_constant(s.in[k]) && is_moderate(factor * double_of(s.in[k])) && has_room_for_constants()) {
        const std::uint32_t c = number(factor * double_of(s.in[k]));
        return times ? operation(arithmetic::multiply, s.in[0], c) : operation(arithmetic::divide, c, s.in[1]);
      }
    }
    return factor == -1 ? operation(arithmetic::negate, base, base) : operation(arithmetic::multiply, base, number(factor));
  }

  // Operations.

  constexpr std::uint32_t operation(arithmetic what, std::uint32_t a, std::uint32_t b) {
    const bool swapped = b < a && (what == arithmetic::add || what == arithmetic::multiply || what == arithmetic::max || what == arithmetic::min);
    const std::uint32_t operands[] = {swapped ? b : a, swapped ? a : b};
    return what == arithmetic::multiply ? multiplied(operands) : shared(run_step::kind_of(what), operands, 2, number_type);
  }

  // Products of the same values are one, however they were put together: each has a number that does not depend on the order.

  static constexpr std::uint32_t most_parts = 12;
  /// A number that is as good as drawn by lot (the finalizer of splitmix64, Steele, Lea and Flood 2014).
  static constexpr std::uint64_t lot(std::uint64_t x) {
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  constexpr std::uint64_t lot_of(std::uint32_t code) const { return is_constant(code) || values_[code].lot == 0 ? lot(code) : values_[code].lot; }
  constexpr std::uint32_t multiplied(const std::uint32_t (&x)[2]) {
    const std::uint64_t all = lot_of(x[0]) + lot_of(x[1]);
    std::uint32_t& first = products_[all % product_lists];
    for (std::uint32_t v = first; v != 0; v = values_[v - 1].next_product)
      if (values_[v - 1].lot == all && same_parts(steps[values_[v - 1].maker - 1].in, x)) return v - 1;
    const std::uint32_t value = shared(run_step::kind_of(arithmetic::multiply), x, 2, number_type);
    if (values_[value].lot != 0) return value;  // of too many parts to be compared, but put together in the same way
    values_[value].lot = all;
    values_[value].next_product = first;
    first = value + 1;
    return value;
  }
  /// Puts what a product is made of among others, in order. False: too many.
  constexpr bool add_parts(std::uint32_t code, std::uint32_t* parts, std::uint32_t& count) const {
    if (!is_constant(code) && values_[code].lot != 0) {
      const run_step& s = steps[values_[code].maker - 1];
      return add_parts(s.in[0], parts, count) && add_parts(s.in[1], parts, count);
    }
    if (count == most_parts) return false;
    std::uint32_t k = count++;
    for (; k > 0 && parts[k - 1] > code; --k) parts[k] = parts[k - 1];
    parts[k] = code;
    return true;
  }
  constexpr bool same_parts(const std::uint32_t* x, const std::uint32_t* y) const {
    std::uint32_t a[most_parts], b[most_parts], n = 0, m = 0;
    for (std::uint32_t k = 0; k < 2; ++k)
      if (!add_parts(x[k], a, n) || !add_parts(y[k], b, m)) return false;
    for (std::uint32_t k = 0; k < n; ++k)
      if (n != m || a[k] != b[k]) return false;
    return true;
  }

  constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    if (is_constant(a)) return is_constant(b) ? operation(arithmetic::multiply, a, b) : product(b, a);
    const double f = factor_of(a);
    if (is_constant(b)) {
      const double c = f * double_of(b);
      if (is_factor(c)) return scaled(c, base_of(a));
      return is_moderate(c) && has_room_for_constants() ? operation(arithmetic::multiply, base_of(a), number(c))
                                                        : operation(arithmetic::multiply, settled(a), b);
    }
    const double both = f * factor_of(b);
    if (!is_factor(both)) return operation(arithmetic::multiply, settled(a), settled(b));
    return scaled(both, operation(arithmetic::multiply, base_of(a), base_of(b)));
  }
  constexpr std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
    if (is_constant(b)) {
      const double c = double_of(b);
      if (is_constant(a)) return operation(arithmetic::divide, a, b);
      return is_factor(c) ? scaled(factor_of(a) / c, base_of(a)) : operation(arithmetic::divide, settled(a), b);
    }
    const double f = factor_of(b);
    const std::uint32_t one = number(1), y = base_of(b);
    if (is_constant(a)) {
      const double c = double_of(a) / f;
      if (is_factor(c)) return scaled(c, operation(arithmetic::divide, one, y));
      return operation(arithmetic::divide, a, settled(b));
    }
    const double both = factor_of(a) / f;
    if (!is_factor(both)) return operation(arithmetic::divide, settled(a), settled(b));
    const std::uint32_t inverse[] = {one, y}, known = find(run_step::kind_of(arithmetic::divide), inverse, 2, values_[y].user);
    if (known != none) return scaled(both, operation(arithmetic::multiply, base_of(a), known));
    return scaled(both, operation(arithmetic::divide, base_of(a), y));
  }
  /// a + sign * b. Two zeros keep the sign that their sum has: -a - b is not -(a + b).
  constexpr std::uint32_t sum(std::uint32_t a, std::uint32_t b, double sign) {
    if (is_number(b, 0)) return a;
    if (sign > 0 && is_number(a, 0)) return b;
    if (is_constant(a) || is_constant(b)) {
      if (sign > 0 && !is_constant(b)) return sum(b, a, 1);
      if (is_constant(b)) return operation(sign > 0 ? arithmetic::add : arithmetic::subtract, settled(a), b);
      if (factor_of(b) < 0) return operation(arithmetic::add, settled(scaled(-factor_of(b), base_of(b))), a);
      return operation(arithmetic::subtract, a, settled(b));
    }
    const double fa = factor_of(a), fb = sign * factor_of(b);
    const std::uint32_t x = base_of(a), y = base_of(b);
    if (x == y && (fa > 0) == (fb > 0) && has_room_for_constants()) return product(x, number(fa + fb));
    if (const std::uint32_t r = with_twice(fa, x, fb, y); r != none) return r;
    if (const std::uint32_t r = with_twice(fb, y, fa, x); r != none) return r;
    const bool drawn = magnitude(fa) == magnitude(fb) && (values_[a].settled == 0 || values_[b].settled == 0);
    const double f = drawn ? magnitude(fa) : 1;
    const std::uint32_t u = drawn ? x : settled(scaled(magnitude(fa), x)), v = drawn ? y : settled(scaled(magnitude(fb), y));
    if (fa > 0) return scaled(f, operation(fb > 0 ? arithmetic::add : arithmetic::subtract, u, v));
    if (fb > 0) return scaled(f, operation(arithmetic::subtract, v, u));
    return scaled(f, operation(arithmetic::subtract, settled(scaled(-1, u)), v));
  }

  /// f * x + g * y where y is a sum with x in it that nothing reads yet: with 2 * x in place of the two.
  constexpr std::uint32_t with_twice(double f, std::uint32_t x, double g, std::uint32_t y) {
    if (values_[y].maker == 0 || values_[y].uses != 0 || !is_factor(2 * f)) return none;
    const run_step s = steps[values_[y].maker - 1];
    const bool minus = s.is(arithmetic::subtract);
    if (!s.is_sum()) return none;
    for (std::uint32_t k = 0; k < 2; ++k) {
      const double left = minus && k == 1 ? -g : g, rest = minus && k == 0 ? -g : g;
      const std::uint32_t m = multiple_of(f / left, x);
      if (f == left ? s.in[k] == x : m != 0 && values_[m - 1].settled == s.in[k] + 1) return sum(scaled(rest, s.in[1 - k]), scaled(2 * f, x), 1);
    }
    return none;
  }

  static constexpr std::uint32_t product_lists = 256;
  std::uint32_t products_[product_lists]{};  ///< the last product of each list, + 1
};

}  // namespace detail
}  // namespace jacquard
