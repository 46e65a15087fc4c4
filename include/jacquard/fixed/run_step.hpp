#pragma once
// A step of a run, as passes over frozen programs see it: what is done to which numbers. Deliberately passive.

#include "jacquard/core/jaxpr.hpp"
#include "jacquard/fixed/recorded_kernel.hpp"

namespace jacquard {
namespace detail {

/// One thing that a run does. The kind of an operation on single elements is the number of an equation that does the same;
/// those of arithmetic, of whole equations and of groups of steps are marked.
struct run_step {
  static constexpr std::uint32_t whole = 0x80000000u, plain_arithmetic = 0x40000000u, group = 0x20000000u;
  std::uint32_t kind, out, in[3];
  static constexpr std::uint32_t kind_of(arithmetic what) { return plain_arithmetic | std::uint32_t(what); }
  constexpr bool is(arithmetic what) const { return kind == (plain_arithmetic | std::uint32_t(what)); }
  constexpr bool is_sum() const { return is(arithmetic::add) || is(arithmetic::subtract); }
};

}  // namespace detail
}  // namespace jacquard
