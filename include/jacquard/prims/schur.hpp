#pragma once
// schur: the triangular form of general matrices under unitary similarity. Deliberately of complex matrices, whose form is a triangle; a
// real one is converted first.
// Source of the iteration: Golub and Van Loan, "Matrix computations", 4th edition, sections 7.4 and 7.5, with Wilkinson's shift.

#include "jacquard/prims/jacobi_loops.hpp"
#include "jacquard/prims/lapack.hpp"

namespace jacquard {

namespace detail {

constexpr bool check_complex_square(inference& c) {
  if (!is_complex(c.in[0].type)) {
    c.fail(error_kind::type, " does not accept dtype ", long_name(c.in[0].type), ": wanted complex64 or complex128; convert with x.astype(jq::c128)");
    return false;
  }
  return check_matrices(c, true);
}

/// a := h with a = z h z^H, zero below the first subdiagonal; z is made, or null.
template <class T>
constexpr void hessenberg_form(T* a, T* z, std::int64_t n) {
  for (std::int64_t i = 0; z && i < n * n; ++i) z[i] = T(i % (n + 1) == 0 ? 1 : 0);
  std::vector<T> v(static_cast<std::size_t>(n), T(0)), taus(static_cast<std::size_t>(n), T(0));
  for (std::int64_t k = 0; k + 2 < n; ++k) {
    const std::int64_t m = n - k - 1;
    T* const column = a + (k + 1) * n + k;
    const T tau = taus[std::size_t(k)] = reflect(column, m, n);
    apply_reflection(column, m, n, conjugate(tau), a + (k + 1) * n + k + 1, n, m);
    for (std::int64_t i = 0; i < n; ++i) {  // from the right: a (1 - tau v v^H)
      T* const row = a + i * n + k + 1;
      T sum = row[0];
      for (std::int64_t j = 1; j < m; ++j) sum = sum + row[j] * column[j * n];
      sum = tau * sum;
      row[0] = row[0] - sum;
      for (std::int64_t j = 1; j < m; ++j) row[j] = row[j] - sum * conjugate(column[j * n]);
    }
  }
  for (std::int64_t k = n - 3; k >= 0; --k) {
    T* const column = a + (k + 1) * n + k;
    if (z) apply_reflection(column, n - k - 1, n, taus[std::size_t(k)], z + (k + 1) * n + k + 1, n, n - k - 1);
    for (std::int64_t j = 1; j < n - k - 1; ++j) column[j * n] = T(0);
  }
}

/// A unitary matrix [c, s; -conj(s), c] that takes (x, y) to (r, 0).
template <class T>
struct givens {
  real_of<T> c = 1;
  T s = T(0);
  constexpr givens(T x, T y) {
    const real_of<T> size_x = norm_of(&x, 1, 1), size_y = norm_of(&y, 1, 1);
    if (size_y == 0) return;
    if (size_x == 0) {
      c = 0;
      s = conjugate(y) / size_y;
      return;
    }
    const real_of<T> pair[2] = {size_x, size_y}, size = norm_of(pair, 2, 1);
    c = size_x / size;
    s = x / size_x * conjugate(y) / size;
  }
  constexpr void rows(T* x, T* y, std::int64_t n) const {
    for (std::int64_t j = 0; j < n; ++j) {
      const T u = x[j], v = y[j];
      x[j] = u * c + s * v;
      y[j] = v * c - conjugate(s) * u;
    }
  }
  constexpr void columns(T* x, T* y, std::int64_t n, std::int64_t stride) const {  // by the adjoint, from the right
    for (std::int64_t i = 0; i < n; ++i) {
      const T u = x[i * stride], v = y[i * stride];
      x[i * stride] = u * c + conjugate(s) * v;
      y[i * stride] = v * c - s * u;
    }
  }
};

/// The eigenvalue of [a, b; c, d] that is nearer to d.
template <class T>
constexpr T wilkinson_shift(T a, T b, T c, T d) {
  const T half = (a - d) * real_of<T>(0.5), root = math::sqrt(half * half + b * c);
  const bool same_side = half.re * root.re + half.im * root.im >= 0;
  const T sum = same_side ? half + root : half - root;
  if (sum == T(0)) return d;
  return d - b * c / sum;
}

/// a := t with a = z t z^H, t upper triangular; z is made, or null. False: no convergence.
template <class T>
constexpr bool schur_form(T* a, T* z, std::int64_t n) {
  using R = real_of<T>;
  hessenberg_form(a, z, n);
  const R tiny = std::numeric_limits<R>::min();
  std::int64_t last = n - 1;
  for (std::int64_t round = 0, steps = 0; last > 0; ++round, ++steps) {
    if (steps > 30 * n + 300) return false;
    std::int64_t first = last;
    for (; first > 0; --first) {
      const T below = a[first * n + first - 1];
      const R scale = norm_of(a + (first - 1) * n + first - 1, 1, 1) + norm_of(a + first * n + first, 1, 1);
      if (norm_of(&below, 1, 1) <= std::numeric_limits<R>::epsilon() * (scale > R(0) ? scale : norm_of(a, n * n, 1)) + tiny) break;
    }
    if (first > 0) a[first * n + first - 1] = T(0);
    if (first == last) {
      --last;
      round = 0;
      continue;
    }
    const T* const corner = a + (last - 1) * n + last - 1;
    T shift = wilkinson_shift(corner[0], corner[1], corner[n], corner[n + 1]);
    if (round % 10 == 9) shift = shift + T(norm_of(corner + n, 1, 1));  // an exceptional one, against cycles
    // One step of QR, chased down: rows (k, k+1), then columns of the row before.
    T x = a[first * n + first] - shift, y = a[(first + 1) * n + first];
    for (std::int64_t k = first; k < last; ++k) {
      const givens<T> g(x, y);
      const std::int64_t from = k > first ? k - 1 : k, to = k + 2 < last ? k + 2 : last;
      g.rows(a + k * n + from, a + (k + 1) * n + from, n - from);
      if (k > first) a[(k + 1) * n + k - 1] = T(0);
      g.columns(a + k, a + k + 1, to + 1, n);
      if (z) g.columns(z + k, z + k + 1, n, n);
      x = a[(k + 1) * n + k];
      y = k + 2 <= last ? a[(k + 2) * n + k] : T(0);
    }
  }
  for (std::int64_t i = 1; i < n; ++i)
    for (std::int64_t j = 0; j < i; ++j) a[i * n + j] = T(0);
  return true;
}

}  // namespace detail

/// a = z t z^H, t upper triangular with the eigenvalues on its diagonal in the order in which they were found, z unitary with columns whose
/// largest elements are real and positive. NaN where a holds one.
/// Shapes  a (..., n, n) -> t (..., n, n), and with compute_vectors z.
/// Errors  type_error: not c64 or c128; shape_error: not square.
/// Rules   no derivative.
/// Cost    about 25 n^3 operations on complex numbers.
struct schur_p {
  static constexpr std::string_view name = "schur";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  struct params {
    bool compute_vectors;
    static constexpr std::string_view fields = "compute_vectors";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (!detail::check_complex_square(c)) return;
    c.outputs.push_back(c.in[0]);
    if (p.compute_vectors) c.outputs.push_back(c.in[0]);
  }
  static constexpr void cost(auto& c, const params&) {
    const double n = double(detail::rows_of(c.in[0].dims));
    c.cost.flops = 100 * double(detail::matrix_count(c.in[0].dims)) * n * n * n;
  }
  static constexpr void batch(auto& c, const params& p) { detail::batch_matrices<own<schur_p, decltype(c)>>(c, p); }
  static constexpr void mask(auto& c, const params& p) {
    if (p.compute_vectors) detail::mask_leading<own<schur_p, decltype(c)>>(c, p, {2, 2});
    else detail::mask_leading<own<schur_p, decltype(c)>>(c, p, {2});
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& s = a.in_types[0].dims;
    const std::int64_t n = detail::rows_of(s);
    if constexpr (is_complex_v<T>)
      for (std::int64_t b = 0; b < detail::matrix_count(s); ++b)
        decompose(a.in[0] + b * n * n, a.out[0] + b * n * n, p.compute_vectors ? a.out[1] + b * n * n : nullptr, n);
  }
  static void run(const auto& c, const params& p) { detail::run_matrices<own<schur_p, decltype(c)>>(c, p); }

 private:
  template <class T>
  static constexpr void decompose(const T* x, T* t, T* to, std::int64_t n) {
    std::vector<T> z(static_cast<std::size_t>(n * n), T(0));
    for (std::int64_t i = 0; i < n * n; ++i) t[i] = x[i];
    bool found = math::is_finite(detail::norm_of(x, n * n, 1));
    if (found && !in_library(t, z.data(), n, found)) found = detail::schur_form(t, z.data(), n);
    for (std::int64_t j = 0; found && j < n; ++j) {
      const T factor = detail::phase_of(z.data() + j, n, n);
      detail::scale_by(z.data() + j, n, n, factor);
      detail::scale_by(t + j, n, n, factor);
      detail::scale_by(t + j * n, n, 1, detail::conjugate(factor));
    }
    for (std::int64_t i = 0; to && i < n * n; ++i) to[i] = z[std::size_t(i)];
    const T nan(std::numeric_limits<detail::real_of<T>>::quiet_NaN());
    for (std::int64_t i = 0; !found && i < n * n; ++i) {
      t[i] = nan;
      if (to) to[i] = nan;
    }
  }
  /// By LAPACK, column by column. False: it cannot; `found`: whether it converged.
  template <class T>
  static constexpr bool in_library(T* t, T* z, std::int64_t n, bool& found) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n) || !detail::lapack_function<T, "gees">()) return false;
    const int size = int(n);
    int info = 0, none_sorted = 0, no_flags = 0;
    std::vector<T> columns(static_cast<std::size_t>(n * n), T(0)), vectors(static_cast<std::size_t>(n * n), T(0)), values(static_cast<std::size_t>(n), T(0));
    std::vector<detail::real_of<T>> reals(static_cast<std::size_t>(n), 0);
    detail::transpose_into(t, n, n, columns.data());
    detail::with_workspace<T>([&](T* work, int length) {
      detail::call_lapack<T, "gees", 2>('V', 'N', static_cast<int*>(nullptr), size, columns.data(), size, &none_sorted, values.data(), vectors.data(), size, work, length, reals.data(), &no_flags, &info);
    });
    found = info == 0;
    detail::transpose_into(columns.data(), n, n, t);
    detail::transpose_into(vectors.data(), n, n, z);
    return true;
  }
};

namespace lax {
/// See schur_p. Returns t, and z if wanted.
template <class Array = array>
constexpr array_list schur(const lazy<Array>& a, bool compute_vectors = true, location where = location::current()) {
  return bind_list<schur_p>({compute_vectors}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
