#pragma once
// Lanes: several numbers that are computed with at once, in the compilers' vector extension. A type of W lanes behaves like a
// number to the scalar functions of primitives. One lane count serves all dtypes, so that a comparison of doubles can select
// floats. Deliberately portable: no intrinsics but the square root, which the extension lacks.

#include <array>
#include <cstdint>
#include <limits>

#include "jacquard/core/dtype.hpp"
#include "jacquard/core/math.hpp"

namespace jacquard {

/// The number of doubles in the widest vector register of the target.
#if defined(__AVX512F__)
inline constexpr int preferred_lanes = 8;
#elif defined(__AVX__)
inline constexpr int preferred_lanes = 4;
#else
inline constexpr int preferred_lanes = 2;
#endif

template <class T, int W>
struct lanes;

namespace detail {

template <class T, int W>
struct vector_of {
  typedef T type __attribute__((vector_size(sizeof(T) * std::size_t(W))));
};
/// The elements of lanes of type T: booleans are all-zero or all-one integers.
template <class T>
using lane_storage = std::conditional_t<std::is_same_v<T, bool>, std::int64_t, T>;

template <class T, int W>
lanes<T, W> square_root(const lanes<T, W>& x);

}  // namespace detail

template <class T, int W>
struct lanes {
  using lane_element = T;
  using storage = detail::lane_storage<T>;
  using vector = typename detail::vector_of<storage, W>::type;
  using mask = lanes<bool, W>;
  static constexpr int count = W;
  static constexpr bool is_real = std::is_floating_point_v<T>;

  vector v;

  lanes() = default;
  explicit lanes(T x) {
    const storage s = std::is_same_v<T, bool> ? storage(-storage(x)) : storage(x);
    v = s - vector{};  // subtracting zero keeps -0
  }
  lanes(const vector& x) : v(x) {}  // by reference: passing vectors wider than registers depends on the ABI, of which compilers tell

  /// Other lanes (or one number) as this type, by the rules of convert_element_type: what is out of an integer's range becomes its nearest, NaN 0.
  template <class S>
  static lanes from(const lanes<S, W>& x) {
    if constexpr (std::is_same_v<S, T>) return x;
    else if constexpr (std::is_same_v<T, bool>) return x != lanes<S, W>(S(0));
    else if constexpr (std::is_same_v<S, bool>) return __builtin_convertvector(-x.v, vector);
    else if constexpr (lanes<S, W>::is_real && !is_real) return saturated(x);
    else return __builtin_convertvector(x.v, vector);
  }
  template <class S>
  static lanes saturated(const lanes<S, W>& x) {
    constexpr T least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
    const mask below = x <= lanes<S, W>(S(least)), above = x >= lanes<S, W>(S(most)), inside = (x == x) & !(below | above);
    lanes r = __builtin_convertvector(lanes<S, W>::select(inside, x, lanes<S, W>(S(0))).v, vector);
    r = select(below, lanes(least), r);
    return select(above, lanes(most), r);
  }
  static lanes from(T x) { return lanes(x); }

  T operator[](int i) const { return T(v[i]); }
  void put(int i, T x) { v[i] = std::is_same_v<T, bool> ? storage(-storage(x)) : storage(x); }

  friend lanes operator+(const lanes& a, const lanes& b) { return a.v + b.v; }
  friend lanes operator-(const lanes& a, const lanes& b) { return a.v - b.v; }
  friend lanes operator*(const lanes& a, const lanes& b) { return a.v * b.v; }
  friend lanes operator/(const lanes& a, const lanes& b) { return a.v / b.v; }
  friend lanes operator-(const lanes& a) { return -a.v; }
  friend lanes operator&(const lanes& a, const lanes& b)
    requires(!is_real)
  {
    return a.v & b.v;
  }
  friend lanes operator|(const lanes& a, const lanes& b)
    requires(!is_real)
  {
    return a.v | b.v;
  }
  friend lanes operator^(const lanes& a, const lanes& b)
    requires(!is_real)
  {
    return a.v ^ b.v;
  }
  friend lanes operator~(const lanes& a)
    requires(!is_real)
  {
    return ~a.v;
  }
  friend lanes operator!(const lanes& a)
    requires std::is_same_v<T, bool>
  {
    return ~a.v;
  }
  lanes& operator+=(const lanes& o) { return *this = *this + o; }

  friend mask operator==(const lanes& a, const lanes& b) { return as_mask(a.v == b.v); }
  friend mask operator!=(const lanes& a, const lanes& b) { return as_mask(a.v != b.v); }
  friend mask operator<(const lanes& a, const lanes& b) { return as_mask(left(a, b) < left(b, a)); }
  friend mask operator<=(const lanes& a, const lanes& b) { return as_mask(left(a, b) <= left(b, a)); }
  friend mask operator>(const lanes& a, const lanes& b) { return as_mask(left(a, b) > left(b, a)); }
  friend mask operator>=(const lanes& a, const lanes& b) { return as_mask(left(a, b) >= left(b, a)); }

  static lanes select(const mask& which, const lanes& on, const lanes& off) {
    using bits = typename detail::vector_of<std::conditional_t<sizeof(storage) == 8, std::int64_t, std::conditional_t<
        sizeof(storage) == 4, std::int32_t, std::conditional_t<sizeof(storage) == 2, std::int16_t, std::int8_t>>>, W>::type;
    const bits m = __builtin_convertvector(which.v, bits);
    if constexpr (sizeof(storage) == 8) return choose(m, on, off);
    else return vector((m & bits(on.v)) | (~m & bits(off.v)));
  }
  /// Whether it holds in any lane.
  bool any() const
    requires std::is_same_v<T, bool>
  {
    std::int64_t r = 0;
    for (int i = 0; i < W; ++i) r |= v[i];
    return r != 0;
  }

  /// The same by what a comparison of vectors gives, which is of a size with them.
  template <class V>
  static lanes choose(const V& which, const lanes& on, const lanes& off) {
#ifdef __CUDACC__  // of whose compiler a choice between vectors is an error
    return vector((which & V(on.v)) | (~which & V(off.v)));
#else
    return vector(which ? on.v : off.v);
#endif
  }

  // What primitives compute with.
  static lanes add(const lanes& a, const lanes& b) { return a.v + b.v; }
  static lanes subtract(const lanes& a, const lanes& b) { return a.v - b.v; }
  static lanes multiply(const lanes& a, const lanes& b) { return a.v * b.v; }
  static lanes divide(const lanes& a, const lanes& b) {
    if constexpr (is_real) return a.v / b.v;
    else return each([](T x, T y) { return math::divide(x, y); }, a, b);
  }
  static lanes negate(const lanes& x) { return -x.v; }
  static lanes max(const lanes& a, const lanes& b) { return choose((left(a, b) > left(b, a)) | (a.v != a.v), a, b); }
  static lanes min(const lanes& a, const lanes& b) { return choose((left(a, b) < left(b, a)) | (a.v != a.v), a, b); }
  static lanes abs(const lanes& x) {
    if constexpr (std::is_same_v<T, double>) {
      typedef typename lanes<std::int64_t, W>::vector whole;
      return vector(whole(x.v) & INT64_MAX);
    } else if constexpr (std::is_same_v<T, float>) {
      typedef typename lanes<std::int32_t, W>::vector whole;
      return vector(whole(x.v) & INT32_MAX);
    } else return select(x < lanes(T(0)), -x, x);
  }
  static lanes sign(const lanes& x) {
    const lanes zero(T(0)), one(T(1));
    return select(x > zero, one, select(x < zero, -one, x));
  }
  static mask is_finite(const lanes& x) { return x - x == lanes(T(0)); }
  static lanes sqrt(const lanes& x) { return detail::square_root(x); }
  static lanes rsqrt(const lanes& x) { return lanes(T(1)) / sqrt(x); }
  static lanes logistic(const lanes& x) {
    const lanes one(T(1)), decay = exp(-abs(x));  // of -|x|, which cannot overflow: see math::logistic
    return select(x < lanes(T(0)), decay, one) / (one + decay);
  }

  // Elementary functions; see fixed/lane_math.hpp.
  static lanes exp(const lanes& x);
  static lanes expm1(const lanes& x);
  static lanes log(const lanes& x);
  static lanes log1p(const lanes& x);
  static lanes sin(const lanes& x);
  static lanes cos(const lanes& x);
  static lanes tan(const lanes& x);
  static lanes atan2(const lanes& y, const lanes& x);
  static lanes asin(const lanes& x);
  static lanes acos(const lanes& x);
  static lanes atan(const lanes& x);
  static lanes tanh(const lanes& x);
  static lanes exp2(const lanes& x);           ///< fixed/lane_hyperbolic.hpp, and these
  static lanes sinh(const lanes& x);
  static lanes cosh(const lanes& x);
  static lanes asinh(const lanes& x);
  static lanes acosh(const lanes& x);
  static lanes atanh(const lanes& x);
  static lanes erf(const lanes& x);            ///< fixed/lane_error_function.hpp
  static lanes erfc(const lanes& x);
  static lanes erf_inv(const lanes& x);
  static lanes pow(const lanes& a, const lanes& b);  ///< fixed/lane_power.hpp
  static lanes floor(const lanes& x);
  static lanes ceil(const lanes& x);
  static lanes round(const lanes& x);
  static lanes round_even(const lanes& x);

  // Lane after lane.
#define JACQUARD_LANE_BY_LANE(name) \
  static lanes name(const lanes& x) { return each([](T a) { return math::name(a); }, x); }
#define JACQUARD_LANES_BY_LANE(name) \
  static lanes name(const lanes& a, const lanes& b) { return each([](T x, T y) { return math::name(x, y); }, a, b); }
  JACQUARD_LANE_BY_LANE(cbrt)
  JACQUARD_LANE_BY_LANE(population_count)
  JACQUARD_LANE_BY_LANE(clz)
  JACQUARD_LANES_BY_LANE(rem)
  JACQUARD_LANES_BY_LANE(shift_left)
  JACQUARD_LANES_BY_LANE(shift_right_arithmetic)
  JACQUARD_LANES_BY_LANE(shift_right_logical)
#undef JACQUARD_LANE_BY_LANE
#undef JACQUARD_LANES_BY_LANE

  template <class F, class... More>
  static lanes each(F f, const lanes& x, const More&... more) {
    lanes r;
    for (int i = 0; i < W; ++i) r.v[i] = f(x.v[i], more.v[i]...);
    return r;
  }

 private:
  /// What stands left where a is compared with b. Of booleans, where true is -1, the larger one is the smaller integer.
  [[gnu::always_inline]] static const vector& left(const lanes& a, const lanes& b) {
    if constexpr (std::is_same_v<T, bool>) return b.v;
    else return a.v;
  }
  template <class V>
  static mask as_mask(const V& m) {
    return __builtin_convertvector(m, typename mask::vector);
  }
};

namespace detail {

// std::sqrt sets errno, which keeps compilers from using the vector instruction.
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_sqrtpd512_mask)
inline constexpr std::size_t widest_root = 64;
#elif defined(__AVX__) && __has_builtin(__builtin_ia32_sqrtpd256)
inline constexpr std::size_t widest_root = 32;
#elif defined(__SSE2__) && __has_builtin(__builtin_ia32_sqrtpd)
inline constexpr std::size_t widest_root = 16;
#else
inline constexpr std::size_t widest_root = 0;
#endif
/// Of a vector of 16, 32 or 64 bytes, as far as the target has such.
template <class T, class V>
[[gnu::always_inline]] inline V root_of(const V& x) {
  constexpr bool is_double = std::is_same_v<T, double>;
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_sqrtpd512_mask)
  if constexpr (sizeof(V) == 64 && is_double) return __builtin_ia32_sqrtpd512_mask(x, x, -1, 4);  // rounded as everything is
  else if constexpr (sizeof(V) == 64) return __builtin_ia32_sqrtps512_mask(x, x, -1, 4);
#endif
#if defined(__AVX__) && __has_builtin(__builtin_ia32_sqrtpd256)
  if constexpr (sizeof(V) == 32 && is_double) return __builtin_ia32_sqrtpd256(x);
  else if constexpr (sizeof(V) == 32) return __builtin_ia32_sqrtps256(x);
#endif
#if defined(__SSE2__) && __has_builtin(__builtin_ia32_sqrtpd)
  if constexpr (sizeof(V) == 16 && is_double) return __builtin_ia32_sqrtpd(x);
  else if constexpr (sizeof(V) == 16) return __builtin_ia32_sqrtps(x);
#endif
}
template <class T, int W>
lanes<T, W> square_root(const lanes<T, W>& x) {
  constexpr std::size_t bytes = sizeof(x.v) < widest_root ? sizeof(x.v) : widest_root;
  if constexpr (bytes >= 16 && (std::is_same_v<T, double> || std::is_same_v<T, float>)) {
    typedef T part __attribute__((vector_size(bytes)));
    part parts[sizeof(x.v) / bytes];
    lanes<T, W> r;
    __builtin_memcpy(parts, &x.v, sizeof x.v);
    for (part& p : parts) p = root_of<T>(p);
    __builtin_memcpy(&r.v, parts, sizeof r.v);
    return r;
  } else return lanes<T, W>::each([](T a) { return math::sqrt(a); }, x);
}

}  // namespace detail
}  // namespace jacquard

template <class T, int W>
class std::numeric_limits<jacquard::lanes<T, W>> {
 public:
  static constexpr bool is_specialized = true, has_infinity = std::numeric_limits<T>::has_infinity;
  static jacquard::lanes<T, W> infinity() { return jacquard::lanes<T, W>(std::numeric_limits<T>::infinity()); }
};
