#pragma once
// What a program that links jacquard::compiled finds there and need not compile in each of its files: the tables of the primitives, from which
// all of their rules and kernels hang. The library's sources include this header for the lists, programs get it with fixed.hpp. Constant
// evaluation reads the tables all the same, and primitives from outside the library are compiled where they are. Deliberately declares tables
// only: the other two seams are core/hook.hpp's. Defines no primitive that prims.hpp leaves out: theirs are declared by name.

#include "jacquard/control/control.hpp"
#include "jacquard/core/rules.hpp"
#include "jacquard/prims/prims.hpp"

#ifdef JACQUARD_COMPILED

namespace jacquard {

// The kernel by itself, too: constant evaluation reads the table's initializer, which would compile what it points to. Tables that have none
// do not mention theirs.
#define JACQUARD_COMPILED_TABLE(p)                    \
  extern template const primitive primitive_table<p>; \
  extern template void detail::kernel_entry<p>(const kernel_call&);
JACQUARD_PRIMITIVES(JACQUARD_COMPILED_TABLE)
JACQUARD_FUNCTION_PRIMITIVES(JACQUARD_COMPILED_TABLE)
JACQUARD_CALLBACK_PRIMITIVES(JACQUARD_COMPILED_TABLE)
JACQUARD_CONTROL_PRIMITIVES(JACQUARD_COMPILED_TABLE)
JACQUARD_CUSTOM_RULE_PRIMITIVES(JACQUARD_COMPILED_TABLE)
#undef JACQUARD_COMPILED_TABLE

}  // namespace jacquard

#endif
