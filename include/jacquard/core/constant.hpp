#pragma once
// Symbolic constants: what an operation on constants makes during constant evaluation, where nothing can be computed on
// arrays. A trace that uses one places its equations. Deliberately passive: core/bind makes it, core/trace places it.

#include "jacquard/core/jaxpr.hpp"

namespace jacquard {

/// A primitive applied to symbolic constants during constant evaluation, not computed yet.
struct constant_node {
  int references = 1;
  const primitive* op = nullptr;
  param_pack params;
  small_vector<array, 2> inputs;
  small_vector<aval, 2> outputs;
  error_record problem;
  location where;
  trace* placed = nullptr;  ///< the trace that already holds this node (shared), and its first output there
  variable first = 0;
};

}  // namespace jacquard
