#pragma once
// Products of several factors share what they have in common: x p^5, y p^5 and z p^5 take one multiplication each where p^5 is there. Only
// products that nothing else reads are taken apart; pairs of factors are drawn together while that saves multiplications, those first which
// most products have (Breuer, "Generation of optimal code for expressions via factorization", 1969). Before that, a factor of all terms of
// a sum is multiplied in once, where that leaves products to be taken apart. The last bits of products and sums may move, and what over- or
// underflows on the way to them, but no value rises to a higher power than the program makes of it. Deliberately greedy, and blind to products of sums.

#include "jacquard/fixed/value_uses.hpp"
#include "jacquard/fixed/powers.hpp"

namespace jacquard {
namespace detail {

class product_sharing : value_uses {
 public:
  /// `arity` and `reads` as in value_uses.
  template <class Arity, class Reads>
  constexpr product_sharing(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads)
      : value_uses(g, keep, arity, reads, true, g.step_count), lists_(values_.size()), steps_of_(g.step_count), powers_(values_.size()) {}

  /// Rewrites the steps that are kept. False: there is nothing to share.
  constexpr bool share() {
    if (!g_.has_room_for_values(2 * count_)) return false;
    const bool factored = factor_sums();
    find_products();
    if (!draw_pairs() && !factored) return false;
    for (const product& p : products_)
      if (p.changed) dissolve(p.step);
    emit();
    g_.set_steps(steps_);
    return true;
  }

 private:
  static constexpr std::uint32_t most_factors = 12, most_terms = 64;
  struct lists {
    std::uint32_t pair = 0;                 ///< which pair it is, + 1
    std::uint32_t pairs = 0, products = 0;  ///< the last pair, and the last product of two, that are listed at it, + 1
  };
  struct step_facts {
    bool dissolved = false;      ///< a part of products that are put together anew
    std::uint32_t product = 0;   ///< which of those it is, + 1
    std::uint32_t factor = 0;    ///< of a sum: what all of it is multiplied by, + 1
    std::uint32_t next = 0;      ///< products of two, in the list of one of them
    std::uint32_t pair = 0;      ///< which pair it makes, + 1
  };
  struct product {
    std::uint32_t step, count, factors[most_factors];
    bool changed;
    constexpr void remove(std::uint32_t code) {
      std::uint32_t k = 0;
      while (factors[k] != code) ++k;
      for (--count; k < count; ++k) factors[k] = factors[k + 1];
    }
    constexpr void insert(std::uint32_t code) {
      std::uint32_t k = count++;
      for (; k > 0 && factors[k - 1] > code; --k) factors[k] = factors[k - 1];
      factors[k] = code;
    }
  };
  struct pair {
    std::uint32_t a, b, value, known;  ///< known: the step of the program that makes it, + 1
    std::uint32_t holders, chosen, next;
    bool made;
    constexpr std::uint32_t there() const { return known != 0 || value != ~0u ? 1 : 0; }
  };

  // Sums.
  /// Terms of a sum whose parts nothing else reads; false where one is no product that only the sum reads.
  constexpr bool add_terms(std::uint32_t x, list<std::uint32_t>& terms) const {
    if (!is_made(x) || values_[x].uses != 1 || terms.size() == most_terms) return false;
    const std::uint32_t n = values_[x].maker - 1;
    const run_step& s = g_.steps[n];
    if (s.is_sum()) return add_terms(s.in[0], terms) && add_terms(s.in[1], terms);
    if (!s.is(arithmetic::multiply)) return false;
    terms.push_back(n);
    return true;
  }
  constexpr bool factor_sums() {
    bool any = false;
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n] || !g_.steps[n].is_sum()) continue;
      if (const std::uint32_t x = g_.steps[n].out; values_[x].uses == 1 && reader(x).is_sum()) continue;  // a part of another
      const std::uint32_t last = g_.steps[n].in[1];
      if (!is_made(last) || values_[last].uses != 1) continue;
      list<std::uint32_t> terms;
      if (!add_terms(g_.steps[n].in[0], terms) || !add_terms(g_.steps[n].in[1], terms)) continue;
      const run_step& first = g_.steps[terms[0]];
      for (std::uint32_t k = 0; k < 4 && steps_of_[n].factor == 0; ++k)
        if (const std::uint32_t p = first.in[k / 2]; is_product(p))
          if (const std::uint32_t g = maker(p).in[k % 2]; !is_constant(g) && factor_out(g, terms)) steps_of_[n].factor = g + 1, any = true;
    }
    return any;
  }
  /// Which operand of term n is a product with g that one other product reads; 2: none.
  constexpr std::uint32_t carrier(std::uint32_t n, std::uint32_t g) const {
    const run_step& s = g_.steps[n];
    for (std::uint32_t k = 0; k < 2; ++k)
      if (is_product(s.in[k]) && s.in[0] != s.in[1] && (maker(s.in[k]).in[0] == g || maker(s.in[k]).in[1] == g))
        if (values_[s.in[k]].uses == 2 && g_.steps[other_reader(s.in[k], n)].is(arithmetic::multiply)) return k;
    return 2;
  }
  constexpr std::uint32_t other_reader(std::uint32_t x, std::uint32_t n) const {
    return (values_[x].reader == n + 1 ? values_[x].reader_before : values_[x].reader) - 1;
  }
  /// Takes g out of all terms, if that saves: the products with g then dissolve in their other readers, where g meets few other factors.
  constexpr bool factor_out(std::uint32_t g, const list<std::uint32_t>& terms) {
    list<std::uint32_t> met;
    for (std::uint32_t n : terms) {
      const std::uint32_t k = carrier(n, g);
      if (k == 2) return false;
      const std::uint32_t p = g_.steps[n].in[k], m = other_reader(p, n), u = g_.steps[m].in[g_.steps[m].in[0] == p ? 1 : 0];
      for (std::uint32_t t : terms)
        if (t == m) return false;
      bool again = false;
      for (std::uint32_t v : met) again = again || v == u;
      if (!again) met.push_back(u);
    }
    if (met.size() + 1 >= terms.size()) return false;
    for (std::uint32_t n : terms) {
      const std::uint32_t k = carrier(n, g), p = g_.steps[n].in[k], rest = maker(p).in[maker(p).in[0] == g ? 1 : 0];
      values_[p].reader = other_reader(p, n) + 1, values_[p].uses = 1;
      if (!is_constant(rest)) values_[rest].uses += 1;
      g_.steps[n].in[k] = rest;
    }
    values_[g].uses += 1;
    return true;
  }

  // Products.
  constexpr bool add_factors(std::uint32_t x, product& p) const {
    if (is_inner(x)) return add_factors(maker(x).in[0], p) && add_factors(maker(x).in[1], p);
    if (p.count == most_factors) return false;
    p.insert(x);
    return true;
  }
  constexpr void find_products() {
    for (std::uint32_t n = 0; n < count_; ++n) {
      const run_step& s = g_.steps[n];
      if (keep_[n] && s.is(arithmetic::multiply)) powers_.multiply(s.in[0], s.in[1], s.out);
      if (!keep_[n] || !s.is(arithmetic::multiply) || is_inner(s.out)) continue;
      const std::uint32_t at = s.in[0] < s.in[1] ? listed_at(s.in[0], s.in[1]) : listed_at(s.in[1], s.in[0]);
      product p{n, 0, {}, false};
      if (!is_inner(s.in[0]) && !is_inner(s.in[1])) {
        if (!is_constant(at)) steps_of_[n].next = lists_[at].products, lists_[at].products = n + 1;
      } else if (add_factors(s.in[0], p) && add_factors(s.in[1], p)) products_.push_back(p);
    }
  }
  /// Draws pairs together until none saves a multiplication.
  constexpr bool draw_pairs() {
    bool any = false;
    for (bool again = products_.size() != 0; again;) {
      for (pair& q : pairs_) q.holders = q.chosen = 0;
      for (const product& p : products_) count_pairs(p);
      for (const product& p : products_)
        if (const std::uint32_t best = best_pair(p); best != 0) ++pairs_[best - 1].chosen;
      again = false;
      for (product& p : products_) {
        const std::uint32_t best = best_pair(p);
        if (best == 0 || pairs_[best - 1].chosen + pairs_[best - 1].there() < 2) continue;
        if (pairs_[best - 1].value == none) name(best);
        const pair& q = pairs_[best - 1];
        p.remove(q.a), p.remove(q.b), p.insert(q.value);
        p.changed = any = again = true;
      }
    }
    return any;
  }
  /// Of a product that more than two factors are left of: each pair once. Two constants are none.
  template <class F>
  static constexpr void for_each_pair(const product& p, const F& f) {
    for (std::uint32_t i = 0; p.count > 2 && i < p.count; ++i) {
      if (is_constant(p.factors[i]) || (i > 0 && p.factors[i] == p.factors[i - 1])) continue;
      for (std::uint32_t j = i + 1; j < p.count; ++j)
        if (j == i + 1 || p.factors[j] != p.factors[j - 1]) f(p.factors[i], p.factors[j]);
    }
  }
  /// At which of two factors, a < b, what is known of their product is listed: at the later one, which fewer have, unless it is a constant.
  static constexpr std::uint32_t listed_at(std::uint32_t a, std::uint32_t b) { return is_constant(b) ? a : b; }
  constexpr std::uint32_t find_pair(std::uint32_t a, std::uint32_t b) const {
    const pair* const all = pairs_.data();  // without calls, which cost the compiler most
    std::uint32_t q = lists_[listed_at(a, b)].pairs;
    while (q != 0 && (all[q - 1].a != a || all[q - 1].b != b)) q = all[q - 1].next;
    return q;
  }
  static constexpr bool multiplies(const run_step& s, std::uint32_t a, std::uint32_t b) { return (s.in[0] == a && s.in[1] == b) || (s.in[0] == b && s.in[1] == a); }
  constexpr void count_pairs(const product& p) {
    for_each_pair(p, [this](std::uint32_t a, std::uint32_t b) {
      if (const std::uint32_t q = find_pair(a, b); q != 0) return void(++pairs_[q - 1].holders);
      lists& at = lists_[listed_at(a, b)];
      std::uint32_t known = at.products;
      while (known != 0 && !multiplies(g_.steps[known - 1], a, b)) known = steps_of_[known - 1].next;
      if (known == 0 && powers_.rise_too_high(a, b)) return;
      pairs_.push_back({a, b, none, known, 1, 0, at.pairs, false});
      at.pairs = std::uint32_t(pairs_.size());
    });
  }
  /// The pair of a product that saves most, + 1.
  constexpr std::uint32_t best_pair(const product& p) const {
    std::uint32_t best = 0, most = 1;
    for_each_pair(p, [this, &best, &most](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t q = find_pair(a, b), saved = q == 0 ? 0 : pairs_[q - 1].holders + pairs_[q - 1].there();
      if (saved > most) best = q, most = saved;
    });
    return best;
  }
  constexpr void name(std::uint32_t number) {
    pair& q = pairs_[number - 1];
    if (q.known != 0) q.value = g_.steps[q.known - 1].out, steps_of_[q.known - 1].pair = number;
    else q.value = g_.new_number();
    lists_[q.value].pair = number;
    powers_.multiply(q.a, q.b, q.value);
  }

  // Steps.
  constexpr void dissolve(std::uint32_t n) {
    for (std::uint32_t k = 0; k < 2; ++k)
      if (const std::uint32_t x = g_.steps[n].in[k]; is_inner(x)) steps_of_[values_[x].maker - 1].dissolved = true, dissolve(values_[x].maker - 1);
  }
  constexpr void make_pair(std::uint32_t x) {
    if (is_constant(x) || lists_[x].pair == 0) return;
    pair& q = pairs_[lists_[x].pair - 1];
    if (q.made) return;
    q.made = true;
    make_pair(q.a), make_pair(q.b);
    multiplied(q.a, q.b, q.value);
  }
  constexpr std::uint32_t multiplied(std::uint32_t a, std::uint32_t b, std::uint32_t out) {
    steps_.push_back({run_step::kind_of(arithmetic::multiply), out, {a, b, 0}});
    return out;
  }
  constexpr void add_product(const product& p) {
    for (std::uint32_t k = 0; k < p.count; ++k) make_pair(p.factors[k]);
    std::uint32_t all = p.factors[0], left = p.count - 1;
    for (const bool again : {false, true})  // one of each base first: only where there is no other are powers made
      for (std::uint32_t k = 1; k < p.count; ++k)
        if (powers_.meet_one_base(p.factors, k) == again) all = multiplied(all, p.factors[k], --left == 0 ? g_.steps[p.step].out : g_.new_number());
  }
  constexpr void emit() {
    for (std::uint32_t i = 0; i < products_.size(); ++i)
      if (products_[i].changed) steps_of_[products_[i].step].product = i + 1;
    for (std::uint32_t n = 0; n < count_; ++n) {
      const run_step s = g_.steps[n];
      if (!keep_[n] || steps_of_[n].dissolved) continue;
      if (steps_of_[n].product != 0) add_product(products_[steps_of_[n].product - 1]);
      else if (steps_of_[n].pair != 0) make_pair(s.out);
      else if (steps_of_[n].factor == 0) steps_.push_back(s);
      else {
        run_step sum = s;
        sum.out = g_.new_number();
        steps_.push_back(sum);
        multiplied(sum.out, steps_of_[n].factor - 1, s.out);
      }
    }
  }

  table<lists> lists_;  ///< by value
  table<step_facts> steps_of_;
  powers powers_;
  list<product> products_;
  list<pair> pairs_;
  list<run_step> steps_;
};

}  // namespace detail
}  // namespace jacquard
