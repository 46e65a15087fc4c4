#pragma once
// Every primitive that holds jaxprs, and the one list of them.

#include "jacquard/control/argument_rules.hpp"
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
#define JACQUARD_CONTROL_PRIMITIVES(x) \
  x(call_p) \
  x(checkpoint_p) \
  x(cond_p) \
  x(custom_jvp_p) \
  x(scan_p) \
  x(while_p)

/// Primitives whose rules are the user's, and so are their laws.
#define JACQUARD_CUSTOM_RULE_PRIMITIVES(x) \
  x(custom_batching_p) \
  x(custom_lin_p) \
  x(custom_vjp_p) \
  x(linear_solve_p)

using control_prims = detail::listed<void JACQUARD_CONTROL_PRIMITIVES(JACQUARD_LISTED)>::types;
using custom_rule_prims = detail::listed<void JACQUARD_CUSTOM_RULE_PRIMITIVES(JACQUARD_LISTED)>::types;

}  // namespace jacquard
