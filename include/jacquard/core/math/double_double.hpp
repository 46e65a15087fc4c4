#pragma once
// Double-double arithmetic: an unevaluated sum hi + lo of two doubles, about 106 bits, for the few places of
// core/math where the last bit of a double needs more than a double. Straight-line code on finite operands
// well inside the range; it deliberately handles no infinity, NaN or overflow (callers scale and branch
// first) and relies on no fused multiply-add, which is not available in constant evaluation.

#include "jacquard/core/ieee.hpp"

#ifdef __has_builtin
#if __has_builtin(__builtin_assoc_barrier) && !defined(__CUDACC__)
#define JACQUARD_HAS_ASSOC_BARRIER 1
#endif
#endif

namespace jacquard::math::soft {

struct double_double {
  double hi = 0;
  double lo = 0;

  constexpr double_double() = default;
  constexpr double_double(double x) : hi(x) {}
  constexpr double_double(double high, double low) : hi(high), lo(low) {}

  [[nodiscard]] constexpr double value() const { return hi + lo; }
};

// The exact sums and products are written once for doubles and for vectors of them, which go by reference: how they are passed depends on the
// instruction set.

/// a + b exactly, for |a| >= |b| or a == 0 (Dekker 1971).
template <class Real>
[[gnu::always_inline]] constexpr void fast_two_sum(const Real& a, const Real& b, Real& sum, Real& rest) {
  sum = a + b;
  rest = b - (sum - a);
}
constexpr double_double fast_two_sum(double a, double b) {
  double_double r;
  fast_two_sum(a, b, r.hi, r.lo);
  return r;
}

/// a + b exactly (Knuth, TAOCP 2, 4.2.2).
template <class Real>
[[gnu::always_inline]] constexpr void two_sum(const Real& a, const Real& b, Real& sum, Real& rest) {
  sum = a + b;
  const Real part = sum - a;
  rest = (a - (sum - part)) + (b - part);
}
constexpr double_double two_sum(double a, double b) {
  double_double r;
  two_sum(a, b, r.hi, r.lo);
  return r;
}

/// a * b rounded, and kept so: GCC contracts products and sums across statements where the processor has a
/// fused multiply-add, and a high part that is not the rounded product would not match its low part.
template <class Real>
[[gnu::always_inline]] constexpr void rounded_product(const Real& a, const Real& b, Real& product) {
#ifdef JACQUARD_HAS_ASSOC_BARRIER
  product = __builtin_assoc_barrier(a * b);
#else
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<Real, double>)
    if (!std::is_constant_evaluated()) {
      product = __dmul_rn(a, b);
      return;
    }
#endif
  product = a * b;
#endif
}
constexpr double rounded_product(double a, double b) {
  double product = 0;
  rounded_product(a, b, product);
  return product;
}

/// a * b exactly for |a|, |b| < 2^996 and a product above 2^-968 (Veltkamp's splitting, Dekker 1971).
template <class Real>
[[gnu::always_inline]] constexpr void two_product(const Real& a, const Real& b, Real& product, Real& rest) {
  const Real splitter = Real{} + 134217729;  // 2^27 + 1
  Real wide_a{}, wide_b{};
  rounded_product(a, b, product);
  rounded_product(splitter, a, wide_a);
  rounded_product(splitter, b, wide_b);
  const Real high_a = wide_a - (wide_a - a);
  const Real high_b = wide_b - (wide_b - b);
  const Real low_a = a - high_a;
  const Real low_b = b - high_b;
  rest = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
}
/// The same, at run time by a fused multiply-add where there is one.
constexpr double_double two_product(double a, double b) {
  double_double r;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if (!std::is_constant_evaluated()) {
    r.hi = rounded_product(a, b);
    r.lo = __builtin_fma(a, b, -r.hi);
    return r;
  }
#endif
  two_product(a, b, r.hi, r.lo);
  return r;
}

constexpr double_double operator-(double_double a) { return {-a.hi, -a.lo}; }

constexpr double_double operator+(double_double a, double_double b) {
  const double_double high = two_sum(a.hi, b.hi);
  const double_double low = two_sum(a.lo, b.lo);
  const double_double sum = fast_two_sum(high.hi, high.lo + low.hi);
  return fast_two_sum(sum.hi, sum.lo + low.lo);
}

constexpr double_double operator-(double_double a, double_double b) { return a + -b; }

constexpr double_double operator*(double_double a, double_double b) {
  const double_double product = two_product(a.hi, b.hi);
  return fast_two_sum(product.hi, product.lo + (rounded_product(a.hi, b.lo) + rounded_product(a.lo, b.hi)));
}

constexpr double_double operator/(double_double a, double_double b) {
  const double first = a.hi / b.hi;
  const double_double rest = a - b * double_double(first);
  return fast_two_sum(first, rest.hi / b.hi);
}

/// x * 2^k, exact as long as neither part leaves the normal range.
constexpr double_double scale(double_double x, int k) { return {ieee::scale(x.hi, k), ieee::scale(x.lo, k)}; }

/// unit * 2^exponent, for intermediate results beyond the range of double.
struct scaled_double_double {
  double_double unit;
  int exponent = 0;

  [[nodiscard]] constexpr double value() const { return ieee::scale(unit.value(), exponent); }
};

}  // namespace jacquard::math::soft
