#pragma once
// Bodies on padded arrays: what the masking rules of loops, branches and functions with rules share. Sizes are run-time values,
// and bodies are closed: the values of all names become inputs of a masked body. Deliberately knows no primitive that holds one.

#include "jacquard/control/body.hpp"
#include "jacquard/transforms/mask_jaxpr.hpp"

namespace jacquard::detail {

/// The inputs of a body with the values of all names put in before input `at`.
template <class Array = array>
constexpr std::vector<array> with_names(const mask_scope& scope, view<const lazy<Array>> x, std::size_t at) {
  std::vector<array> r(x.begin(), x.end());
  const std::vector<array> names = scope.name_values();
  r.insert(r.begin() + std::ptrdiff_t(at), names.begin(), names.end());
  return r;
}

/// A body on padded arrays. Where masking failed, `dims` are fewer than its results.
struct masked_body {
  jaxpr_ref body;
  list<dimension_list> dims;  ///< of its results

  constexpr bool complete(const jaxpr& of) const { return dims.size() == of.outvars.size(); }
};
/// Masks a body whose inputs have the logical dimensions `dims`; that of a loop runs so many trips.
template <class Array = array>
constexpr masked_body mask_body(mask_scope& scope, const jaxpr& body, const jaxpr& twin, std::size_t at, view<const dimension_list> dims,
                                const axis_binding* axes, const dimension& trips = dimension(1)) {
  const std::vector<aval> names = types_of<Array>(scope.name_values());
  std::vector<aval> types;
  for (std::size_t i = 0; i < dims.size(); ++i) types.push_back(body.avals[body.invars[i]].with(scope.padded(dims[i])));
  types.insert(types.begin() + std::ptrdiff_t(at), names.begin(), names.end());
  masked_body r;
  r.body = build_tidy_body(types, axes, [&](view<const array> in) {
    std::vector<array> own(in.begin(), in.end()), outs;
    own.erase(own.begin() + std::ptrdiff_t(at), own.begin() + std::ptrdiff_t(at + names.size()));
    for (const masked& y : scope.evaluate(body, twin, in.subspan(at, names.size()), own, dims, trips)) {
      outs.push_back(y.value);
      r.dims.push_back(y.dims);
    }
    return outs;
  });
  return r;
}

/// What is wrong with results whose logical dimensions should be others. `what` is the operation, `which` and `instead` say where
/// both were seen.
constexpr error_record dims_problem(std::string_view what, view<const dimension_list> got, view<const dimension_list> want, std::string_view which,
                                    std::string_view instead) {
  for (std::size_t i = 0; i < want.size() && i < got.size(); ++i)
    if (!(got[i] == want[i]))
      return make_error(error_kind::shape, "mask: ", what, " ", i, " has the logical dimensions ", got[i], " ", which, " and ", want[i], " ", instead,
                        "; return an array of the same sizes");
  return {};
}

}  // namespace jacquard::detail
