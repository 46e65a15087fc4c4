#pragma once
// The derivative of a quotient whose numerator is a part of its denominator: p - p z / y with y = z + h is p h / y. So the slope of m x / (k + x),
// which the quotient rule gives as m / y - m x / y^2, is m k / y^2, as a person writes it, and does not cancel where x is large. The last bits
// may move, and what is infinite on the way gives no NaN any more. Deliberately only where nothing else reads p z / y, and blind to
// numerators that are sums.

#include "jacquard/fixed/value_uses.hpp"

namespace jacquard {
namespace detail {

class quotient_rule : value_uses {
 public:
  /// `arity` and `reads` as in value_uses.
  template <class Arity, class Reads>
  constexpr quotient_rule(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : value_uses(g, keep, arity, reads, has_denominators(g, keep)), matched_(values_.size()) {}

  /// Rewrites the steps that are kept. False: no difference is of that kind.
  constexpr bool apply() {
    if (values_.size() == 0 || !g_.has_room_for_values(3 * count_)) return false;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && g_.steps[n].is_sum())
        if (slope r{n}; matches(r, 0) || matches(r, 1)) ++matched_[r.dropped], slopes_.push_back(r);
    bool any = false;
    for (slope& r : slopes_) {
      r.used = values_[r.dropped].uses == matched_[r.dropped] && g_.has_room_for_constants(slopes_.size());
      any = any || r.used;
    }
    if (any) emit();
    return any;
  }

 private:
  static constexpr std::uint32_t most_factors = 12, inverse = 0x40000000u;
  /// A product: factors in order, those that it is divided by marked, without constants.
  struct product {
    std::uint32_t factors[most_factors]{}, count = 0;
    double constant = 1;
    constexpr bool add(std::uint32_t code) {
      if (count == most_factors) return false;
      std::uint32_t k = count++;
      for (; k > 0 && factors[k - 1] > code; --k) factors[k] = factors[k - 1];
      factors[k] = code;
      return true;
    }
  };
  /// What step n becomes: constant * base * other / denominator; without `other` where it is a constant.
  struct slope {
    std::uint32_t step, base = 0, other = none, denominator = 0, dropped = 0, value = none;
    double constant = 1;
    bool used = false;
  };

  /// Whether anything is divided by what is not a constant.
  static constexpr bool has_denominators(const value_graph& g, const bool* keep) {
    for (std::uint32_t n = 0; n < g.step_count; ++n)
      if (keep[n] && g.steps[n].is(arithmetic::divide) && !is_constant(g.steps[n].in[1])) return true;
    return false;
  }

  /// Adds what x is made of. False: too much.
  constexpr bool add_factors(std::uint32_t x, product& p) const {
    if (is_constant(x)) {
      p.constant = computed<arithmetic::multiply>(p.constant, g_.double_of(x));
      return true;
    }
    if (values_[x].maker == 0) return p.add(x);
    const run_step& s = maker(x);
    if (s.is(arithmetic::multiply)) return add_factors(s.in[0], p) && add_factors(s.in[1], p);
    if (s.is(arithmetic::divide) && !is_constant(s.in[1])) return add_factors(s.in[0], p) && p.add(s.in[1] | inverse);
    if (!s.is(arithmetic::negate)) return p.add(x);
    p.constant = -p.constant;
    return add_factors(s.in[0], p);
  }
  /// Whether operand k of r's step is the p of p - p z / y; then r is what becomes of it.
  constexpr bool matches(slope& r, std::uint32_t k) const {
    const run_step& s = g_.steps[r.step];
    const std::uint32_t x = s.in[k], rest = s.in[1 - k];
    if (is_constant(x) || !is_made(rest) || values_[rest].uses >= pinned) return false;
    product p, q;
    if (!add_factors(rest, q) || q.count == 0 || (q.factors[q.count - 1] & inverse) == 0 || !add_factors(x, p) || p.count >= q.count) return false;
    if (s.is(arithmetic::subtract)) (k == 0 ? q : p).constant *= -1;
    for (std::uint32_t i = q.count; i-- > 0 && (q.factors[i] & inverse) != 0;) {
      const std::uint32_t y = q.factors[i] & ~inverse;
      if (values_[y].maker == 0 || !maker(y).is_sum()) continue;
      for (std::uint32_t part = 0; part < 2; ++part)
        if (is_rest_of(q, p, y, part)) {
          r.denominator = y, r.dropped = rest;
          return complete(r, x, p.constant, part);
        }
    }
    return false;
  }
  /// Whether q is - p z / y where z is that operand of y.
  constexpr bool is_rest_of(const product& q, product p, std::uint32_t y, std::uint32_t part) const {
    const run_step& s = maker(y);
    if (!p.add(y | inverse) || !add_factors(s.in[part], p) || p.count != q.count) return false;
    for (std::uint32_t i = 0; i < p.count; ++i)
      if (p.factors[i] != q.factors[i]) return false;
    return q.constant == (s.is(arithmetic::subtract) && part == 1 ? p.constant : -p.constant);
  }
  constexpr bool complete(slope& r, std::uint32_t x, double sign_and_constant, std::uint32_t part) const {
    const run_step& y = maker(r.denominator);
    const std::uint32_t h = y.in[1 - part];
    product own;
    add_factors(x, own);
    r.base = x;
    r.constant = (sign_and_constant < 0) == (own.constant < 0) ? 1 : -1;
    if (y.is(arithmetic::subtract) && part == 0) r.constant = -r.constant;
    if (!is_constant(h)) {
      r.other = h;
      return true;
    }
    r.constant *= g_.double_of(h);
    while (values_[r.base].maker != 0) {  // constants of p come together with it
      const run_step& s = maker(r.base);
      if (s.is(arithmetic::multiply) && is_constant(s.in[1])) r.constant = computed<arithmetic::multiply>(r.constant, g_.double_of(s.in[1]));
      else if (s.is(arithmetic::negate)) r.constant = -r.constant;
      else break;
      r.base = s.in[0];
    }
    return r.constant != 0 && g_.is_moderate(r.constant);
  }

  constexpr void emit() {
    std::uint32_t next = 0;
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n]) continue;
      if (next == slopes_.size() || slopes_[next].step != n) steps_.push_back(g_.steps[n]);
      else if (!slopes_[next++].used) steps_.push_back(g_.steps[n]);
      else add_slope(slopes_[next - 1], g_.steps[n].out);
    }
    g_.set_steps(steps_);
  }
  /// One of opposite sign that is there is turned.
  constexpr void add_slope(slope& r, std::uint32_t out) {
    r.value = out;
    for (const slope& known : slopes_)
      if (known.step < r.step && known.used && known.base == r.base && known.other == r.other && known.denominator == r.denominator && known.constant == -r.constant)
        return steps_.push_back({run_step::kind_of(arithmetic::negate), out, {known.value, known.value, 0}});
    std::uint32_t all = added(arithmetic::divide, r.base, r.denominator);
    if (r.other != none) all = added(arithmetic::multiply, all, r.other);
    if (r.constant != 1) added(arithmetic::multiply, all, g_.number(r.constant));
    steps_[steps_.size() - 1].out = out;
  }
  constexpr std::uint32_t added(arithmetic what, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t value = g_.new_number();
    steps_.push_back({run_step::kind_of(what), value, {a, b, 0}});
    return value;
  }

  table<std::uint32_t> matched_;  ///< by value: differences that would not read it any more
  list<slope> slopes_;
  list<run_step> steps_;
};

}  // namespace detail
}  // namespace jacquard
