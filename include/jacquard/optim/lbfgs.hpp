#pragma once
// jq::optim::lbfgs: minimisation by the quasi-Newton method of Nocedal with limited memory, over a tree of real arrays. One loop of
// the program itself, so that it can be traced, jitted and batched. The line search asks for the conditions of Wolfe by bisection.
// Deliberately for smooth functions without bounds.
// Source: Nocedal and Wright, "Numerical optimization", 2nd edition, algorithms 7.4 and 7.5; Lewis and Overton (2013) for the search; Hager
// and Zhang, SIAM Journal on Optimization 16 (2005), conditions T2 for what it does where rounding hides how the function falls.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/flat_trees.hpp"
#include "jacquard/numpy/indexing.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/optim/gradients.hpp"
#include "jacquard/transforms/grad.hpp"

namespace jacquard::optim {

struct lbfgs_options {
  int memory = 10;            ///< pairs of steps and differences of gradients that are kept
  int iterations = 200;       ///< at most
  int searches = 30;          ///< evaluations of the function in one line search, at most
  double tolerance = 1e-8;    ///< the largest element of the gradient at which it ends
  double decrease = 1e-4, curvature = 0.9;  ///< the constants of Wolfe
};
/// What it found.
template <class P>
struct lbfgs_result {
  P params;
  array value, gradient_size, iterations;  ///< the largest element of the gradient is `gradient_size`
  array converged;                         ///< bool: that is at most the tolerance
};

namespace detail {

/// The inverse Hessian of the memory applied to g (algorithm 7.4): rows of s and y from the oldest to the newest, zeros where there are
/// none yet.
template <class = void>
constexpr array quasi_newton(const array& g, const array& s, const array& y, int memory) {
  std::vector<array> alpha(static_cast<std::size_t>(memory)), rho = alpha;
  array q = g, scale = jacquard::detail::scalar_like(g, 1);
  for (int k = memory - 1; k >= 0; --k) {
    const array sk = s(k), yk = y(k), product = sum(sk * yk), known = product > 0.0;
    rho[std::size_t(k)] = where(known, 1.0 / where(known, product, 1.0), 0.0);
    alpha[std::size_t(k)] = rho[std::size_t(k)] * sum(sk * q);
    q = q - alpha[std::size_t(k)] * yk;
    if (k == memory - 1) {
      const array size = sum(yk * yk);
      scale = where(known, product / where(known, size, 1.0), 1.0);
    }
  }
  array r = scale * q;
  for (int k = 0; k < memory; ++k) r = r + s(k) * (alpha[std::size_t(k)] - rho[std::size_t(k)] * sum(y(k) * r));
  return r;
}

/// Throws where there is nothing to minimise over, or no memory.
template <class Array = array>
constexpr void check_lbfgs(const lazy<Array>& x, const lbfgs_options& o, const location& here) {
  error_record e;
  if (o.memory < 1) e = make_error(error_kind::value, "lbfgs: got a memory of ", o.memory, " pairs, wanted at least 1");
  else if (x.size() == 0) e = make_error(error_kind::value, "lbfgs: got parameters without elements, wanted at least one number to minimise over");
  else if (is_complex(x.dtype()))
    e = make_error(error_kind::type, "lbfgs: got parameters of dtype ", long_name(x.dtype()), ", wanted real ones; minimise over real and imaginary parts");
  e.where = here;
  if (e) throw_error(e);
}

/// A point of the iteration.
struct lbfgs_point {
  array x, value, gradient, s, y, count;
  array stuck;  ///< bool: no step makes the function smaller
};
/// A line search: the step, its bounds, what the function is there.
struct wolfe_search {
  array step, low, high, value, gradient, count, found;
};

}  // namespace detail

/// Minimises f, a function of one tree that gives a real scalar, from `start`.
/// Errors: value_error without parameters or memory; type_error for complex ones; those of value_and_grad.
template <class F, class P>
constexpr lbfgs_result<rebind_t<P>> lbfgs(F f, const P& start, const lbfgs_options& o = {}, const location& here = location::current()) {
  const auto packed = ravel_pytree(start);
  const array& x0 = packed.first;
  detail::check_lbfgs(x0, o, here);
  const auto at = [&](const array& x) { return value_and_grad([&](const array& v) { return f(packed.second(v)); })(x); };
  const auto search = [&](const detail::lbfgs_point& p, const array& direction) {
    const array slope = sum(direction * p.gradient), zero = jacquard::detail::scalar_like(p.value, 0);
    // Near a minimum the function falls by less than its last digits say; its derivative along the direction still tells.
    const double noise = size_of(p.value.dtype()) == 8 ? 4e-11 : 2e-5;  // of a function of size 1: the distance of its numbers to the power 2/3
    const array first = where(p.count > 0, 1.0, minimum(1.0, 1.0 / maximum(sqrt(sum(p.gradient * p.gradient)), 1e-300))).astype(x0.dtype());
    const detail::wolfe_search begin{first, zeros_like(zero), full_like(zero, std::numeric_limits<double>::infinity()), p.value, p.gradient,
                                     zeros({}, i32), zeros({}, bool_)};
    return lax::while_loop([&](const detail::wolfe_search& w) { return ~w.found & (w.count < o.searches); },
                           [&](const detail::wolfe_search& w) {
                             const auto [value, gradient] = at(p.x + w.step * direction);
                             const array there = sum(gradient * direction);
                             const array falls = value <= p.value + o.decrease * w.step * slope;  // false for NaN too
                             const array small = falls | ((value <= p.value + noise * abs(p.value)) & (there <= (2 * o.decrease - 1) * slope));
                             const array flat = there >= o.curvature * slope;
                             const array low = where(small, w.step, w.low), high = where(small, w.high, w.step);
                             const array open = isinf(high), next = where(open, 2.0 * low, 0.5 * (low + where(open, low, high)));
                             const array found = small & flat;
                             return detail::wolfe_search{where(found, w.step, next), low, high, value, gradient, w.count + 1, found};
                           }, begin);
  };
  const auto goes_on = [&](const detail::lbfgs_point& p) {
    return (max(abs(p.gradient)) > o.tolerance) & (p.count < o.iterations) & ~p.stuck;
  };
  const auto iterate = [&](const detail::lbfgs_point& p) {
    const array newton = -detail::quasi_newton(p.gradient, p.s, p.y, o.memory);
    const array direction = where(sum(newton * p.gradient) < 0.0, newton, -p.gradient);
    const detail::wolfe_search w = search(p, direction);
    const array x = p.x + w.step * direction;
    const auto pushed = [&](const array& rows, const array& row) {
      return concatenate({lax::slice(rows, {1, 0}, {o.memory, rows.shape()[1]}), expand_dims(row, 0)});
    };
    const array s = x - p.x, y = w.gradient - p.gradient, curved = w.found & (sum(s * y) > 0.0);
    return detail::lbfgs_point{where(w.found, x, p.x), where(w.found, w.value, p.value), where(w.found, w.gradient, p.gradient),
                               where(curved, pushed(p.s, s), p.s), where(curved, pushed(p.y, y), p.y), p.count + 1, ~w.found};
  };
  const auto [value, gradient] = at(x0);
  const array rows = zeros({o.memory, x0.size()}, x0.dtype());
  const detail::lbfgs_point end = lax::while_loop(goes_on, iterate, detail::lbfgs_point{x0, value, gradient, rows, rows, zeros({}, i32), zeros({}, bool_)});
  const array size = max(abs(end.gradient));
  return {packed.second(end.x), end.value, size, end.count, size <= o.tolerance};
}

}  // namespace jacquard::optim
