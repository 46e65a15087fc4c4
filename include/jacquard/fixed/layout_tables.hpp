#pragma once
// What a layout says of a frozen program, as tables of exactly the size they need: where each variable lives and which steps a run takes.
// Deliberately passive: fixed/layout fills them.

#include "jacquard/fixed/array_plan.hpp"
#include "jacquard/fixed/step_groups.hpp"

namespace jacquard {
namespace detail {

/// How large a layout is.
struct layout_sizes {
  std::uint32_t elements = 0, steps = 0, constants = 0, groups = 0, grouped = 0, inputs = 0;
};
/// Into how many stretches of steps that end with whole equations a run is divided at most.
inline constexpr std::uint32_t most_stretches = 4;
/// A literal in a form that costs the compiler nothing where there is none.
struct constant_bits {
  std::uint8_t type;
  std::uint64_t low, high;
  constexpr void set(const literal& l) { type = std::uint8_t(l.type), low = l.low, high = l.high; }
  template <class T>
  constexpr T get() const {
    literal l;
    l.type = dtype(type), l.low = low, l.high = high;
    return l.get<T>();
  }
};
template <std::size_t V, std::size_t E, layout_sizes Sizes>
struct layout {
  layout_sizes used{};
  std::array<home, V> where{};
  std::array<std::uint32_t, V> first{};   ///< small: position in `elements`; large: see home
  std::array<std::uint32_t, V> offset{};  ///< large: of a view, where it begins
  std::array<std::uint32_t, E> loop{};    ///< by equation: the last one of the loop it belongs to, + 1; 0 = in none
  std::array<bool, E> filled_in{};        ///< by equation: operands lie in its result already
  std::uint32_t elements[Sizes.elements + 1]{};    ///< of small variables: the code of a slot of its dtype or of a constant
  std::uint8_t arrivals[Sizes.inputs + 1]{};       ///< by small element of an argument, which are the first: the stretch that reads it first
  run_step steps[Sizes.steps + 1]{};               ///< what a run does, in order; operands are such codes, too
  step_group groups[Sizes.groups + 1]{};           ///< by number of a step that is one
  run_step grouped[Sizes.grouped + 1]{};           ///< their steps
  constant_bits constants[Sizes.constants + 1]{};
  std::array<std::uint32_t, std::size_t(dtype_count)> slots{}, memory{};  ///< by dtype
};

}  // namespace detail
}  // namespace jacquard
