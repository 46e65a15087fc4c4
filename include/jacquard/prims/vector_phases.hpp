#pragma once
// The derivative of a choice: eigenvectors and singular vectors are unique but for a factor of modulus 1, which kernels choose so that the
// largest element is real and positive (see phase_of). Tangents that rules give up to a turn are turned here so that it stays real.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/arg_max_min.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/reduce_max_min.hpp"

namespace jacquard::detail {

/// For columns v (..., n, k) of complex vectors and their tangents: the factors f (..., k), imaginary, with which dv + v f leaves the largest
/// elements real.
template <class Array = array>
constexpr array turns_of_phases(const lazy<Array>& v, const lazy<Array>& dv) {
  const int r = v.ndim();
  const std::int64_t n = rows_of(v.shape());
  const array re = lax::real(v), im = lax::imag(v);
  const array square = lax::mul(re, re), size = lax::add(square, lax::mul(im, im));
  if (v.size() == 0) return lax::zeros(aval(v.dtype(), leading(v.shape(), 2, {columns_of(v.shape())}), v.weak_type()));
  const array most = along_columns(lax::reduce_max(size, {r - 2}), n);
  const array first = lax::argmax(lax::ge(lax::mul(1.001, size), most), r - 2, i32);
  const array here = lax::eq(lax::iota(i32, v.shape(), r - 2), along_columns(first, n));
  const array zero = scalar_like(re, 0);
  const array moved = lax::reduce_sum(lax::select(here, lax::imag(dv), zero), {r - 2});
  const array turn = lax::neg(lax::div(moved, lax::reduce_sum(lax::select(here, re, zero), {r - 2})));
  return lax::complex(scalar_like(turn, 0), turn);
}
/// Tangents dv of columns v, turned so; real ones have no phase to keep.
template <class Array = array>
constexpr array with_phases_kept(const lazy<Array>& v, const lazy<Array>& dv) {
  if (!is_complex(v.dtype())) return dv;
  return lax::add(dv, lax::mul(v, along_columns(turns_of_phases(v, dv), rows_of(v.shape()))));
}

}  // namespace jacquard::detail
