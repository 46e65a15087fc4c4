#pragma once
// A complex number that writes down what is done to it: two recorded numbers, its parts, so that what kernels compute are real numbers. What
// branches by a value in core/math/complex_kernels.hpp is a select here, with the same special values. c64 is computed in f32 where that keeps
// the digits of the number as a whole. Deliberately without functions that few programs call: those refuse, and run by their own kernels.

#include <limits>

#include "jacquard/core/recorded_scalar.hpp"

namespace jacquard {

class recorded_complex {
 public:
  using lane_element = double;
  using scalar = recorded_scalar;

  scalar re, im;

  constexpr recorded_complex() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr recorded_complex(T v) : re(v), im(T(0)) {}
  constexpr recorded_complex(const scalar& real_part, const scalar& imaginary_part) : re(real_part), im(imaginary_part) {}
  constexpr scalar real() const { return re; }
  constexpr scalar imag() const { return im; }
  constexpr recorded_complex as(dtype t) const { return {re.as(t), im.as(t)}; }

  friend constexpr recorded_complex operator+(const recorded_complex& a, const recorded_complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr recorded_complex operator-(const recorded_complex& a, const recorded_complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend constexpr recorded_complex operator*(const recorded_complex& a, const recorded_complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend constexpr recorded_complex operator/(const recorded_complex& a, const recorded_complex& b) { return divide(a, b); }
  friend constexpr recorded_complex operator-(const recorded_complex& z) { return {-z.re, -z.im}; }
  friend constexpr scalar operator==(const recorded_complex& a, const recorded_complex& b) { return (a.re == b.re) & (a.im == b.im); }
  friend constexpr scalar operator!=(const recorded_complex& a, const recorded_complex& b) { return (a.re != b.re) | (a.im != b.im); }

  static constexpr recorded_complex add(const recorded_complex& a, const recorded_complex& b) { return a + b; }
  static constexpr recorded_complex subtract(const recorded_complex& a, const recorded_complex& b) { return a - b; }
  static constexpr recorded_complex multiply(const recorded_complex& a, const recorded_complex& b) { return a * b; }
  static constexpr recorded_complex negate(const recorded_complex& z) { return -z; }
  static constexpr recorded_complex conj(const recorded_complex& z) { return {z.re, -z.im}; }
  static constexpr scalar is_finite(const recorded_complex& z) { return scalar::is_finite(z.re) & scalar::is_finite(z.im); }
  static constexpr recorded_complex select(const scalar& which, const recorded_complex& on, const recorded_complex& off) {
    return {scalar::select(which, on.re, off.re), scalar::select(which, on.im, off.im)};
  }

  static constexpr recorded_complex usually(const scalar& which, const recorded_complex& on, const recorded_complex& off) {
    return {scalar::usually(which, on.re, off.re), scalar::usually(which, on.im, off.im)};
  }

  // --- c64 is computed in f64 where f32 would lose digits, or have no room for what is on the way ---
  static constexpr recorded_complex divide(const recorded_complex& a, const recorded_complex& b) {
    const recorded_complex own = a.like(b), by = b.like(a);
    if (a.program(b).in_plain_formulas) return plain_quotient(own, by);
    const recorded_complex x = own.as(f64), y = by.as(f64);
    if (y.re.known() && y.im.known()) {
      const double re = y.re.known()->get<double>(), im = y.im.known()->get<double>(), size = re * re + im * im;
      if (size > 0x1p-40 && size < 0x1p40) return product_with_inverse(own, re / size, im / size);
    }
    const dtype t = own.type();
    const scalar fits = is_moderate(own) & is_moderate_square(square_of(by));
    return usually(fits, plain_quotient(own, by), t == f32 ? quotient(x, y).as(t) : scaled_quotient(x, y));
  }
  static constexpr scalar abs(const recorded_complex& z) {
    const scalar square = square_of(z), plain = scalar::sqrt(square);
    if (z.re.program()->in_plain_formulas) return plain;
    const scalar fits = is_moderate_square(square) | ((z.re == 0) & (z.im == 0));
    return scalar::usually(fits, plain, modulus(z));  // in the dtype of the parts, so that vectors hold as many
  }
  static constexpr recorded_complex sign(const recorded_complex& z) {
    const bool is_plain = z.re.program()->in_plain_formulas;
    const recorded_complex wide = is_plain ? z : z.as(f64);
    const scalar size = is_plain ? abs(z) : modulus(wide, z.type() == f32);
    return select(z == recorded_complex(0), z, recorded_complex(wide.re / size, wide.im / size).as(z.type()));
  }
  static constexpr recorded_complex sqrt(const recorded_complex& z) { return root(z.as(f64), z.type()).as(z.type()); }
  static constexpr recorded_complex rsqrt(const recorded_complex& z) { return divide(recorded_complex(1), root(z.as(f64), z.type())).as(z.type()); }
  static constexpr recorded_complex expm1(const recorded_complex& z) {
    const recorded_complex w = z.as(f64);
    const scalar half = scalar::sin(0.5 * w.im), cancelled = 2.0 * (half * half);
    return recorded_complex(scalar::expm1(w.re) * scalar::cos(w.im) - cancelled, where_turned(w.im, exponential(w.re).times(scalar::sin(w.im)))).as(z.type());
  }
  static constexpr recorded_complex log1p(const recorded_complex& z) {
    const recorded_complex w = z.as(f64), shifted{1.0 + w.re, w.im};
    const scalar small = scalar::max(scalar::abs(w.re), scalar::abs(w.im)) < 0.5;
    const scalar near = 0.5 * scalar::log1p(w.re * (2.0 + w.re) + w.im * w.im);
    return recorded_complex(scalar::select(small, near, log_modulus(shifted)), scalar::atan2(shifted.im, shifted.re)).as(z.type());
  }
  /// exp(b log a); 0^b is 1, 0 or NaN as b is 0, has a positive real part, or neither.
  static constexpr recorded_complex pow(const recorded_complex& a, const recorded_complex& b) {
    const dtype t = a.type(b);
    const recorded_complex x = a.like(b).as(f64), y = b.like(a).as(f64);
    const scalar each = scalar::select(y.re > 0, 0.0 * one(y.re), not_a_number);
    const recorded_complex of_zero{each, each}, usual = exp(y * log(x));
    return select(y == recorded_complex(0), recorded_complex(1), select(x == recorded_complex(0), of_zero, usual)).as(t);
  }

  // --- in the dtype of the parts ---
  static constexpr recorded_complex exp(const recorded_complex& z) {
    const grown e = exponential(z.re);
    const scalar keeps = (z.re == infinite) & !scalar::is_finite(z.im);
    return {scalar::select(keeps, z.re, e.times(scalar::cos(z.im))), where_turned(z.im, e.times(scalar::sin(z.im)))};
  }
  static constexpr recorded_complex log(const recorded_complex& z) { return {log_modulus(z), scalar::atan2(z.im, z.re)}; }
  static constexpr recorded_complex sinh(const recorded_complex& z) {
    return {sinh_times(z.re, scalar::cos(z.im)), where_turned(z.im, cosh_times(z.re, scalar::sin(z.im)))};
  }
  static constexpr recorded_complex cosh(const recorded_complex& z) {
    const scalar flat = scalar::select(is_negative(z.re), -z.im, z.im);
    return {cosh_times(z.re, scalar::cos(z.im)), scalar::select(z.im == 0, flat, sinh_times(z.re, scalar::sin(z.im)))};
  }
  static constexpr recorded_complex sin(const recorded_complex& z) { return over_i(sinh(times_i(z))); }
  static constexpr recorded_complex cos(const recorded_complex& z) { return cosh(times_i(z)); }
  static constexpr recorded_complex tan(const recorded_complex& z) { return over_i(tanh(times_i(z))); }
  static constexpr recorded_complex tanh(const recorded_complex& z) {
    const scalar size = scalar::abs(z.re), finite = scalar::is_finite(z.im), far = size > 22.0, flat = z.im == 0;
    const scalar t = scalar::tan(z.im), s = scalar::sinh(z.re), beta = 1.0 + t * t, below = 1.0 + beta * (s * s);
    const recorded_complex near{beta * scalar::sqrt(1.0 + s * s) * s / below, t / below};
    const recorded_complex turned = select(finite, near, {scalar::select(z.re == 0, z.re, not_a_number), not_a_number * one(z.re)});
    const scalar rest = 4.0 * (scalar::sin(z.im) * scalar::cos(z.im)) * scalar::exp(-2.0 * size);
    const recorded_complex limit{scalar::sign(z.re), scalar::select(finite, rest, 0.0)};
    return select(flat, {scalar::tanh(z.re), z.im}, select(far, limit, turned));
  }
  static constexpr recorded_complex logistic(const recorded_complex& z) {
    const recorded_complex w = z.as(f64);
    const scalar below = w.re < 0;
    const recorded_complex growth = exp(select(below, w, -w));
    return divide(select(below, growth, recorded_complex(1)), recorded_complex(1) + growth).as(z.type());
  }

  // --- those that run by their own kernels ---
  static constexpr recorded_complex exp2(const recorded_complex& z) { return refused(z); }
  static constexpr recorded_complex asin(const recorded_complex& z) { return refused(z); }
  static constexpr recorded_complex acos(const recorded_complex& z) { return refused(z); }
  static constexpr recorded_complex atan(const recorded_complex& z) { return refused(z); }
  static constexpr recorded_complex asinh(const recorded_complex& z) { return refused(z); }
  static constexpr recorded_complex acosh(const recorded_complex& z) { return refused(z); }
  static constexpr recorded_complex atanh(const recorded_complex& z) { return refused(z); }
  template <class F>
  static constexpr recorded_complex each(F&&, const recorded_complex& first, const auto&...) {
    return refused(first);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

  static constexpr dtype dtype_of(const scalar& x) { return x.program()->steps[std::size_t(x.number())].type; }
  constexpr dtype type() const { return dtype_of(re); }
  /// Of an operand that may be a plain number, and another one.
  constexpr dtype type(const recorded_complex& other) const { return re.program() ? type() : other.type(); }
  constexpr const scalar_program& program(const recorded_complex& other) const { return re.program() ? *re.program() : *other.re.program(); }
  constexpr recorded_complex like(const recorded_complex& other) const { return {re.like(other.re), im.like(other.re)}; }
  constexpr recorded_complex times(const scalar& factor) const { return {re * factor, im * factor}; }
  static constexpr scalar one(const scalar& x) { return scalar(1).like(x); }
  static constexpr recorded_complex times_i(const recorded_complex& z) { return {-z.im, z.re}; }
  static constexpr recorded_complex over_i(const recorded_complex& z) { return {z.im, -z.re}; }
  static constexpr scalar is_infinite(const scalar& x) { return scalar::abs(x) == infinite; }
  static constexpr scalar is_infinite(const recorded_complex& z) { return is_infinite(z.re) | is_infinite(z.im); }
  /// Whether the sign of x is a minus, that of a zero too, but not that of a NaN, which nobody chose.
  static constexpr scalar is_negative(const scalar& x) {
    scalar_program& to = *x.program();
    const dtype bits = dtype_of(x) == f32 ? i32 : i64;
    return (scalar(to, to.bitcast(x.number(), bits)) < 0) & (x == x);
  }
  /// A part that is `turned` by an angle, but the angle itself where that is zero: infinity times zero is not a part of anything then.
  static constexpr scalar where_turned(const scalar& angle, const scalar& turned) { return scalar::select(angle == 0, angle, turned); }

  static constexpr scalar square_of(const recorded_complex& z) { return z.re * z.re + z.im * z.im; }
  /// Whether products with another number of the kind, and what their sum is divided by, are within the range of the dtype; so are zeros, here.
  static constexpr scalar is_moderate(const recorded_complex& z) {
    const double most = z.type() == f32 ? 0x1p50 : 0x1p400;
    const scalar size = scalar::abs(z.re) + scalar::abs(z.im);
    return (size <= most) & ((size >= 1 / most) | (size == 0));
  }
  static constexpr scalar is_moderate_square(const scalar& square) {
    const double most = dtype_of(square) == f32 ? 0x1p100 : 0x1p800;
    return (square <= most) & (square >= 1 / most);
  }
  /// A power of two that brings numbers whose squares are out of range into it, and the one that brings them back. Parts that were of f32 before
  /// (`is_narrow`) need none.
  struct scaling {
    scalar by, back;
  };
  static constexpr scaling scaling_of(const recorded_complex& z, bool is_narrow = false) {
    if (is_narrow) return {one(z.re), one(z.re)};
    const bool single = z.type() == f32;
    const double most = single ? 0x1p50 : 0x1p500, far = single ? 0x1p100 : 0x1p600;
    const scalar size = scalar::max(scalar::abs(z.re), scalar::abs(z.im)), large = (size > most) & (size < infinite), small = size < 1 / most, unit = one(size);
    return {scalar::select(large, 1 / far, scalar::select(small, far, unit)), scalar::select(large, far, scalar::select(small, 1 / far, unit))};
  }
  /// 1 for an infinity, 0 for anything else, with its sign.
  static constexpr recorded_complex units(const recorded_complex& z) {
    const auto unit = [](const scalar& x) { return scalar::select(is_infinite(x), scalar::sign(x), scalar::select(x == x, 0.0 * x, 0.0)); };
    return {unit(z.re), unit(z.im)};
  }
  /// The quotient by a constant, given the conjugate of its inverse.
  static constexpr recorded_complex product_with_inverse(const recorded_complex& a, double re, double im) {
    const scalar grows = is_infinite(a), factor = scalar::select(grows, infinite, one(a.re));
    const recorded_complex x = select(grows, units(a), a);
    return {(x.re * re + x.im * im) * factor, (x.im * re - x.re * im) * factor};
  }
  /// The plain formula as it is, in the dtype of the parts.
  static constexpr recorded_complex plain_quotient(const recorded_complex& a, const recorded_complex& b) {
    const scalar inverse = 1.0 / square_of(b);
    return {(a.re * b.re + a.im * b.im) * inverse, (a.im * b.re - a.re * b.im) * inverse};
  }
  /// The sum of two products, 0 where these cancel: rounded once it would be the rounding error of one of them, which is not small any
  /// more when a quotient beyond the range of the dtype is scaled back. (Two zeros keep their signs.)
  static constexpr scalar sum_of_products(const scalar& p, const scalar& q) { return scalar::select((p == -q) & (p != 0), 0.0 * scalar::abs(p), p + q); }
  /// The plain formula, with the infinities and zeros of C Annex G.5.1.
  static constexpr recorded_complex quotient(const recorded_complex& a, const recorded_complex& b) {
    const scalar grows = is_infinite(a) & is_finite(b), vanishes = is_infinite(b) & is_finite(a), pole = 1.0 / b.re;
    const recorded_complex x = select(grows, units(a), a), y = select(vanishes, units(b), b);
    const scalar factor = scalar::select(grows, infinite, scalar::select(vanishes, 0.0, one(a.re)));
    const scalar below = scalar::select(grows | vanishes, 1.0, b.re * b.re + b.im * b.im);
    const recorded_complex over{sum_of_products(x.re * y.re, x.im * y.im), sum_of_products(x.im * y.re, -(x.re * y.im))};
    const recorded_complex usual{over.re * factor / below, over.im * factor / below};
    return select(b == recorded_complex(0), {pole * a.re, pole * a.im}, usual);
  }
  /// The same for all numbers of dtype f64.
  static constexpr recorded_complex scaled_quotient(const recorded_complex& a, const recorded_complex& b) {
    const scaling f = scaling_of(a), g = scaling_of(b);
    const recorded_complex r = quotient(a.times(f.by), b.times(g.by));
    const scalar same = f.by == g.by, first = scalar::select(same, 1.0, f.back), second = scalar::select(same, 1.0, g.by);
    return r.times(first).times(second);
  }
  /// |z|, of any size; `is_narrow`: of f64 parts that were of f32 before.
  static constexpr scalar modulus(const recorded_complex& z, bool is_narrow = false) {
    const scaling f = scaling_of(z, is_narrow);
    const recorded_complex w = z.times(f.by);
    return scalar::select(is_infinite(z), infinite, scalar::sqrt(w.re * w.re + w.im * w.im) * f.back);
  }
  /// The square root: the larger part from a sum that cannot cancel, the other one by division.
  static constexpr recorded_complex root(const recorded_complex& z, dtype t) {
    const scaling f = scaling_of(z, t == f32);
    const scalar half = scalar::select(f.by == 1.0, 1.0, scalar::select(f.by > 1.0, 0x1p-300, 0x1p300 * one(z.re)));
    const scalar x = scalar::abs(z.re) * f.by, y = scalar::abs(z.im) * f.by, other = scalar::select(z.im == z.im, 0.0, z.im);
    const scalar larger = scalar::sqrt(0.5 * (x + scalar::sqrt(x * x + y * y))) * half, smaller = 0.5 * (scalar::abs(z.im) / larger);
    const scalar below = z.re < 0, far = is_infinite(z.re), minus = is_negative(z.im);
    const scalar major = scalar::select(far, infinite, larger), minor = scalar::select(far, other, smaller);
    const scalar size = scalar::select(below, major, minor);
    const recorded_complex usual{scalar::select(below, minor, major), scalar::select(minus, -size, size)};
    const recorded_complex known{scalar::select(is_infinite(z.im), infinite, 0.0 * one(z.re)), z.im};
    return select((z == recorded_complex(0)) | is_infinite(z.im), known, usual);
  }
  static constexpr scalar log_modulus(const recorded_complex& z) {
    const scalar x = scalar::abs(z.re), y = scalar::abs(z.im), larger = scalar::max(x, y), smaller = scalar::min(x, y);
    const scalar ratio = scalar::select(larger == 0, 0.0, smaller / larger);
    return scalar::select(is_infinite(z), infinite, scalar::log(larger) + 0.5 * scalar::log1p(ratio * ratio));
  }

  /// exp(x), so that its product with a number of magnitude at most 1 overflows only if that does: e times `more`.
  struct grown {
    scalar e, more, is_lost;
    /// 0 times anything is 0, where exp(x) is 0 in f64.
    constexpr scalar times(const scalar& factor) const { return scalar::select(is_lost, e, e * factor * more); }
  };
  static constexpr grown exponential(const scalar& x) {
    const bool narrow = dtype_of(x) == f32;
    const scalar large = x > (narrow ? 80.0 : 700.0), e = scalar::exp(scalar::select(large, x - (narrow ? 60.0 : 600.0), x));
    return {e, scalar::select(large, narrow ? 1.1420073898156842e26 : 3.7730203009299398e260, one(x)), x < -745.13321910194122};
  }
  static constexpr scalar sinh_times(const scalar& x, const scalar& factor) {
    const scalar size = scalar::abs(x), s = scalar::sinh(x);
    const scalar near = scalar::select((s == 0) & !(factor == factor), s, s * factor), far = exponential(size).times(0.5 * scalar::select(x < 0, -factor, factor));
    return scalar::select(size > 80.0, far, near);
  }
  static constexpr scalar cosh_times(const scalar& x, const scalar& factor) {
    const scalar size = scalar::abs(x);
    return scalar::select(size > 80.0, exponential(size).times(0.5 * factor), scalar::cosh(x) * factor);
  }
  static constexpr recorded_complex refused(const recorded_complex& z) {
    z.re.program()->refused = true;
    return z;
  }
};

}  // namespace jacquard
