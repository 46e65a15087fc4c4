#pragma once
// Cubes of the reciprocal of a length: x u u u where u = 1 / s and s = sqrt(r) is x / (r s), one or two multiplications less on the way that all
// wait for, as a person writes the force of a charge or of a mass. Infinities, zeros and NaN come out as before; the last bits may move, and r s
// leaves the range of numbers where u u u does. Deliberately only where nothing else reads u or is divided by s, so that there are no more
// divisions than before, and where r is a sum with a square in it, which is no negative zero.

#include "jacquard/fixed/value_uses.hpp"

namespace jacquard {
namespace detail {

template <class IsRoot>
class inverse_cubes : value_uses {
 public:
  /// `arity` and `reads` as in value_uses; `is_root(step)`: whether it is a square root of a number.
  template <class Arity, class Reads>
  constexpr inverse_cubes(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads, const IsRoot& is_root)
      : value_uses(g, keep, [&arity](const run_step& s) { return s.is(arithmetic::negate) ? 1u : arity(s); },  // it has its operand twice
                   reads, has_roots(g, keep, is_root)),
        is_root_(is_root), quotients_(values_.size()) {
    for (std::uint32_t n = 0; quotients_.size() != 0 && n < count_; ++n)
      if (keep_[n] && g_.steps[n].is(arithmetic::divide) && !is_constant(g_.steps[n].in[1])) ++quotients_[g_.steps[n].in[1]];
  }

  /// Rewrites the steps that are kept. False: there is no such cube.
  constexpr bool write_as_quotients() {
    if (values_.size() == 0 || !g_.has_room_for_values(2 * count_) || !g_.has_room_for_constants(2)) return false;
    one_ = g_.number(1);
    bool any = false;
    for (std::uint32_t n = 0; n < count_; ++n) {
      product p;
      if (!keep_[n]) continue;
      if (const std::uint32_t u = cube_in(n, p); u == none) steps_.push_back(g_.steps[n]);
      else put_quotient(p, maker(u).in[1], g_.steps[n].out), any = true;
    }
    if (any) g_.set_steps(steps_);
    return any;
  }

 private:
  static constexpr std::uint32_t most_factors = 12;
  struct product {
    std::uint32_t factors[most_factors]{}, count = 0;
    bool negative = false;
    constexpr std::uint32_t count_of(std::uint32_t x) const {
      std::uint32_t r = 0;
      for (std::uint32_t k = 0; k < count; ++k) r += factors[k] == x ? 1 : 0;
      return r;
    }
  };

  static constexpr bool has_roots(const value_graph& g, const bool* keep, const IsRoot& is_root) {
    for (std::uint32_t n = 0; n < g.step_count; ++n)
      if (keep[n] && is_root(g.steps[n])) return true;
    return false;
  }

  constexpr bool is_negated(std::uint32_t x) const { return is_made_by(x, arithmetic::negate); }
  /// Whether x is a product, or a value of other sign, that only one product reads, as one factor.
  constexpr bool is_part(std::uint32_t x) const {
    if ((!is_product(x) && !is_negated(x)) || values_[x].uses != 1) return false;
    return reader(x).is(arithmetic::multiply) || (reader(x).is(arithmetic::negate) && is_part(reader(x).out));
  }
  constexpr bool add_factors(std::uint32_t x, product& p) const {
    if (is_part(x) && is_negated(x)) {
      p.negative = !p.negative;
      return add_factors(maker(x).in[0], p);
    }
    if (is_part(x)) return add_factors(maker(x).in[0], p) && add_factors(maker(x).in[1], p);
    if (p.count == most_factors) return false;
    p.factors[p.count++] = x;
    return true;
  }
  /// u, where step n makes a product with u u u in it, whose factors p then is without these.
  constexpr std::uint32_t cube_in(std::uint32_t n, product& p) const {
    const run_step& s = g_.steps[n];
    if (!s.is(arithmetic::multiply) || is_part(s.out) || !add_factors(s.in[0], p) || !add_factors(s.in[1], p)) return none;
    for (std::uint32_t k = 0; k + 2 < p.count; ++k) {
      const std::uint32_t u = p.factors[k];
      if (!is_reciprocal_of_length(u) || values_[u].uses != 3 || p.count_of(u) != 3) continue;
      std::uint32_t left = 0;
      for (std::uint32_t i = 0; i < p.count; ++i)
        if (p.factors[i] != u) p.factors[left++] = p.factors[i];
      p.count = left;
      return u;
    }
    return none;
  }
  constexpr bool is_reciprocal_of_length(std::uint32_t u) const {
    if (!is_made_by(u, arithmetic::divide) || maker(u).in[0] != one_) return false;
    const std::uint32_t root = maker(u).in[1];
    return is_made(root) && quotients_[root] == 1 && is_root_(maker(root)) && has_square(maker(root).in[0]);
  }
  /// Whether x is a sum with a square among its terms.
  constexpr bool has_square(std::uint32_t x) const {
    while (is_made(x)) {
      const run_step& s = maker(x);
      if (is_square(x) || (s.is(arithmetic::add) && is_square(s.in[1]))) return true;
      if (!s.is(arithmetic::add)) break;
      x = s.in[0];
    }
    return false;
  }
  constexpr bool is_square(std::uint32_t x) const { return is_product(x) && maker(x).in[0] == maker(x).in[1]; }

  /// out = p / (r s), with the sign at what does not wait for r; what made p before is read no more.
  constexpr void put_quotient(const product& p, std::uint32_t root, std::uint32_t out) {
    std::uint32_t all = p.count == 0 ? one_ : p.factors[0];
    if (p.negative) all = p.count == 0 ? g_.number(-1) : put(arithmetic::negate, all, all, g_.new_number());
    for (std::uint32_t k = 1; k < p.count; ++k) all = put(arithmetic::multiply, all, p.factors[k], g_.new_number());
    put(arithmetic::divide, all, put(arithmetic::multiply, maker(root).in[0], root, g_.new_number()), out);
  }
  constexpr std::uint32_t put(arithmetic what, std::uint32_t a, std::uint32_t b, std::uint32_t out) {
    steps_.push_back({run_step::kind_of(what), out, {a, b, 0}});
    return out;
  }

  const IsRoot& is_root_;
  std::uint32_t one_ = 0;
  table<std::uint32_t> quotients_;  ///< by value: how many are divided by it
  list<run_step> steps_;
};

}  // namespace detail
}  // namespace jacquard
