#pragma once
// Axes as arguments: one number, a braced list, or nothing for all of them; negative ones count from the end. Also the
// tag that keeps reduced dimensions. Resolving and checking them happens here, so that every function says the same.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/numpy/operand.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

namespace detail {
template <class I>
concept axis_number = std::integral<I> && !std::same_as<I, bool>;
}  // namespace detail

/// One axis or several: an integer or a braced list of integers.
class axis_list : public int_list {
 public:
  constexpr axis_list() = default;
  template <detail::axis_number I>
  constexpr axis_list(I axis) {
    push_back(std::int64_t(axis));
  }
  constexpr axis_list(std::initializer_list<std::int64_t> axes) : int_list(axes) {}
  constexpr axis_list(const int_list& axes) : int_list(axes) {}
};

/// The type of jq::keepdims.
struct keepdims_t {};
/// Keeps reduced dimensions with size 1: sum(x, 0, jq::keepdims).
inline constexpr keepdims_t keepdims{};

/// Whether a reduction keeps the reduced dimensions.
struct keepdims_option {
  bool value = false;
  constexpr keepdims_option() = default;
  constexpr keepdims_option(keepdims_t) : value(true) {}
};

/// The axes of a reduction: all of them by default and for jq::none, else those given. jq::keepdims alone keeps all.
class reduction_axes {
 public:
  constexpr reduction_axes() = default;
  template <detail::axis_number I>
  constexpr reduction_axes(I axis) : all_(std::int64_t(axis) == none) {
    if (!all_) axes_.push_back(std::int64_t(axis));
  }
  constexpr reduction_axes(std::initializer_list<std::int64_t> axes) : axes_(axes), all_(false) {}
  constexpr reduction_axes(const int_list& axes) : axes_(axes), all_(false) {}
  constexpr reduction_axes(keepdims_t) : keep_(true) {}

  constexpr bool all() const { return all_; }
  constexpr bool keep() const { return keep_; }
  constexpr const int_list& list() const { return axes_; }

 private:
  int_list axes_;
  bool all_ = true, keep_ = false;
};

namespace detail {

/// Reports an error of a function of the user's vocabulary; returns its result.
template <class... Parts>
constexpr array bad_operand(const operand& x, error_kind kind, const Parts&... parts) {
  return operand_error(view<const array>(&x.value, 1), make_error(kind, parts...), x.where);
}
/// The same for a function of two operands.
template <class... Parts>
constexpr array bad_operands(const operand& x, const operand& y, error_kind kind, const Parts&... parts) {
  const array about[] = {x.value, y.value};
  return operand_error(about, make_error(kind, parts...), x.where.known() ? x.where : y.where);
}

/// The axes given, counted from 0, into `out`. An error if one is out of range or repeated, or x has no value.
template <class Operand = operand>
JACQUARD_ONCE constexpr array resolve_axes(std::string_view operation, const lazy<Operand>& x, const int_list& given, int rank, int_list& out) {
  out = int_list();
  const array missing = check_given(operation, x);
  if (!missing.is_none()) return missing;
  for (std::int64_t axis : given) {
    const int a = resolve_axis(axis, rank);
    if (a < 0)
      return bad_operand(x, error_kind::value, operation, ": axis ", axis, " is out of bounds for array of dimension ", rank,
                         "; wanted an axis in [", -rank, ", ", rank, ")");
    if (out.contains(a))
      return bad_operand(x, error_kind::value, operation, ": got axes ", given, " for array of dimension ", rank,
                         ", of which ", axis, " is repeated; name each axis once");
    out.push_back(a);
  }
  if (!given.overflowed()) return {};
  return bad_operand(x, error_kind::value, operation, ": got more than ", max_rank, " axes; an array has at most ", max_rank);
}
/// One axis, counted from 0, into `out`. An error if it is out of range.
template <class Operand = operand>
constexpr array resolve_one_axis(std::string_view operation, const lazy<Operand>& x, std::int64_t axis, int rank, int& out) {
  int_list list;
  const array bad = resolve_axes(operation, x, int_list{axis}, rank, list);
  if (bad.is_none()) out = int(list[0]);
  return bad;
}

/// Positions 0 ... rank-1 that are not among `axes`.
constexpr int_list other_axes(int rank, const int_list& axes) {
  int_list r;
  for (int d = 0; d < rank; ++d)
    if (!axes.contains(d)) r.push_back(d);
  return r;
}
/// A result that lacks `axes`, repeated along them to the shape `dims`.
template <class Array = array>
constexpr array repeat_along(const lazy<Array>& y, const shape& dims, const int_list& axes, const location& where) {
  return lax::broadcast_in_dim(y, dims, other_axes(dims.rank(), axes), where);
}

/// An element type as floating point: integers and bool become f64.
constexpr element_type inexact_type(element_type t) { return is_inexact(t.type) ? t : element_type{f64, t.weak}; }
/// The operand as floating point: integers and bool become f64.
template <class Operand = operand>
constexpr array as_inexact(const lazy<Operand>& x) {
  if (x.value.is_none() || is_inexact(x.value.dtype())) return x.value;
  return as_type(x.value, inexact_type(x.value.aval().element()), x.where);
}
/// The element type of as_inexact(x).
template <class Operand = operand>
constexpr element_type inexact_element(const lazy<Operand>& x) {
  return inexact_type(x.value.aval().element());
}
/// The floating point type in which operands meet: whole numbers yield to floating point here, too, and are f64 only among themselves.
constexpr element_type common_inexact_type(const operand& a, const operand& b) { return inexact_type(common_type(a, b)); }
template <class Array = array>
constexpr element_type common_inexact_type(view<const lazy<Array>> x) { return inexact_type(common_type(x)); }
/// Gives operands such a type and a common shape.
template <class Array = array>
constexpr array harmonise_inexact(std::string_view operation, view<lazy<Array>> x, const location& where, bool keep_scalars = true) {
  return harmonise<Array>(operation, x, common_inexact_type(view<const array>(x.data(), x.size())), where, keep_scalars);
}
/// Means are taken in floating point of at least 32 bits.
template <class Operand = operand>
constexpr array as_average(const lazy<Operand>& x) {
  const array v = as_inexact(x);
  if (!v.is_none() && size_of(v.dtype()) == 2) return as_type(v, {f32, v.weak_type()}, x.where);
  return v;
}
/// The operand as bool: whether it is not zero.
template <class Operand = operand>
constexpr array as_boolean(const lazy<Operand>& x) {
  if (x.value.is_none()) return x.value;
  return as_type(x.value, {bool_, false}, x.where);
}

}  // namespace detail
}  // namespace jacquard
