#pragma once
// triangular_solve: systems with a triangular matrix, by substitution. Deliberately does not look at the other triangle, nor for
// zeros on the diagonal: a singular matrix gives infinities or NaN.

#include "jacquard/prims/few_matrices.hpp"
#include "jacquard/prims/lapack.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/small_matrices.hpp"
#include "jacquard/prims/neg.hpp"

namespace jacquard {

/// Which triangular system: op(a) x = b or, if not left_side, x op(a) = b. op transposes, conjugates, or both.
struct triangular_options {
  bool left_side = true, lower = true, transpose_a = false, conjugate_a = false, unit_diagonal = false;
};

namespace lax {
template <class Array = array>
constexpr array triangular_solve(const lazy<Array>& a, const lazy<Array>& b, const triangular_options& o = {}, location where = location::current());
}

/// x with op(a) x = b, or x op(a) = b; a is the triangle of its operand, with ones on the diagonal if unit_diagonal.
/// Shapes  a (..., n, n), b (..., n, k), or (..., k, n) if not left_side -> that of b; equal leading dimensions.
/// Errors  type_error: not f32, f64, c64 or c128, or different dtypes; shape_error: sizes that do not fit.
/// Rules   linear in b, transpose = the transposed system; derivative in a: solves for -op(da) x (Giles 2008, section 2.2.3).
/// Cost    n^2 k / 2 multiplications and additions for each pair of matrices.
struct triangular_solve_p {
  static constexpr std::string_view name = "triangular_solve";
  static constexpr int arity = 2;
  static constexpr bool allocates = true, only_arithmetic = true;
  struct params {
    bool left_side, lower, transpose_a, conjugate_a, unit_diagonal;
    static constexpr std::string_view fields = "left_side lower transpose_a conjugate_a unit_diagonal";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 0b10;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!detail::check_matrices(c, true)) return {};
    const aval &a = c.in[0], &b = c.in[1];
    const std::int64_t n = detail::rows_of(a.dims);
    const bool fits = b.rank() == a.rank() && b.dims[b.rank() - (p.left_side ? 2 : 1)] == n;
    if (!fits || !(detail::leading(a.dims, 2) == detail::leading(b.dims, 2)))
      return c.fail(error_kind::shape, ": got operands of shapes ", a.dims, " and ", b.dims, ", wanted (..., n, n) and ",
                    p.left_side ? "(..., n, k)" : "(..., k, n)", " with equal leading dimensions; broadcast or reshape the right-hand side");
    return b.with(b.dims);
  }
  static constexpr void cost(auto& c, const params&) { c.cost.flops = double(c.in[1].elements()) * double(detail::rows_of(c.in[0].dims)); }

  static constexpr void jvp(auto& c, const params& p) {
    array rhs = c.t[1];
    if (!c.t[0].is_none()) {
      const std::int64_t skip = p.unit_diagonal;
      array da, moved;  // filled by ifs: g++ 12 destroys temporaries in ?: twice in constant evaluation
      if (p.lower) da = detail::lower_part(c.t[0], -skip);
      else da = detail::upper_part(c.t[0], skip);
      if (p.transpose_a) da = detail::matrix_transpose(da);
      if (p.conjugate_a) da = lax::conj(da);
      if (p.left_side) moved = detail::product_of(da, c.y[0]);
      else moved = detail::product_of(c.y[0], da);
      if (rhs.is_none()) rhs = lax::neg(moved);
      else rhs = lax::sub(rhs, moved);
    }
    c.ty[0] = bind<own<triangular_solve_p, decltype(c)>>(p, location{}, c.x[0], rhs);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    params q = p;
    q.transpose_a = !p.transpose_a;
    return bind<own<triangular_solve_p, decltype(c)>>(q, location{}, c.x[0], ct);
  }
  /// One matrix for all examples: their right-hand sides lie side by side.
  static constexpr void batch(auto& c, const params& p) {
    using self = own<triangular_solve_p, decltype(c)>;
    if (c.dims[0] != not_mapped || c.x[0].ndim() != 2) return detail::batch_matrices<self>(c, p);
    const array b = detail::move_axis(c.x[1], c.dims[1], p.left_side ? 2 : 0);
    const shape s = b.shape();
    const shape flat = p.left_side ? shape{s[0], s[1] * s[2]} : shape{s[0] * s[1], s[2]};
    c.outputs.push_back({lax::reshape(bind<self>(p, location{}, c.x[0], lax::reshape(b, flat)), s), p.left_side ? 2 : 0});
  }
  static constexpr masked mask(auto& c, const params& p) {
    const int r = int(c.dims[1].size());
    const array b = c.scope.fitted(c.zeroed(1, {r - 2, r - 1}), c.dims[1]);
    const array y = bind<own<triangular_solve_p, decltype(c)>>(p, location{}, detail::extended_by_identity(c, 0), b);
    return {c.scope.guarded(y, c.dims[1], {r - 2, r - 1}), c.dims[1]};
  }
  static constexpr void of_few(auto& c, const params& p) {
    if (!detail::is_written_out(c.x[0].aval()) || c.x[1].aval().elements() > detail::most_written_out * c.x[0].aval().elements()) return;
    const bool turned = p.transpose_a == p.left_side;
    c.results.push_back(detail::triangular_written_out(c.x[0], c.x[1], p.left_side, turned, p.lower != turned, p.unit_diagonal));
    c.is_of_examples = detail::matrix_count(c.x[0].shape()) >= detail::least_examples;
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape &s = a.in_types[0].dims, &b = a.in_types[1].dims;
    const std::int64_t n = detail::rows_of(s), k = p.left_side ? detail::columns_of(b) : detail::rows_of(b);
    for (std::int64_t m = 0; m < detail::matrix_count(s); ++m) {
      T* const x = a.out[0] + m * n * k;
      for (std::int64_t i = 0; i < n * k; ++i) x[i] = a.in[1][m * n * k + i];
      solve(a.in[0] + m * n * n, x, n, k, p);
    }
  }
  static void run(const auto& c, const params& p) { detail::run_matrices<own<triangular_solve_p, decltype(c)>>(c, p); }

 private:
  /// In place. Row r of x, or column r, is that of the unknowns.
  template <class T>
  static constexpr void solve(const T* a, T* x, std::int64_t n, std::int64_t k, const params& p) {
    // Element (i, j) of the matrix that acts on unknowns: of op(a) on the left, of op(a)^T on the right.
    const bool turned = p.transpose_a == p.left_side, forward = p.lower != turned;
    if constexpr (std::is_floating_point_v<T>)
      if (!__builtin_is_constant_evaluated() && p.left_side && detail::small_matrices<T>::suit(n, k))
        return detail::small_matrices<T>::solve(a, turned ? 1 : n, turned ? n : 1, forward, p.unit_diagonal, x, n, k);
    if constexpr (std::is_floating_point_v<T> || is_complex_v<T>)  // not what stands for numbers
      if (in_library(a, x, n, k, p)) return;
    const auto at = [&](std::int64_t i, std::int64_t j) {
      const T v = turned ? a[j * n + i] : a[i * n + j];
      return p.conjugate_a ? detail::conjugate(v) : v;
    };
    const std::int64_t row = p.left_side ? k : 1, column = p.left_side ? 1 : n;
    for (std::int64_t step = 0; step < n; ++step) {
      const std::int64_t i = forward ? step : n - 1 - step;
      for (std::int64_t s = 0; s < step; ++s) {
        const std::int64_t j = forward ? s : n - 1 - s;
        const T factor = at(i, j);
        for (std::int64_t q = 0; q < k; ++q) {
          T& y = x[i * row + q * column];
          y = math::subtract(y, math::multiply(factor, x[j * row + q * column]));
        }
      }
      if (p.unit_diagonal) continue;
      const T pivot = at(i, i);
      for (std::int64_t q = 0; q < k; ++q) x[i * row + q * column] = math::divide(x[i * row + q * column], pivot);
    }
  }
  /// By the BLAS, which reads rows as columns: x^T op(a)^T = b^T, and a^T has the other triangle. False: it cannot.
  template <class T>
  static constexpr bool in_library(const T* a, T* x, std::int64_t n, std::int64_t k, const params& p) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * std::max(n, k)) || k == 0) return false;
    std::vector<T> conjugated;
    if (is_complex_v<T> && p.conjugate_a && !p.transpose_a) {
      for (std::int64_t i = 0; i < n * n; ++i) conjugated.push_back(detail::conjugate(a[i]));
      a = conjugated.data();
    }
    const char side = p.left_side ? 'R' : 'L', triangle = p.lower ? 'U' : 'L', diagonal = p.unit_diagonal ? 'U' : 'N';
    const char op = !p.transpose_a ? 'N' : p.conjugate_a ? 'C' : 'T';
    const int rows = int(p.left_side ? k : n), columns = int(p.left_side ? n : k), size = int(n);
    return detail::call_lapack<T, "trsm", 4>(side, triangle, op, diagonal, rows, columns, T(1), a, size, x, rows);
  }
};

namespace lax {
/// See triangular_solve_p.
template <class Array>
constexpr array triangular_solve(const lazy<Array>& a, const lazy<Array>& b, const triangular_options& o, location where) {
  return bind<triangular_solve_p>({o.left_side, o.lower, o.transpose_a, o.conjugate_a, o.unit_diagonal}, where, a, b);
}
}  // namespace lax

}  // namespace jacquard
