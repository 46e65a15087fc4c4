#pragma once
// Derivatives without differentiation: central differences, the complex step, and the inner products that relate forward
// and reverse mode. Independent oracles for the rules of primitives.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/complex_parts.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/sub.hpp"
#include "jacquard/testing/comparison.hpp"
#include "jacquard/testing/sample.hpp"

namespace jacquard::testing {

/// Step of a difference quotient that balances truncation and rounding for a dtype, and the error that remains relative
/// to the size of the derivative.
struct difference_step {
  double step, error;
};
constexpr difference_step default_step(dtype t) {
  switch (real_dtype(t)) {
    case f16: return {0x1p-3, 5e-2};
    case bf16: return {0x1p-2, 2e-1};
    case f32: return {0x1p-7, 2e-3};
    default: return {1e-3, 1e-8};
  }
}
/// The least precise inexact dtype among arrays; f64 if there is none.
inline dtype coarsest(const leaves& x, const leaves& y = {}) {
  dtype r = f64;
  for (const leaves* all : {&x, &y})
    for (const array& a : *all)
      if (precision(a.dtype()) > precision(r)) r = a.dtype();
  return r;
}

/// x + h t in those leaves that have tangents.
inline leaves moved(const leaves& x, const leaves& t, double h) {
  leaves r = x;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (is_inexact(x[k].dtype())) r[k] = lax::add(x[k], lax::mul(h, t[k]));
  return r;
}

/// Random directions at every leaf.
inline leaves directions(const leaves& x, std::uint64_t seed) {
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k) r.push_back(direction(x[k], seed + 101 * k));
  return r;
}

/// The derivative of f at x in the direction t, by central differences of fourth order. Leaves without tangents give zeros
/// of dtype bool, as in jvp. Truncation error h^4/30 times the fifth derivative.
inline leaves difference_quotient(const leaf_function& f, const leaves& x, const leaves& t, double h) {
  const leaves a = f(moved(x, t, h)), b = f(moved(x, t, -h)), c = f(moved(x, t, 2 * h)), d = f(moved(x, t, -2 * h));
  leaves r;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_inexact(a[i].dtype())) {
      const array near = lax::sub(a[i], b[i]), far = lax::sub(c[i], d[i]);
      r.push_back(lax::mul(1 / (12 * h), lax::sub(lax::mul(8.0, near), far)));
    } else r.push_back(direction(a[i], 0));
  }
  return r;
}

/// The derivative of f at the real point x in the real direction t from one evaluation at x + i h t, free of cancellation.
/// f must be the restriction of a holomorphic function and accept complex operands; real ones come as f64.
/// Source: Squire, Trapp, "Using complex variables to estimate derivatives of real functions", SIAM Review 40, 1998.
inline leaves complex_step(const leaf_function& f, const leaves& x, const leaves& t) {
  constexpr double h = 1e-30;
  leaves z = x;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (is_floating(x[k].dtype()))
      z[k] = lax::complex(lax::convert_element_type(x[k], f64), lax::mul(h, lax::convert_element_type(t[k], f64)));
  leaves r;
  for (const array& y : f(z)) r.push_back(lax::mul(1 / h, lax::imag(y)));
  return r;
}

/// The real part of the sum of a * b over all elements of those leaves that have tangents, without conjugation. Also
/// collects in `size` the sum of |a * b|, the scale of its rounding errors.
inline double inner_product(const leaves& a, const leaves& b, double* size = nullptr) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!is_inexact(a[k].dtype()) || !is_inexact(b[k].dtype())) continue;
    const std::vector<complex128> u = elements(a[k]), v = elements(b[k]);
    for (std::size_t i = 0; i < u.size() && i < v.size(); ++i) {
      const double p = u[i].re * v[i].re, q = u[i].im * v[i].im;
      sum += p - q;
      if (size) *size += (p < 0 ? -p : p) + (q < 0 ? -q : q);
    }
  }
  return sum;
}

}  // namespace jacquard::testing
