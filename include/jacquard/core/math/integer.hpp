#pragma once
// Integer arithmetic that is defined for every operand: it wraps modulo 2^n and never traps, as array
// programs expect. It deliberately excludes bool, and offers no checked or saturating variant.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace jacquard::math {

template <class T>
concept integer_scalar = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>;

namespace detail {

// The type to compute modulo 2^n in: unsigned, and no narrower than int (a product of two uint16 would
// promote to int).
template <integer_scalar T>
using wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

template <integer_scalar T>
constexpr wrapping<T> wrap(T x) {
  return static_cast<wrapping<T>>(x);
}

}  // namespace detail

template <integer_scalar T>
constexpr T add(T a, T b) {
  return static_cast<T>(detail::wrap(a) + detail::wrap(b));
}

template <integer_scalar T>
constexpr T subtract(T a, T b) {
  return static_cast<T>(detail::wrap(a) - detail::wrap(b));
}

template <integer_scalar T>
constexpr T multiply(T a, T b) {
  return static_cast<T>(detail::wrap(a) * detail::wrap(b));
}

template <integer_scalar T>
constexpr T negate(T x) {
  return static_cast<T>(0 - detail::wrap(x));
}

/// a / b towards zero. By 0: all bits set (-1 if signed). The one overflow wraps: min / -1 = min.
template <integer_scalar T>
constexpr T int_div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return negate(a);
  }
  return static_cast<T>(a / b);
}

/// The remainder of int_div, with the sign of a. By 0: a itself; by -1: 0.
template <integer_scalar T>
constexpr T int_rem(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

/// A divisor of many numbers: a product and two shifts in place of each division. Not 0.
/// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994, figure 4.1.
class fixed_divisor {
 public:
  constexpr explicit fixed_divisor(std::uint64_t d) : divisor_(d) {
    int bits = 0;  // ceil(log2 d)
    while (bits < 64 && (std::uint64_t(1) << bits) < d) ++bits;
    const twice above = (twice(1) << bits) - d;
    factor_ = std::uint64_t((above << 64) / d) + 1;
    bits_ = bits;
    first_ = bits > 0 ? 1 : 0;
    second_ = bits > 0 ? bits - 1 : 0;
  }
  constexpr std::uint64_t quotient(std::uint64_t x) const {
    const std::uint64_t high = std::uint64_t((twice(factor_) * x) >> 64);
    return (high + ((x - high) >> first_)) >> second_;
  }
  constexpr std::uint64_t remainder(std::uint64_t x) const { return x - quotient(x) * divisor_; }
  /// m of the paper: 2^64 (2^bits / d - 1) + 1, rounded down; bits is the logarithm of d, rounded up.
  constexpr std::uint64_t factor() const { return factor_; }
  constexpr int bits() const { return bits_; }

 private:
  __extension__ typedef unsigned __int128 twice;
  std::uint64_t divisor_, factor_;
  int bits_, first_, second_;
};

namespace detail {
/// The divisor of all elements, where they have one and it is worth while; else 0.
template <class T>
constexpr T common_divisor(const T* b, std::int64_t n) {
  if (n < 16 || b[n - 1] != b[0]) return 0;
  T differences = 0;
  for (std::int64_t i = 0; i < n; ++i) differences = static_cast<T>(differences | (b[i] ^ b[0]));
  return differences == 0 ? b[0] : T(0);
}
template <class T>
constexpr std::uint64_t magnitude(T x) {
  const auto bits = static_cast<std::uint64_t>(x);
  return x < 0 ? 0 - bits : bits;
}
}  // namespace detail

/// r[i] = int_rem(a[step i], by) where `Remainder`, else int_div of these. `by` is not 0.
template <bool Remainder, integer_scalar T>
constexpr void divide_all_by(const T* a, std::int64_t step, T by, T* r, std::int64_t n) {
  const fixed_divisor d(detail::magnitude(by));
  for (std::int64_t i = 0; i < n; ++i) {
    const T x = a[step * i];
    const std::uint64_t of = detail::magnitude(x), found = Remainder ? d.remainder(of) : d.quotient(of);
    r[i] = static_cast<T>((x < 0) != (!Remainder && by < 0) ? 0 - found : found);
  }
}
/// r[i] = int_div(a[i], b[i]).
template <integer_scalar T>
  requires(sizeof(T) == 8)
constexpr void divide_all(const T* a, const T* b, T* r, std::int64_t n) {
  if (const T one = detail::common_divisor(b, n); one != 0) return divide_all_by<false>(a, 1, one, r, n);
  for (std::int64_t i = 0; i < n; ++i) r[i] = int_div(a[i], b[i]);
}
/// r[i] = int_rem(a[i], b[i]).
template <integer_scalar T>
  requires(sizeof(T) == 8)
constexpr void rem_all(const T* a, const T* b, T* r, std::int64_t n) {
  if (const T one = detail::common_divisor(b, n); one != 0) return divide_all_by<true>(a, 1, one, r, n);
  for (std::int64_t i = 0; i < n; ++i) r[i] = int_rem(a[i], b[i]);
}

template <integer_scalar T>
constexpr T divide(T a, T b) {
  return int_div(a, b);
}

template <integer_scalar T>
constexpr T rem(T a, T b) {
  return int_rem(a, b);
}

/// base^exponent modulo 2^n by squaring. A negative exponent gives the truncated quotient 1 / base^-exponent,
/// which is 0 unless base is 1, -1 or 0 (then int_div(1, 0)).
template <integer_scalar T, integer_scalar E>
constexpr T int_pow(T base, E exponent) {
  if constexpr (std::is_signed_v<E>) {
    if (exponent < 0) {
      const bool odd = (exponent & 1) != 0;
      return int_div(T{1}, odd || base == 0 || base == 1 ? base : multiply(base, base));
    }
  }
  detail::wrapping<T> power = 1;
  detail::wrapping<T> square = detail::wrap(base);
  using count = std::make_unsigned_t<E>;
  for (auto rest = static_cast<count>(exponent); rest != 0; rest = static_cast<count>(rest >> 1)) {
    if ((rest & 1) != 0) power *= square;
    square *= square;
  }
  return static_cast<T>(power);
}

template <integer_scalar T>
constexpr T abs(T x) {
  return x < T{0} ? negate(x) : x;
}

/// a 2^b modulo 2^n; 0 for b outside [0, n).
template <integer_scalar T>
constexpr T shift_left(T a, T b) {
  constexpr std::make_unsigned_t<T> width = 8 * sizeof(T);
  return std::make_unsigned_t<T>(b) < width ? static_cast<T>(detail::wrap(a) << b) : T{0};
}

/// The bits of a moved down by b places and filled up with zeros; 0 for b outside [0, n).
template <integer_scalar T>
constexpr T shift_right_logical(T a, T b) {
  constexpr std::make_unsigned_t<T> width = 8 * sizeof(T);
  return std::make_unsigned_t<T>(b) < width ? static_cast<T>(std::make_unsigned_t<T>(a) >> b) : T{0};
}

/// The same, filled up with the highest bit, of which nothing else remains for b outside [0, n).
template <integer_scalar T>
constexpr T shift_right_arithmetic(T a, T b) {
  constexpr std::make_unsigned_t<T> width = 8 * sizeof(T);
  const bool inside = std::make_unsigned_t<T>(b) < width;
  return static_cast<T>(static_cast<std::make_signed_t<T>>(a) >> (inside ? static_cast<int>(b) : static_cast<int>(width) - 1));
}

/// How many bits are set.
template <integer_scalar T>
constexpr T population_count(T x) {
  return static_cast<T>(__builtin_popcountll(std::make_unsigned_t<T>(x)));
}

/// How many zeros are above the highest bit that is set; all of them for 0.
template <integer_scalar T>
constexpr T clz(T x) {
  constexpr int width = static_cast<int>(8 * sizeof(T));
  return static_cast<T>(x == 0 ? width : __builtin_clzll(std::make_unsigned_t<T>(x)) - (64 - width));
}

/// -1, 0 or 1.
template <integer_scalar T>
constexpr T sign(T x) {
  if constexpr (std::is_signed_v<T>) {
    if (x < 0) return -1;
  }
  return static_cast<T>(x != 0);
}

template <std::integral T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

template <std::integral T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}

template <std::integral T>
constexpr bool is_finite(T) {
  return true;
}
template <std::integral T>
constexpr bool is_nan(T) {
  return false;
}
template <std::integral T>
constexpr bool is_inf(T) {
  return false;
}

}  // namespace jacquard::math
