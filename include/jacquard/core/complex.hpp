#pragma once
// Complex numbers that work in constant evaluation: `complex<float>` and `complex<double>`, laid out like
// std::complex and convertible to and from it (and anything of its shape) without including <complex>.
// Products are the plain formula; quotients are scaled so that only a result out of range overflows. It
// deliberately has no stream output, no polar form and no elementary functions beyond `abs` and `arg`: those
// are in core/math.hpp.


#include "jacquard/core/math/inverse_trigonometric.hpp"
#include "jacquard/core/math/libm.hpp"

namespace jacquard {

template <class T>
struct complex;

using complex64 = complex<float>;
using complex128 = complex<double>;

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<complex<T>> = true;

namespace detail {

// A foreign complex type over T, recognised by its shape.
template <class C, class T>
concept complex_like = !is_complex_v<C> && std::is_class_v<C> && requires { typename C::value_type; } &&
                       std::same_as<typename C::value_type, T> && requires(const C& z) {
                         { z.real() } -> std::convertible_to<T>;
                         { z.imag() } -> std::convertible_to<T>;
                       } && std::constructible_from<C, T, T>;

template <class C>
concept any_complex_like = requires {
  typename C::value_type;
} && ieee::native_float<typename C::value_type> && complex_like<C, typename C::value_type>;

}  // namespace detail

/// A complex number re + i im over float or double. The members are public so that complex values can be
/// template arguments.
template <class T>
struct complex {
  static_assert(ieee::native_float<T>, "jacquard::complex is defined for float and double");
  using value_type = T;

  T re = 0;
  T im = 0;

  constexpr complex() = default;
  constexpr complex(T real_part) : re(real_part) {}
  constexpr complex(T real_part, T imaginary_part) : re(real_part), im(imaginary_part) {}

  /// From the other precision: implicit where exact.
  template <ieee::native_float U>
    requires(!std::same_as<U, T>)
  constexpr explicit(sizeof(U) > sizeof(T)) complex(complex<U> z)
      : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}

  /// From std::complex and its like: implicit where exact.
  template <detail::any_complex_like C>
  constexpr explicit(sizeof(typename C::value_type) > sizeof(T)) complex(const C& z)
      : re(static_cast<T>(z.real())), im(static_cast<T>(z.imag())) {}

  /// To std::complex<T> and its like.
  template <detail::complex_like<T> C>
  constexpr operator C() const {
    return C(re, im);
  }

  [[nodiscard]] constexpr T real() const { return re; }
  [[nodiscard]] constexpr T imag() const { return im; }

  friend constexpr complex operator+(complex a) { return a; }
  friend constexpr complex operator-(complex a) { return {ieee::negate(a.re), ieee::negate(a.im)}; }

  friend constexpr complex operator+(complex a, complex b) {
    return {ieee::add(a.re, b.re), ieee::add(a.im, b.im)};
  }
  friend constexpr complex operator-(complex a, complex b) {
    return {ieee::subtract(a.re, b.re), ieee::subtract(a.im, b.im)};
  }
  friend constexpr complex operator*(complex a, complex b) {
    return {ieee::subtract(ieee::multiply(a.re, b.re), ieee::multiply(a.im, b.im)),
            ieee::add(ieee::multiply(a.re, b.im), ieee::multiply(a.im, b.re))};
  }
  friend constexpr complex operator/(complex a, complex b) { return divide(a, b); }

  // With a real operand the other part is untouched: no inf * 0, no lost sign of zero.
  friend constexpr complex operator+(complex a, T b) { return {ieee::add(a.re, b), a.im}; }
  friend constexpr complex operator-(complex a, T b) { return {ieee::subtract(a.re, b), a.im}; }
  friend constexpr complex operator*(complex a, T b) {
    return {ieee::multiply(a.re, b), ieee::multiply(a.im, b)};
  }
  friend constexpr complex operator/(complex a, T b) {
    return {ieee::divide(a.re, b), ieee::divide(a.im, b)};
  }
  friend constexpr complex operator+(T a, complex b) { return b + a; }
  friend constexpr complex operator-(T a, complex b) { return {ieee::subtract(a, b.re), ieee::negate(b.im)}; }
  friend constexpr complex operator*(T a, complex b) { return b * a; }
  friend constexpr complex operator/(T a, complex b) { return divide(complex(a), b); }

  constexpr complex& operator+=(complex b) { return *this = *this + b; }
  constexpr complex& operator-=(complex b) { return *this = *this - b; }
  constexpr complex& operator*=(complex b) { return *this = *this * b; }
  constexpr complex& operator/=(complex b) { return *this = *this / b; }

  friend constexpr bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }

  /// The conjugate re - i im.
  friend constexpr complex conj(complex z) { return {z.re, ieee::negate(z.im)}; }
  /// re^2 + im^2.
  friend constexpr T norm(complex z) {
    return ieee::add(ieee::multiply(z.re, z.re), ieee::multiply(z.im, z.im));
  }
  /// |z| without undue overflow or underflow, within 1 ulp.
  friend constexpr T abs(complex z) {
    if (std::is_constant_evaluated()) return static_cast<T>(math::soft::hypot(z.re, z.im));
    return math::libm::hypot(z.re, z.im);
  }
  /// The angle of z, in [-pi, pi].
  friend constexpr T arg(complex z) {
    if (std::is_constant_evaluated()) return static_cast<T>(math::soft::atan2(z.im, z.re));
    return math::libm::atan2(z.im, z.re);
  }

 private:
  // Both operands are brought to magnitude 1 by powers of two, divided by the plain formula and scaled back.
  // The recovery of infinities and zeros from NaNs is that of C Annex G.5.1. Float goes through double, where
  // nothing can overflow.
  static constexpr complex divide(complex a, complex b) {
    const int up = binade(a.re, a.im);
    const int down = binade(b.re, b.im);
    const double ar = ieee::scale(a.re, -up);
    const double ai = ieee::scale(a.im, -up);
    const double br = ieee::scale(b.re, -down);
    const double bi = ieee::scale(b.im, -down);
    const bool infinite_a = ieee::is_inf(ar) || ieee::is_inf(ai);
    const bool infinite_b = ieee::is_inf(br) || ieee::is_inf(bi);
    const bool zero_b = ieee::is_zero(br) && ieee::is_zero(bi);
    if (zero_b && !(ieee::is_nan(ar) && ieee::is_nan(ai))) {
      const double pole = ieee::infinity<double>(ieee::signbit(br));
      return narrow(ieee::multiply(pole, ar), ieee::multiply(pole, ai), 0);
    }
    if (infinite_a && ieee::is_finite(br) && ieee::is_finite(bi)) {
      const double inf = ieee::infinity<double>();
      const double r = unit(ar);
      const double i = unit(ai);
      return narrow(ieee::multiply(inf, r * br + i * bi), ieee::multiply(inf, i * br - r * bi), 0);
    }
    if (infinite_b && ieee::is_finite(ar) && ieee::is_finite(ai)) {
      const double r = unit(br);
      const double i = unit(bi);
      return narrow(0.0 * (ar * r + ai * i), 0.0 * (ai * r - ar * i), 0);
    }
    if (ieee::is_nan(ar) || ieee::is_nan(ai) || ieee::is_nan(br) || ieee::is_nan(bi) || infinite_a ||
        infinite_b) {
      return {ieee::quiet_nan<T>(), ieee::quiet_nan<T>()};
    }
    const double denominator = br * br + bi * bi;
    return narrow((ar * br + ai * bi) / denominator, (ai * br - ar * bi) / denominator, up - down);
  }

  // The larger exponent of two parts; 0 where there is none to scale by.
  static constexpr int binade(double x, double y) {
    const double larger = ieee::magnitude_bits(x) < ieee::magnitude_bits(y) ? y : x;
    return ieee::is_finite(larger) && !ieee::is_zero(larger) ? ieee::exponent(larger) : 0;
  }
  // 1 for an infinity, 0 for anything else, with its sign.
  static constexpr double unit(double x) { return ieee::copysign(ieee::is_inf(x) ? 1.0 : 0.0, x); }
  static constexpr complex narrow(double real_part, double imaginary_part, int k) {
    return {static_cast<T>(ieee::scale(real_part, k)), static_cast<T>(ieee::scale(imaginary_part, k))};
  }
};

}  // namespace jacquard
