#pragma once
// Every primitive that holds jaxprs, and the one list of them.

#include "jacquard/control/call.hpp"
#include "jacquard/prims/prims.hpp"

namespace jacquard {

/// The primitives whose parameters are programs.
using control_prims = type_list<call_p>;

}  // namespace jacquard
