#pragma once
// svd: singular values and vectors of matrices. Deliberately one primitive for values alone, reduced and full vectors.

#include <tuple>

#include "jacquard/prims/jacobi_loops.hpp"
#include "jacquard/prims/vector_phases.hpp"
#include "jacquard/prims/lapack.hpp"

namespace jacquard {

/// a = u diag(s) vh: singular values s in descending order, and with compute_uv orthonormal columns of u and rows of vh; the largest
/// element of each row of vh is real and positive. NaN where a holds one.
/// Shapes  a (..., m, n), k = min(m, n) -> (..., k) of the real dtype, (..., m, k), (..., k, n); with full_matrices (..., m, m), (..., n, n).
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: fewer than two dimensions.
/// Rules   derivative: ds = real diag(u^H da v); of the vectors as in Townsend 2016, "Differentiating the singular value decomposition", and
///         Wan and Zhang 2019, arXiv:1909.02659, for complex ones, turned so that the largest elements stay real; terms over differences of equal values are left out:
///         first derivatives are then right for functions of the values alone that do not change with their order, and for functions of the space of
///         all vectors of equal ones; not for others, nor, in general, are second ones. None for full_matrices unless m = n.
/// Cost    about 20 n^3 operations with vectors, 4 m n k without.
struct svd_p {
  static constexpr std::string_view name = "svd";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  struct params {
    bool full_matrices, compute_uv;
    static constexpr std::string_view fields = "full_matrices compute_uv";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (!detail::check_matrices(c, false)) return;
    const aval& a = c.in[0];
    const std::int64_t m = detail::rows_of(a.dims), n = detail::columns_of(a.dims), k = std::min(m, n);
    c.outputs.push_back({is_complex(a.type) ? real_dtype(a.type) : a.type, detail::leading(a.dims, 2, {k}), a.weak});
    if (!p.compute_uv) return;
    c.outputs.push_back(a.with(detail::leading(a.dims, 2, {m, p.full_matrices ? m : k})));
    c.outputs.push_back(a.with(detail::leading(a.dims, 2, {p.full_matrices ? n : k, n})));
  }
  static constexpr void cost(auto& c, const params& p) {
    const shape& s = c.in[0].dims;
    const double k = double(std::min(detail::rows_of(s), detail::columns_of(s)));
    c.cost.flops = double(c.in[0].elements()) * k * (p.compute_uv ? 20 : 4);
  }
  static constexpr void jvp(auto& c, const params& p) {
    const array& da = c.t[0];
    const std::int64_t m = detail::rows_of(da.shape()), n = detail::columns_of(da.shape()), k = std::min(m, n);
    if (p.compute_uv && p.full_matrices && m != n)
      return detail::fail_rule(c.x, make_error(error_kind::not_implemented, "svd: the derivative of full matrices of shape ", da.shape(),
                                               " is not implemented, as some of their vectors are arbitrary; use the reduced form"));
    array_list y;
    if (p.compute_uv) y.append(c.y.begin(), c.y.end());
    else y = bind_list<own<svd_p, decltype(c)>>({false, true}, location{}, c.x);
    const array &s = y[0], &u = y[1], v = detail::adjoint(y[2]), uh = detail::adjoint(u);
    const array inner = detail::product_of(uh, detail::product_of(da, v));
    c.ty[0] = lax::real(detail::diagonals_of(inner));
    if (!p.compute_uv) return;
    const array columns = detail::along_columns(s, k), rows = detail::along_rows(s, k);
    const array gap = lax::mul(lax::add(columns, rows), lax::sub(columns, rows));
    const array f = detail::in_type_of(inverse_or_zero(gap), inner), inverse = detail::in_type_of(inverse_or_zero(columns), inner);
    const array right = lax::mul(detail::in_type_of(columns, inner), inner), left = lax::mul(detail::in_type_of(rows, inner), inner);
    array turn = lax::mul(f, lax::add(right, detail::adjoint(right)));
    if (is_complex(inner.dtype())) {
      const array skew = lax::mul(lax::mul(0.5, lax::sub(inner, detail::adjoint(inner))), inverse);
      turn = lax::add(turn, lax::select(detail::on_diagonal(skew), skew, detail::scalar_like(skew, 0)));
    }
    array du = detail::product_of(u, turn), dv = detail::product_of(v, lax::mul(f, lax::add(left, detail::adjoint(left))));
    if (m > n) du = lax::add(du, outside(u, uh, detail::product_of(da, v), s));
    if (n > m) dv = lax::add(dv, outside(v, y[2], detail::product_of(detail::adjoint(da), u), s));
    if (is_complex(v.dtype())) {
      const array phases = detail::turns_of_phases(v, dv);
      du = lax::add(du, lax::mul(u, detail::along_columns(phases, m)));
      dv = lax::add(dv, lax::mul(v, detail::along_columns(phases, n)));
    }
    c.ty[1] = du;
    c.ty[2] = detail::adjoint(dv);
  }
  static constexpr void batch(auto& c, const params& p) { detail::batch_matrices<own<svd_p, decltype(c)>>(c, p); }
  static constexpr void mask(auto& c, const params& p) {
    if (p.compute_uv) detail::mask_leading<own<svd_p, decltype(c)>>(c, p, {1, 2, 2});
    else detail::mask_leading<own<svd_p, decltype(c)>>(c, p, {1});
  }

  template <class In, class Out>
  static constexpr void kernel_of_each(const In& in, const Out& out, const shape& dims, const params& p) {
    const auto x = std::get<0>(in);
    using element = std::remove_cvref_t<decltype(*x)>;
    if constexpr (std::tuple_size_v<Out> == 3) each_matrix(x, std::get<0>(out), std::get<1>(out), std::get<2>(out), dims, p);
    else each_matrix(x, std::get<0>(out), static_cast<element*>(nullptr), static_cast<element*>(nullptr), dims, p);
  }
  static void run(const auto& c, const params& p) {
    detail::visit_matrix_dtype(c.in[0].type->type, [&]<class T>(std::type_identity<T>) {
      each_matrix(static_cast<const T*>(c.in[0].data), static_cast<detail::real_of<T>*>(c.out[0].data),
                  p.compute_uv ? static_cast<T*>(c.out[1].data) : nullptr, p.compute_uv ? static_cast<T*>(c.out[2].data) : nullptr,
                  c.in[0].type->dims, p);
    });
  }

 private:
  static constexpr array inverse_or_zero(const auto& x) {
    const array zero = detail::scalar_like(x, 0), some = lax::ne(x, zero);
    return lax::select(some, lax::div(1.0, lax::select(some, x, detail::scalar_like(x, 1))), zero);
  }
  /// The part of moved / s that lies outside the columns of q.
  static constexpr array outside(const auto& q, const auto& qh, const auto& moved, const auto& s) {
    const array rest = lax::sub(moved, detail::product_of(q, detail::product_of(qh, moved)));
    const array inverse = detail::along_columns(inverse_or_zero(s), detail::rows_of(rest.shape()));
    return lax::mul(rest, detail::in_type_of(inverse, rest));
  }
  template <class T>
  static constexpr void each_matrix(const T* x, detail::real_of<T>* s, T* u, T* vh, const shape& dims, const params& p) {
    const std::int64_t m = detail::rows_of(dims), n = detail::columns_of(dims), k = std::min(m, n);
    const std::int64_t wide = p.full_matrices ? m : k, tall = p.full_matrices ? n : k;
    list<T> a(static_cast<std::size_t>(m * n));
    for (std::int64_t b = 0; b < detail::matrix_count(dims); ++b) {
      for (std::int64_t i = 0; i < m * n; ++i) a[std::size_t(i)] = x[b * m * n + i];
      T *const to_u = u ? u + b * m * wide : nullptr, *const to_v = vh ? vh + b * tall * n : nullptr;
      if (!in_library(a.data(), s + b * k, to_u, to_v, m, n, p)) by_rotations(a.data(), s + b * k, to_u, to_v, m, n, wide, tall);
      for (std::int64_t j = 0; u && j < k; ++j) {
        const T factor = detail::phase_of(to_v + j * n, n, 1);
        detail::scale_by(to_v + j * n, n, 1, factor);
        detail::scale_by(to_u + j, m, wide, detail::conjugate(factor));
      }
    }
  }
  template <class T>
  static constexpr void fill(T* to, std::int64_t count, T value) {
    for (std::int64_t i = 0; to && i < count; ++i) to[i] = value;
  }
  /// By one-sided rotations of the longer columns, of a or its adjoint.
  template <class T>
  static constexpr void by_rotations(const T* a, detail::real_of<T>* s, T* u, T* vh, std::int64_t m, std::int64_t n, std::int64_t wide, std::int64_t tall) {
    using R = detail::real_of<T>;
    const bool turned = m < n;
    const std::int64_t rows = turned ? n : m, k = turned ? m : n;
    R size = detail::norm_of(a, m * n, 1);
    if (!math::is_finite(size)) {
      const R nan = std::numeric_limits<R>::quiet_NaN();
      fill(s, k, nan);
      fill(u, m * wide, T(nan));
      return fill(vh, tall * n, T(nan));
    }
    const R large = math::sqrt(std::numeric_limits<R>::max()) / R(1024);
    if (size == R(0) || (size < large && size > R(1) / large)) size = R(1);  // squares are in range
    list<T> left(static_cast<std::size_t>(rows * k)), right(static_cast<std::size_t>(k * k));
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < k; ++j) left[std::size_t(i * k + j)] = (turned ? detail::conjugate(a[j * n + i]) : a[i * n + j]) / size;
    for (std::int64_t i = 0; i < k; ++i) right[std::size_t(i * k + i)] = T(1);
    detail::orthogonalise(left.data(), u ? right.data() : nullptr, rows, k);
    std::vector<R> values;
    std::vector<std::int64_t> order;
    for (std::int64_t j = 0; j < k; ++j) {
      values.push_back(detail::norm_of(left.data() + j, rows, k));
      std::size_t at = order.size();
      while (at > 0 && values[std::size_t(order[at - 1])] < values.back()) --at;
      order.insert(order.begin() + std::ptrdiff_t(at), j);
    }
    for (std::int64_t j = 0; j < k; ++j) s[j] = values[std::size_t(order[std::size_t(j)])] * size;
    if (!u) return;
    // Columns of the longer side, those without a direction and further ones completed, and of the shorter side.
    const std::int64_t all = turned ? tall : wide, other = turned ? wide : tall;
    list<T> q(static_cast<std::size_t>(rows * all));
    for (std::int64_t j = 0; j < all; ++j) {
      const std::int64_t from = j < k ? order[std::size_t(j)] : 0;
      const R length = j < k ? values[std::size_t(from)] : R(0);
      if (j < k && length > R(rows) * std::numeric_limits<R>::epsilon() * R(0.01) * values[std::size_t(order[0])])
        for (std::int64_t i = 0; i < rows; ++i) q[std::size_t(i * all + j)] = left[std::size_t(i * k + from)] / length;
      else detail::complete_column(q.data(), rows, all, j);
    }
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < all; ++j) {
        const T y = q[std::size_t(i * all + j)];
        if (turned) vh[j * n + i] = detail::conjugate(y);
        else u[i * wide + j] = y;
      }
    for (std::int64_t i = 0; i < k; ++i)
      for (std::int64_t j = 0; j < other; ++j) {
        const T y = right[std::size_t(i * k + order[std::size_t(j)])];
        if (turned) u[i * wide + j] = y;
        else vh[j * n + i] = detail::conjugate(y);
      }
  }
  /// By LAPACK's divide and conquer. Rows read as columns are the transpose, whose vectors are those of a, exchanged: in place. False: it cannot.
  template <class T>
  static constexpr bool in_library(T* a, detail::real_of<T>* s, T* u, T* vh, std::int64_t m, std::int64_t n, const params& p) {
    const std::int64_t k = std::min(m, n);
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(k, std::max(m, n) * std::max(m, n)) || !detail::lapack_function<T, "gesdd">()) return false;
    using R = detail::real_of<T>;
    if (!math::is_finite(detail::norm_of(a, m * n, 1))) return false;
    const int rows = int(n), columns = int(m), leading_v = int(p.full_matrices ? m : k);
    std::vector<int> integers(static_cast<std::size_t>(8 * k), 0);
    list<R> reals;
    if (is_complex_v<T>) reals.resize(static_cast<std::size_t>(k * std::max(5 * k + 7, 2 * std::max(m, n) + 2 * k + 1)));
    int info = 0;
    T nothing{};
    const char job = !u ? 'N' : p.full_matrices ? 'A' : 'S';
    detail::with_workspace<T>([&](T* work, int size) {
      if constexpr (is_complex_v<T>)
        detail::call_lapack<T, "gesdd", 1>(job, rows, columns, a, rows, s, u ? vh : &nothing, rows, u ? u : &nothing, leading_v, work, size, reals.data(), integers.data(), &info);
      else
        detail::call_lapack<T, "gesdd", 1>(job, rows, columns, a, rows, s, u ? vh : &nothing, rows, u ? u : &nothing, leading_v, work, size, integers.data(), &info);
    });
    if (info == 0) return true;
    const R nan = std::numeric_limits<R>::quiet_NaN();  // it did not converge
    fill(s, k, nan);
    fill(u, m * (p.full_matrices ? m : k), T(nan));
    fill(vh, (p.full_matrices ? n : k) * n, T(nan));
    return true;
  }
};

namespace lax {
/// See svd_p. Returns s, and u and vh if wanted.
template <class Array = array>
constexpr array_list svd(const lazy<Array>& a, bool full_matrices = false, bool compute_uv = true, location where = location::current()) {
  return bind_list<svd_p>({full_matrices, compute_uv}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
