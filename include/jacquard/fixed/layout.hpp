#pragma once
// Where the values of a frozen program live. Small arrays are single elements, each in a slot that is addressed by a
// constant, so that the compiler keeps them in registers; an operation that only moves elements dissolves into names for
// the same slots. Large arrays are arguments, results, views of others, or share memory by liveness. Deliberately decided once, in
// constant evaluation.

#include "jacquard/fixed/layout_builder.hpp"

namespace jacquard {
namespace detail {

/// How large a layout is at most.
constexpr layout_sizes most_of(const program_view& code, const small_array_counts& counts) {
  const auto values = std::uint32_t(most_values(code, counts)), constants = std::uint32_t(most_constants(code, counts));
  return {counts.all_elements, values, constants, values, values, counts.all_elements};
}
template <const auto& Code>
struct wide_layout {
  static constexpr layout_sizes most = most_of(program_view_of<Code>, small_arrays_of<Code>.counts);
  using type = layout<Code.used.variables, Code.equations.size(), most>;
  static constexpr type make() {
    const auto& small = small_arrays_of<Code>;
    layout_builder<program_view> b(program_view_of<Code>, small.small.all, small.elements.all, small.counts);
    b.build();
    type r;
    b.write(r);
    return r;
  }
};
/// The layout in rooms that may be too large. Types are written out because nvcc 13 fails at `auto` here.
template <const auto& Code>
inline constexpr typename wide_layout<Code>::type wide_layout_of = wide_layout<Code>::make();
template <const auto& Code>
using layout_for = layout<Code.used.variables, Code.equations.size(), wide_layout_of<Code>.used>;
template <const auto& Code>
constexpr layout_for<Code> make_layout() {
  const auto& wide = wide_layout_of<Code>;
  layout_for<Code> r;
  r.used = wide.used;
  r.where = wide.where, r.first = wide.first, r.offset = wide.offset, r.loop = wide.loop, r.filled_in = wide.filled_in, r.slots = wide.slots, r.memory = wide.memory;
  for (std::uint32_t i = 0; i < r.used.elements; ++i) r.elements[i] = wide.elements[i];
  for (std::uint32_t i = 0; i < r.used.inputs; ++i) r.arrivals[i] = wide.arrivals[i];
  for (std::uint32_t i = 0; i < r.used.steps; ++i) r.steps[i] = wide.steps[i];
  for (std::uint32_t i = 0; i < r.used.groups; ++i) r.groups[i] = wide.groups[i];
  for (std::uint32_t i = 0; i < r.used.grouped; ++i) r.grouped[i] = wide.grouped[i];
  for (std::uint32_t i = 0; i < r.used.constants; ++i) r.constants[i] = wide.constants[i];
  return r;
}
template <const auto& Code>
inline constexpr layout_for<Code> layout_of = make_layout<Code>();

}  // namespace detail
}  // namespace jacquard
