#pragma once
// Extremes of complex numbers, ordered by the real part, then the imaginary one, as numpy orders them: what maximum, max, argmax and their
// like do with them, in terms of the parts, whose primitives know no complex numbers. Deliberately not public: call those.

#include <limits>

#include "jacquard/numpy/operand.hpp"
#include "jacquard/prims/arg_max_min.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/complex_parts.hpp"
#include "jacquard/prims/reduce_logical.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/stop_gradient.hpp"

namespace jacquard::detail {

template <class Array = array>
constexpr bool has_complex_order(const lazy<Array>& x) { return !x.is_none() && is_complex(x.dtype()); }
template <class Array = array>
constexpr array is_no_number(const lazy<Array>& x, const location& where) { return lax::ne(x, x, where); }

/// The larger of two complex numbers, or the smaller; the first of equal ones, and of NaN, which wins. The derivative is that of the one chosen.
template <class Array = array>
constexpr array complex_extreme(const lazy<Array>& a, const lazy<Array>& b, bool larger, const location& where) {
  const array ar = lax::real(a, where), ai = lax::imag(a, where), br = lax::real(b, where), bi = lax::imag(b, where);
  array beyond, beside;
  if (larger) beyond = lax::gt(ar, br, where), beside = lax::ge(ai, bi, where);
  else beyond = lax::lt(ar, br, where), beside = lax::le(ai, bi, where);
  const array numbers_beside = lax::and_(lax::eq(ai, ai, where), lax::eq(bi, bi, where), where);
  const array ahead = lax::or_(lax::and_(beyond, numbers_beside, where), lax::and_(lax::eq(ar, br, where), beside, where), where);
  const array nan = lax::or_(is_no_number(ar, where), is_no_number(ai, where), where);
  return lax::select(lax::or_(ahead, nan, where), a, b, where);
}

/// Complex numbers among which an extreme over some axes is looked for, and where it is.
template <class Array>
struct complex_extremes {
  Array re, im, is_nan, here;  ///< parts; of the shape of the operand: which are NaN, and which are the extreme, none if one is NaN
  Array none;                  ///< a part that is never the extreme of others

  constexpr complex_extremes(const Array& z, const int_list& axes, bool larger, const location& where)
      : re(lax::real(z, where)), im(lax::imag(z, where)), is_nan(lax::or_(is_no_number(re, where), is_no_number(im, where), where)) {
    const double infinity = std::numeric_limits<double>::infinity();
    const Array nan = filled(std::numeric_limits<double>::quiet_NaN(), where);
    none = filled(larger ? -infinity : infinity, where);
    const Array first = found(lax::select(is_nan, nan, re, where), axes, larger, where);
    const Array level = lax::eq(re, first, where);
    here = lax::and_(level, lax::eq(im, found(lax::select(level, im, none, where), axes, larger, where), where), where);
  }

 private:
  constexpr Array filled(double value, const location& where) const {
    return lax::broadcast_in_dim(Array(literal(value, re.dtype(), false)), re.shape(), {}, where);
  }
  static constexpr Array found(const Array& part, const int_list& axes, bool larger, const location& where) {
    const Array x = lax::stop_gradient(part, where);
    if (larger) return repeat_over(lax::reduce_max(x, axes, where), part.shape(), axes);
    return repeat_over(lax::reduce_min(x, axes, where), part.shape(), axes);
  }
};

/// The largest complex number over axes, or the smallest; NaN in both parts if one is. The derivative is the mean of those of equal ones.
template <class Array = array>
constexpr array reduce_complex_extreme(const lazy<Array>& z, const int_list& axes, bool larger, const location& where) {
  const complex_extremes<array> e(z, axes, larger, where);
  const array any_nan = lax::reduce_or(e.is_nan, axes, where), nan = array(literal(std::numeric_limits<double>::quiet_NaN(), e.re.dtype(), false));
  const auto chosen = [&](const array& part) {  // among equal parts: itself, which a mean of the values would not always be
    const array candidates = lax::select(e.here, part, e.none, where);
    array value;
    if (larger) value = lax::reduce_max(candidates, axes, where);
    else value = lax::reduce_min(candidates, axes, where);
    return lax::select(any_nan, lax::broadcast_in_dim(nan, value.shape(), {}, where), value, where);
  };
  return lax::complex(chosen(e.re), chosen(e.im), where);
}

/// Where the largest complex number along an axis is, or the smallest, i64: the first of equal ones, the first NaN if there is one.
template <class Array = array>
constexpr array complex_extreme_index(const lazy<Array>& z, int axis, bool larger, const location& where) {
  if (z.shape()[axis] == 0) return lax::argmax(lax::real(z, where), axis, i64, where);  // which says what is wrong with it
  const complex_extremes<array> e(z, {axis}, larger, where);
  return lax::argmax(lax::or_(e.here, e.is_nan, where), axis, i64, where);  // where there is a NaN, nothing is the extreme
}

}  // namespace jacquard::detail
