#pragma once
// hessenberg: general matrices reduced by reflections to ones with zeros below the first subdiagonal. Deliberately in the compact form of
// LAPACK's gehrd, with the reflections where the zeros are: householder_product (numpy/factors.hpp) multiplies them out.

#include "jacquard/prims/hessenberg_loops.hpp"
#include "jacquard/prims/lapack.hpp"

namespace jacquard {

/// a = q h q^H: h on, above and right below the diagonal, further below the vectors of the reflections without their leading ones; and the
/// factors of the reflections. Of Hermitian matrices h is real and tridiagonal, up to rounding.
/// Shapes  a (..., n, n) -> (..., n, n), (..., max(n - 1, 0)).
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: not square.
/// Rules   no derivative.
/// Cost    10/3 n^3 operations.
struct hessenberg_p {
  static constexpr std::string_view name = "hessenberg";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;

  static constexpr void abstract_eval(inference& c) {
    if (!detail::check_matrices(c, true)) return;
    const aval x = c.in[0];
    const std::int64_t n = detail::rows_of(x.dims);
    c.outputs.push_back(x);
    c.outputs.push_back(x.with(detail::leading(x.dims, 2, {n > 0 ? n - 1 : 0})));
  }
  static constexpr void cost(auto& c) {
    const double n = double(detail::rows_of(c.in[0].dims));
    c.cost.flops = 10.0 / 3 * double(detail::matrix_count(c.in[0].dims)) * n * n * n;
  }
  static constexpr void batch(auto& c) { detail::batch_matrices<own<hessenberg_p, decltype(c)>>(c, {}); }
  static constexpr void mask(auto& c) { detail::mask_leading<own<hessenberg_p, decltype(c)>>(c, {}, {2, 1}); }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a) {
    const shape& s = a.in_types[0].dims;
    const std::int64_t n = detail::rows_of(s), factors = n > 0 ? n - 1 : 0;
    for (std::int64_t b = 0; b < detail::matrix_count(s); ++b) {
      const T* const x = a.in[0] + b * n * n;
      T *const h = a.out[0] + b * n * n, *const taus = a.out[1] + b * factors;
      if (in_library(x, h, taus, n)) continue;
      for (std::int64_t i = 0; i < n * n; ++i) h[i] = x[i];
      detail::reduce_to_hessenberg(h, n, taus);
    }
  }
  static void run(const auto& c) { detail::run_matrices<own<hessenberg_p, decltype(c)>>(c); }

 private:
  /// By LAPACK, column by column. False: it cannot.
  template <class T>
  static constexpr bool in_library(const T* x, T* h, T* taus, std::int64_t n) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n) || !detail::lapack_function<T, "gehrd">()) return false;
    const int size = int(n), one = 1;
    int info = 0;
    list<T> columns(static_cast<std::size_t>(n * n));
    detail::transpose_into(x, n, n, columns.data());
    detail::with_workspace<T>([&](T* work, int length) { detail::call_lapack<T, "gehrd">(size, one, size, columns.data(), size, taus, work, length, &info); });
    detail::transpose_into(columns.data(), n, n, h);
    return true;
  }
};

namespace lax {
/// See hessenberg_p. Returns the matrix and the factors.
template <class Array = array>
constexpr array_list hessenberg(const lazy<Array>& a, location where = location::current()) {
  return bind_list<hessenberg_p>({}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
