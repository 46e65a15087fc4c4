#pragma once
// The order in which factors are multiplied where a program waits for its own results, as a chain of steps does: those that are there first
// come first, so that what the rest of the program waits for is multiplied once. 2 (c (0.01 x)) with the latest x becomes (0.02 c) x,
// in no more multiplications, and x - k x with a k that is there before x becomes (1 - k) x. The last bits of products may move, the sign of a
// zero that such a difference gives, and what over- or underflows on the way to them. Deliberately not for short programs and those that have other things to do while they wait, and without a model of a processor: each operation waits as long as any other.

#include "jacquard/fixed/value_uses.hpp"

namespace jacquard {
namespace detail {

template <class Arity>
class product_order : value_uses {
 public:
  /// `arity` and `reads` as in value_uses.
  template <class Reads>
  constexpr product_order(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : value_uses(g, keep, arity, reads), arity_(arity), waits_(g.value_count), dissolved_(g.step_count), chosen_(g.step_count) {}

  /// Rewrites the steps that are kept. False: nothing is gained.
  constexpr bool order() {
    if (!find_paths() || !g_.has_room_for_values(count_)) return false;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && (g_.steps[n].kind & run_step::whole) == 0) {
        const run_step& s = g_.steps[n];
        waits_[s.out].depth = depth_after(s);
        if (waits_[s.out].path + longest_ / 8 < longest_) continue;
        if (is_product(s.out) && !is_inner(s.out)) choose(n);
        for (std::uint32_t k = 0; s.is_sum() && k < 2; ++k)
          if (choose_sum(n, k)) break;
      }
    if (products_.size() == 0) return false;
    emit();
    g_.set_steps(steps_);
    return true;
  }

 private:
  static constexpr std::uint32_t most_factors = 12;
  /// A program of more steps than this for each that others wait for does not wait.
  static constexpr std::uint32_t most_beside = 4;
  /// One whose longest path is shorter is as it was written.
  static constexpr std::uint32_t least_path = 64;
  struct waits {
    std::uint32_t depth = 0;  ///< how many steps wait for each other until it is there
    std::uint32_t path = 0;   ///< the longest path of such steps that it is on
  };
  /// What is multiplied by the last of some products, none of which is read elsewhere; or what `times` is multiplied by in a sum with `times`.
  struct product {
    std::uint32_t step = 0, count = 0, constants = 0;
    std::uint32_t factors[most_factors]{};  ///< without constants
    double constant = 1;                    ///< the product of these
    std::uint32_t times = none;
    constexpr bool take_out(std::uint32_t x) {
      std::uint32_t k = 0;
      while (k < count && factors[k] != x) ++k;
      if (k == count) return false;
      for (--count; k < count; ++k) factors[k] = factors[k + 1];
      times = x;
      return true;
    }
  };

  constexpr bool is_given(std::uint32_t x) const { return is_constant(x) || (x < values_.size() && values_[x].maker == 0); }
  constexpr bool is_gone(std::uint32_t x) const { return values_[x].maker != 0 && dissolved_[values_[x].maker - 1]; }
  constexpr std::uint32_t depth_of(std::uint32_t code) const { return is_constant(code) ? 0 : waits_[code].depth; }
  constexpr std::uint32_t depth_after(const run_step& s) const {
    std::uint32_t latest = 0;
    for (std::uint32_t k = 0; k < arity_(s); ++k)
      if (const std::uint32_t d = depth_of(s.in[k]); d > latest) latest = d;
    return latest + 1;
  }
  /// Finds the longest paths. False: the program has enough to do beside them.
  constexpr bool find_paths() {
    table<std::uint32_t> after(values_.size());
    std::uint32_t kept = 0;
    for (std::uint32_t n = 0; n < count_; ++n)
      if (keep_[n] && (g_.steps[n].kind & run_step::whole) == 0) waits_[g_.steps[n].out].depth = depth_after(g_.steps[n]), ++kept;
    for (std::uint32_t n = count_; n-- > 0;) {
      if (!keep_[n] || (g_.steps[n].kind & run_step::whole) != 0) continue;
      const run_step& s = g_.steps[n];
      waits_[s.out].path = waits_[s.out].depth + after[s.out];
      if (waits_[s.out].path > longest_) longest_ = waits_[s.out].path;
      for (std::uint32_t k = 0; k < arity_(s); ++k)
        if (!is_constant(s.in[k]) && after[s.in[k]] < after[s.out] + 1) after[s.in[k]] = after[s.out] + 1;
    }
    return longest_ >= least_path && kept <= most_beside * longest_;
  }

  /// Adds what x is made of. False: too many.
  constexpr bool add_factors(std::uint32_t x, product& p) const {
    if (is_inner(x)) {
      const run_step& s = maker(x);
      return add_factors(s.in[0], p) && add_factors(s.in[1], p);
    }
    if (is_constant(x)) p.constant = computed<arithmetic::multiply>(p.constant, g_.double_of(x)), ++p.constants;
    else if (p.count + 1 == most_factors) return false;
    else p.factors[p.count++] = x;
    return true;
  }
  /// A constant of the latest factor, which others read, too, goes to those that are there; not where what it multiplies is no value any more,
  /// since that product has another order, too.
  constexpr void take_constant_of_latest(product& p) const {
    std::uint32_t latest = 0;
    for (std::uint32_t k = 1; k < p.count; ++k)
      if (waits_[p.factors[k]].depth > waits_[p.factors[latest]].depth) latest = k;
    const std::uint32_t x = p.factors[latest];
    if (p.constants == 0 || !is_product(x)) return;
    const run_step& s = maker(x);
    if (is_constant(s.in[0]) || !is_constant(s.in[1]) || is_gone(s.in[0])) return;
    p.factors[latest] = s.in[0], p.constant = computed<arithmetic::multiply>(p.constant, g_.double_of(s.in[1])), ++p.constants;
  }
  /// Calls multiply(a, b), which gives the code of a product, for two of those that are there first until one is left. The depth of that.
  template <class Multiply>
  constexpr std::uint32_t combine(const product& p, std::uint32_t constant, const Multiply& multiply) const {
    std::uint32_t code[most_factors]{}, depth[most_factors]{}, count = 0;
    const auto insert = [&](std::uint32_t c, std::uint32_t d) {  // the first at the end
      std::uint32_t k = count++;
      for (; k > 0 && depth[k - 1] < d; --k) code[k] = code[k - 1], depth[k] = depth[k - 1];
      code[k] = c, depth[k] = d;
    };
    for (std::uint32_t k = 0; k < p.count; ++k) insert(p.factors[k], waits_[p.factors[k]].depth);
    if (p.constants != 0) insert(constant, 0);
    while (count > 1) {
      count -= 2;
      insert(multiply(code[count], code[count + 1], count == 0), depth[count] + 1);
    }
    return depth[0];
  }
  constexpr bool has_room_for_constant(const product& p) const {
    return p.constants == 0 || (p.constant != 0 && g_.is_moderate(p.constant) && g_.has_room_for_constants(2));
  }
  constexpr void choose(std::uint32_t n) {
    product p;
    p.step = n;
    if (!add_factors(g_.steps[n].in[0], p) || !add_factors(g_.steps[n].in[1], p) || p.count < 2) return;
    take_constant_of_latest(p);
    if (!has_room_for_constant(p)) return;
    const std::uint32_t constant = p.constants != 0 ? g_.number(p.constant) : 0;
    const std::uint32_t depth = combine(p, constant, [](std::uint32_t, std::uint32_t, bool) { return 0u; });
    waits& x = waits_[g_.steps[n].out];
    if (depth >= x.depth) return;
    x.depth = depth;
    products_.push_back(p);
    chosen_[n] = std::uint32_t(products_.size());
    dissolve(n);
  }
  /// c (b y) with a constant c and a product b y that others read, too, where b is given: as (c b) y, which need not keep b y until then. All
  /// such products share c b.
  constexpr void take_given_of_shared(product& p) const {
    if (p.count != 1 || p.constants == 0 || !is_product(p.factors[0])) return;
    const run_step& s = maker(p.factors[0]);
    for (std::uint32_t k = 0; k < 2; ++k)
      if (!is_constant(s.in[0]) && !is_constant(s.in[1]) && is_given(s.in[k]) && !is_gone(s.in[1 - k])) {
        p.factors[0] = s.in[k], p.factors[p.count++] = s.in[1 - k];
        return;
      }
  }
  /// Step n where operand k is x and the other one a product of x that nothing else reads.
  constexpr bool choose_sum(std::uint32_t n, std::uint32_t k) {
    const std::uint32_t x = g_.steps[n].in[k], all = g_.steps[n].in[1 - k];
    if (is_constant(x) || !is_product(all) || values_[all].uses != 1) return false;
    const std::uint32_t at = values_[all].maker - 1;
    product p;
    p.step = n;
    if (!add_factors(g_.steps[at].in[0], p) || !add_factors(g_.steps[at].in[1], p) || p.count < 2) return false;
    if (!p.take_out(x)) {
      take_constant_of_latest(p);
      if (!p.take_out(x)) return false;
    }
    if (!has_room_for_constant(p)) return false;
    take_given_of_shared(p);
    const std::uint32_t constant = p.constants != 0 ? g_.number(p.constant) : 0;
    const std::uint32_t depth = combine(p, constant, [](std::uint32_t, std::uint32_t, bool) { return 0u; });
    if (depth >= waits_[x].depth) return false;
    waits_[g_.steps[n].out].depth = waits_[x].depth + 1;
    products_.push_back(p);
    chosen_[n] = std::uint32_t(products_.size());
    dissolved_[at] = true;
    dissolve(at);
    return true;
  }
  constexpr void dissolve(std::uint32_t n) {
    for (std::uint32_t k = 0; k < 2; ++k)
      if (const std::uint32_t x = g_.steps[n].in[k]; is_inner(x)) {
        dissolved_[values_[x].maker - 1] = true;
        dissolve(values_[x].maker - 1);
      }
  }
  constexpr void emit() {
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n] || dissolved_[n]) continue;
      const run_step s = g_.steps[n];
      if (chosen_[n] == 0) {
        steps_.push_back(s);
        continue;
      }
      const product& p = products_[chosen_[n] - 1];
      std::uint32_t all = p.factors[0];
      combine(p, p.constants != 0 ? g_.number(p.constant) : 0, [&](std::uint32_t a, std::uint32_t b, bool last) {
        if (last && p.times == none) return multiplied(a, b, s.out);
        return all = is_given(a) && is_given(b) ? product_of_given(a, b) : multiplied(a, b, g_.new_number());
      });
      if (p.times == none) continue;
      const std::uint32_t one = g_.number(1), multiple = g_.new_number();
      const bool turned = s.is(arithmetic::add) || s.in[0] != p.times;
      steps_.push_back({s.kind, multiple, {turned ? all : one, turned ? one : all, 0}});
      multiplied(p.times, multiple, s.out);
    }
  }
  constexpr std::uint32_t multiplied(std::uint32_t a, std::uint32_t b, std::uint32_t out) {
    steps_.push_back({run_step::kind_of(arithmetic::multiply), out, {is_constant(a) ? b : a, is_constant(a) ? a : b, 0}});
    return out;
  }
  /// A product that is there once for all.
  constexpr std::uint32_t product_of_given(std::uint32_t a, std::uint32_t b) {
    for (const run_step& s : of_given_)
      if ((s.in[0] == a && s.in[1] == b) || (s.in[0] == b && s.in[1] == a)) return s.out;
    const std::uint32_t value = multiplied(a, b, g_.new_number());
    of_given_.push_back(steps_[steps_.size() - 1]);
    return value;
  }

  const Arity& arity_;
  std::uint32_t longest_ = 0;
  table<waits> waits_;  ///< by value
  table<bool> dissolved_;
  table<std::uint32_t> chosen_;  ///< by step: which product takes its place, + 1
  list<product> products_;
  list<run_step> steps_, of_given_;
};

}  // namespace detail
}  // namespace jacquard
