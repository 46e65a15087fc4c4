#pragma once
// Reads the printed form of programs over the primitives of this library. core/read does the work; here are the names.

#include "jacquard/control/call.hpp"
#include "jacquard/core/read.hpp"
#include "jacquard/prims/id_tap.hpp"
#include "jacquard/prims/prims.hpp"

namespace jacquard {

namespace detail {

/// Primitives that hold jaxprs or functions.
using control_prims = type_list<call_p, id_tap_p>;

template <class... P, class... Q>
constexpr const primitive* find_primitive(type_list<P...>, type_list<Q...>, std::string_view name) {
  const primitive* const all[] = {&table_of<P>()..., &table_of<Q>()...};
  for (const primitive* p : all)
    if (p->name == name) return p;
  return nullptr;
}
constexpr const primitive* known_primitive(std::string_view name) {
  return find_primitive(all_prims{}, control_prims{}, name);
}

}  // namespace detail

/// The program that to_string printed as `text`. See read_jaxpr in core/read.hpp.
constexpr closed_jaxpr read_jaxpr(std::string_view text, const axis_binding* axes = nullptr) {
  return read_jaxpr(text, &detail::known_primitive, axes);
}

}  // namespace jacquard
