#pragma once
// eigh: eigenvalues and eigenvectors of Hermitian matrices. Deliberately reads the lower triangle only, and of the diagonal the real
// part; jq::linalg::eigh takes the Hermitian part first.

#include <tuple>

#include "jacquard/prims/jacobi_loops.hpp"
#include "jacquard/prims/vector_phases.hpp"
#include "jacquard/prims/lapack.hpp"

namespace jacquard {

/// Eigenvalues w in ascending order, and with compute_vectors v with a v = v diag(w) and orthonormal columns, whose largest elements are real
/// and positive. NaN where a holds one.
/// Shapes  a (..., n, n) -> (..., n) of the real dtype, (..., n, n).
/// Errors  type_error: not f32, f64, c64 or c128; shape_error: not square.
/// Rules   derivative: dw = real diag(v^H da v), dv = v (F o v^H da v), F_ij = 1 / (w_j - w_i), 0 where those are equal (Giles 2008, section
///         3.1), turned so that the largest elements stay real. Where eigenvalues are equal, first derivatives are right for functions of w alone
///         that do not change with its order, and for functions of the space of all vectors of equal ones; not for v diag(f(w)) v^H, whose left
///         out terms have the limit f'(w), nor, in general, are second ones.
/// Cost    about 9 n^3 operations, 4/3 n^3 without vectors.
struct eigh_p {
  static constexpr std::string_view name = "eigh";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  struct params {
    bool compute_vectors;
    static constexpr std::string_view fields = "compute_vectors";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (!detail::check_matrices(c, true)) return;
    const aval& a = c.in[0];
    c.outputs.push_back({is_complex(a.type) ? real_dtype(a.type) : a.type, detail::leading(a.dims, 1), a.weak});
    if (p.compute_vectors) c.outputs.push_back(a);
  }
  static constexpr void cost(auto& c, const params& p) {
    const double n = double(detail::rows_of(c.in[0].dims));
    c.cost.flops = double(detail::matrix_count(c.in[0].dims)) * n * n * n * (p.compute_vectors ? 9 : 4.0 / 3);
  }
  static constexpr void jvp(auto& c, const params& p) {
    const array da = detail::hermitian_from_lower(c.t[0]);
    const array w = c.y[0];
    array v;
    if (p.compute_vectors) v = c.y[1];
    else v = bind_list<own<eigh_p, decltype(c)>>({true}, location{}, c.x)[1];
    const array inner = detail::product_of(detail::adjoint(v), detail::product_of(da, v));
    c.ty[0] = lax::real(detail::diagonals_of(inner));
    if (!p.compute_vectors) return;
    const std::int64_t n = detail::rows_of(v.shape());
    const array gap = lax::sub(detail::along_columns(w, n), detail::along_rows(w, n)), zero = detail::scalar_like(w, 0);
    const array apart = lax::ne(gap, zero);
    const array inverse = lax::select(apart, lax::div(1.0, lax::select(apart, gap, detail::scalar_like(w, 1))), zero);
    c.ty[1] = detail::with_phases_kept(v, detail::product_of(v, lax::mul(detail::in_type_of(inverse, inner), inner)));
  }
  static constexpr void batch(auto& c, const params& p) { detail::batch_matrices<own<eigh_p, decltype(c)>>(c, p); }
  static constexpr void mask(auto& c, const params& p) {
    if (p.compute_vectors) detail::mask_leading<own<eigh_p, decltype(c)>>(c, p, {1, 2});
    else detail::mask_leading<own<eigh_p, decltype(c)>>(c, p, {1});
  }

  template <class In, class Out>
  static constexpr void kernel_of_each(const In& in, const Out& out, const shape& dims, const params&) {
    const auto x = std::get<0>(in);
    const auto w = std::get<0>(out);
    if constexpr (std::tuple_size_v<Out> == 2) each_matrix(x, w, std::get<1>(out), dims);
    else each_matrix(x, w, static_cast<std::remove_cvref_t<decltype(*x)>*>(nullptr), dims);
  }
  static void run(const auto& c, const params& p) {
    detail::visit_matrix_dtype(c.in[0].type->type, [&]<class T>(std::type_identity<T>) {
      each_matrix(static_cast<const T*>(c.in[0].data), static_cast<detail::real_of<T>*>(c.out[0].data),
                  p.compute_vectors ? static_cast<T*>(c.out[1].data) : nullptr, c.in[0].type->dims);
    });
  }

 private:
  template <class T>
  static constexpr void each_matrix(const T* x, detail::real_of<T>* w, T* vectors, const shape& dims) {
    const std::int64_t n = detail::rows_of(dims);
    list<T> a(static_cast<std::size_t>(n * n));
    for (std::int64_t b = 0; b < detail::matrix_count(dims); ++b) {
      for (std::int64_t i = 0; i < n * n; ++i) a[std::size_t(i)] = x[b * n * n + i];
      T* const to = vectors ? vectors + b * n * n : nullptr;
      if (!in_library(a.data(), w + b * n, to, n)) by_rotations(a.data(), w + b * n, to, n);
    }
  }
  template <class T>
  static constexpr void by_rotations(T* a, detail::real_of<T>* w, T* to, std::int64_t n) {
    using R = detail::real_of<T>;
    list<T> v(static_cast<std::size_t>(to ? n * n : 0));
    for (std::int64_t i = 0; i < n; ++i) {
      a[i * n + i] = T(detail::real_part(a[i * n + i]));
      for (std::int64_t j = 0; j < i; ++j) a[j * n + i] = detail::conjugate(a[i * n + j]);
    }
    if (!math::is_finite(detail::norm_of(a, n * n, 1))) return without_result(w, to, n);
    for (std::int64_t i = 0; to && i < n; ++i) v[std::size_t(i * n + i)] = T(1);
    detail::diagonalise(a, to ? v.data() : nullptr, n);
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < n; ++i) {  // by insertion, as rotations leave them nearly sorted
      const R value = detail::real_part(a[i * n + i]);
      std::size_t at = order.size();
      while (at > 0 && detail::real_part(a[order[at - 1] * (n + 1)]) > value) --at;
      order.insert(order.begin() + std::ptrdiff_t(at), i);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t from = order[std::size_t(j)];
      w[j] = detail::real_part(a[from * n + from]);
      for (std::int64_t i = 0; to && i < n; ++i) to[i * n + j] = v[std::size_t(i * n + from)];
      if (to) detail::scale_by(to + j, n, n, detail::phase_of(to + j, n, n));
    }
  }
  template <class T>
  static constexpr void without_result(detail::real_of<T>* w, T* to, std::int64_t n) {
    const auto nan = std::numeric_limits<detail::real_of<T>>::quiet_NaN();
    for (std::int64_t i = 0; i < n; ++i) w[i] = nan;
    for (std::int64_t i = 0; to && i < n * n; ++i) to[i] = T(nan);
  }
  /// By LAPACK's divide and conquer. Rows read as columns are the conjugate matrix, with conjugate eigenvectors, and their lower triangle is
  /// the upper one. False: it cannot.
  template <class T>
  static constexpr bool in_library(T* a, detail::real_of<T>* w, T* to, std::int64_t n) {
    if (__builtin_is_constant_evaluated() || !detail::suits_lapack(n, n * n)) return false;
    using R = detail::real_of<T>;
    const int size = int(n);
    int info = 0, few = 0;
    R some{};
    T one{};
    std::vector<int> integers;
    list<R> reals;
    list<T> work;
    bool found = true;
    const auto call = [&](T* t, int nt, R* r, int nr, int* i, int ni) {
      if constexpr (is_complex_v<T>) found = detail::call_lapack<T, "heevd", 2>(to ? 'V' : 'N', 'U', size, a, size, w, t, nt, r, nr, i, ni, &info);
      else found = detail::call_lapack<T, "syevd", 2>(to ? 'V' : 'N', 'U', size, a, size, w, t, nt, i, ni, &info);
    };
    call(&one, -1, &some, -1, &few, -1);
    if (!found) return false;
    work.resize(std::size_t(detail::real_part(one)) + 1);
    reals.resize(std::size_t(some) + 1);
    integers.resize(std::size_t(few) + 1);
    call(work.data(), int(work.size()), reals.data(), int(reals.size()), integers.data(), int(integers.size()));
    if (info != 0) without_result(w, to, n);
    else if (to) {
      for (std::int64_t k = 0; k < n; ++k) detail::scale_by(a + k * n, n, 1, detail::phase_of(a + k * n, n, 1));
      detail::transpose_into(a, n, n, to);
      if constexpr (is_complex_v<T>)
        for (std::int64_t i = 0; i < n * n; ++i) to[i] = detail::conjugate(to[i]);
    }
    return true;
  }
};

namespace lax {
/// See eigh_p. Returns eigenvalues, and vectors if wanted.
template <class Array = array>
constexpr array_list eigh(const lazy<Array>& a, bool compute_vectors = true, location where = location::current()) {
  return bind_list<eigh_p>({compute_vectors}, where, view<const array>(&a, 1));
}
}  // namespace lax

}  // namespace jacquard
