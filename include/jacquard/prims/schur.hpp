#pragma once
// schur: the triangular form of general matrices under unitary similarity; of real ones the quasi-triangular form, which is real.
// Deliberately without an order of the eigenvalues.
// Source of the iteration: Golub and Van Loan, "Matrix computations", 4th edition, sections 7.4 and 7.5, with Wilkinson's shift.

#include "jacquard/prims/jacobi_loops.hpp"
#include "jacquard/prims/lapack.hpp"
#include "jacquard/prims/real_schur_loops.hpp"

namespace jacquard {

namespace detail {

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
  hessenberg_form(a, z, n);
  std::int64_t last = n - 1;
  for (std::int64_t round = 0, steps = 0; last > 0; ++round, ++steps) {
    if (steps > 30 * n + 300) return false;
    const std::int64_t first = start_of_block(a, n, last);
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
/// largest elements are real and positive. Of real matrices t is quasi-triangular: a pair of complex eigenvalues is a block of 2 x 2 on the
/// diagonal, whose diagonal elements are their real part and whose other two have opposite signs and minus the square of the imaginary part
/// as product. NaN where a holds one.
/// Shapes  a (..., n, n) -> t (..., n, n), and with compute_vectors z.
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: not square.
/// Rules   no derivative.
/// Cost    about 25 n^3 operations.
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
    if (!detail::check_matrices(c, true)) return;
    c.outputs.push_back(c.in[0]);
    if (p.compute_vectors) c.outputs.push_back(c.in[0]);
  }
  static constexpr void cost(auto& c, const params&) {
    const double n = double(detail::rows_of(c.in[0].dims));
    c.cost.flops = (is_complex(c.in[0].type) ? 100 : 25) * double(detail::matrix_count(c.in[0].dims)) * n * n * n;
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
    for (std::int64_t b = 0; b < detail::matrix_count(s); ++b)
      decompose(a.in[0] + b * n * n, a.out[0] + b * n * n, p.compute_vectors ? a.out[1] + b * n * n : nullptr, n);
  }
  static void run(const auto& c, const params& p) { detail::run_matrices<own<schur_p, decltype(c)>>(c, p); }

 private:
  template <class T>
  static constexpr void decompose(const T* x, T* t, T* to, std::int64_t n) {
    list<T> z(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n * n; ++i) t[i] = x[i];
    const int power = detail::in_safe_range(t, n * n);
    bool found = math::is_finite(detail::norm_of(t, n * n, 1));
    if (found && !in_library(t, z.data(), n, found)) found = by_loops(t, z.data(), n);
    for (std::int64_t j = 0; found && j < n; ++j) {
      const T factor = detail::phase_of(z.data() + j, n, n);
      detail::scale_by(z.data() + j, n, n, factor);
      detail::scale_by(t + j, n, n, factor);
      detail::scale_by(t + j * n, n, 1, detail::conjugate(factor));
    }
    for (std::int64_t i = 0; power != 0 && i < n * n; ++i) t[i] = detail::times_power_of_two(t[i], power);
    for (std::int64_t i = 0; to && i < n * n; ++i) to[i] = z[std::size_t(i)];
    const T nan(std::numeric_limits<detail::real_of<T>>::quiet_NaN());
    for (std::int64_t i = 0; !found && i < n * n; ++i) {
      t[i] = nan;
      if (to) to[i] = nan;
    }
  }
  template <class T>
  static constexpr bool by_loops(T* t, T* z, std::int64_t n) {
    if constexpr (is_complex_v<T>) return detail::schur_form(t, z, n);
    else return detail::real_schur_form(t, z, n);
  }
  /// By LAPACK, column by column. False: it cannot; `found`: whether it converged.
  template <class T>
  static constexpr bool in_library(T* t, T* z, std::int64_t n, bool& found) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n) || !detail::lapack_function<T, "gees">()) return false;
    const int size = int(n);
    int info = 0, none_sorted = 0, no_flags = 0;
    list<T> columns(static_cast<std::size_t>(n * n)), vectors(static_cast<std::size_t>(n * n)), values(static_cast<std::size_t>(n));
    std::vector<detail::real_of<T>> reals(static_cast<std::size_t>(n), 0);  // imaginary parts of eigenvalues, for real matrices
    detail::transpose_into(t, n, n, columns.data());
    detail::with_workspace<T>([&](T* work, int length) {
      int* const no_choice = nullptr;
      if constexpr (is_complex_v<T>)
        detail::call_lapack<T, "gees", 2>('V', 'N', no_choice, size, columns.data(), size, &none_sorted, values.data(), vectors.data(), size, work, length,
                                          reals.data(), &no_flags, &info);
      else
        detail::call_lapack<T, "gees", 2>('V', 'N', no_choice, size, columns.data(), size, &none_sorted, values.data(), reals.data(), vectors.data(), size, work,
                                          length, &no_flags, &info);
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
