#pragma once
// Functions without conditions, for numbers of any kind that have logarithms, roots and `select`: lanes of a register, and numbers that write
// down what is done to them. Deliberately less exact than those of one number, some units in the last place.

#include "jacquard/core/math/arithmetic.hpp"
#include "jacquard/core/math/lane_functions.hpp"
#include "jacquard/core/math/real.hpp"

namespace jacquard::math::branchless {

/// The inverse of the error function within 4 ulp: all three polynomials of math::erf_inv, of which one counts.
template <class T>
constexpr T erf_inv(const T& x) {
  const auto along = [](const double& constant, const double& linear, const auto& terms, const T& t) {
    T sum(terms[sizeof terms / sizeof(double) - 1]);
    for (std::size_t i = sizeof terms / sizeof(double) - 1; i-- > 0;) sum = sum * t + T(terms[i]);
    return (sum * t + T(linear)) * t + T(constant);
  };
  const auto of = [&](const auto& p, const T& t) { return along(p.constant.hi, p.linear.hi, p.terms, t); };
  const T w = -log((T(1.0) - x) * (T(1.0) + x)), root = sqrt(w);
  const T far = select(root < T(3.775), of(soft::erf_inv_middle, (root - T(3.0)) * T(1.25)), of(soft::erf_inv_tail, (root - T(4.9)) * T(1 / 1.15)));
  const T factor = select(w < T(5.0), of(soft::erf_inv_centre, w * T(0.4) - T(1.0)), far);
  return x * select(abs(x) == T(1.0), T(std::numeric_limits<double>::infinity()), factor);
}

}  // namespace jacquard::math::branchless
