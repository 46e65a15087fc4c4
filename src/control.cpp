// The tables of the primitives that hold programs, rules or functions.

#define JACQUARD_ENGINE_ELSEWHERE
#include <jacquard/compiled.hpp>

namespace jacquard {

#define JACQUARD_TABLE(p) template const primitive primitive_table<p>;
JACQUARD_FUNCTION_PRIMITIVES(JACQUARD_TABLE)
JACQUARD_CALLBACK_PRIMITIVES(JACQUARD_TABLE)
JACQUARD_CONTROL_PRIMITIVES(JACQUARD_TABLE)
JACQUARD_CUSTOM_RULE_PRIMITIVES(JACQUARD_TABLE)

}  // namespace jacquard
