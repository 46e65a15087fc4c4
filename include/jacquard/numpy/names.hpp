#pragma once
// numpy's names for what Jacquard writes as an operator or calls otherwise, for code that is carried over, and the small comparisons of whole arrays.
// Operands promote and broadcast as those of the operators. Deliberately a header of its own: names like `equal` and `less` are the standard
// library's too.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/bits.hpp"
#include "jacquard/numpy/cumulative.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/sorting.hpp"

namespace jacquard {

// --- operators -------------------------------------------------------------------------------------------------------

#define JACQUARD_OPERATOR_NAME(name, symbol, common)                                             \
  template <class Operand = operand>                                                             \
  constexpr array name(const lazy<Operand>& a, const lazy<Operand>& b) { return a symbol b; }    \
  template <detail::quantity A, detail::quantity B>                                              \
  constexpr auto name(A a, B b) {                                                                \
    return detail::common(a, b, [](auto x, auto y) {                                             \
      if constexpr (std::is_same_v<decltype(x symbol y), bool>) return x symbol y;               \
      else return static_cast<decltype(x)>(x symbol y);                                          \
    });                                                                                          \
  }

JACQUARD_OPERATOR_NAME(add, +, in_common)
JACQUARD_OPERATOR_NAME(subtract, -, in_common)
JACQUARD_OPERATOR_NAME(multiply, *, in_common)
JACQUARD_OPERATOR_NAME(divide, /, in_common_inexact)
JACQUARD_OPERATOR_NAME(true_divide, /, in_common_inexact)
JACQUARD_OPERATOR_NAME(equal, ==, in_common)
JACQUARD_OPERATOR_NAME(not_equal, !=, in_common)
JACQUARD_OPERATOR_NAME(less, <, in_common)
JACQUARD_OPERATOR_NAME(less_equal, <=, in_common)
JACQUARD_OPERATOR_NAME(greater, >, in_common)
JACQUARD_OPERATOR_NAME(greater_equal, >=, in_common)

#undef JACQUARD_OPERATOR_NAME

/// -x.
template <class Operand = operand>
constexpr array negative(const lazy<Operand>& x) { return -x; }
template <detail::quantity T>
constexpr T negative(T x) {
  return static_cast<T>(-x);
}

// --- second names ----------------------------------------------------------------------------------------------------

/// max.
template <class Operand = operand>
constexpr array amax(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) { return max(x, axes, keep); }
/// min.
template <class Operand = operand>
constexpr array amin(const lazy<Operand>& x, const reduction_axes& axes = {}, keepdims_option keep = {}) { return min(x, axes, keep); }
/// round.
template <class Operand = operand>
constexpr array around(const lazy<Operand>& x, int decimals = 0) { return round(x, decimals); }
/// round to whole numbers; integers become floating point, as in numpy.
template <class Operand = operand>
constexpr array rint(const lazy<Operand>& x) { return round(operand(detail::as_inexact(x), x.where)); }
template <detail::real_number T>
constexpr auto rint(T x) {
  return math::round_even(detail::inexact_number(x));
}
/// conj.
template <class Operand = operand>
constexpr array conjugate(const lazy<Operand>& x) { return conj(x); }
template <scalar T>
constexpr auto conjugate(T x) {
  return jacquard::conj(x);
}
/// x in memory of its own, which stays when x is donated; a tracer and a constant have no memory and come back as they are.
/// Errors: deleted_error if x was donated. Complexity: its bytes.
template <class Operand = operand>
constexpr array copy(const lazy<Operand>& x) {
  if (!std::is_constant_evaluated())
    if (const buffer* b = x.value.as_buffer()) return array(copy_buffer(*b));
  return x.value;
}
/// invert, left_shift and right_shift in the words of the array API.
template <class Operand = operand>
constexpr array bitwise_invert(const lazy<Operand>& x) { return ~x; }
template <class Operand = operand>
constexpr array bitwise_left_shift(const lazy<Operand>& a, const lazy<Operand>& b) { return left_shift(a, b); }
template <class Operand = operand>
constexpr array bitwise_right_shift(const lazy<Operand>& a, const lazy<Operand>& b) { return right_shift(a, b); }
/// concatenate.
template <class Operand = operand>
constexpr array concat(std::initializer_list<lazy<Operand>> xs, int axis = 0) { return concatenate(xs, axis); }
/// transpose.
template <class Operand = operand>
constexpr array permute_dims(const lazy<Operand>& x, const axis_list& axes) { return transpose(x, axes); }
/// x with its last two dimensions exchanged. Errors: value_error for fewer than two.
template <class Operand = operand>
constexpr array matrix_transpose(const lazy<Operand>& x) { return swapaxes(x, -1, -2); }
/// zeros: no array holds what was in memory before.
template <class Array = array>
constexpr array empty(const shape& dims, dtype t = f32, location where = location::current()) { return zeros(dims, t, where); }
template <class Operand = operand>
constexpr array empty_like(const lazy<Operand>& x) { return zeros_like(x); }
/// The shape that arrays of the given shapes have when they are broadcast together. Errors: shape_error.
constexpr shape broadcast_shapes(std::initializer_list<shape> shapes, location where = location::current()) {
  shape all;
  for (const shape& s : shapes) {
    shape joined;
    if (!detail::broadcast_shapes(all, s, joined)) {
      error_record bad = make_error(error_kind::shape, "broadcast_shapes: got ", all, " and ", s, ", wanted dimensions that are equal or 1");
      bad.where = where;
      throw_error(bad);
    }
    all = joined;
  }
  return all;
}
/// The dtype in which two dtypes meet.
constexpr dtype promote_types(dtype a, dtype b) { return promote({a, false}, {b, false}).type; }
/// The dtype in which operands meet; plain numbers give way to arrays.
template <class Operand = operand>
constexpr dtype result_type(std::initializer_list<lazy<Operand>> xs) {
  return detail::common_type(view<const array>(detail::values_of(xs))).type;
}

// --- variants --------------------------------------------------------------------------------------------------------

namespace detail {
/// f(a, b), where NaN in one operand gives way to the other one.
template <class Operand, class F>
constexpr array ignoring_nan(const Operand& a, const Operand& b, F f) {
  const operand from_a(where(operand(isnan(a), a.where), b, a), a.where), from_b(where(operand(isnan(b), a.where), a, b), a.where);
  return f(from_a, from_b);
}
/// A running function with one element in front, if `from_start`.
template <class Operand, class F>
constexpr array cumulative_along(std::string_view operation, const Operand& x, int axis, bool from_start, double start, F f) {
  const int rank = x.value.ndim();
  int d = 0;
  if (axis == none && rank > 1)
    return bad_operand(x, error_kind::value, operation, ": got no axis for an array of shape ", x.value.shape(), "; wanted one of its ", rank,
                       " axes");
  const array bad = resolve_one_axis(operation, x, axis == none ? 0 : axis, rank, d);
  if (!bad.is_none()) return bad;
  const array y = f(d);
  if (!from_start) return y;
  shape dims = y.shape();
  dims[d] = 1;
  const array first = lax::full(dims, literal(start, y.dtype(), false), x.where);
  return lax::concatenate({first, y}, d, x.where);
}
}  // namespace detail

/// The larger operand; where one is NaN, the other. Errors: as maximum.
template <class Operand = operand>
constexpr array fmax(const lazy<Operand>& a, const lazy<Operand>& b) {
  return detail::ignoring_nan(a, b, [](const operand& x, const operand& y) { return maximum(x, y); });
}
template <detail::real_number A, detail::real_number B>
constexpr auto fmax(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return x != x ? y : y != y ? x : math::max(x, y); });
}
/// The smaller operand; where one is NaN, the other. Errors: as minimum.
template <class Operand = operand>
constexpr array fmin(const lazy<Operand>& a, const lazy<Operand>& b) {
  return detail::ignoring_nan(a, b, [](const operand& x, const operand& y) { return minimum(x, y); });
}
template <detail::real_number A, detail::real_number B>
constexpr auto fmin(A a, B b) {
  return detail::in_common(a, b, [](auto x, auto y) { return x != x ? y : y != y ? x : math::min(x, y); });
}
/// Running sums along an axis, which may be left out of vectors; with a 0 in front if `include_initial`.
/// Errors: value_error for an axis out of range, or none for an array of several.
template <class Operand = operand>
constexpr array cumulative_sum(const lazy<Operand>& x, int axis = none, bool include_initial = false) {
  return detail::cumulative_along("cumulative_sum", x, axis, include_initial, 0, [&](int d) { return cumsum(x, d); });
}
/// Running products along an axis; with a 1 in front if `include_initial`. Errors: as cumulative_sum.
template <class Operand = operand>
constexpr array cumulative_prod(const lazy<Operand>& x, int axis = none, bool include_initial = false) {
  return detail::cumulative_along("cumulative_prod", x, axis, include_initial, 1, [&](int d) { return cumprod(x, d); });
}
/// The elements of x in ascending order along the last axis, by real, then imaginary part, complex. Errors: as sort.
template <class Operand = operand>
constexpr array sort_complex(const lazy<Operand>& x) {
  const array y = sort(x);
  return detail::as_type(y, {complex_dtype(y.dtype()), false}, x.where);
}

// --- comparisons of whole arrays ---------------------------------------------------------------------------------------

/// Whether the imaginary part is not zero, element by element.
template <class Operand = operand>
constexpr array iscomplex(const lazy<Operand>& x) { return operand(imag(x), x.where) != operand(0, x.where); }
/// Whether the imaginary part is zero, element by element.
template <class Operand = operand>
constexpr array isreal(const lazy<Operand>& x) { return operand(imag(x), x.where) == operand(0, x.where); }
/// Whether the dtype is complex, whatever the values.
template <class Operand = operand>
constexpr bool iscomplexobj(const lazy<Operand>& x) { return is_complex(x.value.dtype()); }
template <class Operand = operand>
constexpr bool isrealobj(const lazy<Operand>& x) { return !iscomplexobj(x); }
/// Whether two arrays have one shape and equal elements, a scalar bool; NaN is equal to NaN if `equal_nan`.
template <class Operand = operand>
constexpr array array_equal(const lazy<Operand>& a, const lazy<Operand>& b, bool equal_nan = false) {
  const location where = detail::where_of(a, b);
  if (!(a.value.shape() == b.value.shape())) return lax::full(shape{}, literal(false), where);
  const operand same(a == b, where);
  if (!equal_nan) return all(same);
  const operand lost(operand(isnan(a), where) & operand(isnan(b), where), where);
  return all(operand(same | lost, where));
}
/// Whether two arrays broadcast to one shape and are equal then, a scalar bool.
template <class Operand = operand>
constexpr array array_equiv(const lazy<Operand>& a, const lazy<Operand>& b) {
  shape joined;
  const location where = detail::where_of(a, b);
  if (!detail::broadcast_shapes(a.value.shape(), b.value.shape(), joined)) return lax::full(shape{}, literal(false), where);
  return all(operand(a == b, where));
}

}  // namespace jacquard
