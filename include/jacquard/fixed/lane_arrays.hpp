#pragma once
// Which small arrays of a frozen program stay arrays: those that nothing but loops on vector lanes reads and makes, where single elements cost
// most: comparisons and quotients, as in the gradient of a softmax. Arithmetic and functions of the program's type of numbers alone are better
// off taken apart, where arithmetic is rearranged, and functions run on lanes, too. Deliberately all or nothing: an array that anything else touches is taken
// apart, with all that it is combined with.

#include "jacquard/core/table.hpp"
#include "jacquard/fixed/lanes.hpp"
#include "jacquard/fixed/program_view.hpp"

namespace jacquard {
namespace detail {

/// Shorter arrays are faster as single elements. So are all on two lanes, and in device code.
inline constexpr std::int64_t least_lane_array = 8;
#ifdef __CUDACC__
inline constexpr bool has_lane_arrays = false;
#else
inline constexpr bool has_lane_arrays = preferred_lanes >= 4;
#endif
/// How many numbers of a program's type fill a vector.
constexpr int lanes_of_numbers(dtype number_type) { return preferred_lanes * (number_type == f32 ? 2 : 1); }
template <const auto& Code>
inline constexpr int lanes_of = lanes_of_numbers(number_type_of<Code>);
/// How many lanes a loop over n elements has: few elements best fill all vectors.
constexpr int lanes_for(std::int64_t n, dtype number_type) {
  int w = lanes_of_numbers(number_type);
  while (w > 4 && n < 8 * preferred_lanes && n % w != 0 && n % 4 == 0) w /= 2;
  return w > n && w > preferred_lanes ? preferred_lanes : w;
}

/// Whether a loop on lanes reduces numbers of this type.
constexpr bool is_reduced_on_lanes(dtype t) { return t == f64 || t == f32; }

/// Whether equation n can be part of a loop on lanes, as far as its operation and types are concerned.
constexpr bool runs_on_lanes(const program_view& code, std::uint32_t n) {
  const frozen_equation& e = code.equations[n];
  const equation_facts& f = code.facts(n);
  const auto is_laned = [](dtype t) { return t == f64 || t == f32 || t == bool_; };
  if (e.out.count != 1 || !is_laned(code.type_of(code.atoms[e.out.first]).type)) return false;
  if (f.reduction) return true;
  for (std::uint32_t k = 0; k < e.in.count; ++k)
    if (!is_laned(code.type_of(code.atoms[e.in.first + k]).type)) return false;
  return f.fold || (f.picks && e.in.count == 3 && is_boolean(code.type_of(code.atoms[e.in.first]).type));
}

/// Arrays that elementwise equations combine are one set, found by union. Complexity: linear.
template <class Program>
class lane_array_search {
 public:
  constexpr explicit lane_array_search(const Program& code) : code_(code), sets_(code.variable_count) {
    for (variable v = 0; v < code.variable_count; ++v) sets_[v].owner = v;
    const frozen_program& p = code.programs[0];
    for (std::uint32_t n = p.equations.first; n < p.equations.first + p.equations.count; ++n) add(n);
  }
  constexpr bool stays_array(variable v) {
    const set& s = sets_[root(v)];
    return s.gains && !s.excluded;
  }

 private:
  /// Facts of the variables whose owner is this one.
  struct set {
    variable owner = 0;
    bool excluded = false, gains = false, reduced = false;
  };

  constexpr variable root(variable v) {
    while (sets_[v].owner != v) v = sets_[v].owner = sets_[sets_[v].owner].owner;
    return v;
  }
  constexpr std::int64_t elements(atom a) const { return a.is_literal() ? 1 : code_.type_of_variable(a.index()).elements(); }
  template <class F>
  constexpr void visit_arrays(pool_range atoms, const F& f) const {
    for (std::uint32_t k = 0; k < atoms.count; ++k)
      if (const atom a = code_.atoms[atoms.first + k]; elements(a) > 1) f(a.index());
  }
  constexpr void add(std::uint32_t n) {
    const frozen_equation& e = code_.equations[n];
    const equation_facts& f = code_.facts(n);
    const bool repeats = f.moves && e.in.count == 1 && elements(code_.atoms[e.in.first]) == 1;
    if (repeats) return;
    const bool loops = e.effects == 0 && runs_on_lanes(code_, n);
    if (!loops || (f.reduction && (elements(code_.atoms[e.out.first]) != 1 || !is_reduced_on_lanes(code_.type_of(code_.atoms[e.in.first]).type)))) {
      const auto exclude = [this](variable v) { sets_[root(v)].excluded = true; };
      visit_arrays(e.in, exclude), visit_arrays(e.out, exclude);
    } else if (f.reduction)
      visit_arrays(e.in, [this](variable v) {
        set& s = sets_[root(v)];
        s.reduced = true, s.gains = s.gains || code_.type_of_variable(v).type != code_.number_type;
      });
    else if (elements(code_.atoms[e.out.first]) > 1) unite(e, f);
  }
  constexpr void unite(const frozen_equation& e, const equation_facts& f) {
    const atom out = code_.atoms[e.out.first];
    const dtype type = code_.type_of(out).type;
    const variable o = root(out.index());
    set& all = sets_[o];
    all.gains = all.gains || is_boolean(type) || f.as_arithmetic == int(arithmetic::divide) || (f.function && type != code_.number_type);
    visit_arrays(e.in, [this, o, &all](variable v) {
      const variable x = root(v);
      sets_[x].owner = o;
      all.excluded = all.excluded || sets_[x].excluded, all.gains = all.gains || sets_[x].gains, all.reduced = all.reduced || sets_[x].reduced;
    });
    // A loop of its own after the reduction would load vectors across those that were stored.
    if (all.reduced && elements(out) % lanes_for(elements(out), code_.number_type) != 0) all.excluded = true;
  }

  const Program& code_;
  table<set> sets_;
};

/// Whether a program may have such arrays.
constexpr bool may_have_lane_arrays(const program_view& code) {
  if (!has_lane_arrays || code.in_lanes) return false;
  for (std::uint32_t t = 0; t < code.type_count; ++t)
    if (code.types[t].elements() >= least_lane_array) return true;
  return false;
}

}  // namespace detail
}  // namespace jacquard
