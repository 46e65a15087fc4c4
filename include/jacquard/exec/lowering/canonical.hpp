#pragma once
// Canonical form of the bodies of loops and branches before they are lowered: calls inlined, equal equations merged, dead ones
// dropped. Whole programs come simplified from jit.

#include "jacquard/transforms/simplify.hpp"

namespace jacquard::lowering {

/// The simplified body; its inputs and outputs stay as they are.
inline jaxpr_ref canonical_body(const jaxpr_ref& body) { return simplify(closed_jaxpr{body, {}}).program; }

}  // namespace jacquard::lowering
