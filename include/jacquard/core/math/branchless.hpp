#pragma once
// Functions without conditions, for numbers of any kind that have logarithms, roots and `select`: lanes of a register, and numbers that write
// down what is done to them. Deliberately less exact than those of one number, some units in the last place.

#include "jacquard/core/math/arithmetic.hpp"
#include "jacquard/core/math/lane_functions.hpp"
#include "jacquard/core/math/real.hpp"

namespace jacquard::math::branchless {

/// terms[0] + terms[1] t + ...
template <class T, std::size_t N>
constexpr T polynomial(const double (&terms)[N], const T& t) {
  T sum(terms[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * t + T(terms[i]);
  return sum;
}
/// A polynomial whose first terms have low parts, without these.
template <class T, std::size_t N>
constexpr T polynomial(const soft::refined_polynomial<N>& p, const T& t) {
  return (polynomial(p.terms, t) * t + T(p.linear.hi)) * t + T(p.constant.hi);
}

/// The inverse of the error function within 4 ulp: all three polynomials of math::erf_inv, of which one counts.
template <class T>
constexpr T erf_inv(const T& x) {
  const T w = -log((T(1.0) - x) * (T(1.0) + x)), root = sqrt(w);
  const T far = select(root < T(3.775), polynomial(soft::erf_inv_middle, (root - T(3.0)) * T(1.25)), polynomial(soft::erf_inv_tail, (root - T(4.9)) * T(1 / 1.15)));
  const T factor = select(w < T(5.0), polynomial(soft::erf_inv_centre, w * T(0.4) - T(1.0)), far);
  return x * select(abs(x) == T(1.0), T(std::numeric_limits<double>::infinity()), factor);
}

}  // namespace jacquard::math::branchless
