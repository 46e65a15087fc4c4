#pragma once
// A constant that all terms of a long sum are multiplied by is multiplied in once, after the sum: what a loop of a thousand small steps adds up
// for its gradient has the length of a step in each term. The last bits of such sums may move, and what over- or underflows on the way
// to them. Deliberately not for signs and powers of two, which factor_placement has, and not for short sums, whose terms are fused with their
// products.

#include "jacquard/fixed/sum_splitting.hpp"

namespace jacquard {
namespace detail {

class sum_factors : value_uses {
 public:
  /// `arity` and `reads` as in value_uses.
  template <class Arity, class Reads>
  constexpr sum_factors(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : value_uses(g, keep, arity, reads), factor_(g.step_count), negates_(g.step_count) {}

  /// Rewrites the steps that are kept. False: no long sum has such a constant.
  constexpr bool factor() {
    bool any = false;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && g_.steps[n].is_sum() && !is_part(g_.steps[n].out) && g_.has_room_for_values(2 * count_) && factor_out(n)) any = true;
    if (any) emit();
    return any;
  }

 private:
  static constexpr std::uint32_t most_depth = 6;
  /// Operand k of step n of a sum, which is no part of the sum itself.
  struct term {
    std::uint32_t step, operand;
  };

  /// Whether x is a sum that only another one reads, once.
  constexpr bool is_part(std::uint32_t x) const { return is_made(x) && values_[x].uses == 1 && maker(x).is_sum() && reader(x).is_sum(); }

  /// The constant that x is a product with, where taking it out saves the multiplication; 0: none.
  constexpr double constant_of(std::uint32_t x, std::uint32_t depth = 0) const {
    if (!is_product(x) || depth == most_depth) return 0;
    const run_step& s = maker(x);
    if (is_constant(s.in[1])) return values_[x].uses > 2 || is_constant(s.in[0]) ? 0 : g_.double_of(s.in[1]);
    if (values_[x].uses != 1) return 0;
    const double first = constant_of(s.in[0], depth + 1);
    return first != 0 ? first : constant_of(s.in[1], depth + 1);
  }
  /// x without that constant.
  constexpr std::uint32_t without_constant(std::uint32_t x) {
    run_step& s = maker(x);
    if (is_constant(s.in[1])) return s.in[0];
    const std::uint32_t k = constant_of(s.in[0], 1) != 0 ? 0 : 1;
    s.in[k] = without_constant(s.in[k]);
    return x;
  }

  constexpr double quotient(std::uint32_t code, double c) const { return computed<arithmetic::divide>(g_.double_of(code), c); }
  /// A term as a multiple of the constant c: 1 or -1, or 0 where it is none. A number is one where no bit is lost.
  constexpr int multiple_of(std::uint32_t x, double c) const {
    if (is_constant(x)) {
      const double q = quotient(x, c);
      return g_.is_moderate(q) && computed<arithmetic::multiply>(q, c) == g_.double_of(x) ? 1 : 0;
    }
    const double own = constant_of(x);
    return own == c ? 1 : own == -c ? -1 : 0;
  }
  constexpr bool factor_out(std::uint32_t root) {
    list<std::uint32_t> steps;
    list<term> terms;
    steps.push_back(root);
    double c = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (std::uint32_t k = 0; k < 2; ++k) {
        const std::uint32_t x = g_.steps[steps[i]].in[k];
        if (is_part(x)) steps.push_back(values_[x].maker - 1);
        else if (!is_constant(x) && constant_of(x) == 0) return false;
        else terms.push_back({steps[i], k}), c = is_constant(x) ? c : constant_of(x);
      }
    if (terms.size() < long_sum || c == 0 || g_.is_factor(c) || !g_.is_moderate(c) || !g_.has_room_for_constants(terms.size())) return false;
    if (c < 0) c = -c;  // zeros keep their signs
    if (!turn(steps, c)) return false;
    for (const term& t : terms) {
      std::uint32_t& x = g_.steps[t.step].in[t.operand];
      if (is_constant(x)) x = g_.number(quotient(x, c));
      else x = without_constant(x);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      run_step& s = g_.steps[steps[i]];
      if (turned_[i] == 2) s = {s.kind, s.out, {s.in[1], s.in[0], 0}};
      s.kind = run_step::kind_of(turned_[i] == 0 ? arithmetic::add : arithmetic::subtract);
      negates_[steps[i]] = turned_[i] == 3;
    }
    factor_[root] = g_.number(c);
    return true;
  }
  /// What each step does to multiples of c: 0 adds, 1 subtracts, 2 subtracts the first operand from the second, 3 subtracts the second from the
  /// negative of the first: the sum of two that are negative is not the negative of a sum where both are zero. False: some term is no such multiple.
  constexpr bool turn(const list<std::uint32_t>& steps, double c) {
    turned_ = list<std::uint8_t>(steps.size());
    for (std::size_t i = steps.size(); i-- > 0;) {
      const run_step& s = g_.steps[steps[i]];
      int sign[2]{};
      for (std::uint32_t k = 0; k < 2; ++k) sign[k] = is_part(s.in[k]) ? 1 : multiple_of(s.in[k], c);
      if (s.is(arithmetic::subtract)) sign[1] = -sign[1];
      if (sign[0] == 0 || sign[1] == 0) return false;
      if (sign[0] < 0) turned_[i] = std::uint8_t(sign[1] < 0 ? 3 : 2);
      else turned_[i] = std::uint8_t(sign[1] < 0 ? 1 : 0);
    }
    return true;
  }
  constexpr void emit() {
    list<run_step> steps;
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n]) continue;
      run_step s = g_.steps[n];
      if (negates_[n]) {
        const std::uint32_t negative = g_.new_number();
        steps.push_back({run_step::kind_of(arithmetic::negate), negative, {s.in[0], s.in[0], 0}});
        s.in[0] = negative;
      }
      if (factor_[n] == 0) {
        steps.push_back(s);
        continue;
      }
      const std::uint32_t all = s.out, sum = g_.new_number();
      s.out = sum;
      steps.push_back(s);
      steps.push_back({run_step::kind_of(arithmetic::multiply), all, {sum, factor_[n], 0}});
    }
    g_.set_steps(steps);
  }

  table<std::uint32_t> factor_;  ///< by step of a sum: the code of what all of it is multiplied by; 0: nothing
  table<bool> negates_;          ///< by step of a sum: whether it takes the negative of its first operand
  list<std::uint8_t> turned_;
};

}  // namespace detail
}  // namespace jacquard
