#pragma once
// pad in all modes of numpy: constants, edges, ramps, statistics, reflections, periods, nothing in particular. Dimensions are padded one
// after the other, corners from what the earlier ones have put there, as in numpy.

#include <initializer_list>
#include <vector>

#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/numpy/operators.hpp"
#include "jacquard/numpy/quantiles.hpp"

namespace jacquard {

/// Numbers of elements before and after each dimension: one for all, a pair for all, or a list of pairs, one per dimension.
class pad_widths {
 public:
  template <detail::axis_number I>
  constexpr pad_widths(I both) : low_{std::int64_t(both)}, high_{std::int64_t(both)} {}
  constexpr pad_widths(std::int64_t before, std::int64_t after) : low_{before}, high_{after} {}
  constexpr pad_widths(std::initializer_list<std::pair<std::int64_t, std::int64_t>> each) {
    for (const auto& [before, after] : each) low_.push_back(before), high_.push_back(after);
  }
  /// Whether they fit `rank` dimensions and are not negative.
  constexpr bool fit(int rank) const {
    bool ok = low_.size() == 1 || low_.size() == rank;
    for (std::int64_t n : low_) ok = ok && n >= 0;
    for (std::int64_t n : high_) ok = ok && n >= 0;
    return ok;
  }
  constexpr std::int64_t low(int d) const { return low_[low_.size() == 1 ? 0 : d]; }
  constexpr std::int64_t high(int d) const { return high_[high_.size() == 1 ? 0 : d]; }

 private:
  int_list low_, high_;
};

/// Values at the edges of an array: one number for all, a pair for before and after each dimension, or a list of pairs, one per dimension.
class edge_values {
 public:
  constexpr edge_values(double all) : before_{all}, after_{all} {}
  constexpr edge_values(double before, double after) : before_{before}, after_{after} {}
  constexpr edge_values(std::initializer_list<std::pair<double, double>> each) {
    for (const auto& [before, after] : each) before_.push_back(before), after_.push_back(after);
  }
  constexpr bool fit(int rank) const { return before_.size() == 1 || std::int64_t(before_.size()) == rank; }
  constexpr bool are_equal() const {
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (before_[i] != before_[0] || after_[i] != before_[0]) return false;
    return !before_.empty();
  }
  constexpr double at(int d, bool after) const { return (after ? after_ : before_)[before_.size() == 1 ? 0 : std::size_t(d)]; }

 private:
  std::vector<double> before_, after_;
};

/// What a mode of pad needs beyond the widths.
struct pad_options {
  edge_values constant = 0;         ///< constant: the values
  edge_values end = 0;              ///< linear_ramp: the values at the outer ends
  std::int64_t stat_length = none;  ///< maximum, mean, median, minimum: how many elements at the edge count; all by default
  bool odd = false;                 ///< reflect, symmetric: twice the edge minus the reflected values
};

namespace detail {

enum class pad_mode : std::uint8_t { constant, edge, linear_ramp, maximum, mean, median, minimum, reflect, symmetric, wrap, empty, unknown };
constexpr pad_mode pad_mode_of(std::string_view name) {
  constexpr std::string_view names[] = {"constant", "edge",   "linear_ramp", "maximum",   "mean", "median",
                                        "minimum",  "reflect", "symmetric",  "wrap", "empty"};
  for (int i = 0; i < 11; ++i)
    if (name == names[i]) return pad_mode(i);
  return pad_mode::unknown;
}

/// Elements start, ..., limit - 1 along dimension d.
template <class Array = array>
constexpr array dimension_part(const lazy<Array>& x, int d, std::int64_t start, std::int64_t limit, const location& where) {
  int_list low = int_list::filled(x.ndim(), 0), high = x.shape();
  low[d] = start;
  high[d] = limit;
  return lax::slice(x, low, high, {}, where);
}
/// `x` of size 1 along dimension d, repeated.
template <class Array = array>
constexpr array repeated_edge(const lazy<Array>& x, int d, std::int64_t count, const location& where) {
  shape dims = x.shape();
  dims[d] = count;
  return lax::broadcast_in_dim(lax::squeeze(x, {d}, where), dims, other_axes(dims.rank(), {d}), where);
}
/// The `count` elements beyond the end of dimension d (before its beginning if not `after`) in order away from the edge, by statistics
/// of the elements at the edge.
template <class Array = array>
constexpr array edge_statistic(pad_mode m, const lazy<Array>& x, int d, bool after, std::int64_t count, const pad_options& o, const location& where) {
  const std::int64_t n = x.shape()[d], length = o.stat_length == none || o.stat_length > n ? n : o.stat_length;
  const std::int64_t used = m == pad_mode::edge ? 1 : length;
  const operand part(dimension_part(x, d, after ? n - used : 0, after ? n : used, where), where);
  array value = part.value;
  if (m == pad_mode::maximum) value = max(part, d, keepdims);
  if (m == pad_mode::minimum) value = min(part, d, keepdims);
  if (m == pad_mode::mean) value = mean(part, d, keepdims);
  if (m == pad_mode::median) value = median(part, d, keepdims);
  if (is_integer(x.dtype()) && is_inexact(value.dtype())) value = round(operand(value, where));
  return repeated_edge(as_type(value, x.aval().element(), where), d, count, where);
}
/// A ramp from the edge to the end value, away from the edge.
template <class Array = array>
constexpr array edge_ramp(const lazy<Array>& x, int d, bool after, std::int64_t count, double end, const location& where) {
  const std::int64_t n = x.shape()[d];
  const array edge = as_inexact(operand(dimension_part(x, d, after ? n - 1 : 0, after ? n : 1, where), where));
  shape dims = x.shape();
  dims[d] = count;
  const element_type t{edge.dtype(), edge.weak_type()};
  const array step = lax::div(lax::add(as_type(lax::iota(i64, dims, d, where), t, where), 1.0, where), double(count), where);
  const array start = repeated_edge(edge, d, count, where);
  const array ramp = lax::add(start, lax::mul(step, lax::sub(array(literal(end, t.type, true)), start, where), where), where);
  if (is_integer(x.dtype())) return lax::convert_element_type(lax::floor(ramp, where), x.dtype(), x.weak_type(), where);  // as linspace
  return as_type(ramp, x.aval().element(), where);
}
/// `count` elements beyond an edge by reflection, away from it: with the edge itself first if `with_edge`. Longer ones turn back.
template <class Array = array>
constexpr array reflected(const lazy<Array>& x, int d, bool after, std::int64_t count, bool with_edge, bool odd, const location& where) {
  const std::int64_t n = x.shape()[d];
  array source = x;
  if (after) source = lax::rev(x, {d}, where);  // then element 0 is the edge
  const std::int64_t skip = with_edge || n == 1 ? 0 : 1, period = n - skip;
  std::vector<array> parts;
  for (std::int64_t made = 0; made < count; made += period) {
    if (odd) {  // the reflection in the edge, which stays where it is
      const operand edge(dimension_part(source, d, 0, 1, where), where);
      source = operand(operand(2, where) * edge, where) - operand(source, where);
    }
    parts.push_back(dimension_part(source, d, skip, skip + std::min(period, count - made), where));
    source = lax::rev(source, {d}, where);  // goes on from the far end, which is the edge then
  }
  return lax::concatenate(view<const array>(parts), d, where);
}
/// The elements of the periodic continuation, away from the edge.
template <class Array = array>
constexpr array wrapped(const lazy<Array>& x, int d, bool after, std::int64_t count, const location& where) {
  const std::int64_t n = x.shape()[d];
  array source = x;
  if (!after) source = lax::rev(x, {d}, where);
  std::vector<array> parts;
  for (std::int64_t made = 0; made < count; made += n) parts.push_back(dimension_part(source, d, 0, std::min(n, count - made), where));
  return lax::concatenate(view<const array>(parts), d, where);
}
/// Dimension d padded at one end.
template <class Array = array>
constexpr array padded_end(pad_mode m, const lazy<Array>& x, const lazy<Array>& original, int d, bool after, std::int64_t count, const pad_options& o,
                           const location& where) {
  if (count == 0) return x;
  shape dims = x.shape();
  dims[d] = count;
  array beyond;
  if (m == pad_mode::constant) beyond = lax::full(dims, literal(o.constant.at(d, after)).as(x.dtype()), where);
  else if (m == pad_mode::linear_ramp) beyond = edge_ramp(original, d, after, count, o.end.at(d, after), where);
  else if (m == pad_mode::reflect || m == pad_mode::symmetric) beyond = reflected(original, d, after, count, m == pad_mode::symmetric, o.odd, where);
  else if (m == pad_mode::wrap) beyond = wrapped(original, d, after, count, where);
  else beyond = edge_statistic(m, original, d, after, count, o, where);
  if (!after) beyond = lax::rev(beyond, {d}, where);
  if (after) return lax::concatenate({x, beyond}, d, where);
  return lax::concatenate({beyond, x}, d, where);
}

}  // namespace detail

/// x with elements added before and after each dimension. Modes: constant, edge, linear_ramp, maximum, mean, median, minimum, reflect (without
/// the edge), symmetric (with it), wrap, and empty (zeros here). Errors: value_error for another mode, negative widths or not one pair per
/// dimension; shape_error where an empty dimension is to be padded from its elements.
template <class Operand = operand>
constexpr array pad(const lazy<Operand>& x, const pad_widths& widths, std::string_view mode = "constant", const pad_options& options = {}) {
  const location& where = x.where;
  const detail::pad_mode m = detail::pad_mode_of(mode);
  array y = x.value;
  const shape dims = y.shape();
  if (m == detail::pad_mode::unknown)
    return detail::bad_operand(x, error_kind::value, "pad: got the mode \"", mode, "\", wanted constant, edge, linear_ramp, maximum, mean, median, ",
                               "minimum, reflect, symmetric, wrap or empty");
  if (!widths.fit(dims.rank()) || (options.stat_length != none && options.stat_length < 1))
    return detail::bad_operand(x, error_kind::value, "pad: got widths that do not fit an array of shape ", dims,
                               "; wanted one number, one pair, or a pair of numbers >= 0 per dimension, and a stat_length >= 1");
  if (!options.constant.fit(dims.rank()) || !options.end.fit(dims.rank()))
    return detail::bad_operand(x, error_kind::value, "pad: got values that do not fit an array of shape ", dims,
                               "; wanted one number, one pair, or a pair per dimension");
  if (m == detail::pad_mode::empty || (m == detail::pad_mode::constant && options.constant.are_equal())) {
    int_list low, high;
    for (int d = 0; d < dims.rank(); ++d) low.push_back(widths.low(d)), high.push_back(widths.high(d));
    const double value = m == detail::pad_mode::empty ? 0 : options.constant.at(0, false);
    return lax::pad(y, array(literal(value).as(y.dtype())), low, high, {}, where);
  }
  for (int d = 0; d < dims.rank(); ++d) {
    if (widths.low(d) == 0 && widths.high(d) == 0) continue;
    if (dims[d] == 0 && m != detail::pad_mode::constant)
      return detail::bad_operand(x, error_kind::shape, "pad: cannot extend the empty dimension ", d, " of an array of shape ", dims, " in mode \"", mode,
                                 "\"; use constant");
    const array original = y;
    y = detail::padded_end(m, y, original, d, false, widths.low(d), options, where);
    y = detail::padded_end(m, y, original, d, true, widths.high(d), options, where);
  }
  return y;
}

}  // namespace jacquard
