#pragma once
// Where factors that are signs and powers of two are multiplied in, decided once all steps are known: a factor of a product goes to one of
// its operands, one of a sum to both, and so on upwards as far as what is wanted with the factor is wanted so by others too. Twice a
// gradient that is proportional to a reciprocal becomes the gradient with that reciprocal doubled. Exact as such factors are. Deliberately
// no search: passes of linear complexity over the steps, which estimate what a choice costs.

#include "jacquard/core/list.hpp"
#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"

namespace jacquard {
namespace detail {

/// The steps of a graph with their factors placed. `arity(step)` is how many operands a step has; `reads(n, visit)` calls `visit(code)`
/// for what step n reads as a whole equation, and for what is read after all steps where n is their number.
template <class Graph, class Arity, class Reads>
class factor_placement {
 public:
  constexpr factor_placement(Graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : g_(g), keep_(keep), arity_(arity), reads_(reads), count_(g.step_count), values_(g.value_count) {
    std::uint32_t constants = 0;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && (is_constant(g.steps[n].in[0]) || is_constant(g.steps[n].in[1]))) ++constants;
    constants_vary_ = g.has_room_for_constants(constants);
  }

  /// Whether any step that is kept multiplies by a factor.
  constexpr bool has_factors() const {
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && !is_whole(n) && scale_of(g_.steps[n]) != 0) return g_.has_room_for_values(2 * count_);
    return false;
  }
  /// Replaces the steps that are kept by others, all of which are needed.
  constexpr void place() {
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && !is_whole(n)) values_[g_.steps[n].out].maker = n + 1;
    find_spoiled();
    spread_demands();
    weigh();
    settle_wants();
    emit();
    g_.set_steps(steps_);
  }
  /// The value that now holds what a whole equation or a result reads as `code`.
  constexpr std::uint32_t face(std::uint32_t code) {
    return is_constant(code) || code >= values_.size() || values_[code].face == 0 ? code : values_[code].face - 1;
  }

 private:
  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  constexpr bool is_whole(std::uint32_t n) const { return (g_.steps[n].kind & run_step::whole) != 0; }
  /// The factor by which a step only scales its first operand; 0: it does something else.
  constexpr double scale_of(const run_step& s) const {
    if (is_constant(s.in[0])) return 0;
    if (s.is(arithmetic::negate)) return -1;
    if (!s.is(arithmetic::multiply) || !is_constant(s.in[1])) return 0;
    const double c = g_.double_of(s.in[1]);
    return g_.is_factor(c) ? c : 0;
  }
  /// A product or quotient with a constant that takes a factor in; which operand that is. 2: none.
  constexpr std::uint32_t constant_operand(const run_step& s) const {
    const std::uint32_t k = s.is(arithmetic::multiply) ? 1 : s.is(arithmetic::divide) ? 0 : 2;
    if (k == 2 || !is_constant(s.in[k]) || !constants_vary_) return 2;
    const double c = g_.double_of(s.in[k]) < 0 ? -g_.double_of(s.in[k]) : g_.double_of(s.in[k]);
    return c > 1e-270 && c < 1e270 ? k : 2;
  }

  /// Spoiled: something reads the value that a factor cannot pass.
  constexpr void find_spoiled() {
    const auto spoil = [this](std::uint32_t code) {
      if (!is_constant(code)) values_[code].spoiled = true;
    };
    reads_(count_, spoil);
    for (std::uint32_t n = count_; n-- > 0;) {
      if (!keep_[n]) continue;
      const run_step& s = g_.steps[n];
      if (is_whole(n)) {
        reads_(n, spoil);
        continue;
      }
      for (std::uint32_t k = 0; k < arity_(s); ++k)
        if (!is_constant(s.in[k])) ++values_[s.in[k]].readers;
      if (scale_of(s) == 0 && !((s.is_sum() || s.is(arithmetic::multiply)) && !values_[s.out].spoiled))
        for (std::uint32_t k = 0; k < arity_(s); ++k) spoil(s.in[k]);
    }
  }
  /// Whether a step makes x that may pass a factor on.
  constexpr bool is_made(std::uint32_t x) const {
    if (values_[x].maker == 0) return false;
    const run_step& s = g_.steps[values_[x].maker - 1];
    return s.is_sum() || s.is(arithmetic::multiply);
  }
  /// Which operand of a product of two values takes a factor: one of which nothing else is wanted, one that more steps read, one that may
  /// pass it on, the earlier one.
  constexpr std::uint32_t carrier(const run_step& s) const {
    const std::uint32_t x = s.in[0], y = s.in[1];
    if (values_[x].spoiled != values_[y].spoiled) return values_[x].spoiled ? 1 : 0;
    if (values_[x].readers != values_[y].readers) return values_[y].readers > values_[x].readers ? 1 : 0;
    if (is_made(x) != is_made(y)) return is_made(y) ? 1 : 0;
    return y < x ? 1 : 0;
  }

  // What would be wanted with a factor if all of them went up as far as they can.

  constexpr bool can_push(std::uint32_t x) const {
    if (values_[x].spoiled || values_[x].maker == 0 || values_[x].demands == 0 || !g_.is_factor(values_[x].demanded)) return false;
    const run_step& s = g_.steps[values_[x].maker - 1];
    if (scale_of(s) != 0 || constant_operand(s) != 2) return true;
    if (is_constant(s.in[0]) || is_constant(s.in[1])) return false;
    return s.is(arithmetic::multiply) || (s.is_sum() && values_[x].demanded > 0);
  }
  constexpr void demand(std::uint32_t x, double factor) {
    values_[x].demanded = values_[x].demands == 0 || values_[x].demanded == factor ? factor : 0;
    ++values_[x].demands;
  }
  constexpr void spread_demands() {
    for (std::uint32_t n = count_; n-- > 0;) {
      if (!keep_[n] || is_whole(n)) continue;
      const run_step& s = g_.steps[n];
      if (const double c = scale_of(s); c != 0) {
        const double f = values_[s.out].demands != 0 && values_[s.out].demanded != 0 ? c * values_[s.out].demanded : c;
        if (f != 1) demand(s.in[0], f);
      } else if (can_push(s.out)) {
        if (s.is_sum()) demand(s.in[0], values_[s.out].demanded), demand(s.in[1], values_[s.out].demanded);
        else if (constant_operand(s) == 2) demand(s.in[carrier(s)], values_[s.out].demanded);
      }
    }
  }
  /// What a factor of x costs each of those that want it, in multiplications.
  constexpr double share(std::uint32_t x) const {
    const double all = values_[x].pushes ? values_[x].cost : 1;
    return values_[x].demanded == 0 ? all : all / values_[x].demands;
  }
  constexpr void weigh() {
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n] || is_whole(n)) continue;
      const run_step& s = g_.steps[n];
      double& cost = values_[s.out].cost;
      if (!can_push(s.out)) cost = 1;
      else if (s.is_sum()) cost = share(s.in[0]) + share(s.in[1]);
      else cost = scale_of(s) != 0 || constant_operand(s) != 2 ? 0 : share(s.in[carrier(s)]);
      values_[s.out].pushes = cost < 1;
    }
  }

  // What is wanted in the end, and what each step computes: a multiple of what it did.

  constexpr void want(std::uint32_t x, double factor) {
    if (is_constant(x)) return;
    if (factor == 1) values_[x].plain = true;
    else if (values_[x].wanted == 0) values_[x].wanted = factor;
    else if (values_[x].wanted != factor) values_[x].plain = true;
  }
  constexpr bool is_alias(const run_step& s) const {
    const double c = scale_of(s);
    return c != 0 && (values_[s.out].wanted == 0 || g_.is_factor(values_[s.out].wanted * c));
  }
  constexpr void settle_wants() {
    const auto read = [this](std::uint32_t code) { want(code, 1); };
    reads_(count_, read);
    for (std::uint32_t n = count_; n-- > 0;) {
      if (!keep_[n]) continue;
      if (is_whole(n)) {
        reads_(n, read);
        continue;
      }
      const run_step& s = g_.steps[n];
      const std::uint32_t v = s.out;
      if (!values_[v].plain && values_[v].wanted == 0) continue;
      if (is_alias(s)) {
        if (values_[v].plain) want(s.in[0], scale_of(s));
        if (values_[v].wanted != 0) want(s.in[0], values_[v].wanted * scale_of(s));
        continue;
      }
      const bool takes = scale_of(s) == 0 || constant_operand(s) != 2;  // a scaling has no other operand than its constant to take a factor in
      const bool pushed = !values_[v].plain && values_[v].pushes && takes && (values_[v].wanted > 0 || !s.is_sum());
      values_[v].own = pushed ? values_[v].wanted : 1;
      for (std::uint32_t k = 0; k < arity_(s); ++k) want(s.in[k], factor_of_operand(s, k));
    }
  }
  /// The multiple of operand k that a step reads.
  constexpr double factor_of_operand(const run_step& s, std::uint32_t k) const {
    const double f = values_[s.out].own;
    if (f == 1 || s.is_sum()) return f;
    const std::uint32_t c = constant_operand(s);
    return k == (c != 2 ? c : carrier(s)) ? f : 1;
  }

  constexpr std::uint32_t resolved(std::uint32_t x, double factor) {
    if (is_constant(x)) return factor == 1 ? x : g_.number(g_.double_of(x) * factor);
    if (values_[x].maker != 0)
      if (const run_step& s = g_.steps[values_[x].maker - 1]; is_alias(s)) return resolved(s.in[0], scale_of(s) * factor);
    if (const std::uint32_t y = values_[x].same; y != 0) return resolved(y - 1, factor * values_[y - 1].own / values_[x].own);
    const double own = values_[x].maker == 0 ? 1 : values_[x].own, rest = factor / own;
    if (rest == 1) return x;
    for (std::uint32_t m = values_[x].multiples; m != 0; m = multiples_[m - 1].next)
      if (multiples_[m - 1].factor == rest) return multiples_[m - 1].value;
    const std::uint32_t value = g_.new_number();
    if (rest == -1) steps_.push_back({run_step::kind_of(arithmetic::negate), value, {x, x, 0}});
    else steps_.push_back({run_step::kind_of(arithmetic::multiply), value, {x, g_.number(rest), 0}});
    multiples_.push_back({rest, value, values_[x].multiples});
    values_[x].multiples = std::uint32_t(multiples_.size());
    return value;
  }
  /// Whether a step does what an earlier one does, as some do once their factors have moved: that one's value then serves for both.
  constexpr bool is_known(const run_step& s) {
    const std::uint32_t x = is_constant(s.in[0]) ? s.in[1] : s.in[0];
    if ((s.kind & run_step::plain_arithmetic) == 0 || is_constant(x) || x >= values_.size()) return false;
    for (std::uint32_t v = values_[x].user; v != 0; v = values_[v - 1].next_user)
      if (const run_step& t = steps_[values_[v - 1].at]; t.kind == s.kind && t.in[0] == s.in[0] && t.in[1] == s.in[1]) {
        values_[s.out].same = v;
        return true;
      }
    values_[s.out].at = std::uint32_t(steps_.size());
    values_[s.out].next_user = values_[x].user, values_[x].user = s.out + 1;
    return false;
  }
  constexpr void emit() {
    const auto turn = [this](std::uint32_t code) {
      if (!is_constant(code)) values_[code].face = resolved(code, 1) + 1;
    };
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n]) continue;
      run_step s = g_.steps[n];
      if (is_whole(n)) reads_(n, turn);
      else {
        if ((!values_[s.out].plain && values_[s.out].wanted == 0) || is_alias(s)) continue;
        const run_step old = s;
        for (std::uint32_t k = 0; k < arity_(s); ++k) s.in[k] = resolved(old.in[k], factor_of_operand(old, k));
        if (is_known(s)) continue;
      }
      steps_.push_back(s);
    }
    reads_(count_, turn);
  }

  struct facts {
    std::uint32_t maker = 0;  ///< the step that computes it, + 1
    bool spoiled = false, pushes = false;
    std::uint32_t readers = 0;
    std::uint32_t demands = 0;  ///< how many would want it with a factor
    double demanded = 0;        ///< which factor; 0: several
    double cost = 0;
    bool plain = false;        ///< something wants it as it is
    double wanted = 0;         ///< the factor with which something else wants it; 0: nothing does
    double own = 1;            ///< its step computes this multiple of it
    std::uint32_t face = 0;       ///< the value that is it for those that read it as it is, + 1
    std::uint32_t multiples = 0;  ///< the last of its other multiples, + 1
    std::uint32_t at = 0;         ///< its new step
    std::uint32_t same = 0;       ///< the value that is there in its place, + 1
    std::uint32_t user = 0, next_user = 0;  ///< the last new step that has it as the first operand that is no constant, by value, + 1; and the one before
  };
  struct multiple {
    double factor;
    std::uint32_t value, next;
  };
  Graph& g_;
  const bool* keep_;
  const Arity& arity_;
  const Reads& reads_;
  std::uint32_t count_;
  bool constants_vary_;  ///< there is room for those that take factors in
  table<facts> values_;
  list<multiple> multiples_;
  list<run_step> steps_;
};

}  // namespace detail
}  // namespace jacquard
