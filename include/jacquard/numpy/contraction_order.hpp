#pragma once
// In which order to multiply the terms of an einsum: the cheapest one of all for a few terms, found by dynamic programming over sets of
// terms, and a greedy one for more. Deliberately on sets of dimensions alone, without arrays. Templates with one instance each, which programs
// without einsum do not compile.
// Source: Pfeifer, Haegeman, Verstraete, "Faster identification of optimal contraction sequences for tensor networks", 2014
// (arXiv:1304.6112); the greedy rule is that of opt_einsum (Smith, Gray, 2018).

#include <cstdint>
#include <utility>
#include <vector>

namespace jacquard::detail {

/// A set of dimensions, by number.
using dimension_set = std::uint64_t;

/// The terms of a sum of products: which dimensions each has, which the result has, and their sizes.
struct contraction_problem {
  std::vector<dimension_set> terms{};
  dimension_set output = 0;
  std::vector<double> sizes{};

  /// The number of elements over a set of dimensions.
  constexpr double elements(dimension_set s) const {
    double n = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if ((s >> i) & 1u) n *= sizes[i];
    return n;
  }
};
/// Products in order: of terms by number, results being numbered after the terms.
using contraction_order = std::vector<std::pair<std::size_t, std::size_t>>;

/// The cheapest order of up to some ten terms, by the number of multiplications.
template <class Set = dimension_set>
class cheapest_order {
 public:
  constexpr explicit cheapest_order(const contraction_problem& p) : problem_(p), count_(p.terms.size()), sets_(std::size_t(1) << count_) {
    kept_.assign(sets_, 0);
    split_.assign(sets_, 0);
    cost_.assign(sets_, 0.0);
    for (std::size_t s = 1; s < sets_; ++s) kept_[s] = united(s) & (p.output | united(sets_ - 1 - s));
    for (std::size_t s = 1; s < sets_; ++s)
      if ((s & (s - 1)) != 0) find(s);
    place(sets_ - 1);
  }
  constexpr const contraction_order& order() const { return order_; }
  constexpr double cost() const { return cost_[sets_ - 1]; }

 private:
  constexpr dimension_set united(std::size_t s) const {
    dimension_set r = 0;
    for (std::size_t i = 0; i < count_; ++i)
      if ((s >> i) & 1u) r |= problem_.terms[i];
    return r;
  }
  /// The best way to divide the terms of s in two; of equal ones that which takes the last term last.
  constexpr void find(std::size_t s) {
    bool found = false;
    for (std::size_t a = (s - 1) & s; a != 0; a = (a - 1) & s) {
      const std::size_t b = s & ~a;
      if (a < b) break;  // each pair once
      const double cost = cost_[a] + cost_[b] + problem_.elements(kept_[a] | kept_[b]);
      if (found && cost > cost_[s]) continue;
      found = true;
      cost_[s] = cost;
      split_[s] = b;
    }
  }
  /// Puts the products of s into order; returns the number of the result.
  constexpr std::size_t place(std::size_t s) {
    if ((s & (s - 1)) == 0) {
      std::size_t i = 0;
      while (((s >> i) & 1u) == 0) ++i;
      return i;
    }
    const std::size_t first = place(split_[s]), second = place(s & ~split_[s]);
    order_.emplace_back(first, second);
    return count_ + order_.size() - 1;
  }

  const contraction_problem& problem_;
  std::size_t count_, sets_;
  std::vector<Set> kept_;  ///< what remains of a set of terms when it is multiplied out
  std::vector<std::size_t> split_;
  std::vector<double> cost_;
  contraction_order order_{};
};

/// Multiplies again and again the pair whose result is smallest compared with the two. O(n^3).
template <class Set = dimension_set>
constexpr contraction_order greedy_order(const contraction_problem& p) {
  std::vector<Set> sets = p.terms;
  std::vector<std::size_t> alive;
  for (std::size_t i = 0; i < sets.size(); ++i) alive.push_back(i);
  contraction_order order;
  while (alive.size() > 1) {
    std::size_t first = 0, second = 1;
    double best = 0;
    dimension_set result = 0;
    for (std::size_t i = 0; i < alive.size(); ++i)
      for (std::size_t j = i + 1; j < alive.size(); ++j) {
        dimension_set others = p.output;
        for (std::size_t k = 0; k < alive.size(); ++k)
          if (k != i && k != j) others |= sets[alive[k]];
        const dimension_set kept = (sets[alive[i]] | sets[alive[j]]) & others;
        const double gain = p.elements(kept) - p.elements(sets[alive[i]]) - p.elements(sets[alive[j]]);
        if ((i != 0 || j != 1) && gain >= best) continue;
        best = gain, first = i, second = j, result = kept;
      }
    order.emplace_back(alive[first], alive[second]);
    alive.erase(alive.begin() + std::ptrdiff_t(second));
    alive[first] = sets.size();
    sets.push_back(result);
  }
  return order;
}

/// Terms for which all orders are looked at: 3^8 pairs of sets.
inline constexpr std::size_t most_ordered_terms = 8;
/// The cheapest order of a few terms, a good one of many.
template <class Set = dimension_set>
constexpr contraction_order find_order(const contraction_problem& p) {
  if (p.terms.size() < 2) return {};
  if (p.terms.size() == 2) return {{0, 1}};
  if (p.terms.size() <= most_ordered_terms) return cheapest_order<Set>(p).order();
  return greedy_order<Set>(p);
}

}  // namespace jacquard::detail
