// The tables of the primitives of arrays, from f to o.

#define JACQUARD_ENGINE_ELSEWHERE
#include <jacquard/compiled.hpp>
#include <jacquard/prims/linear_algebra.hpp>

namespace jacquard {

#define JACQUARD_TABLE(p) template const primitive primitive_table<p>;
JACQUARD_PRIMITIVES_F_TO_O(JACQUARD_TABLE)

}  // namespace jacquard
