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

struct small_array_counts {
  std::uint32_t all_elements = 0;   ///< of all small arrays
  std::uint32_t most_elements = 0;  ///< of one that is small though its type is not
};
/// By variable.
template <std::size_t N>
struct small_arrays {
  pool<bool, N> small{};
  pool<std::uint32_t, N> elements{};  ///< of small ones
  small_array_counts counts;
};

/// How many elements an array has that is tried; 0 for small ones, too many for others.
constexpr std::uint32_t tried_size(const aval& a) {
  if (is_small(a)) return 0;
  return a.elements() > most_tried ? most_tried + 1 : std::uint32_t(a.elements());
}
constexpr bool is_tried(std::uint32_t size) { return size != 0 && size <= most_tried; }

/// A template, as all that is computed of layouts, so that files which lay out no program do not compile it.
template <class Program>
class small_array_search {
 public:
  constexpr explicit small_array_search(const Program& code, const std::uint32_t* sizes)
      : code_(code), sizes_(sizes), room_(room(code, sizes)), all_(code, room_, 4 * (room_ + most_steps_apart(code)), code.literal_count + 512 + most_tried),
        first_(code.variable_count), found_(code.variable_count), apart_(code.equation_count) {}

  constexpr void search() {
    const frozen_program& p = code_.programs[0];
    for (std::uint32_t k = 0; k < p.inputs.count; ++k) add_given(code_.atoms[p.inputs.first + k].index());
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) try_equation(n);
    while (reject()) {}
  }
  constexpr bool is_small_array(variable v) const { return size(v) == 0 || found_[v]; }

 private:
  constexpr std::uint32_t size(variable v) const { return sizes_[code_.type_numbers[v]]; }
  constexpr void add_given(variable v) {
    if (size(v) != 0) return;
    first_[v] = all_.graph.count;
    const aval& a = code_.type_of_variable(v);
    for (std::int64_t i = 0; i < a.elements(); ++i) all_.graph.add_new(a.type);
  }
  constexpr void try_equation(std::uint32_t n) {
    const frozen_equation& e = code_.equations[n];
    const variable out = e.out.count == 0 ? 0 : code_.atoms[e.out.first].index();
    if (e.out.count == 1 && (size(out) == 0 || (is_tried(size(out)) && tried_ + size(out) <= most_tried_in_all))) {
      const std::uint32_t before = all_.graph.step_count;
      tried_ += size(out);
      if (all_.take_apart(n, &first_[0], [this](variable v) { return this->is_small_array(v); })) {
        apart_[n] = size(out) == 0 || all_.graph.step_count - before <= most_computed(size(out));
        found_[out] = apart_[n];
        return;
      }
    }
    for (std::uint32_t k = 0; k < e.out.count; ++k) add_given(code_.atoms[e.out.first + k].index());
  }
  /// What an equation reads or makes that is not taken apart lies in memory. Whether that is news.
  constexpr bool reject() {
    const frozen_program& p = code_.programs[0];
    bool r = false;
    for (std::uint32_t n = p.equations.first + p.equations.count; n-- > p.equations.first;) {
      const frozen_equation& e = code_.equations[n];
      const auto check = [this, n](variable v) {
        if (!this->is_small_array(v)) apart_[n] = false;
      };
      for (std::uint32_t k = 0; k < e.out.count; ++k) check(code_.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = code_.atoms[e.in.first + k]; !a.is_literal()) check(a.index());
      if (apart_[n]) continue;
      const auto drop = [this, &r](variable v) {
        if (found_[v]) found_[v] = false, r = true;
      };
      for (std::uint32_t k = 0; k < e.out.count; ++k) drop(code_.atoms[e.out.first + k].index());
      for (std::uint32_t k = 0; k < e.in.count; ++k)
        if (const atom a = code_.atoms[e.in.first + k]; !a.is_literal()) drop(a.index());
    }
    return r;
  }
  /// Elements of all arrays that are small or tried.
  static constexpr std::size_t room(const Program& code, const std::uint32_t* sizes) {
    std::size_t small = 0, tried = 0;
    for (variable v = 0; v < code.variable_count; ++v) {
      const std::uint32_t size = sizes[code.type_numbers[v]];
      if (size == 0) small += std::size_t(code.type_of_variable(v).elements());
      else if (is_tried(size)) tried += size;
    }
    return small + (tried < most_tried_in_all ? tried : most_tried_in_all);
  }

  const Program& code_;
  const std::uint32_t* sizes_;  ///< by type
  std::size_t room_;
  equation_elements all_;
  table<std::uint32_t> first_;
  table<bool> found_, apart_;
  std::uint32_t tried_ = 0;
};

/// Writes what `small_arrays` tells to tables of zeros.
template <class Program>
constexpr small_array_counts find_small_arrays(const Program& code, bool* small, std::uint32_t* elements_of) {
  small_array_counts r;
  table<std::uint32_t> sizes(code.type_count), elements(code.type_count);  // of small types
  bool any_tried = false, any_counted = false;
  for (std::uint32_t t = 0; t < code.type_count; ++t) {
    const std::uint32_t size = sizes[t] = tried_size(code.types[t]);
    if (size == 0) elements[t] = std::uint32_t(code.types[t].elements());
    any_tried = any_tried || is_tried(size);
  }
  for (variable v = 0; v < code.variable_count; ++v) {
    const std::uint16_t t = code.type_numbers[v];
    if (sizes[t] == 0) small[v] = true, r.all_elements += elements_of[v] = elements[t];
  }
  // Worth trying where there are numbers that count: those come from equations without operands.
  const frozen_program& p = code.programs[0];
  for (std::uint32_t n = p.equations.first; any_tried && n < p.equations.first + p.equations.count; ++n)
    any_counted = any_counted || (code.equations[n].in.count == 0 && code.equations[n].effects == 0);
  if (any_counted) {
    small_array_search<Program> s(code, &sizes[0]);
    s.search();
    for (variable v = 0; v < code.variable_count; ++v) {
      if (small[v] || !s.is_small_array(v)) continue;
      small[v] = true, r.all_elements += elements_of[v] = std::uint32_t(code.type_of_variable(v).elements());
      if (elements_of[v] > r.most_elements) r.most_elements = elements_of[v];
    }
  }
  if (!may_have_lane_arrays(code)) return r;
  lane_array_search<Program> s(code);
  for (variable v = 0; v < code.variable_count; ++v)
    if (small[v] && elements_of[v] >= least_lane_array && s.stays_array(v)) small[v] = false, r.all_elements -= elements_of[v], elements_of[v] = 0;
  return r;
}
template <const auto& Code>
inline constexpr small_arrays<Code.used.variables> small_arrays_of = [] {
  small_arrays<Code.used.variables> r;
  r.counts = find_small_arrays(program_view_of<Code>, r.small.all, r.elements.all);
  return r;
}();
template <const auto& Code>
constexpr bool is_small(atom a) {
  return a.is_literal() || small_arrays_of<Code>.small[a.index()];
}

}  // namespace detail
}  // namespace jacquard
