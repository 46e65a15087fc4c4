#pragma once
// Symbolic constants: what an operation on constants makes during constant evaluation, where nothing can be computed on
// arrays. A trace that uses one places its equations. Deliberately passive: core/bind makes it, core/trace places it.

#include "jacquard/core/jaxpr.hpp"

namespace jacquard {

/// A primitive applied to symbolic constants during constant evaluation, not computed yet.
struct constant_node final : array_node {
  const primitive* op = nullptr;
  param_pack params;
  small_vector<array, 2> inputs;
  small_vector<aval, 1> outputs;
  error_record problem;
  location where;
  array_node* placed = nullptr;  ///< the trace that already holds this node (shared), and its first output there
  variable first = 0;

  constexpr constant_node() : array_node(this, [](array_node& n) { delete n.as_constant; }) {}
  constexpr ~constant_node() {
    if (placed) placed->release();
  }
  constexpr aval type_of(std::uint32_t number) override { return outputs[number]; }
};

constexpr array::array(constant_node* n, std::uint32_t index) : kind_(array_kind::constant), variable_(index), node_(n) {
  n->retain();
}

namespace detail {
/// An array of which nothing is known but its type. `name` says in errors what the user wrote.
template <class Array = array>
constexpr Array array_without_value(const aval& type, std::string_view name, const location& where = {}) {
  auto* n = new constant_node;
  n->outputs.push_back(type);
  n->problem = make_error(error_kind::value, name, ": has a type but no value; pass an array in its place, or ask for types alone, as eval_shape, make_jaxpr and lower do");
  n->problem.where = n->where = where;
  Array r(n, 0);
  n->release();
  return r;
}
}  // namespace detail

}  // namespace jacquard
