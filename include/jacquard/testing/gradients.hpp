#pragma once
// check_grads: jvp against difference quotients, linearize against jvp, and the pullback of vjp against both by the inner
// product test, nested to any order. The chapter on custom derivatives shows its use.

#include "jacquard/backends/interpreter/eager.hpp"
#include "jacquard/testing/difference.hpp"
#include "jacquard/transforms/differentiate.hpp"

namespace jacquard::testing {

enum class modes : std::uint8_t { forward = 1, reverse = 2, both = 3 };

/// How check_grads checks. Zeros are replaced by what the least precise dtype among arguments and results allows.
struct gradient_options {
  int order = 2;             ///< derivatives of derivatives are checked up to this order
  modes which = modes::both;
  double step = 0;           ///< of the difference quotient
  double rtol = 0, atol = 0;  ///< against the difference quotient; each order doubles their digits' loss
  std::uint64_t seed = 1;    ///< of the directions
};

/// Tangents of the result of f, by jvp.
inline leaves tangents_of(const leaf_function& f, const leaves& x, const leaves& t) {
  return jvp(f, primals(x), tangents(t)).second;
}
/// Cotangents of the arguments of f, by vjp.
inline leaves cotangents_of(const leaf_function& f, const leaves& x, const leaves& ct) {
  return std::get<0>(vjp(f, x).second(ct));
}

namespace detail {

/// Whether <ct, y'> = <x', t> within rtol of the sizes of their terms.
inline report check_inner_product(const leaves& ct, const leaves& dy, const leaves& back, const leaves& t, double rtol,
                                  double atol) {
  report r;
  double size = 0;
  const double out = inner_product(ct, dy, &size), in = inner_product(back, t, &size);
  const double gap = out > in ? out - in : in - out;
  if (!(gap <= atol + rtol * (1 + size)))
    r.fail("<cotangent, tangent of the result> is ", number(out), ", but <cotangent of the arguments, tangent> is ",
           number(in));
  return r;
}

/// Cotangents must look like the arguments, zeros of dtype bool where those have no tangents.
inline report check_cotangent_types(const leaves& back, const leaves& x) {
  report r;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const aval got = back[k].aval(), p = x[k].aval();
    const aval want = is_inexact(p.type) ? p : aval(bool_, p.dims);
    if (!same_type(got, want)) r.fail("the cotangent of leaf ", k, " has type ", got, ", wanted ", want);
  }
  return r;
}

inline report check_gradients(const leaf_function& f, const leaves& x, const gradient_options& o) {
  report r;
  const double rounding = 256 * precision(coarsest(x, f(x)));
  const leaves t = directions(x, o.seed);
  const bool forward = (int(o.which) & int(modes::forward)) != 0, reverse = (int(o.which) & int(modes::reverse)) != 0;
  const leaves slope = difference_quotient(f, x, t, o.step);
  leaves dy = slope;
  if (forward) {
    dy = tangents_of(f, x, t);
    r.add("jvp against differences", all_close(dy, slope, o.rtol, o.atol));
    r.add("linearize against jvp", all_close(linearize(f, x).second(t), dy, rounding, rounding));
  }
  leaves ct;
  for (std::size_t i = 0; i < dy.size(); ++i) ct.push_back(direction(dy[i], o.seed + 7 * (i + 1)));
  if (reverse) {
    const leaves back = cotangents_of(f, x, ct);
    r.add("vjp", check_cotangent_types(back, x));
    const double rtol = forward ? rounding : o.rtol;
    r.add("vjp", check_inner_product(ct, dy, back, t, rtol, forward ? rounding : o.atol));
  }
  if (o.order < 2) return r;
  gradient_options next = o;
  next.order = o.order - 1;
  next.seed = o.seed + 1000;
  next.rtol = 30 * o.rtol;
  next.atol = 30 * o.atol;
  if (forward) {
    const leaf_function g = [&](const leaves& z) { return tangents_of(f, z, t); };
    r.add("derivative of jvp", check_gradients(g, x, next));
  }
  if (reverse) {
    const leaf_function g = [&](const leaves& z) { return cotangents_of(f, z, ct); };
    r.add("derivative of vjp", check_gradients(g, x, next));
  }
  return r;
}

}  // namespace detail

/// Checks the derivatives of f at the arguments, a tuple of trees: jvp against difference quotients, vjp against jvp.
/// f must be differentiable in a neighbourhood of the arguments whose size is the step.
template <class F, class... A>
report check_grads(F f, const std::tuple<A...>& args, gradient_options o = {}) {
  const leaves x = leaves_of(args);
  const leaf_function g = on_leaves(f, args);
  const difference_step usual = default_step(coarsest(x, g(x)));
  if (o.step == 0) o.step = usual.step;
  if (o.rtol == 0) o.rtol = usual.error;
  if (o.atol == 0) o.atol = usual.error;
  return detail::check_gradients(g, x, o);
}

}  // namespace jacquard::testing
