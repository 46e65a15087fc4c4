#pragma once
// Making arrays: asarray of C++ values and containers, zeros, ones, full, arange, linspace, eye, and conversion of dtype.
// Inside a trace (and at compile time) results are equations or symbolic constants, never copies of data.

#include <initializer_list>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/numpy/operand.hpp"
#include "jacquard/prims/add.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/max_min.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/rounding.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard {

namespace detail {
/// Checks the dimensions of a new array.
template <class Array = array>
constexpr array check_new_shape(std::string_view what, const shape& dims, const location& where) {
  bool ok = !dims.overflowed();
  for (std::int64_t d : dims) ok = ok && d >= 0;
  if (ok) return {};
  return operand_error({}, make_error(error_kind::shape, what, ": got the shape ", dims, "; wanted at most ", max_rank,
                                      " non-negative dimensions"), where);
}
template <class Values>
constexpr array symbolic_values(const Values& values, const shape& dims, const location& where) {  // see core/leaf.hpp
  std::vector<array> each;
  for (auto v : values) each.push_back(lax::broadcast_in_dim(array(literal(v)), shape{1}, {}, where));
  using element = std::remove_cvref_t<decltype(*values.begin())>;
  if (each.empty()) return lax::full(dims, literal(element()), where);
  return lax::reshape(lax::concatenate(view<const array>(each), 0, where), dims, where);
}
}  // namespace detail

/// The array itself; the type that asarray gives everything else.
template <class Array = array>
constexpr array asarray(const lazy<Array>& x) { return x; }
/// A rank-0 array of exactly the C++ type, not weakly typed.
template <scalar S>
constexpr array asarray(S value) {
  // Not a literal: variables with static storage, which compilers try to make constants, shall have memory.
  if (__builtin_is_constant_evaluated()) return detail::symbolic_values(std::initializer_list<S>{value}, {});
  if (detail::current_trace) return array(literal(value, false));
  return detail::copy_in(&value, {});
}
/// A copy of a foreign array (std::vector, std::array, and what interop/ registers).
template <foreign_array T>
constexpr array asarray(const T& x) {
  if (__builtin_is_constant_evaluated()) return leaf_traits<T>::borrow(x);
  const array view = leaf_traits<T>::borrow(x);
  using element = typename leaf_traits<T>::element;
  return detail::copy_in(view.data<element>().data(), view.shape());
}
/// Copies of C++ values with their exact dtype: {1.f, 2.f} has rank 1, nested braces rank 2 and 3. In the compile-time lane too, for small ones.
/// Errors: shape_error for ragged nesting.
template <scalar S>
constexpr array asarray(std::initializer_list<S> values) {
  if (__builtin_is_constant_evaluated()) return detail::symbolic_values(values, {std::int64_t(values.size())});
  const std::vector<S> flat(values);
  if constexpr (std::is_same_v<S, bool>) {
    std::vector<std::uint8_t> bytes(values.begin(), values.end());
    array r(make_buffer(aval(bool_, {std::int64_t(bytes.size())})));
    if (!bytes.empty()) std::memcpy(r.as_buffer()->data, bytes.data(), bytes.size());
    return r;
  } else return detail::copy_in(flat.data(), {std::int64_t(flat.size())});
}
namespace detail {
template <scalar S>
constexpr void check_ragged(std::size_t got, std::size_t wanted, const location& where) {
  if (got != wanted)
    operand_error({}, make_error(error_kind::shape, "asarray: got nested lists of lengths ", wanted, " and ", got,
                                 "; wanted equal lengths"), where);
}
template <scalar S>
constexpr array from_flat(const std::vector<S>& flat, const shape& dims) {
  if (__builtin_is_constant_evaluated()) return symbolic_values(flat, dims);
  array r(make_buffer(aval(dtype_of<S>(), dims)));
  S* out = static_cast<S*>(r.as_buffer()->data);
  for (std::size_t i = 0; i < flat.size(); ++i) out[i] = flat[i];
  return r;
}
}  // namespace detail
template <scalar S>
constexpr array asarray(std::initializer_list<std::initializer_list<S>> rows, location where = location::current()) {
  std::vector<S> flat;
  const std::size_t columns = rows.size() ? rows.begin()->size() : 0;
  for (const auto& row : rows) {
    detail::check_ragged<S>(row.size(), columns, where);
    flat.insert(flat.end(), row.begin(), row.end());
  }
  return detail::from_flat(flat, {std::int64_t(rows.size()), std::int64_t(columns)});
}
template <scalar S>
constexpr array asarray(std::initializer_list<std::initializer_list<std::initializer_list<S>>> blocks,
              location where = location::current()) {
  std::vector<S> flat;
  const std::size_t rows = blocks.size() ? blocks.begin()->size() : 0;
  const std::size_t columns = rows ? blocks.begin()->begin()->size() : 0;
  for (const auto& block : blocks) {
    detail::check_ragged<S>(block.size(), rows, where);
    for (const auto& row : block) {
      detail::check_ragged<S>(row.size(), columns, where);
      flat.insert(flat.end(), row.begin(), row.end());
    }
  }
  return detail::from_flat(flat, {std::int64_t(blocks.size()), std::int64_t(rows), std::int64_t(columns)});
}
/// A copy of `values` in row-major order with shape `dims`. Errors: shape_error if the sizes differ.
template <scalar S>
array asarray(std::span<const S> values, const shape& dims, location where = location::current()) {
  if (detail::check_new_shape("asarray", dims, where).is_none() && dims.elements() != std::int64_t(values.size()))
    detail::operand_error({}, make_error(error_kind::shape, "asarray: got ", values.size(), " values for the shape ", dims,
                                         ", wanted ", dims.elements()), where);
  return detail::copy_in(values.data(), dims);
}
template <scalar S>
  requires(!std::is_same_v<S, bool>)
array asarray(const std::vector<S>& values, const shape& dims, location where = location::current()) {
  return asarray(std::span<const S>(values), dims, where);
}
/// The same of std::vector<bool>, whose elements have no addresses.
template <std::same_as<std::vector<bool>> Values>
array asarray(const Values& values, const shape& dims, location where = location::current()) {
  const std::vector<std::uint8_t> bytes(values.begin(), values.end());
  return asarray(std::span<const std::uint8_t>(bytes), dims, where).astype(bool_, where);
}
template <std::same_as<std::vector<bool>> Values>
array asarray(const Values& values, location where = location::current()) {
  return asarray(values, shape{std::int64_t(values.size())}, where);
}
template <class S, std::size_t Extent>
  requires(scalar<std::remove_const_t<S>> && (!std::is_const_v<S> || Extent != std::dynamic_extent))
array asarray(std::span<S, Extent> values, const shape& dims, location where = location::current()) {
  return asarray(std::span<const S>(values), dims, where);
}
/// The same for dimensions in braces, which could make a location, too: {}, {0} and {0, 3}.
template <class S, std::size_t Extent>
  requires scalar<std::remove_const_t<S>>
array asarray(std::span<S, Extent> values, std::initializer_list<std::int64_t> dims, location where = location::current()) {
  return asarray(values, shape(dims), where);
}
template <std::same_as<std::vector<bool>> Values>
array asarray(const Values& values, std::initializer_list<std::int64_t> dims, location where = location::current()) {
  return asarray(values, shape(dims), where);
}
/// A copy of rank 1.
template <class S, std::size_t Extent>
  requires scalar<std::remove_const_t<S>>
array asarray(std::span<S, Extent> values, location where = location::current()) {
  return asarray(std::span<const S>(values), shape{std::int64_t(values.size())}, where);
}
/// A view of a foreign array or span without a copy; the memory must outlive every use. A trace that captures it copies.
template <foreign_array T>
array borrow(const T& x) {
  return leaf_traits<T>::borrow(x);
}

/// An array filled with a value, of the given dtype or the value's own.
template <class Operand = operand>
constexpr array full(const shape& dims, const lazy<Operand>& value, dtype t, location where = location::current()) {
  const array bad = detail::check_new_shape("full", dims, where);
  if (!bad.is_none()) return bad;
  return detail::broadcast_operand(detail::as_type(value.value, {t, false}, where), dims, false, where);
}
template <class Operand = operand>
constexpr array full(const shape& dims, const lazy<Operand>& value, location where = location::current()) {
  return full(dims, value, value.value.dtype(), where);
}
template <class Array = array>
constexpr array zeros(const shape& dims, dtype t = f32, location where = location::current()) {
  const array bad = detail::check_new_shape("zeros", dims, where);
  if (!bad.is_none()) return bad;
  return full(dims, 0, t, where);
}
template <class Array = array>
constexpr array ones(const shape& dims, dtype t = f32, location where = location::current()) {
  const array bad = detail::check_new_shape("ones", dims, where);
  if (!bad.is_none()) return bad;
  return full(dims, 1, t, where);
}
template <class Operand = operand>
constexpr array full_like(const lazy<Operand>& x, const lazy<Operand>& value) { return full(x.value.shape(), value, x.value.dtype(), x.where); }
template <class Operand = operand>
constexpr array zeros_like(const lazy<Operand>& x) { return full_like(x, 0); }
template <class Operand = operand>
constexpr array ones_like(const lazy<Operand>& x) { return full_like(x, 1); }

namespace detail {
template <class T>
concept plain_number = std::is_arithmetic_v<T>;

/// The dtype of numbers that are counted with these: i64 of integers, else that of the floating-point ones.
template <plain_number... T>
inline constexpr dtype counting_dtype = (std::is_integral_v<T> && ...) ? i64 : ((std::is_integral_v<T> || std::is_same_v<T, float>) && ...) ? f32 : f64;

/// start, start + step, ... for `count` numbers; `work` is i64 or f64.
template <class Array = array, class T>
constexpr array counted(T start, T step, std::int64_t count, dtype work, dtype t, const location& where) {
  if (work == i64 && start == 0 && step == 1) return lax::iota(t, shape{count}, 0, where);
  const array i = lax::iota(work, shape{count}, 0, where);
  return as_type(lax::add(lax::mul(i, step, where), start, where), {t, false}, where);
}
/// How many numbers lie from start to below stop, step by step. Integers are counted as such, exactly.
template <class T>
constexpr double steps_between(T start, T stop, T step) {
  if constexpr (std::is_integral_v<T>) {
    if (step > 0 ? start >= stop : start <= stop) return 0;
    const std::uint64_t way = step > 0 ? std::uint64_t(stop) - std::uint64_t(start) : std::uint64_t(start) - std::uint64_t(stop);
    const std::uint64_t each = step > 0 ? std::uint64_t(step) : std::uint64_t(0) - std::uint64_t(step);
    return double(way / each + (way % each != 0));
  } else {
    const double count = (stop - start) / step;
    if (!(count > 0)) return count != count ? count : 0;
    if (count >= 0x1p62) return count;
    return double(std::int64_t(count)) + (double(std::int64_t(count)) < count);
  }
}
}  // namespace detail

/// start, start + step, ... below stop, or above it where step is negative. The dtype is i64 for integers, else that of the floating-point numbers.
/// Errors: value_error for step 0 and where the numbers cannot be counted.
template <detail::plain_number Start, detail::plain_number Stop, detail::plain_number Step = int>
constexpr array arange(Start start, Stop stop, Step step = 1, dtype t = detail::counting_dtype<Start, Stop, Step>, location where = location::current()) {
  using work = std::conditional_t<(std::is_integral_v<Start> && std::is_integral_v<Stop> && std::is_integral_v<Step>), std::int64_t, double>;
  if (step == Step(0))
    return detail::operand_error({}, make_error(error_kind::value, "arange: got step 0; wanted a step that leads from start to stop"), where);
  const double count = detail::steps_between(work(start), work(stop), work(step));
  if (!(count < 0x1p53))
    return detail::operand_error({}, make_error(error_kind::value, "arange: got ", count == count ? "more numbers than an array can have; wanted a larger step or a nearer stop"
                                                                                               : "a NaN; wanted numbers"), where);
  return detail::counted(work(start), work(step), std::int64_t(count), std::is_same_v<work, double> ? f64 : i64, t, where);
}
/// 0, 1, ... below stop: none where it is not positive. The dtype is i64 for an integer, else that of the number.
template <detail::plain_number Stop>
constexpr array arange(Stop stop, dtype t = detail::counting_dtype<Stop>, location where = location::current()) {
  return arange(Stop(0), stop, Stop(1), t, where);
}
namespace detail {
/// By how many pieces places are divided, of which there is one at least: of arrays of these dimensions where `mask` may ask for fewer than were traced.
template <class Array = array>
constexpr array at_least_one(std::int64_t pieces, const shape& dims, const location& where) {
  if (has_probed_sizes(trace_of({}))) return lax::max(lax::broadcast_in_dim(double(pieces), dims, {}, where), 1.0, where);
  return array(pieces > 1 ? double(pieces) : 1.0);
}
}  // namespace detail
/// `count` evenly spaced values from start to stop, both included. Errors: value_error for a negative count.
template <class Array = array>
JACQUARD_ONCE constexpr array linspace(double start, double stop, std::int64_t count, location where = location::current()) {
  if (count < 0)
    return detail::operand_error({}, make_error(error_kind::value, "linspace: got ", count, " values; wanted none or more"), where);
  const array i = lax::iota(f64, shape{count}, 0, where);
  // Both ends are hit exactly: a weighted mean, not start + i * step.
  const array w = lax::div(i, detail::at_least_one<Array>(count - 1, shape{count}, where), where);
  const array x = lax::add(lax::mul(lax::add(lax::mul(w, -1.0, where), 1.0, where), start, where), lax::mul(w, stop, where), where);
  return detail::as_type(x, {f64, false}, where);
}
namespace detail {
/// The floors of evenly spaced values: of start + i step, as in numpy. A weighted mean would be a rounding error below whole numbers.
template <class Array = array>
constexpr array whole_linspace(double start, double stop, std::int64_t count, dtype t, const location& where) {
  const double step = (stop - start) / (count > 1 ? double(count - 1) : 1.0);
  const array i = lax::iota(i64, shape{count}, 0, where);
  const array x = lax::add(lax::mul(lax::convert_element_type(i, f64, false, where), step, where), start, where);
  const array all = lax::select(lax::eq(i, array(count > 1 ? count - 1 : -1), where), lax::full(shape{count}, literal(stop), where), x, where);
  return as_type(lax::floor(all, where), {t, false}, where);
}
}  // namespace detail
/// The same in another dtype, of integers rounded down. {} is no dtype here: that says nothing of the options of linspace between arrays.
template <class Array = array, class Type>
  requires std::is_same_v<Type, dtype>
constexpr array linspace(double start, double stop, std::int64_t count, Type t, location where = location::current()) {
  if (is_integer(t) && count > 0) return detail::whole_linspace(start, stop, count, t, where);
  return detail::as_type(linspace<Array>(start, stop, count, where), {t, false}, where);
}
/// The identity matrix, or ones on diagonal `k` of an n x m matrix.
template <class Array = array>
constexpr array eye(std::int64_t n, std::int64_t m, int k = 0, dtype t = f32, location where = location::current()) {
  const shape dims{n, m};
  const array bad = detail::check_new_shape("eye", dims, where);
  if (!bad.is_none()) return bad;
  const array on = lax::eq(lax::add(lax::iota(i64, dims, 0, where), std::int64_t(k), where), lax::iota(i64, dims, 1, where), where);
  return detail::as_type(on, {t, false}, where);
}
template <class Array = array>
constexpr array eye(std::int64_t n, dtype t = f32, location where = location::current()) { return eye(n, n, 0, t, where); }

/// `x` converted to dtype t, not weakly typed.
template <class Operand = operand>
constexpr array astype(const lazy<Operand>& x, dtype t) {
  if (x.value.kind() == array_kind::literal) return detail::as_type(x.value, {t, false}, x.where);
  return lax::convert_element_type(x.value, t, false, x.where);
}
template <class Array>
constexpr array array::astype(jacquard::dtype t, location where) const {
  return jacquard::astype(operand(static_cast<const Array&>(*this), where), t);
}

}  // namespace jacquard
