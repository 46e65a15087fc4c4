#pragma once
// Which arrays of a frozen program are kept as single elements: small ones, but for those that loops on lanes compute (fixed/lane_arrays),
// and larger ones that are made of few numbers, such as the identity of a Jacobian and what is multiplied by it, whose zeros then cost nothing. The larger ones are found by trying: programs
// that make no such array, as they would from numbers that count, are not tried. Deliberately says nothing of where the others lie.

#include "jacquard/fixed/equation_elements.hpp"
#include "jacquard/fixed/lane_arrays.hpp"

namespace jacquard {
namespace detail {

/// Vectors of at most this many elements are kept as single elements. So are matrices of twice that many, such as the Hessian of a
/// function of eight variables, since most of what they are made of is zero or there already.
inline constexpr std::int64_t small_size = 32;
constexpr bool is_small(const aval& a) { return a.elements() <= (a.rank() < 2 ? small_size : 2 * small_size); }

/// Larger arrays are tried up to so many elements, and so many elements of them in all.
inline constexpr std::uint32_t most_tried = 1024, most_tried_in_all = 32768;
/// Numbers that one equation may compute for an array of so many elements: where most have to be computed, a loop does it faster.
constexpr std::uint32_t most_computed(std::uint32_t elements) {
  return elements < 8 * small_size ? 2 * std::uint32_t(small_size) : elements / 4;
}

/// By variable.
template <std::size_t N>
struct small_arrays {
  std::array<bool, N> small{};
  std::array<std::uint32_t, N> elements{};  ///< of small ones
  std::uint32_t all_elements = 0;           ///< of all of them
  std::uint32_t most_elements = 0;          ///< of one that is small though its type is not
};

/// By type: how many elements an array has that is tried; 0 for small ones, too many for others.
template <const auto& Code>
inline constexpr auto tried_sizes = [] {
  std::array<std::uint32_t, Code.types.size()> r{};
  for (std::size_t t = 0; t < r.size(); ++t)
    if (!is_small(Code.types[t])) r[t] = Code.types[t].elements() > most_tried ? most_tried + 1 : std::uint32_t(Code.types[t].elements());
  return r;
}();
/// Whether a program has an array to be tried, and numbers that count: those come from equations without operands.
template <const auto& Code>
constexpr bool is_worth_trying() {
  bool any_tried = false, any_counted = false;
  for (std::uint32_t size : tried_sizes<Code>) any_tried = any_tried || (size != 0 && size <= most_tried);
  if (!any_tried) return false;
  const frozen_program& p = Code.programs[0];
  for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n)
    any_counted = any_counted || (Code.equations[n].in.count == 0 && Code.equations[n].effects == 0);
  return any_counted;
}

template <const auto& Code>
class small_array_search {
  static constexpr std::size_t variables = Code.used.variables;
  static constexpr std::uint32_t size(variable v) { return tried_sizes<Code>[Code.type_numbers[v]]; }
  static constexpr bool is_tried(variable v) { return size(v) != 0 && size(v) <= most_tried; }

 public:
  constexpr void search() {
    const frozen_program& p = Code.programs[0];
    for (std::uint32_t k = 0; k < p.inputs.count; ++k) add_given(Code.atoms[p.inputs.first + k].index());
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) try_equation(n);
    while (reject()) {}
  }
  constexpr bool is_small_array(variable v) const { return size(v) == 0 || found_[v]; }

 private:
  constexpr void add_given(variable v) {
    if (size(v) != 0) return;
    first_[v] = all_.graph.count;
    const aval& a = Code.type_of_variable(v);
    for (std::int64_t i = 0; i < a.elements(); ++i) all_.graph.add_new(a.type);
  }
  constexpr void try_equation(std::uint32_t n) {
    const frozen_equation& e = Code.equations[n];
    const variable out = e.out.count == 0 ? 0 : Code.atoms[e.out.first].index();
    if (e.out.count == 1 && (size(out) == 0 || (is_tried(out) && tried_ + size(out) <= most_tried_in_all))) {
      const std::uint32_t before = all_.graph.step_count;
      tried_ += size(out);
      if (all_.take_apart(n, first_, [this](variable v) { return this->is_small_array(v); })) {
        apart_[n] = size(out) == 0 || all_.graph.step_count - before <= most_computed(size(out));
        found_[out] = apart_[n];
        return;
      }
    }
    for (std::uint32_t k = 0; k < e.out.count; ++k) add_given(Code.atoms[e.out.first + k].index());
  }
  /// What an equation reads or makes that is not taken apart lies in memory. Whether that is news.
  constexpr bool reject() {
    const frozen_program& p = Code.programs[0];
    bool r = false;
    for (std::uint32_t n = p.equations.first + p.equations.count; n-- > p.equations.first;) {
      const frozen_equation& e = Code.equations[n];
      const auto check = [this, n](variable v) {
        if (!this->is_small_array(v)) apart_[n] = false;
      };
      for (std::uint32_t k = 0; k < e.out.count; ++k) check(Code.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal()) check(a.index());
      if (apart_[n]) continue;
      const auto drop = [this, &r](variable v) {
        if (found_[v]) found_[v] = false, r = true;
      };
      for (std::uint32_t k = 0; k < e.out.count; ++k) drop(Code.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = Code.atoms[e.in.first + k]; !a.is_literal()) drop(a.index());
    }
    return r;
  }
  static constexpr std::size_t room = [] {
    std::size_t small = 0, tried = 0;
    for (variable v = 0; v < variables; ++v) {
      if (size(v) == 0) small += std::size_t(Code.type_of_variable(v).elements());
      else if (is_tried(v)) tried += size(v);
    }
    return small + (tried < most_tried_in_all ? tried : most_tried_in_all);
  }();

  equation_elements<Code, room, 4 * (room + most_steps_apart<Code>), Code.literals.size() + 512 + most_tried> all_;
  std::uint32_t first_[variables + 1]{}, tried_ = 0;
  bool found_[variables + 1]{}, apart_[Code.equations.size() + 1]{};
};

template <const auto& Code>
constexpr small_arrays<Code.used.variables> find_small_arrays() {
  small_arrays<Code.used.variables> r;
  std::uint32_t elements[Code.types.size() + 1]{};  // of small types
  for (std::size_t t = 0; t < Code.types.size(); ++t) elements[t] = tried_sizes<Code>[t] == 0 ? std::uint32_t(Code.types[t].elements()) : 0;
  for (std::size_t v = 0; v < Code.used.variables; ++v) {
    const std::uint16_t t = Code.type_numbers[v];
    if (tried_sizes<Code>[t] == 0) r.small[v] = true, r.all_elements += r.elements[v] = elements[t];
  }
  if constexpr (is_worth_trying<Code>()) {
    small_array_search<Code> s;
    s.search();
    for (variable v = 0; v < Code.used.variables; ++v) {
      if (r.small[v] || !s.is_small_array(v)) continue;
      r.small[v] = true, r.all_elements += r.elements[v] = std::uint32_t(Code.type_of_variable(v).elements());
      if (r.elements[v] > r.most_elements) r.most_elements = r.elements[v];
    }
  }
  if constexpr (may_have_lane_arrays<Code>()) {
    lane_array_search<Code> s;
    for (variable v = 0; v < Code.used.variables; ++v)
      if (r.small[v] && r.elements[v] >= least_lane_array && s.stays_array(v)) r.small[v] = false, r.all_elements -= r.elements[v], r.elements[v] = 0;
  }
  return r;
}
template <const auto& Code>
inline constexpr small_arrays<Code.used.variables> small_arrays_of = find_small_arrays<Code>();
template <const auto& Code>
constexpr bool is_small(atom a) {
  return a.is_literal() || small_arrays_of<Code>.small[a.index()];
}

}  // namespace detail
}  // namespace jacquard
