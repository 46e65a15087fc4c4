#pragma once
// Programs with very many equations for kernels, such as unrolled loops and their derivatives: cut into sections, in their order, that hand
// values on by memory. Kernels within a section are small, and none computes again what all those before it did. Deliberately without
// looking for the best places to cut.

#include <algorithm>
#include <limits>

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/roles.hpp"

namespace jacquard::lowering::detail {

class section_cutter {
 public:
  explicit section_cutter(program_facts& f) : f_(&f), section_(f.p.equations.size()) {}

  /// Says what has to lie in memory. Complexity: that of sorting what is read across sections.
  void run() {
    std::size_t maps = 0;
    for (std::size_t n = 0; n < section_.size(); ++n) {
      section_[n] = maps / length;
      maps += f_->roles[n] == role::map;
    }
    if (maps <= largest_whole) return;
    find_crossings();
    std::int64_t bytes = 0;
    variable last = std::numeric_limits<variable>::max();
    for (const crossing& c : crossings_)
      if (std::exchange(last, c.v) != c.v) bytes += f_->p.avals[c.v].bytes();
    if (bytes > few_bytes) find_sections_to_repeat(maps / length + 1);
    for (const crossing& c : crossings_)
      if (!repeats(c)) f_->in_memory[c.v] = true;
  }

 private:
  /// A value of section `from` that section `to` reads.
  struct crossing {
    variable v;
    std::size_t from, to;
    bool operator==(const crossing&) const = default;
  };
  /// Equations that are one operation for each element: more of them than the first are cut, into sections of the second.
  static constexpr std::size_t largest_whole = 400, length = 100;
  /// What stays in the nearer caches is stored; beyond that, a section that needs so many values of another one computes that one again,
  /// which takes less than memory does, and is how derivatives of long loops are kept small: but not of more sections than these.
  static constexpr std::int64_t few_bytes = std::int64_t(1) << 20;
  static constexpr int fewest_values = 4, most_repeated = 3;

  void find_crossings() {
    const jaxpr& p = f_->p;
    for (std::size_t n = 0; n < section_.size(); ++n)
      for (atom a : p.inputs(p.equations[n])) {
        if (a.is_literal()) continue;
        const variable v = f_->rearranged(a.index());
        const std::int32_t maker = f_->maker[v];
        if (maker < 0 || f_->in_memory[v] || f_->is_single(std::size_t(maker)) || f_->roles[std::size_t(maker)] == role::view) continue;
        if (section_[std::size_t(maker)] != section_[n]) crossings_.push_back({v, section_[std::size_t(maker)], section_[n]});
      }
    jacquard::detail::stable_sort(crossings_, [](const crossing& a, const crossing& b) { return a.v != b.v ? a.v < b.v : a.to < b.to; });
    crossings_.erase(std::unique(crossings_.begin(), crossings_.end()), crossings_.end());
  }
  /// A section that is repeated has all its operands in memory: it repeats none itself.
  void find_sections_to_repeat(std::size_t count) {
    std::vector<std::vector<crossing>> into(count);
    for (const crossing& c : crossings_) into[c.to].push_back(c);
    repeated_.resize(count);
    for (std::size_t to = 0; to < count; ++to) {
      std::vector<std::size_t> from;
      for (const crossing& c : into[to]) from.push_back(c.from);
      std::sort(from.begin(), from.end());
      std::vector<std::size_t> whole;
      for (std::size_t i = 0, next = 0; i < from.size(); i = next) {
        while (next < from.size() && from[next] == from[i]) ++next;
        if (next - i >= fewest_values && repeated_[from[i]].empty()) whole.push_back(from[i]);
      }
      if (whole.size() <= most_repeated) repeated_[to] = std::move(whole);
    }
  }
  bool repeats(const crossing& c) const {
    if (repeated_.empty()) return false;
    const std::vector<std::size_t>& r = repeated_[c.to];
    return std::find(r.begin(), r.end(), c.from) != r.end();
  }

  program_facts* f_;
  std::vector<std::size_t> section_;  ///< by equation
  std::vector<crossing> crossings_;   ///< by value, then by section
  std::vector<std::vector<std::size_t>> repeated_;  ///< by section: those that it computes again
};

}  // namespace jacquard::lowering::detail
