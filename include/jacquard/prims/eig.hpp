#pragma once
// eig: eigenvalues and right eigenvectors of general matrices. Deliberately of the complex dtypes, as eigenvalues are complex anyway; matrices
// without imaginary parts are computed in real numbers, so that their real eigenvalues and eigenvectors are exactly real and the others
// exactly conjugate.

#include <tuple>

#include "jacquard/core/list.hpp"
#include "jacquard/prims/lu.hpp"
#include "jacquard/prims/schur.hpp"
#include "jacquard/prims/triangular_solve.hpp"
#include "jacquard/prims/vector_phases.hpp"

namespace jacquard {

namespace detail {
constexpr bool check_complex_square(inference& c) {
  if (!is_complex(c.in[0].type)) {
    c.fail(error_kind::type, " does not accept dtype ", long_name(c.in[0].type), ": wanted complex64 or complex128; convert with x.astype(jq::c128)");
    return false;
  }
  return check_matrices(c, true);
}
}  // namespace detail

/// Eigenvalues w, sorted by their real parts, where those are equal up to rounding by their imaginary ones, and with compute_vectors v with a v = v diag(w), whose columns
/// have norm 1 and a real positive largest element. NaN where a holds one or the iteration ends without a result.
/// Shapes  a (..., n, n) -> (..., n), (..., n, n).
/// Errors  type_error: not c64 or c128; shape_error: not square.
/// Rules   derivative: with M = v^-1 da v, dw = diag M and dv = v (F o M), F_ij = 1 / (w_j - w_i), 0 where those are equal, then minus the
///         change of length (Boeddeker, Hanebrink, Drude, Heymann, Haeb-Umbach 2017, arXiv:1701.00392, section 4.2), turned so that the largest
///         elements stay real.
/// Cost    about 25 n^3 operations on complex numbers.
struct eig_p {
  static constexpr std::string_view name = "eig";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  struct params {
    bool compute_vectors;
    static constexpr std::string_view fields = "compute_vectors";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (!detail::check_complex_square(c)) return;
    c.outputs.push_back(c.in[0].with(detail::leading(c.in[0].dims, 1)));
    if (p.compute_vectors) c.outputs.push_back(c.in[0]);
  }
  static constexpr void cost(auto& c, const params&) {
    const double n = double(detail::rows_of(c.in[0].dims));
    c.cost.flops = 100 * double(detail::matrix_count(c.in[0].dims)) * n * n * n;
  }
  static constexpr void jvp(auto& c, const params& p) {
    const array w = c.y[0];
    array v;
    if (p.compute_vectors) v = c.y[1];
    else v = bind_list<own<eig_p, decltype(c)>>({true}, location{}, c.x)[1];
    const array inner = solved_by_lu(v, detail::product_of(c.t[0], v));
    c.ty[0] = detail::diagonals_of(inner);
    if (!p.compute_vectors) return;
    const std::int64_t n = detail::rows_of(v.shape());
    const array gap = lax::sub(detail::along_columns(w, n), detail::along_rows(w, n)), zero = detail::scalar_like(w, 0);
    const array apart = lax::ne(gap, zero);
    const array f = lax::select(apart, lax::div(1.0, lax::select(apart, gap, detail::scalar_like(w, 1))), zero);
    const array turn = lax::mul(f, inner);
    // Columns keep their norm: their own direction is taken out of what they change by.
    const array along = lax::mul(lax::conj(v), detail::product_of(v, turn));
    const array own_part = lax::reduce_sum(along, {v.ndim() - 2});
    c.ty[1] = detail::with_phases_kept(v, lax::sub(detail::product_of(v, turn), lax::mul(v, detail::along_columns(own_part, n))));
  }
  static constexpr void batch(auto& c, const params& p) { detail::batch_matrices<own<eig_p, decltype(c)>>(c, p); }
  static constexpr void mask(auto& c, const params& p) {
    if (p.compute_vectors) detail::mask_leading<own<eig_p, decltype(c)>>(c, p, {1, 2});
    else detail::mask_leading<own<eig_p, decltype(c)>>(c, p, {1});
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& s = a.in_types[0].dims;
    const std::int64_t n = detail::rows_of(s);
    if constexpr (is_complex_v<T>)
      for (std::int64_t b = 0; b < detail::matrix_count(s); ++b)
        decompose(a.in[0] + b * n * n, a.out[0] + b * n, p.compute_vectors ? a.out[1] + b * n * n : nullptr, n);
  }
  static void run(const auto& c, const params& p) { detail::run_matrices<own<eig_p, decltype(c)>>(c, p); }

 private:
  static constexpr array solved_by_lu(const auto& a, const auto& b) {
    const array_list factors = lax::lu(a);
    const array y = lax::triangular_solve(factors[0], detail::rows_in_order(b, factors[2]), {.lower = true, .unit_diagonal = true});
    return lax::triangular_solve(factors[0], y, {.lower = false});
  }
  template <class T>
  static constexpr void decompose(const T* x, T* w, T* to, std::int64_t n) {
    using R = detail::real_of<T>;
    list<T> a(static_cast<std::size_t>(n * n)), v(a.size()), values(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = x[i];
    const int power = detail::in_safe_range(a.data(), n * n);
    bool found = math::is_finite(detail::norm_of(a.data(), n * n, 1));
    list<R> parts;
    parts.reserve(a.size());
    for (std::int64_t i = 0; i < n * n && x[i].im == R(0); ++i) parts.push_back(a[std::size_t(i)].re);
    if (found && std::int64_t(parts.size()) == n * n) {
      if (!in_real_library(parts.data(), values.data(), to ? v.data() : nullptr, n, found))
        found = detail::real_eigenvectors(parts.data(), values.data(), to ? v.data() : nullptr, n);
    } else if (found && !in_library(a.data(), values.data(), to ? v.data() : nullptr, n, found)) {
      found = by_schur(a.data(), values.data(), v.data(), n, to != nullptr);
    }
    if (!found) {
      const T nan(std::numeric_limits<R>::quiet_NaN());
      for (std::int64_t i = 0; i < n; ++i) w[i] = nan;
      for (std::int64_t i = 0; to && i < n * n; ++i) to[i] = nan;
      return;
    }
    std::vector<std::int64_t> order;
    const R close = R(16) * R(n) * std::numeric_limits<R>::epsilon() * detail::norm_of(values.data(), n, 1);
    const auto before = [&](std::int64_t i, std::int64_t j) {
      const T p = values[std::size_t(i)], q = values[std::size_t(j)];
      return math::abs(p.re - q.re) > close ? p.re < q.re : p.im < q.im;
    };
    for (std::int64_t i = 0; i < n; ++i) {
      std::size_t at = order.size();
      while (at > 0 && before(i, order[at - 1])) --at;
      order.insert(order.begin() + std::ptrdiff_t(at), i);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t from = order[std::size_t(j)];
      w[j] = power == 0 ? values[std::size_t(from)] : detail::times_power_of_two(values[std::size_t(from)], power);
      if (!to) continue;
      const R length = detail::norm_of(v.data() + from, n, n);
      const T factor = detail::phase_of(v.data() + from, n, n) / length;
      for (std::int64_t i = 0; i < n; ++i) to[i * n + j] = v[std::size_t(i * n + from)] * factor;
    }
  }
  /// From the Schur form a = z t z^H: eigenvectors of the triangle by substitution, turned by z.
  template <class T>
  static constexpr bool by_schur(T* a, T* w, T* v, std::int64_t n, bool vectors) {
    using R = detail::real_of<T>;
    list<T> z(static_cast<std::size_t>(vectors ? n * n : 0));
    if (!detail::schur_form(a, vectors ? z.data() : nullptr, n)) return false;
    for (std::int64_t i = 0; i < n; ++i) w[i] = a[i * n + i];
    if (!vectors) return true;
    R least = detail::norm_of(a, n * n, 1) * std::numeric_limits<R>::epsilon();
    if (least == R(0)) least = std::numeric_limits<R>::min();
    std::vector<T> y(static_cast<std::size_t>(n), T(0));
    for (std::int64_t k = 0; k < n; ++k) {
      for (std::int64_t i = n - 1; i > k; --i) y[std::size_t(i)] = T(0);
      y[std::size_t(k)] = T(1);
      for (std::int64_t i = k - 1; i >= 0; --i) {
        T sum = T(0);
        for (std::int64_t j = i + 1; j <= k; ++j) sum = sum + a[i * n + j] * y[std::size_t(j)];
        T gap = w[k] - w[i];
        if (detail::norm_of(&gap, 1, 1) < least) gap = T(least);
        y[std::size_t(i)] = sum / gap;
        const R size = detail::norm_of(y.data() + i, k - i + 1, 1);  // equal eigenvalues make it grow
        if (size > R(1e10))
          for (std::int64_t j = i; j <= k; ++j) y[std::size_t(j)] = y[std::size_t(j)] / size;
      }
      for (std::int64_t i = 0; i < n; ++i) {
        T sum = T(0);
        for (std::int64_t j = 0; j <= k; ++j) sum = sum + z[std::size_t(i * n + j)] * y[std::size_t(j)];
        v[i * n + k] = sum;
      }
    }
    return true;
  }
  /// By LAPACK, column by column. False: it cannot; `found`: whether it converged.
  template <class T>
  static constexpr bool in_library(T* a, T* w, T* v, std::int64_t n, bool& found) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n) || !detail::lapack_function<T, "geev">()) return false;
    const int size = int(n);
    int info = 0;
    T nothing{};
    list<T> columns(static_cast<std::size_t>(n * n)), vectors(static_cast<std::size_t>(v ? n * n : 0));
    list<detail::real_of<T>> reals(static_cast<std::size_t>(2 * n));
    detail::transpose_into(a, n, n, columns.data());
    detail::with_workspace<T>([&](T* work, int length) {
      detail::call_lapack<T, "geev", 2>('N', v ? 'V' : 'N', size, columns.data(), size, w, &nothing, size, v ? vectors.data() : &nothing, size, work, length, reals.data(), &info);
    });
    found = info == 0;
    if (v) detail::transpose_into(vectors.data(), n, n, v);
    return true;
  }
  /// The same of a real matrix; LAPACK gives real and imaginary parts of the vectors of a pair as two columns.
  template <class R>
  static constexpr bool in_real_library(R* a, complex<R>* w, complex<R>* v, std::int64_t n, bool& found) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n) || !detail::lapack_function<R, "geev">()) return false;
    const int size = int(n);
    int info = 0;
    R nothing{};
    list<R> columns(static_cast<std::size_t>(n * n)), vectors(static_cast<std::size_t>(v ? n * n : 0)), re(static_cast<std::size_t>(n)), im = re;
    detail::transpose_into(a, n, n, columns.data());
    detail::with_workspace<R>([&](R* work, int length) {
      detail::call_lapack<R, "geev", 2>('N', v ? 'V' : 'N', size, columns.data(), size, re.data(), im.data(), &nothing, size, v ? vectors.data() : &nothing, size, work,
                                        length, &info);
    });
    found = info == 0;
    for (std::int64_t j = 0; j < n; ++j) {
      w[j] = complex<R>(re[std::size_t(j)], im[std::size_t(j)]);
      const bool first = w[j].im > R(0), second = w[j].im < R(0);
      const R* const x = vectors.data() + (second ? j - 1 : j) * n;
      for (std::int64_t i = 0; v && i < n; ++i) v[i * n + j] = complex<R>(x[i], first ? x[n + i] : second ? -x[n + i] : R(0));
    }
    return true;
  }
};

namespace lax {
/// See eig_p. Returns eigenvalues, and vectors if wanted.
template <class Array = array>
constexpr array_list eig(const lazy<Array>& a, bool compute_vectors = true, location where = location::current()) {
  return bind_list<eig_p>({compute_vectors}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
