#pragma once
// sin, cos and tan in portable arithmetic, for constant evaluation, right for every finite argument: up to
// 1.6 million the multiple of pi/2 is subtracted in parts (Cody and Waite), beyond that its fraction is taken
// from 1216 bits of 2/pi (Payne and Hanek 1983). The reduced argument is a double-double and results stay
// close to half an ulp. Everything here takes and returns double; core/math.hpp chooses between these and
// the C library. It deliberately has no sincos: callers reduce once.

#include "jacquard/core/math/double_double.hpp"
#include "jacquard/core/math/polynomial.hpp"
#include "jacquard/core/math/rounding.hpp"

namespace jacquard::math::soft {

inline constexpr double_double pi{3.141592653589793, 1.2246467991473532e-16};
inline constexpr double_double half_pi{1.5707963267948966, 6.123233995736766e-17};

/// An angle as quadrant * pi/2 + rest with |rest| <= pi/4 (and a little).
struct reduced_angle {
  int quadrant;  // modulo 4
  double_double rest;
};

/// For |x| <= 1.6e6. The first three parts of pi/2 have 33 bits, so that their products with a 20-bit n are
/// exact.
constexpr reduced_angle reduce_by_parts(double x) {
  const double n = floor(x * 0.6366197723675814 + 0.5);
  const double_double first = two_sum(x - n * 1.5707963267341256, -n * 6.077100506303966e-11);
  const double_double rest =
      first + double_double(-n * 2.0222662487111665e-21) + two_product(-n, 8.4784276603689e-32);
  return {static_cast<int>(static_cast<std::int64_t>(n) & 3), rest};
}

/// For finite |x| >= 2^20: x = m 2^e with an integer m, so of 2/pi only the bits below weight 2^(2 - e)
/// matter modulo 4, and 192 of them leave an error below 2^-137. Works in 32-bit limbs, least significant
/// first.
constexpr reduced_angle reduce_by_bits(double x) {
  constexpr std::uint64_t two_over_pi[] = {
      0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
      0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
      0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
  const std::uint64_t magnitude = ieee::magnitude_bits(x);
  const std::uint64_t integer = (magnitude & 0xfffffffffffff) | std::uint64_t{1} << 52;
  // The bit of 2/pi with weight 2^-i has index i + 63 here: one word of zeros stands before the table.
  const int start = static_cast<int>(magnitude >> 52) - 1075 - 1 + 63;
  const auto word = [&](int at) { return at == 0 ? 0 : two_over_pi[at - 1]; };
  std::uint64_t limbs[6] = {};
  for (int i = 0; i < 3; ++i) {
    const int at = start / 64 + i;
    const int shift = start % 64;
    const std::uint64_t window = shift == 0 ? word(at) : word(at) << shift | word(at + 1) >> (64 - shift);
    limbs[5 - 2 * i] = window >> 32;
    limbs[4 - 2 * i] = window & 0xffffffff;
  }
  std::uint64_t product[7] = {};
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = half == 0 ? integer & 0xffffffff : integer >> 32;
    std::uint64_t carry = 0;
    for (int i = 0; i + half < 6; ++i) {
      const std::uint64_t sum = product[i + half] + limbs[i] * factor + carry;
      product[i + half] = sum & 0xffffffff;
      carry = sum >> 32;
    }
  }
  // The top two bits are the quadrant; a fraction of half or more counts down from the next one.
  int quadrant = static_cast<int>(product[5] >> 30);
  const bool down = (product[5] >> 29 & 1) != 0;
  if (down) ++quadrant;
  double_double fraction = 0;
  for (int i = 5; i >= 0; --i) {
    const std::uint64_t digits =
        (down ? product[i] ^ 0xffffffff : product[i]) & (i == 5 ? 0x3fffffff : 0xffffffff);
    fraction = fraction + double_double(static_cast<double>(digits) * ieee::power_of_two(32 * (i - 6) + 2));
  }
  const double_double rest = fraction * half_pi;
  const bool negative = ieee::signbit(x);
  return {(negative ? -quadrant : quadrant) & 3, down != negative ? -rest : rest};
}

/// Any finite angle.
constexpr reduced_angle reduce(double x) {
  if (ieee::magnitude(x) < 0.7853981633974483) return {0, x};
  return ieee::magnitude(x) < 1.6e6 ? reduce_by_parts(x) : reduce_by_bits(x);
}

/// sin r for |r| <= pi/4 by its Taylor series, the leading term in double-double.
constexpr double_double sin_near_zero(double_double r) {
  constexpr double terms[] = {-1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
                              -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  const double square = r.hi * r.hi;
  return fast_two_sum(r.hi, r.lo * (1 - 0.5 * square) + r.hi * square * polynomial(terms, square));
}

/// cos r for |r| <= pi/4 by its Taylor series, the first two terms in double-double.
constexpr double_double cos_near_zero(double_double r) {
  constexpr double terms[] = {1.0 / 24,
                              -1.0 / 720,
                              1.0 / 40320,
                              -1.0 / 3628800,
                              1.0 / 479001600,
                              -1.0 / 87178291200,
                              1.0 / 20922789888000.0,
                              -1.0 / 6402373705728000.0};
  const double_double square = two_product(r.hi, r.hi);
  const double_double head = fast_two_sum(1, -0.5 * square.hi);
  const double tail = square.hi * square.hi * polynomial(terms, square.hi) - 0.5 * square.lo - r.hi * r.lo;
  return fast_two_sum(head.hi, head.lo + tail);
}

constexpr double_double sin(reduced_angle angle) {
  const double_double value = angle.quadrant % 2 == 0 ? sin_near_zero(angle.rest) : cos_near_zero(angle.rest);
  return angle.quadrant < 2 ? value : -value;
}

constexpr double_double cos(reduced_angle angle) {
  return sin(reduced_angle{(angle.quadrant + 1) & 3, angle.rest});
}

// What is answered without computing: NaN for infinities, and tiny arguments (also signed zeros) as they are.
constexpr double sin(double x) {
  if (!ieee::is_finite(x)) return ieee::quiet_nan<double>();
  return ieee::magnitude(x) < 0x1p-27 ? x : sin(reduce(x)).value();
}

constexpr double cos(double x) {
  if (!ieee::is_finite(x)) return ieee::quiet_nan<double>();
  return ieee::magnitude(x) < 0x1p-27 ? 1 : cos(reduce(x)).value();
}

constexpr double tan(double x) {
  if (!ieee::is_finite(x)) return ieee::quiet_nan<double>();
  if (ieee::magnitude(x) < 0x1p-27) return x;
  const reduced_angle angle = reduce(x);
  return (sin(angle) / cos(angle)).value();
}

}  // namespace jacquard::math::soft
