#pragma once
// Reads the printed form of programs over the primitives of this library. core/read does the work; here are the names.

#include "jacquard/control/control.hpp"
#include "jacquard/core/read.hpp"
#include "jacquard/prims/linear_algebra.hpp"

namespace jacquard {

namespace detail {

template <class... P>
constexpr const primitive* find_primitive(type_list<P...>, std::string_view name) {
  const primitive* const all[] = {&table_of<P>()...};
  for (const primitive* p : all)
    if (p->name == name) return p;
  return nullptr;
}
constexpr const primitive* known_primitive(std::string_view name) {
  if (const primitive* p = find_primitive(all_prims{}, name)) return p;
  if (const primitive* p = find_primitive(control_prims{}, name)) return p;
  if (const primitive* p = find_primitive(custom_rule_prims{}, name)) return p;
  return find_primitive(function_prims{}, name);
}

}  // namespace detail

/// The program that to_string printed as `text`. See read_jaxpr in core/read.hpp.
constexpr closed_jaxpr read_jaxpr(std::string_view text, const axis_binding* axes = nullptr) {
  return read_jaxpr(text, &detail::known_primitive, axes);
}

}  // namespace jacquard
