#pragma once
// Operands in which a primitive has no derivative: the error of a jvp rule that meets their tangents. Not a primitive itself.

#include "jacquard/core/bind.hpp"

namespace jacquard::detail {

/// Reports, at the user's line, that `operation` has no derivative in `what`; the tangent t is returned so that a rule can go on.
template <class Array = array>
constexpr array no_derivative_in(std::string_view operation, std::string_view what, const lazy<Array>& t) {
  error_record e = make_error(error_kind::not_implemented, operation, " has no derivative in ", what,
                              ": got a tangent of it; wanted none, pass it through jq::stop_gradient or close over it");
  trace* to = trace_of(view<const array>(&t, 1));
  if (to) to->fail(e);
  else if (!__builtin_is_constant_evaluated()) throw_error(e);
  return t;
}

}  // namespace jacquard::detail
