#pragma once
// Every primitive that holds jaxprs, and the one list of them.

#include "jacquard/control/associative_scan.hpp"
#include "jacquard/control/branches.hpp"
#include "jacquard/control/call.hpp"
#include "jacquard/control/checkpoint.hpp"
#include "jacquard/control/composite.hpp"
#include "jacquard/control/custom_batching.hpp"
#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/control/custom_vjp.hpp"
#include "jacquard/control/linear_solve.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/control/root.hpp"
#include "jacquard/prims/prims.hpp"

namespace jacquard {

/// The primitives whose parameters are programs, but for those that run in one direction of differentiation only (custom_vjp).
using control_prims = type_list<call_p, checkpoint_p, cond_p, custom_jvp_p, scan_p, while_p>;
/// Primitives whose rules are the user's, and so are their laws.
using custom_rule_prims = type_list<custom_batching_p, custom_lin_p, custom_vjp_p, linear_solve_p>;

}  // namespace jacquard
