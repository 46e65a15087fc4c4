#pragma once
// Every primitive that holds jaxprs, and the one list of them.

#include "jacquard/control/branches.hpp"
#include "jacquard/control/call.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/prims/prims.hpp"

namespace jacquard {

/// The primitives whose parameters are programs.
using control_prims = type_list<call_p, cond_p, scan_p, while_p>;

}  // namespace jacquard
