#pragma once
// What primitives of matrices share: the check of their operands, batching and masking by matrix, and products, triangles and
// diagonals of arrays of matrices, of which their derivatives are made. The last two dimensions are a matrix, those before them
// count matrices. Deliberately no primitive, and nothing that broadcasts: numpy/linalg.hpp does.

#include "jacquard/core/kernel_frame.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/complex_parts.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/dot_general.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/squeeze.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard::detail {

/// The dtypes of linear algebra.
constexpr bool is_matrix_dtype(dtype t) { return t == f32 || t == f64 || t == c64 || t == c128; }
/// Calls f with std::type_identity of the C++ type of one of them.
template <class F>
constexpr decltype(auto) visit_matrix_dtype(dtype t, F&& f) {
  switch (t) {
    case f32: return f(std::type_identity<float>{});
    case f64: return f(std::type_identity<double>{});
    case c64: return f(std::type_identity<complex64>{});
    default: return f(std::type_identity<complex128>{});
  }
}
template <class T>
struct real_part_type {
  using type = T;
};
template <class T>
struct real_part_type<complex<T>> {
  using type = T;
};
/// The type of the parts of a number.
template <class T>
using real_of = typename real_part_type<T>::type;
template <class T>
constexpr T conjugate(T x) {
  if constexpr (is_complex_v<T>) return {x.re, -x.im};
  else return x;
}
template <class T>
constexpr real_of<T> real_part(T x) {
  if constexpr (is_complex_v<T>) return x.re;
  else return x;
}
/// |x|^2
template <class T>
constexpr real_of<T> squared(T x) {
  if constexpr (is_complex_v<T>) return x.re * x.re + x.im * x.im;
  else return x * x;
}

/// |re| + |im|, by which LAPACK chooses pivots.
template <class T>
constexpr real_of<T> size_of_pivot(T x) {
  if constexpr (is_complex_v<T>) return math::abs(x.re) + math::abs(x.im);
  else return math::abs(x);
}

/// Checks dtypes of all operands, and that operand 0 holds matrices, square ones if wanted. False: an error is recorded.
constexpr bool check_matrices(inference& c, bool square) {
  for (const aval& a : c.in)
    if (!is_matrix_dtype(a.type) || a.type != c.in[0].type) {
      text got;
      put_dtypes(got, c.in);
      c.fail(error_kind::type, " does not accept dtype ", got,
             ": wanted one and the same of float32, float64, complex64 and complex128; convert with x.astype(jq::f64)");
      return false;
    }
  const aval& a = c.in[0];
  const int r = a.rank();
  if (r < 2 || (square && a.dims[r - 1] != a.dims[r - 2])) {
    c.fail(error_kind::shape, ": got an operand of shape ", a.dims, ", wanted ", square ? "square matrices (..., n, n)" : "matrices (..., m, n)",
           "; leading dimensions count matrices, add one with jq::expand_dims where it is missing");
    return false;
  }
  return true;
}
constexpr std::int64_t rows_of(const shape& s) { return s[s.rank() - 2]; }
constexpr std::int64_t columns_of(const shape& s) { return s[s.rank() - 1]; }
/// The shape without its last `drop` dimensions, then `more`.
constexpr shape leading(const shape& s, int drop, std::initializer_list<std::int64_t> more = {}) {
  shape r;
  for (int d = 0; d + drop < s.rank(); ++d) r.push_back(s[d]);
  for (std::int64_t n : more) r.push_back(n);
  return r;
}
constexpr std::int64_t matrix_count(const shape& s) { return leading(s, 2).elements(); }

/// Batches a primitive that works matrix by matrix: the new dimension becomes the first of every operand.
template <class P>
constexpr void batch_matrices(auto& c, const params_of<P>& p) {
  std::vector<array> operands;
  for (std::size_t k = 0; k < c.x.size(); ++k) operands.push_back(batch_materialise(c.x[k], c.dims[k], c.size));
  for (const array& y : bind_list<P>(p, location{}, operands)) c.outputs.push_back({y, 0});
}

/// Runs the `kernel` of a primitive whose operands and results have one dtype, without the detour through wider ones. Results of
/// dtype i32 are indices.
template <class P>
void run_matrices(const auto& c, const auto&... p) {
  std::uint32_t index_results = 0;
  for (std::size_t k = 0; k < c.out.size(); ++k) index_results |= std::uint32_t(c.out[k].type->type == i32) << k;
  direct_frame few;
  const bool is_direct = few.fits(c, 0, index_results, nullptr);
  visit_matrix_dtype(c.in[0].type->type, [&]<class T>(std::type_identity<T>) {
    if (is_direct) {
      const kernel_frame f = few.pointers(c);
      const auto in = reinterpret_cast<const T* const*>(f.in);
      const auto out = reinterpret_cast<T* const*>(f.out);
      const std::size_t n = f.operands, m = f.results;
      P::kernel(kernel_args<T>{{in, n}, {}, {out, m}, {f.index_out, m}, {f.in_types, n}, {f.out_types, m}}, p...);
      return few.finish();
    }
    const call_types in_types(c.in), out_types(c.out);
    small_vector<const T*, 4> in;
    small_vector<T*, 4> out;
    for (const tensor_ref& t : c.in) in.push_back(static_cast<const T*>(t.data));
    small_vector<small_vector<std::int64_t, 8>, 3> wide;
    small_vector<std::int64_t*, 4> indices;
    for (const tensor_ref& t : c.out) {
      const bool is_index = t.type->type == i32;
      wide.push_back(small_vector<std::int64_t, 8>(std::size_t(is_index ? t.type->elements() : 0)));
      out.push_back(is_index ? nullptr : static_cast<T*>(t.data));
    }
    for (std::size_t k = 0; k < c.out.size(); ++k) indices.push_back(wide[k].data());
    P::kernel(kernel_args<T>{{in.data(), in.size()}, {}, {out.data(), out.size()}, {indices.data(), indices.size()}, in_types, out_types}, p...);
    for (std::size_t k = 0; k < c.out.size(); ++k)
      for (std::size_t i = 0; i < wide[k].size(); ++i) static_cast<std::int32_t*>(c.out[k].data)[i] = std::int32_t(wide[k][i]);
  });
}

// --- arrays of matrices ---------------------------------------------------------------------------------------------------

template <class Array = array>
constexpr array matrix_transpose(const lazy<Array>& a) {
  int_list order = int_list::iota(a.ndim());
  std::swap(order[a.ndim() - 1], order[a.ndim() - 2]);
  return lax::transpose(a, order);
}
template <class Array = array>
constexpr array adjoint(const lazy<Array>& a) {
  return matrix_transpose(lax::conj(a));
}
/// Products of matrices; equal leading dimensions.
template <class Array = array>
constexpr array product_of(const lazy<Array>& a, const lazy<Array>& b) {
  const int r = a.ndim();
  const int_list batch = int_list::iota(r - 2);
  return lax::dot_general(a, b, {{r - 1}, {r - 2}, batch, batch});
}
/// Where row + offset relates to column: bool of the shape of a.
template <class Array = array>
constexpr array below(const lazy<Array>& a, std::int64_t offset) {
  const shape s = a.shape();
  const array row = lax::iota(i32, s, s.rank() - 2), column = lax::iota(i32, s, s.rank() - 1);
  return lax::ge(lax::add(row, array(literal(offset, i32, false))), column);
}
template <class Array = array>
constexpr array on_diagonal(const lazy<Array>& a) {
  const shape s = a.shape();
  const array row = lax::iota(i32, s, s.rank() - 2), column = lax::iota(i32, s, s.rank() - 1);
  return lax::eq(row, column);
}
/// Elements at or below diagonal `offset`, zeros elsewhere.
template <class Array = array>
constexpr array lower_part(const lazy<Array>& a, std::int64_t offset = 0) {
  return lax::select(below(a, offset), a, scalar_like(a, 0));
}
/// Elements at or above diagonal `offset`, zeros elsewhere.
template <class Array = array>
constexpr array upper_part(const lazy<Array>& a, std::int64_t offset = 0) {
  return lax::select(below(a, offset - 1), scalar_like(a, 0), a);
}
/// Element (i, j) of matrices, (...).
template <class Array = array>
constexpr array element_of_matrices(const lazy<Array>& x, std::int64_t i, std::int64_t j) {
  int_list low = int_list::filled(x.ndim(), 0), high = x.shape();
  low[x.ndim() - 2] = i, low[x.ndim() - 1] = j;
  high[x.ndim() - 2] = i + 1, high[x.ndim() - 1] = j + 1;
  return lax::squeeze(lax::slice(x, low, high), {x.ndim() - 2, x.ndim() - 1});
}
/// The lower triangle with half the diagonal.
template <class Array = array>
constexpr array half_lower_part(const lazy<Array>& a) {
  const array low = lower_part(a);
  return lax::select(on_diagonal(a), lax::mul(0.5, low), low);
}
/// Ones on the diagonal, in the type of a.
template <class Array = array>
constexpr array identity_like(const lazy<Array>& a) {
  return lax::convert_element_type(on_diagonal(a), a.dtype(), a.weak_type());
}
/// The Hermitian matrix that has the lower triangle of a and the real part of its diagonal.
template <class Array = array>
constexpr array hermitian_from_lower(const lazy<Array>& a) {
  const array strict = lower_part(a, -1);
  array middle = a;
  if (is_complex(a.dtype())) {
    const array re = lax::real(a);
    middle = lax::complex(re, scalar_like(re, 0));
  }
  return lax::select(on_diagonal(a), middle, lax::add(strict, adjoint(strict)));
}
/// `v` (..., n) along the columns of matrices (..., m, n), or along their rows: element (i, j) is v[j], or v[i].
template <class Array = array>
constexpr array along_columns(const lazy<Array>& v, std::int64_t rows) {
  const int r = v.ndim();
  shape s = leading(v.shape(), 1, {rows, v.shape()[r - 1]});
  int_list positions = int_list::iota(r);
  positions[r - 1] = r;
  return lax::broadcast_in_dim(v, s, positions);
}
template <class Array = array>
constexpr array along_rows(const lazy<Array>& v, std::int64_t columns) {
  return lax::broadcast_in_dim(v, shape(v.shape().with(v.ndim(), columns)), int_list::iota(v.ndim()));
}
/// The diagonals of matrices (..., m, n): (..., min(m, n)).
template <class Array = array>
constexpr array diagonals_of(const lazy<Array>& a) {
  const shape s = a.shape();
  const array only = lax::select(on_diagonal(a), a, scalar_like(a, 0));
  return lax::reduce_sum(only, {rows_of(s) <= columns_of(s) ? s.rank() - 1 : s.rank() - 2});
}
/// The first n columns of matrices, or rows.
template <class Array = array>
constexpr array first_columns(const lazy<Array>& a, std::int64_t n) {
  if (columns_of(a.shape()) == n) return a;
  int_list limit = a.shape();
  limit[a.ndim() - 1] = n;
  return lax::slice(a, int_list::filled(a.ndim(), 0), limit);
}
template <class Array = array>
constexpr array first_rows(const lazy<Array>& a, std::int64_t n) {
  if (rows_of(a.shape()) == n) return a;
  int_list limit = a.shape();
  limit[a.ndim() - 2] = n;
  return lax::slice(a, int_list::filled(a.ndim(), 0), limit);
}
/// A real array in the dtype of a.
template <class Array = array>
constexpr array in_type_of(const lazy<Array>& x, const lazy<Array>& a) {
  if (x.dtype() == a.dtype()) return x;
  return lax::convert_element_type(x, a.dtype(), a.weak_type());
}

// --- masking --------------------------------------------------------------------------------------------------------------

/// Operand k with an identity matrix beyond its logical sizes, square matrices padded alike: [a 0; 0 1].
constexpr array extended_by_identity(auto& c, std::size_t k) {
  const int r = int(c.dims[k].size());
  const array fitted = c.scope.fitted(c.x[k], c.dims[k]);
  return c.scope.filled(fitted, c.dims[k], {r - 2, r - 1}, identity_like(fitted));
}
/// Whether the matrices of operand k have constant sizes from dimension `first` of the last ones on; else an error is reported.
constexpr bool constant_matrices(auto& c, std::string_view name, std::size_t k, int last) {
  const dimension_list& dims = c.dims[k];
  for (std::size_t d = dims.size() - std::size_t(last); d < dims.size(); ++d)
    if (!dims[d].is_constant()) {
      c.scope.fail(make_error(error_kind::not_implemented, "mask: ", name, " along a dimension of symbolic size ", dims[d],
                              " is not implemented; give that dimension a constant size, leading ones may be symbolic"));
      return false;
    }
  return true;
}

/// Masks a primitive of matrices of constant sizes, whose leading dimensions may be symbolic; `ranks` are those of one result each.
template <class P>
constexpr void mask_leading(auto& c, const params_of<P>& p, std::initializer_list<int> ranks) {
  if (!constant_matrices(c, P::name, 0, 2)) return;
  const array x = c.scope.fitted(c.x[0], c.dims[0]);
  const array_list y = bind_list<P>(p, location{}, view<const array>(&x, 1));
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    dimension_list dims;
    for (std::size_t d = 0; d + 2 < c.dims[0].size(); ++d) dims.push_back(c.dims[0][d]);
    const shape s = y[k].shape();
    for (int d = s.rank() - ranks.begin()[k]; d < s.rank(); ++d) dims.push_back(dimension(s[d]));
    c.outputs.push_back({y[k], dims});
  }
}
/// Reports an error in the rule of operands x.
constexpr void fail_rule(view<const array> x, error_record e) {
  trace* t = trace_of(x);
  if (t) t->fail(e);
  else if (!__builtin_is_constant_evaluated()) throw_error(e);
}

}  // namespace jacquard::detail
