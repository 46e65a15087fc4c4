#pragma once
// check_transpose: that a function is linear, and that linear_transpose gives its transpose.

#include "jacquard/testing/gradients.hpp"
#include "jacquard/transforms/linear_transpose.hpp"

namespace jacquard::testing {

/// a x + b y, leaf by leaf, with real a and b.
inline leaves combination(double a, const leaves& x, double b, const leaves& y) {
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k) r.push_back(lax::add(lax::mul(a, x[k]), lax::mul(b, y[k])));
  return r;
}

namespace detail {

inline report check_linear(const leaf_function& f, const leaves& x, double rtol, double atol) {
  leaves y;
  for (std::size_t k = 0; k < x.size(); ++k) y.push_back(direction(x[k], 50 + k));
  return all_close(f(combination(2, x, -0.5, y)), combination(2, f(x), -0.5, f(y)), rtol, atol);
}

inline report check_transposed(const leaf_function& f, const leaves& x, double rtol, double atol) {
  report r;
  const leaves y = f(x);
  leaves ct;
  for (std::size_t i = 0; i < y.size(); ++i) ct.push_back(direction(y[i], 70 + i));
  const leaves back = std::get<0>(linear_transpose(f, x)(ct));
  r.add("linear_transpose", check_cotangent_types(back, x));
  return r.add("linear_transpose", check_inner_product(ct, y, back, x, rtol, atol));
}

}  // namespace detail

/// Checks that f is linear (over the real numbers) and that <ct, f(x)> = <linear_transpose(f)(ct), x>.
template <class F, class... A>
report check_transpose(F f, const std::tuple<A...>& args, double rtol = -1, double atol = -1) {
  report r;
  const leaves x = leaves_of(args);
  const leaf_function g = on_leaves(f, args);
  const double unit = 64 * precision(coarsest(x, g(x)));
  if (rtol < 0) rtol = unit;
  if (atol < 0) atol = unit;
  r.add("linearity", detail::check_linear(g, x, rtol, atol));
  return r.add("transpose", detail::check_transposed(g, x, rtol, atol));
}

}  // namespace jacquard::testing
