#pragma once
// What can be said of a program or of its compiled form without running it: operations, bytes, where values lie. Deliberately
// passive values; core/cost counts operations, backends count memory.

#include "jacquard/core/list.hpp"
#include "jacquard/core/params.hpp"
#include "jacquard/core/text.hpp"

namespace jacquard {

/// What one run of a program costs.
struct program_cost {
  double flops = 0;           ///< operations on elements; a multiplication and an addition are two, whatever the dtype
  double bytes_accessed = 0;  ///< read from and written to memory
  /// False where there is a loop that ends by a condition: its body counts once.
  bool counted = true;

  constexpr program_cost& operator+=(const program_cost& c) {
    flops += c.flops;
    bytes_accessed += c.bytes_accessed;
    counted = counted && c.counted;
    return *this;
  }
  friend constexpr program_cost operator*(double times, const program_cost& c) {
    return {times * c.flops, times * c.bytes_accessed, c.counted};
  }
};

/// The memory that one run of a compiled program takes, in bytes.
struct program_memory {
  std::int64_t arguments = 0;
  std::int64_t outputs = 0;
  std::int64_t temporaries = 0;  ///< at most, beside arguments and outputs; what lies on the stack (up to 1 kB) does not count
  std::int64_t aliased = 0;      ///< bytes of outputs that lie in the memory of arguments
  /// By output: the flat argument in whose memory it lies, or -1.
  list<std::int32_t> alias;
  /// False where the program holds others (loops, branches): what these take is estimated from above.
  bool exact = true;
};

/// Which equations a backend runs together, and where it puts values. For drawings.
struct program_layout {
  jaxpr_ref program;              ///< what was compiled; bodies differ from those the program holds
  list<std::int32_t> cluster;     ///< by equation: the number of its kernel, or -1 where it runs by itself
  list<text> place;               ///< by variable: its memory; "" where it has none
  list<std::uint32_t> body_of;    ///< by body: the equation that holds it
  list<program_layout> bodies;
};

/// All that an executable says of itself.
struct program_analysis {
  program_memory memory;
  program_cost cost;
  program_layout layout;
};

}  // namespace jacquard
