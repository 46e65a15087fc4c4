#pragma once
// How primitives that hold jaxprs run these, as compiled backends ask: either the primitive runs them itself on memory that was laid out
// for it (placed_call), or the backend writes code for one of the forms here, whose operands and results have a fixed order. Deliberately
// no more forms than loops and choices.

#include "jacquard/core/params.hpp"
#include "jacquard/core/view.hpp"

namespace jacquard {

/// A pointer of a body that goes on from trip to trip: by `step` bytes after the first one, by `next` after the second, and so on in turn.
struct moving_place {
  bool is_result;
  std::uint32_t number;  ///< of the operand, or of the result
  std::int64_t step, next;

  /// Where it is after so many trips from `at`.
  void* after(std::int64_t trips, void* at) const { return static_cast<char*>(at) + (trips / 2) * (step + next) + (trips % 2) * step; }
  void*& in(void** operands, void** results) const { return (is_result ? results : operands)[number]; }
};

/// Arguments of a place rule: what `evaluate` does, on memory that a compiled backend has laid out. Operands and results are dense and
/// do not overlap; `run` runs sub-jaxpr number `body` likewise, but that a result may lie over the operand that it `overwrites`. So may a
/// result of the equation over a carry, or an operand of a choice or a call, that all sub-jaxprs which make it overwrite. Nothing is
/// allocated, and nobody outlives the call.
struct placed_call {
  view<void* const> in, out;
  param_view params;
  char* scratch;  ///< aligned like a buffer; see control_form
  void (*run)(void* context, std::size_t body, void* const* in, void* const* out);
  bool (*overwrites)(void* context, std::size_t body, std::size_t result, std::size_t operand);
  void* context;
  /// Runs a sub-jaxpr so many times; after each, these of its pointers go on. The lists end as the trip after the last one wants them.
  void (*repeat)(void* context, std::size_t body, std::int64_t trips, void** in, void** out, view<const moving_place> moving);
};

/// The sub-jaxpr that a choice with so many takes: its index, clamped to their number.
constexpr std::size_t chosen_body(std::int32_t index, std::size_t bodies) {
  return index < 0 ? 0 : std::size_t(index) < bodies ? std::size_t(index) : bodies - 1;
}

/// What a primitive with a place rule does with its sub-jaxprs.
struct control_form {
  enum class kind : std::uint8_t {
    counted_loop,      ///< operands: constants, carries, stacked; results: carries, stacked; sub-jaxpr 0 maps constants, carries, elements to carries, elements
    conditional_loop,  ///< operands: constants of the condition, constants of the body, carries; results: carries; sub-jaxpr 0 maps constants and carries to bool [], 1 to carries
    choice,            ///< operands: an i32 index, which says the sub-jaxpr (chosen_body), and the operands of that one; its results
    call               ///< operands and results: those of sub-jaxpr `body`
  };
  kind is = kind::call;
  std::size_t body = 0;                                    ///< of a call
  std::size_t of_condition = 0, of_body = 0, carries = 0;  ///< how many, of loops
  std::int64_t trips = 0;                                  ///< of a counted loop
  bool reverse = false;                                    ///< a counted loop goes through its elements from the last to the first
  /// Bytes that `place` wants for itself. Room for those carries of a loop follows that its body does not overwrite, each in whole lines of a cache.
  std::int64_t scratch = 0;

  /// Whether an operand, or a result, is a stack, of which each trip has an element.
  constexpr bool stacks_operand(std::size_t i) const { return is == kind::counted_loop && i >= of_body + carries; }
  constexpr bool stacks_result(std::size_t i) const { return is == kind::counted_loop && i >= carries; }
  /// Whether sub-jaxpr i is ever run: calls hold others for their derivatives.
  constexpr bool runs(std::size_t i) const { return is != kind::call || i == body; }
};

}  // namespace jacquard
