#pragma once
// Linear systems of which only products with the matrix are known, solved by Krylov's subspaces: conjugate gradients, and their stabilised
// form for matrices that are not symmetric. Over trees of arrays; differentiated as solutions, never through the trips. Deliberately without
// a count of trips in the result: b - A x says what a solution is worth.
// Sources: Saad, "Iterative methods for sparse linear systems", 2nd edition, algorithms 9.1 (with a preconditioner) and 7.7, which is due to
// van der Vorst, SIAM Journal on Scientific and Statistical Computing 13 (1992).

#include <limits>

#include "jacquard/control/linear_solve.hpp"
#include "jacquard/numpy/contraction.hpp"
#include "jacquard/numpy/indexing.hpp"

namespace jacquard::linalg {

/// When an iteration ends: once |b - A x| <= max(tol |b|, atol), or after maxiter trips.
struct krylov_options {
  double tol = 1e-5, atol = 0;
  std::int64_t maxiter = 0;  ///< 0: ten times the number of unknowns
};
/// The preconditioner that leaves a residual as it is.
struct no_preconditioner {
  template <class T>
  constexpr const T& operator()(const T& x) const { return x; }
};

}  // namespace jacquard::linalg

namespace jacquard::detail::krylov {

/// The sum of conj(x) y over all leaves.
template <class T>
constexpr array inner_product(const T& x, const T& y) {
  array total;
  tree::map([&](const array& a, const array& b) {
    const array part = jacquard::vdot(a, b);
    if (total.is_none()) total = part;
    else total = total + part;
    return a;
  }, x, y);
  return total;
}
template <class T>
constexpr array square_norm(const T& x) { return jacquard::real(inner_product(x, x)); }
/// y + a x, in the dtypes of y.
template <class T>
constexpr T plus(const T& y, const array& a, const T& x) {
  return tree::map([&](const array& to, const array& from) { return (to + a * from).astype(to.dtype()); }, y, x);
}
template <class T>
constexpr T minus(const T& y, const array& a, const T& x) { return plus(y, -a, x); }
/// n / d, 0 where d is.
template <class = void>
constexpr array ratio(const array& n, const array& d) {
  const array is_there = d != 0;
  return where(is_there, n / where(is_there, d, 1), 0);
}
template <class A, class T>
constexpr T product(const A& a, const T& x) {
  if constexpr (std::is_convertible_v<const A&, array>) return matmul(a, x);
  else return a(x);
}
/// What the squares of residuals are compared with, how often, and where the trips begin.
template <class T>
struct krylov_end {
  array bound, origin;  ///< 0; NaN where `b` is not finite, which no trip would show
  std::int64_t trips;
  constexpr krylov_end(const T& b, const linalg::krylov_options& o) : trips(o.maxiter) {
    const array size = square_norm(b);
    bound = maximum(o.tol * o.tol * size, o.atol * o.atol);
    origin = where(isfinite(size), scalar_like(size, 0), std::numeric_limits<double>::quiet_NaN());
    if (trips > 0) return;
    tree::map([&](const array& leaf) {
      trips += 10 * leaf.size();
      return leaf;
    }, b);
  }
  /// A tree like `b` of it.
  constexpr T start(const T& b) const {
    return tree::map([&](const array& leaf) { return astype(broadcast_to(origin, leaf.shape()), leaf.dtype()); }, b);
  }
};

template <class T>
struct cg_point {
  T x, r, p;
  array energy, size, count;
};
template <class A, class T, class M>
constexpr T conjugate_gradients(const A& apply, const T& b, const linalg::krylov_options& o, const M& precondition) {
  const krylov_end<T> end(b, o);
  const T start = end.start(b), z = precondition(b);
  const auto goes_on = [&](const cg_point<T>& s) { return (s.size > end.bound) & (s.count < end.trips); };
  const auto trip = [&](const cg_point<T>& s) {
    const T q = apply(s.p);
    const array step = s.energy / jacquard::real(inner_product(s.p, q));
    const T x = plus(s.x, step, s.p), r = minus(s.r, step, q), next = precondition(r);
    const array energy = jacquard::real(inner_product(r, next));
    return cg_point<T>{x, r, plus(next, energy / s.energy, s.p), energy, square_norm(r), s.count + 1};
  };
  return lax::while_loop(goes_on, trip, cg_point<T>{start, b, z, jacquard::real(inner_product(b, z)), square_norm(b), zeros({}, i64)}).x;
}

template <class T>
struct bicgstab_point {
  T x, r, shadow, p, q;
  array rho, alpha, omega, size, count;
};
template <class A, class T, class M>
constexpr T stabilised_gradients(const A& apply, const T& b, const linalg::krylov_options& o, const M& precondition) {
  const krylov_end<T> end(b, o);
  const T start = end.start(b);
  const auto goes_on = [&](const bicgstab_point<T>& s) { return (s.size > end.bound) & (s.count < end.trips); };
  const auto trip = [&](const bicgstab_point<T>& s) {
    // Where the residual has become orthogonal to the first one, which the method divides by, it starts anew from where it is.
    const array seen = inner_product(s.shadow, s.r), share = jacquard::real(seen * conj(seen)) / (square_norm(s.shadow) * s.size);
    const array lost = share < (size_of(s.size.dtype()) == 8 ? 1e-24 : 1e-12);
    const T shadow = tree::map([&](const array& now, const array& before) { return where(lost, now, before); }, s.r, s.shadow);
    const array rho = where(lost, s.size.astype(seen.dtype()), seen), beta = where(lost, 0, rho / s.rho * ratio(s.alpha, s.omega));
    const T p = plus(s.r, beta, minus(s.p, s.omega, s.q)), by = precondition(p), q = apply(by);
    const array alpha = rho / inner_product(shadow, q);
    const T half = minus(s.r, alpha, q), then = precondition(half), t = apply(then);
    const array omega = ratio(inner_product(t, half), inner_product(t, t));  // 0 once nothing is left after the first half
    const T r = minus(half, omega, t);
    return bicgstab_point<T>{plus(plus(s.x, alpha, by), omega, then), r, shadow, p, q, rho, alpha, omega, square_norm(r), s.count + 1};
  };
  const array one = ones_like(inner_product(b, b));
  return lax::while_loop(goes_on, trip, bicgstab_point<T>{start, b, b, start, start, one, one, one, square_norm(b), zeros({}, i64)}).x;
}

template <class T>
constexpr bool any_complex(const T& b) {
  bool any = false;
  tree::map([&](const array& leaf) {
    any = any || is_complex(leaf.dtype());
    return leaf;
  }, b);
  return any;
}
template <class B>
constexpr rebind_t<B> inexact_leaves(const B& b) {
  return tree::map([](const array& leaf) { return as_inexact(leaf); }, b);
}

}  // namespace jacquard::detail::krylov

namespace jacquard::linalg {

/// x with A x = b by conjugate gradients, for A symmetric (complex: Hermitian) and positive definite: a function from trees like b to trees like b,
/// or a matrix. `precondition`, a function of the same kind, approximates the inverse of A. Integers become floating point. From a first
/// guess x0, solve for b - A x0 and add x0.
/// Derivatives in b and in what A captures are those of the solution: one more solve each way.
/// Errors: type_error where A's result is not like b. Complexity: a product with A, `precondition` and some operations on vectors for each trip.
template <class A, class B, class M = no_preconditioner>
constexpr rebind_t<B> cg(const A& a, const B& b, const krylov_options& o = {}, const M& precondition = {}, location where = location::current()) {
  using tree_type = rebind_t<B>;
  const tree_type rhs = jacquard::detail::krylov::inexact_leaves(b);
  const auto apply = [&](const tree_type& x) { return jacquard::detail::krylov::product(a, x); };
  const auto solve = [&](const auto& by, const tree_type& y) { return jacquard::detail::krylov::conjugate_gradients(by, y, o, precondition); };
  if (jacquard::detail::krylov::any_complex(rhs)) return lax::custom_linear_solve(apply, rhs, solve, solve, where);  // the transpose is the conjugate
  return lax::custom_symmetric_solve(apply, rhs, solve, where);
}

/// x with A x = b by stabilised biconjugate gradients, for A of any kind; arguments, derivatives and errors as those of cg. The method may
/// break down, or come to nothing in maxiter trips: look at b - A x.
/// Complexity: two products with A, two of `precondition` and some operations on vectors for each trip.
template <class A, class B, class M = no_preconditioner>
constexpr rebind_t<B> bicgstab(const A& a, const B& b, const krylov_options& o = {}, const M& precondition = {}, location where = location::current()) {
  using tree_type = rebind_t<B>;
  const tree_type rhs = jacquard::detail::krylov::inexact_leaves(b);
  const auto apply = [&](const tree_type& x) { return jacquard::detail::krylov::product(a, x); };
  const auto solve = [&](const auto& by, const tree_type& y) { return jacquard::detail::krylov::stabilised_gradients(by, y, o, precondition); };
  return lax::custom_linear_solve(apply, rhs, solve, solve, where);
}

}  // namespace jacquard::linalg
