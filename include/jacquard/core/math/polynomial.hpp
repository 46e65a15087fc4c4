#pragma once
// Polynomials: Horner's scheme, the one loop all approximations of core/math share, and a form of it that
// keeps a double-double's precision where only the first two coefficients are large. It deliberately does not
// look at the coefficients.

#include <cstddef>

#include "jacquard/core/math/double_double.hpp"

namespace jacquard::math::soft {

/// terms[0] + terms[1] x + terms[2] x^2 + ...
template <std::size_t N>
constexpr double polynomial(const double (&terms)[N], double x) {
  double sum = terms[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + terms[i];
  return sum;
}

/// constant + linear x + terms[0] x^2 + terms[1] x^3 + ..., with the first two products exact.
template <std::size_t N>
struct refined_polynomial {
  double_double constant;
  double_double linear;
  double terms[N];

  constexpr double_double operator()(double x) const { return with_inner(x, polynomial(terms, x)); }
  /// The same, given the polynomial of the terms at x.
  constexpr double_double with_inner(double x, double inner) const {
    return constant + double_double(x) * (linear + double_double(rounded_product(x, inner)));
  }
};

}  // namespace jacquard::math::soft
