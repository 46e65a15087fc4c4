#pragma once
// Operands of user-facing functions: anything that converts to an array, together with the user's line. Promotion and
// broadcasting of operands happen here, so that primitives can be strict.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/tree.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/reshape.hpp"

namespace jacquard {

/// An argument of a function or operator: an array, a C++ scalar (weakly typed) or a registered foreign array.
struct operand {
  array value;
  location where;
  bool is_number = false;  ///< a C++ scalar where it is written

  constexpr operand(const array& a, location l = location::current()) : value(a), where(l) {}
  template <scalar S>
  constexpr operand(S s, location l = location::current()) : value(s), where(l), is_number(true) {}
  template <foreign_array T>
  constexpr operand(const T& x, location l = location::current()) : value(leaf_traits<T>::borrow(x)), where(l), is_view(!__builtin_is_constant_evaluated()) {}
  operand(const operand&) = default;
  /// A result that is the foreign operand itself gets memory of its own; see core/leaf_list.
  constexpr ~operand() {
    if (!is_view) return;
    if (buffer* b = value.as_buffer(); b && b->borrowed && b->is_shared()) keep_borrowed(*b);
  }

 private:
  bool is_view = false;
};

namespace detail {

/// `x` as dtype `t`; a literal is converted in place, at no cost to the program.
template <class Array = array>
constexpr array as_type(const lazy<Array>& x, element_type t, const location& where) {
  if (x.kind() == array_kind::literal) {
    literal l = x.as_literal().as(t.type);
    l.weak = t.weak;
    return array(l);
  }
  if (x.dtype() == t.type) return x;
  return lax::convert_element_type(x, t.type, t.weak, where);
}

/// The element type of `x` beside `other`.
constexpr element_type element_beside(const operand& x, const operand& other) {
  const element_type t = x.value.aval().element();
  if (x.value.kind() != array_kind::literal || other.value.is_none()) return t;
  const bool yields = other.value.kind() != array_kind::literal || (x.is_number && !other.is_number);
  return yields ? beside(t, other.value.dtype()) : t;
}
/// The type in which two operands meet.
constexpr element_type common_type(const operand& a, const operand& b) { return promote(element_beside(a, b), element_beside(b, a)); }
/// The type in which all of some arrays meet.
template <class Array = array>
constexpr element_type common_type(view<const lazy<Array>> x) {
  const auto is_literal = [](const array& a) { return a.kind() == array_kind::literal && a.weak_type(); };
  element_type t, all = x[0].aval().element();
  bool some = false;
  for (const array& a : x) {
    const element_type u = a.aval().element();
    all = promote(all, u);
    if (is_literal(a)) continue;
    t = some ? promote(t, u) : u;
    some = true;
  }
  if (!some) return all;
  const dtype met = t.type;
  for (const array& a : x)
    if (is_literal(a)) t = promote(t, beside(a.aval().element(), met));
  return t;
}

/// numpy's broadcast of two shapes; an error goes to the trace of `about` or is thrown.
constexpr bool broadcast_shapes(const shape& a, const shape& b, shape& out) {
  const int rank = a.rank() > b.rank() ? a.rank() : b.rank();
  out = shape(int_list::filled(rank, 1));
  for (int i = 0; i < rank; ++i) {
    const std::int64_t da = i < rank - a.rank() ? 1 : a[i - (rank - a.rank())];
    const std::int64_t db = i < rank - b.rank() ? 1 : b[i - (rank - b.rank())];
    if (da != db && da != 1 && db != 1) return false;
    out[i] = da == 1 ? db : da;
  }
  return true;
}

/// `x` broadcast to `dims`, numpy style; rank-0 operands stay as they are where primitives broadcast them.
template <class Array = array>
constexpr array broadcast_operand(const lazy<Array>& x, const shape& dims, bool keep_scalars, const location& where) {
  const shape from = x.shape();
  if (from == dims || (keep_scalars && from.rank() == 0)) return x;
  int_list positions;
  for (int i = 0; i < from.rank(); ++i) positions.push_back(dims.rank() - from.rank() + i);
  return lax::broadcast_in_dim(x, dims, positions, where);
}

/// Reports an error: in the trace of the operands, or by throwing. In constant evaluation outside every trace, the result
/// carries it to the trace that it enters; functions return it. Functions that check return none if all is well.
template <class Array = array>
JACQUARD_ONCE constexpr array operand_error(view<const lazy<Array>> about, error_record e, const location& where) {
  e.where = where;
  if (!__builtin_is_constant_evaluated() && rule_location) e.where = *rule_location;  // as bind has it: the user's line, not ours
  trace* t = trace_of(about);
  if (!t && !__builtin_is_constant_evaluated()) throw_error(e);
  if (t) {
    t->fail(e);
    return array(0.0f);
  }
  const array zero(0.0f);
  const param_pack p = encode(reshape_p::params{});
  inference failed{"", view<const aval>(), p};
  failed.problem = e;
  failed.outputs.push_back(zero.aval());
  return make_constant(table_of<reshape_p>(), view<const array>(&zero, 1), p, failed, where)[0];
}

/// An error that names the function, where one of its operands has no value.
template <class Array = array>
constexpr array check_given(std::string_view operation, view<const lazy<Array>> all, const location& where) {
  for (const array& x : all)
    if (x.is_none())
      return operand_error(all, make_error(error_kind::type, operation, " got an empty jq::array; assign it a value first"), where);
  return {};
}
/// The same of operands that lie apart: they are put together only where one has no value.
template <class Operand = operand, std::same_as<operand>... More>
constexpr array check_given(std::string_view operation, const lazy<Operand>& x, const More&... more) {
  if (!(x.value.is_none() || ... || more.value.is_none())) return {};
  const array all[] = {x.value, more.value...};
  location where = x.where;
  ((where = where.known() ? where : more.where), ...);
  return check_given(operation, view<const array>(all), where);
}

/// Gives operands the type t and a common shape.
template <class Array = array>
JACQUARD_ONCE constexpr array harmonise(std::string_view operation, view<lazy<Array>> x, element_type t, const location& where, bool keep_scalars = true) {
  const array missing = check_given(operation, view<const array>(x.data(), x.size()), where);
  if (!missing.is_none()) return missing;
  shape dims = x[0].shape();
  bool ok = true;
  for (std::size_t i = 1; i < x.size(); ++i) {
    shape joined;
    ok = ok && broadcast_shapes(dims, x[i].shape(), joined);
    if (ok) dims = joined;
  }
  if (!ok) {
    text shapes;
    for (std::size_t i = 0; i < x.size(); ++i) shapes << (i ? ", " : "") << x[i].shape();
    return operand_error(x, make_error(error_kind::shape, operation, " got incompatible shapes for broadcasting: ", shapes,
                                       ". Dimensions must be equal or 1; reshape one of the operands"), where);
  }
  for (array& a : x) a = broadcast_operand(as_type(a, t, where), dims, keep_scalars && dims.rank() > 0, where);
  return {};
}

/// Gives operands a common type and shape.
template <class Array = array>
constexpr array harmonise(std::string_view operation, view<lazy<Array>> x, const location& where, bool keep_scalars = true) {
  return harmonise<Array>(operation, x, common_type(view<const array>(x.data(), x.size())), where, keep_scalars);
}

/// A binary function of promoted, broadcast operands.
template <class P>
JACQUARD_ONCE constexpr array binary(const operand& a, const operand& b) {
  const location where = a.where.known() ? a.where : b.where;
  array x[] = {a.value, b.value};
  if (x[0].is_none() || x[1].is_none()) return bind<P>({}, where, x[0], x[1]);
  const array bad = harmonise(P::name, x, common_type(a, b), where);
  if (!bad.is_none()) return bad;
  return bind<P>({}, where, x[0], x[1]);
}

/// A unary function of floating point: integers become floats first.
template <class P>
JACQUARD_ONCE constexpr array unary_inexact(const operand& a) {
  const aval t = a.value.is_none() ? aval() : a.value.aval();
  if (is_inexact(t.type)) return bind<P>({}, a.where, a.value);
  return bind<P>({}, a.where, as_type(a.value, {f64, t.weak}, a.where));
}
template <class P>
JACQUARD_ONCE constexpr array unary(const operand& a) {
  return bind<P>({}, a.where, a.value);
}

}  // namespace detail
}  // namespace jacquard
