#pragma once
// Who makes and who reads the values of a program: what a pass asks before it takes steps apart or puts others in their place. Deliberately of
// the steps as they were found: a pass that rewrites them on its way keeps account of that itself.

#include "jacquard/core/list.hpp"
#include "jacquard/core/table.hpp"
#include "jacquard/fixed/arithmetic_graph.hpp"

namespace jacquard {
namespace detail {

/// What passes over the steps of a graph that are kept have in common.
class value_uses {
 protected:
  /// `keep` is by step. `arity(step)` is how many operands a step has; `reads(n, visit)` calls `visit(code)` for what step n reads as a whole
  /// equation, and for what is read after all steps where n is their number. With room for so many values that are yet to come.
  /// Complexity: linear. Nothing is noted unless `wanted`.
  template <class Arity, class Reads>
  constexpr value_uses(value_graph& g, const bool* keep, const Arity& arity, const Reads& reads, bool wanted = true, std::uint32_t new_values = 0)
      : g_(g), keep_(keep), count_(g.step_count), values_(wanted ? g.value_count + new_values : 0) {
    if (!wanted) return;
    const auto pin = [this](std::uint32_t code) {
      if (!is_constant(code)) values_[code].uses += pinned;
    };
    for (std::uint32_t n = 0; n < count_; ++n) {
      if (!keep_[n]) continue;
      const run_step& s = g_.steps[n];
      if ((s.kind & run_step::whole) != 0) {
        reads(n, pin);
        continue;
      }
      values_[s.out].maker = n + 1;
      for (std::uint32_t k = 0; k < arity(s); ++k)
        if (!is_constant(s.in[k])) {
          value_use& x = values_[s.in[k]];
          ++x.uses, x.reader_before = x.reader, x.reader = n + 1;
        }
    }
    reads(count_, pin);
  }

  static constexpr std::uint32_t none = ~0u, pinned = 1000;
  struct value_use {
    std::uint32_t maker = 0;                      ///< the step that computes it, + 1; 0: it is given, or a whole equation makes it
    std::uint32_t uses = 0;                       ///< operands that it is, and `pinned` for each reader that is no step of one element
    std::uint32_t reader = 0, reader_before = 0;  ///< the last step that has it as an operand and the one before, + 1
  };

  static constexpr bool is_constant(std::uint32_t code) { return (code & atom::literal_bit) != 0; }
  constexpr bool is_made(std::uint32_t x) const { return !is_constant(x) && values_[x].maker != 0; }
  constexpr run_step& maker(std::uint32_t x) const { return g_.steps[values_[x].maker - 1]; }
  /// Of a value that a step has as an operand: the last such step.
  constexpr run_step& reader(std::uint32_t x) const { return g_.steps[values_[x].reader - 1]; }
  constexpr bool is_made_by(std::uint32_t x, arithmetic what) const { return is_made(x) && maker(x).is(what); }
  constexpr bool is_product(std::uint32_t x) const { return is_made_by(x, arithmetic::multiply); }
  /// Whether x is a product that only one other reads, as one factor.
  constexpr bool is_inner(std::uint32_t x) const { return is_product(x) && values_[x].uses == 1 && reader(x).is(arithmetic::multiply); }

  value_graph& g_;
  const bool* keep_;
  std::uint32_t count_;  ///< of the steps as they were found
  table<value_use> values_;
};

}  // namespace detail
}  // namespace jacquard
