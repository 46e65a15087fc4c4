#pragma once
// Eager evaluation: what bind does with concrete operands outside every trace. One equation, run by the interpreter's
// kernels at once; one with bodies also as a compiled program. Including this header is enough: bind and the list of backends find it.

#include "jacquard/backends/interpreter/eager_programs.hpp"

namespace jacquard::detail {

inline void run_eagerly(const primitive& op, view<const array> in, const param_view& params,
                        view<const aval> types, view<array> out, const location& where) {
  const auto interpret = [&] {
    small_vector<array, 4> operands(in.begin(), in.end());
    const ref<body_runners> bodies = op.evaluate ? make_ref<body_runners>(device_id{}) : nullptr;
    run_equation(op, view<array>(operands.data(), operands.size()), params, types, out, {}, {&body_runners::run, bodies.get()}, {}, where);
  };
  if (params.sub_count != 0 && op.evaluate) run_bodies(op, in, params, types, out, where, interpret);
  else interpret();
}

#ifndef JACQUARD_COMPILED
inline constinit eager_function eager_hook = &run_eagerly;
inline constinit backend_factory interpreter_factory = &make_interpreter;
#endif

}  // namespace jacquard::detail
