// The loops of the tile interpreter, for one instruction set: this file is read once for each, by backends/cpu/tile_functions, which
// says which one (JACQUARD_TILE_SET), how functions name it (JACQUARD_TILE_TARGET), and how many bytes a register has (JACQUARD_TILE_BYTES).
// Loops take any number of elements from one granule on, and touch no others. Deliberately without intrinsics headers, lambdas (which forget the instruction set they
// stand in) and automatic vectorisation: a build without optimisation runs vectors too.
#ifdef JACQUARD_TILE_SET

namespace jacquard::cpu::detail::JACQUARD_TILE_SET {

inline constexpr int register_bytes = JACQUARD_TILE_BYTES;

template <class T>
using signed_like = std::conditional_t<sizeof(T) == 1, std::int8_t, std::conditional_t<sizeof(T) == 2, std::int16_t,
                                       std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

// Vectors of A, B, C (operands a, b, c) and R (result); expressions of a, b and c. `mask` is what comparing operands gives.
#define JACQUARD_TILE_STEP(result, at_x, at_y, at_z, expression)                       \
  {                                                                                    \
    [[maybe_unused]] const a_lanes a = *reinterpret_cast<const a_lanes*>(x + (at_x)); \
    [[maybe_unused]] const b_lanes b = *reinterpret_cast<const b_lanes*>(y + (at_y)); \
    [[maybe_unused]] const c_lanes c = *reinterpret_cast<const c_lanes*>(z + (at_z)); \
    result = expression;                                                               \
  }
// The elements beyond whole registers are the last ones of a register that begins among the others. It is computed before anything is
// written, and written after all else, since the result may lie where an operand does.
#define JACQUARD_TILE_LOOP(name, A, B, C, R, expression)                                                                \
  template <class T>                                                                                                                \
  JACQUARD_TILE_TARGET void name(const tile_call& t) {                                                                              \
    constexpr int widest = sizeof(A) > sizeof(R) ? sizeof(A) : sizeof(R), lanes = register_bytes / (widest > int(sizeof(B)) ? widest : int(sizeof(B))); \
    typedef A a_lanes __attribute__((vector_size(lanes * sizeof(A)), aligned(alignof(A)), may_alias));                              \
    typedef B b_lanes __attribute__((vector_size(lanes * sizeof(B)), aligned(alignof(B)), may_alias));                              \
    typedef C c_lanes __attribute__((vector_size(lanes * sizeof(C)), aligned(alignof(C)), may_alias));                              \
    typedef R r_lanes __attribute__((vector_size(lanes * sizeof(R)), aligned(alignof(R)), may_alias));                              \
    typedef signed_like<B> mask __attribute__((vector_size(lanes * sizeof(B)), may_alias, unused));                                 \
    const char *x = static_cast<const char*>(t.in[0]), *y = static_cast<const char*>(t.in[1]), *z = static_cast<const char*>(t.in[2]);\
    char* r = static_cast<char*>(t.out);                                                                                            \
    const std::int64_t sx = t.step[0] * int(sizeof(A)), sy = t.step[1] * int(sizeof(B)), sz = t.step[2] * int(sizeof(C));           \
    const std::int64_t dx = sx * lanes, dy = sy * lanes, dz = sz * lanes, end = t.n - lanes;                                        \
    char* const last = r + end * int(sizeof(R));                                                                                    \
    [[maybe_unused]] const void* const extra = t.extra;                                                                             \
    const bool has_rest = t.n % lanes != 0;                                                                                         \
    r_lanes rest{};                                                                                                                 \
    if (has_rest) JACQUARD_TILE_STEP(rest, end * sx, end * sy, end * sz, expression)                                                \
    for (std::int64_t n = t.n; n >= lanes; n -= lanes, x += dx, y += dy, z += dz, r += lanes * int(sizeof(R)))                      \
      JACQUARD_TILE_STEP(*reinterpret_cast<r_lanes*>(r), 0, 0, 0, expression)                                                       \
    if (has_rest) *reinterpret_cast<r_lanes*>(last) = rest;                                                                         \
  }
#define JACQUARD_TILE_LOOP2(name, expression) JACQUARD_TILE_LOOP(name, T, T, T, T, expression)
// For what takes less time than the loop around it: four registers at a time where all operands vary.
#define JACQUARD_TILE_CHEAP(name, expression)                                                                                       \
  JACQUARD_TILE_LOOP2(name##_mixed, expression)                                                                                     \
  template <class T>                                                                                                                \
  JACQUARD_TILE_TARGET void name(const tile_call& t) {                                                                              \
    if (!(t.step[0] & t.step[1] & t.step[2])) return name##_mixed<T>(t);                                                            \
    constexpr int lanes = register_bytes / int(sizeof(T));                                                                          \
    typedef T r_lanes __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));                                 \
    typedef r_lanes a_lanes, b_lanes, c_lanes;                                                                                      \
    const char *x = static_cast<const char*>(t.in[0]), *y = static_cast<const char*>(t.in[1]), *z = static_cast<const char*>(t.in[2]);\
    char* const r = static_cast<char*>(t.out);                                                                                      \
    const std::int64_t end = t.n * int(sizeof(T)), last = end - register_bytes;                                                     \
    const bool has_rest = t.n % lanes != 0;                                                                                         \
    r_lanes rest{};                                                                                                                 \
    if (has_rest) JACQUARD_TILE_STEP(rest, last, last, last, expression)                                                            \
    std::int64_t at = 0;                                                                                                            \
    for (; at + 4 * register_bytes <= end; at += 4 * register_bytes) {                                                              \
      JACQUARD_TILE_STEP_OF_FOUR(0, expression)                                                                                     \
      JACQUARD_TILE_STEP_OF_FOUR(1, expression)                                                                                     \
      JACQUARD_TILE_STEP_OF_FOUR(2, expression)                                                                                     \
      JACQUARD_TILE_STEP_OF_FOUR(3, expression)                                                                                     \
    }                                                                                                                               \
    for (; at <= last; at += register_bytes) JACQUARD_TILE_STEP_OF_FOUR(0, expression)                                              \
    if (has_rest) *reinterpret_cast<r_lanes*>(r + last) = rest;                                                                     \
  }
#define JACQUARD_TILE_STEP_OF_FOUR(k, expression)                                                                                   \
  JACQUARD_TILE_STEP(*reinterpret_cast<r_lanes*>(r + at + k * register_bytes), at + k * register_bytes, at + k * register_bytes, at + k * register_bytes, expression)
#define JACQUARD_TILE_COMPARE(name, expression) \
  JACQUARD_TILE_LOOP(name, T, T, T, std::uint8_t, (r_lanes)(__builtin_convertvector((mask)(expression), byte_lanes<lanes>) & 1))

template <int Lanes>
struct bytes_of {
  typedef std::int8_t type __attribute__((vector_size(Lanes)));
};
template <int Lanes>
using byte_lanes = typename bytes_of<Lanes>::type;

// Numbers of any kind, or integers without a sign.
JACQUARD_TILE_CHEAP(add, a + b)
JACQUARD_TILE_CHEAP(subtract, a - b)
JACQUARD_TILE_CHEAP(multiply, a* b)
JACQUARD_TILE_LOOP2(divide, a / b)
JACQUARD_TILE_LOOP2(negate, -a)
JACQUARD_TILE_LOOP2(bit_and, a& b)
JACQUARD_TILE_LOOP2(bit_or, a | b)
JACQUARD_TILE_LOOP2(bit_xor, a ^ b)
JACQUARD_TILE_LOOP2(bit_not, ~a)
JACQUARD_TILE_LOOP2(flip, a ^ 1)
JACQUARD_TILE_LOOP2(copy, a)
JACQUARD_TILE_LOOP(select, std::uint8_t, T, T, T, (r_lanes)(__builtin_convertvector((byte_lanes<lanes>)a, mask) != 0 ? (mask)b : (mask)c))
JACQUARD_TILE_COMPARE(equal, a == b)
JACQUARD_TILE_COMPARE(not_equal, a != b)
JACQUARD_TILE_COMPARE(less, a < b)
JACQUARD_TILE_COMPARE(less_equal, a <= b)

// NaN on either side gives NaN; integers always equal themselves.
#define JACQUARD_LARGER (a != a ? a : a > b ? a : b)
#define JACQUARD_SMALLER (a != a ? a : a < b ? a : b)
JACQUARD_TILE_CHEAP(max, JACQUARD_LARGER)
JACQUARD_TILE_CHEAP(min, JACQUARD_SMALLER)
// Where denormal numbers count as zero, their sums are zeros; those of zeros and NaN are themselves.
JACQUARD_TILE_LOOP2(sign, a > r_lanes{} ? r_lanes{} + T(1) : a < r_lanes{} ? r_lanes{} - T(1) : a + a)
JACQUARD_TILE_LOOP2(integer_abs, (r_lanes)(((mask)a ^ (mask)(a < 0)) - (mask)(a < 0)))

// Two operations at once, which saves a way through memory: of a and b, then of that and c. Products and sums are one rounding where there is an
// instruction for it.
#define JACQUARD_TILE_PAIRS(name, first)               \
  JACQUARD_TILE_CHEAP(name##_add, (first) + c)         \
  JACQUARD_TILE_CHEAP(name##_subtract, (first)-c)      \
  JACQUARD_TILE_CHEAP(name##_subtracted, c - (first))  \
  JACQUARD_TILE_CHEAP(name##_multiply, (first)*c)
JACQUARD_TILE_PAIRS(add, a + b)
JACQUARD_TILE_PAIRS(subtract, a - b)
JACQUARD_TILE_PAIRS(multiply, a* b)
JACQUARD_TILE_PAIRS(max, JACQUARD_LARGER)
JACQUARD_TILE_PAIRS(min, JACQUARD_SMALLER)
#undef JACQUARD_TILE_PAIRS

// a / b for one b and its inverse c: the product, corrected by what it leaves of a, which is the nearest number but in rare cases the one next
// to it; infinities leave NaN. Source: Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990,
// theorem 8.1. Where b is so large or small that its inverse would lose bits, by division.
JACQUARD_TILE_LOOP2(divide_by_one, ((a - (a * c) * b) * c + a * c) == ((a - (a * c) * b) * c + a * c) ? ((a - (a * c) * b) * c + a * c) : a* c)
template <class T>
void quotient(const tile_call& t) {
  constexpr double largest = sizeof(T) == 4 ? 0x1p100 : 0x1p900;
  T by;
  std::memcpy(&by, t.in[1], sizeof by);
  const double size = by < 0 ? -double(by) : double(by);
  if (size > 1 / largest && size < largest) divide_by_one<T>(t);
  else divide<T>(t);
}

// Reductions along a tile, `in[1]`, or along its product with the tile `in[0]`: four registers take the elements in turn, those beyond whole fours go
// into the first one. Long sums are sums of shorter ones, which lose less: `out` holds four for the tiles of late and four for those before them.
// `step[0]`: 1 for the first tile, which begins with the value that changes nothing, a granule at `in[2]`; 2 for one that begins to be of late.
// `step[2]`: leave the result all along the first granule of `out`, not the eight. Any number of elements, with room for a granule.
template <class T>
struct shown {  ///< from element k on: the last k lanes; from element 2 * lanes - k on: the first k
  static constexpr int lanes = register_bytes / int(sizeof(T));
  signed_like<T> bits[3 * lanes] = {};
  constexpr shown() {
    for (int i = 0; i < lanes; ++i) bits[lanes + i] = signed_like<T>(-1);
  }
};
template <class T>
inline constexpr shown<T> shown_lanes{};
/// The lanes of x moved down by `By`, or all of them the first one for 0.
template <int By, class Lanes, int... I>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Lanes moved(Lanes x, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(x, x, (By == 0 ? 0 : (I + By) % int(sizeof...(I)))...);
}
#define JACQUARD_TILE_FOLD_STEP(to, from, expression) { const r_lanes a = to, b = from; to = expression; }
#define JACQUARD_TILE_ONE(k) *reinterpret_cast<const r_lanes*>(x + k * dx)
#define JACQUARD_TILE_PRODUCT(k) *reinterpret_cast<const r_lanes*>(x + k * dx) * *reinterpret_cast<const r_lanes*>(y + k * dx)
#define JACQUARD_TILE_FOLD_HALF(by, expression) \
  if constexpr (lanes > by) JACQUARD_TILE_FOLD_STEP(r0, (moved<by % lanes>(r0, order{})), expression)
#define JACQUARD_TILE_FOLD(name, value, expression)                                                                                 \
  template <class T>                                                                                                                \
  JACQUARD_TILE_TARGET void name(const tile_call& t) {                                                                              \
    constexpr int lanes = register_bytes / int(sizeof(T));                                                                          \
    typedef T r_lanes __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));                                 \
    typedef signed_like<T> mask __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));                       \
    using order = std::make_integer_sequence<int, lanes>;                                                                           \
    const char *x = static_cast<const char*>(t.in[1]), *y = static_cast<const char*>(t.in[0]);                                      \
    const std::int64_t dx = t.step[1] * register_bytes;                                                                             \
    r_lanes* const r = static_cast<r_lanes*>(t.out);                                                                                \
    const r_lanes nothing = *static_cast<const r_lanes*>(t.in[2]);                                                                  \
    r_lanes r0 = nothing, r1 = nothing, r2 = nothing, r3 = nothing;                                                                 \
    std::int64_t n = t.n;                                                                                                           \
    for (; n >= 4 * lanes; n -= 4 * lanes, x += 4 * dx, y += 4 * dx) {                                                              \
      JACQUARD_TILE_FOLD_STEP(r0, value(0), expression)                                                                             \
      JACQUARD_TILE_FOLD_STEP(r1, value(1), expression)                                                                             \
      JACQUARD_TILE_FOLD_STEP(r2, value(2), expression)                                                                             \
      JACQUARD_TILE_FOLD_STEP(r3, value(3), expression)                                                                             \
    }                                                                                                                               \
    for (; n >= lanes; n -= lanes, x += dx, y += dx) JACQUARD_TILE_FOLD_STEP(r0, value(0), expression)                              \
    if (n > 0) {                                                                                                                    \
      const bool is_short = t.n < lanes;                                                                                            \
      const std::int64_t back = is_short ? 0 : t.step[1] * (lanes - n) * int(sizeof(T));                                            \
      x -= back, y -= back;                                                                                                         \
      const mask is_shown = *reinterpret_cast<const mask*>(shown_lanes<T>.bits + (is_short ? 2 * lanes - n : n));                   \
      JACQUARD_TILE_FOLD_STEP(r0, is_shown != 0 ? value(0) : nothing, expression)                                                   \
    }                                                                                                                               \
    const bool begins = t.step[0] == 1;                                                                                             \
    if (t.step[0] == 2) {                                                                                                           \
      for (int i = 0; i < 4; ++i) JACQUARD_TILE_FOLD_STEP(r[4 + i], r[i], expression)                                               \
    } else if (!begins) {                                                                                                           \
      JACQUARD_TILE_FOLD_STEP(r0, r[0], expression)                                                                                 \
      JACQUARD_TILE_FOLD_STEP(r1, r[1], expression)                                                                                 \
      JACQUARD_TILE_FOLD_STEP(r2, r[2], expression)                                                                                 \
      JACQUARD_TILE_FOLD_STEP(r3, r[3], expression)                                                                                 \
    }                                                                                                                               \
    if (!t.step[2]) {                                                                                                               \
      r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;                                                                                   \
      if (begins) r[4] = r[5] = r[6] = r[7] = nothing;                                                                              \
      return;                                                                                                                       \
    }                                                                                                                               \
    if (!begins) {                                                                                                                  \
      JACQUARD_TILE_FOLD_STEP(r0, r[4], expression)                                                                                 \
      JACQUARD_TILE_FOLD_STEP(r1, r[5], expression)                                                                                 \
      JACQUARD_TILE_FOLD_STEP(r2, r[6], expression)                                                                                 \
      JACQUARD_TILE_FOLD_STEP(r3, r[7], expression)                                                                                 \
    }                                                                                                                               \
    JACQUARD_TILE_FOLD_STEP(r0, r2, expression)                                                                                     \
    JACQUARD_TILE_FOLD_STEP(r1, r3, expression)                                                                                     \
    JACQUARD_TILE_FOLD_STEP(r0, r1, expression)                                                                                     \
    JACQUARD_TILE_FOLD_HALF(8, expression)                                                                                          \
    JACQUARD_TILE_FOLD_HALF(4, expression)                                                                                          \
    JACQUARD_TILE_FOLD_HALF(2, expression)                                                                                          \
    JACQUARD_TILE_FOLD_HALF(1, expression)                                                                                          \
    for (int i = 0; i < tile_granule / lanes; ++i) r[i] = moved<0>(r0, order{});                                                    \
  }
JACQUARD_TILE_FOLD(fold_add, JACQUARD_TILE_ONE, a + b)
JACQUARD_TILE_FOLD(fold_products, JACQUARD_TILE_PRODUCT, a + b)
JACQUARD_TILE_FOLD(fold_multiply, JACQUARD_TILE_ONE, a* b)
JACQUARD_TILE_FOLD(fold_max, JACQUARD_TILE_ONE, JACQUARD_LARGER)
JACQUARD_TILE_FOLD(fold_min, JACQUARD_TILE_ONE, JACQUARD_SMALLER)
JACQUARD_TILE_FOLD(fold_and, JACQUARD_TILE_ONE, a& b)
JACQUARD_TILE_FOLD(fold_or, JACQUARD_TILE_ONE, a | b)
JACQUARD_TILE_FOLD(fold_xor, JACQUARD_TILE_ONE, a ^ b)
#undef JACQUARD_TILE_FOLD
#undef JACQUARD_TILE_FOLD_HALF
#undef JACQUARD_TILE_ONE
#undef JACQUARD_TILE_PRODUCT
#undef JACQUARD_TILE_FOLD_STEP
#undef JACQUARD_LARGER
#undef JACQUARD_SMALLER

// The bits of integers, as ones without a sign. A shift by the width or more, which instructions leave open, leaves zeros, or copies of
// the sign.
template <class T>
inline constexpr T width_of = T(8 * sizeof(T));
JACQUARD_TILE_LOOP2(shift_left, (r_lanes)((mask)(b < width_of<T>) & (mask)(a << (b & T(width_of<T> - 1)))))
JACQUARD_TILE_LOOP2(shift_right_logical, (r_lanes)((mask)(b < width_of<T>) & (mask)(a >> (b & T(width_of<T> - 1)))))
JACQUARD_TILE_LOOP2(shift_right_arithmetic, (r_lanes)((mask)a >> (mask)(b < width_of<T> ? b : b_lanes{} + T(width_of<T> - 1))))
template <class T, class Lanes>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Lanes ones_in(Lanes x) {  // of pairs, of fours, of bytes, of all bytes
  x = x - ((x >> 1) & T(0x5555555555555555u));
  x = (x & T(0x3333333333333333u)) + ((x >> 2) & T(0x3333333333333333u));
  x = (x + (x >> 4)) & T(0x0f0f0f0f0f0f0f0fu);
  if constexpr (sizeof(T) > 1) x = (x * T(0x0101010101010101u)) >> T(width_of<T> - 8);
  return x;
}
template <class T, class Lanes>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Lanes zeros_before(Lanes x) {
  for (int shift = 1; shift < int(width_of<T>); shift *= 2) x = x | (x >> T(shift));
  return width_of<T> - ones_in<T, Lanes>(x);
}
JACQUARD_TILE_LOOP2(population_count, (ones_in<T, r_lanes>((r_lanes)a)))
JACQUARD_TILE_LOOP2(clz, (zeros_before<T, r_lanes>((r_lanes)a)))

// Floating-point numbers. `high` is from where on all of them are whole.
template <class T>
inline constexpr signed_like<T> sign_bit = std::numeric_limits<signed_like<T>>::min();
template <class T>
inline constexpr T high = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
#define JACQUARD_MAGNITUDE(x) ((r_lanes)((mask)(x) & ~sign_bit<T>))
#define JACQUARD_WITH_SIGN(x, s) ((r_lanes)(((mask)(x) & ~sign_bit<T>) | ((mask)(s) & sign_bit<T>)))
#define JACQUARD_NEAREST(x) (JACQUARD_MAGNITUDE(x) < high<T> ? JACQUARD_WITH_SIGN((JACQUARD_MAGNITUDE(x) + high<T>)-high<T>, x) : (r_lanes)(x))
JACQUARD_TILE_LOOP2(absolute, JACQUARD_MAGNITUDE(a))
JACQUARD_TILE_COMPARE(is_finite, (mask)((a_lanes)((mask)a & ~sign_bit<T>) < std::numeric_limits<T>::infinity()))
JACQUARD_TILE_LOOP2(round_even, JACQUARD_NEAREST(a))
JACQUARD_TILE_LOOP2(floor, JACQUARD_WITH_SIGN(JACQUARD_NEAREST(a) > a ? JACQUARD_NEAREST(a) - T(1) : JACQUARD_NEAREST(a), a))
JACQUARD_TILE_LOOP2(ceil, JACQUARD_WITH_SIGN(JACQUARD_NEAREST(a) < a ? JACQUARD_NEAREST(a) + T(1) : JACQUARD_NEAREST(a), a))
// Half away from zero: up from the even neighbour where that lies exactly a half below.
JACQUARD_TILE_LOOP2(round, JACQUARD_WITH_SIGN(JACQUARD_MAGNITUDE(a) - JACQUARD_NEAREST(JACQUARD_MAGNITUDE(a)) == T(0.5)
                                                  ? JACQUARD_NEAREST(JACQUARD_MAGNITUDE(a)) + T(1)
                                                  : JACQUARD_NEAREST(JACQUARD_MAGNITUDE(a)),
                                              a))
#undef JACQUARD_MAGNITUDE
#undef JACQUARD_WITH_SIGN
#undef JACQUARD_NEAREST

template <class T, class Lanes>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Lanes root_of(Lanes a) {
#if defined(__x86_64__)
  Lanes r;
  if constexpr (sizeof(T) == 4) __asm__(JACQUARD_TILE_ROOT "ps %1, %0" : "=" JACQUARD_TILE_REGISTER(r) : JACQUARD_TILE_REGISTER(a));
  else __asm__(JACQUARD_TILE_ROOT "pd %1, %0" : "=" JACQUARD_TILE_REGISTER(r) : JACQUARD_TILE_REGISTER(a));
  return r;
#else
  Lanes r;
  for (std::size_t i = 0; i < sizeof r / sizeof(T); ++i) r[i] = math::libm::sqrt(T(a[i]));
  return r;
#endif
}
JACQUARD_TILE_LOOP2(sqrt, (root_of<T, r_lanes>((r_lanes)a)))
JACQUARD_TILE_LOOP2(rsqrt, (r_lanes{} + T(1)) / (root_of<T, r_lanes>((r_lanes)a)))

// Conversions that one instruction makes.
template <class A, class R>
struct between {
  using from = A;
  using to = R;
};
JACQUARD_TILE_LOOP(convert, typename T::from, typename T::from, typename T::from, typename T::to, __builtin_convertvector(a, r_lanes))
/// Whole numbers towards zero: the nearest there is of those beyond them, 0 of NaN.
template <class A, class R, class Result, class Lanes, class Mask>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Result whole_of(Lanes a, Mask beyond) {
  constexpr A least = A(std::numeric_limits<R>::min());
  Lanes inside = beyond ? Lanes{} : a;
  inside = inside == inside ? inside : Lanes{};
  inside = inside < least ? Lanes{} + least : inside;
  return __builtin_convertvector(beyond, Result) != 0 ? Result{} + std::numeric_limits<R>::max() : __builtin_convertvector(inside, Result);
}
JACQUARD_TILE_LOOP(convert_to_whole, typename T::from, typename T::from, typename T::from, typename T::to,
                   (whole_of<typename T::from, typename T::to, r_lanes, a_lanes>(a, (mask)(a >= -(typename T::from)(std::numeric_limits<typename T::to>::min())))))
template <class Result, class Whole, class Lanes>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Result byte_of(Lanes a) {
  const Lanes inside = a > Lanes{} ? a : Lanes{};
  return __builtin_convertvector(__builtin_convertvector(inside > 255 ? Lanes{} + 255 : inside, Whole), Result);
}
JACQUARD_TILE_LOOP(convert_to_byte, T, T, T, std::uint8_t, (byte_of<r_lanes, mask, a_lanes>(a)))

// bf16 is the upper half of f32; rounding to nearest even in integers.
JACQUARD_TILE_LOOP(from_bf16, std::uint16_t, std::uint16_t, std::uint16_t, std::uint32_t, __builtin_convertvector(a, r_lanes) << 16)
JACQUARD_TILE_LOOP(to_bf16, std::uint32_t, std::uint32_t, std::uint32_t, std::uint16_t,
                   __builtin_convertvector((a & 0x7fffffffu) > (a_lanes{} + 0x7f800000u) ? (a >> 16) | 0x40u : (a + 0x7fffu + ((a >> 16) & 1u)) >> 16, r_lanes))

// Functions of vectors, those of libmvec, given as `extra`.
template <class Lanes>
using function_of_one = Lanes (*)(Lanes);
template <class Lanes>
using function_of_two = Lanes (*)(Lanes, Lanes);
template <class T>
struct full_register {
  typedef T type __attribute__((vector_size(register_bytes)));
};
JACQUARD_TILE_LOOP2(map_one, (reinterpret_cast<function_of_one<typename full_register<T>::type>>(const_cast<void*>(extra))(a)))
JACQUARD_TILE_LOOP2(map_two, (reinterpret_cast<function_of_two<typename full_register<T>::type>>(const_cast<void*>(extra))(a, b)))

#undef JACQUARD_TILE_COMPARE
#undef JACQUARD_TILE_CHEAP
#undef JACQUARD_TILE_LOOP2
#undef JACQUARD_TILE_LOOP
#undef JACQUARD_TILE_STEP_OF_FOUR
#undef JACQUARD_TILE_STEP

#define JACQUARD_FLOAT(name) (t == f64 ? &name<double> : &name<float>)
/// The loop of an operation that only floating-point numbers have; null where there is none.
inline tile_function rounding_loop(scalar_op op, dtype t) {
  switch (op) {
    case scalar_op::is_finite: return JACQUARD_FLOAT(is_finite);
    case scalar_op::floor: return JACQUARD_FLOAT(floor);
    case scalar_op::ceil: return JACQUARD_FLOAT(ceil);
    case scalar_op::round: return JACQUARD_FLOAT(round);
    case scalar_op::round_even: return JACQUARD_FLOAT(round_even);
    case scalar_op::sqrt: return JACQUARD_FLOAT(sqrt);
    case scalar_op::rsqrt: return JACQUARD_FLOAT(rsqrt);
    default: return nullptr;
  }
}
/// The loop of an operation on elements computed in `t`; null where there is none. greater and greater_equal are less and less_equal
/// with the operands changed over.
inline tile_function loop_of(scalar_op op, dtype t) {
  const std::size_t size = size_of(t);
  // Narrow integers run in the plain loops, whatever the processor.
#define JACQUARD_UNSIGNED(name) \
  (size == 1 ? &plain::name<std::uint8_t> : size == 2 ? &plain::name<std::uint16_t> : size == 4 ? &name<std::uint32_t> : &name<std::uint64_t>)
#define JACQUARD_SIGNED(name) \
  (size == 1 ? &plain::name<std::int8_t> : size == 2 ? &plain::name<std::int16_t> : size == 4 ? &name<std::int32_t> : &name<std::int64_t>)
#define JACQUARD_NUMBER(name) (is_inexact(t) ? JACQUARD_FLOAT(name) : JACQUARD_UNSIGNED(name))
#define JACQUARD_ORDERED(name) (is_inexact(t) ? JACQUARD_FLOAT(name) : is_signed_integer(t) ? JACQUARD_SIGNED(name) : JACQUARD_UNSIGNED(name))
  switch (op) {
    case scalar_op::add: return is_boolean(t) ? &plain::bit_xor<std::uint8_t> : JACQUARD_NUMBER(add);
    case scalar_op::subtract: return is_boolean(t) ? &plain::bit_xor<std::uint8_t> : JACQUARD_NUMBER(subtract);
    case scalar_op::multiply: return is_boolean(t) ? &plain::bit_and<std::uint8_t> : JACQUARD_NUMBER(multiply);
    case scalar_op::divide: return is_inexact(t) ? JACQUARD_FLOAT(divide) : nullptr;
    case scalar_op::max: return is_boolean(t) ? &plain::bit_or<std::uint8_t> : JACQUARD_ORDERED(max);
    case scalar_op::min: return is_boolean(t) ? &plain::bit_and<std::uint8_t> : JACQUARD_ORDERED(min);
    case scalar_op::equal: return JACQUARD_NUMBER(equal);
    case scalar_op::not_equal: return JACQUARD_NUMBER(not_equal);
    case scalar_op::less:
    case scalar_op::greater: return JACQUARD_ORDERED(less);
    case scalar_op::less_equal:
    case scalar_op::greater_equal: return JACQUARD_ORDERED(less_equal);
    case scalar_op::bit_and: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(bit_and);
    case scalar_op::bit_or: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(bit_or);
    case scalar_op::bit_xor: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(bit_xor);
    case scalar_op::bit_not: return is_boolean(t) ? &plain::flip<std::uint8_t> : is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(bit_not);
    case scalar_op::shift_left: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(shift_left);
    case scalar_op::shift_right_logical: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(shift_right_logical);
    case scalar_op::shift_right_arithmetic: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(shift_right_arithmetic);
    case scalar_op::population_count: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(population_count);
    case scalar_op::clz: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(clz);
    case scalar_op::bitcast: return size == 2 ? nullptr : JACQUARD_UNSIGNED(copy);
    case scalar_op::select:
      return size == 1 ? &plain::select<std::uint8_t> : size == 2 ? &plain::select<std::uint16_t> : size == 4 ? &select<std::uint32_t> : &select<std::uint64_t>;
    case scalar_op::negate: return JACQUARD_NUMBER(negate);
    case scalar_op::abs: return is_inexact(t) ? JACQUARD_FLOAT(absolute) : is_signed_integer(t) ? JACQUARD_SIGNED(integer_abs) : JACQUARD_UNSIGNED(copy);
    case scalar_op::sign: return JACQUARD_ORDERED(sign);
    default: return is_inexact(t) ? rounding_loop(op, t) : nullptr;
  }
}
/// The loop that combines the elements of a tile; null for operations that no reduction uses.
inline tile_function fold_loop(scalar_op op, dtype t) {
  const std::size_t size = size_of(t);
  switch (op) {
    case scalar_op::add: return is_boolean(t) ? &plain::fold_xor<std::uint8_t> : JACQUARD_NUMBER(fold_add);
    case scalar_op::multiply: return is_boolean(t) ? &plain::fold_and<std::uint8_t> : JACQUARD_NUMBER(fold_multiply);
    case scalar_op::max: return is_boolean(t) ? &plain::fold_or<std::uint8_t> : JACQUARD_ORDERED(fold_max);
    case scalar_op::min: return is_boolean(t) ? &plain::fold_and<std::uint8_t> : JACQUARD_ORDERED(fold_min);
    case scalar_op::bit_and: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(fold_and);
    case scalar_op::bit_or: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(fold_or);
    case scalar_op::bit_xor: return is_inexact(t) ? nullptr : JACQUARD_UNSIGNED(fold_xor);
    default: return nullptr;
  }
#undef JACQUARD_ORDERED
#undef JACQUARD_NUMBER
#undef JACQUARD_SIGNED
#undef JACQUARD_UNSIGNED
}
/// The loop that sums the products of two tiles.
inline tile_function products_loop(dtype t) { return JACQUARD_FLOAT(fold_products); }
/// The loop of a conversion between the dtypes that have one; null elsewhere.
inline tile_function conversion_loop(dtype from, dtype to) {
  const auto is = [&](dtype a, dtype b) { return from == a && to == b; };
  if (is(bf16, f32)) return &from_bf16<void>;
  if (is(f32, bf16)) return &to_bf16<void>;
  if (is(f32, f64)) return &convert<between<float, double>>;
  if (is(f64, f32)) return &convert<between<double, float>>;
  if (is(i32, f32)) return &convert<between<std::int32_t, float>>;
  if (is(i32, f64)) return &convert<between<std::int32_t, double>>;
  if (is(i64, f64)) return &convert<between<std::int64_t, double>>;
  if (is(i64, f32)) return &convert<between<std::int64_t, float>>;
  if (is(bool_, i32) || is(u8, i32)) return &convert<between<std::uint8_t, std::int32_t>>;
  if (is(bool_, f32) || is(u8, f32)) return &convert<between<std::uint8_t, float>>;
  if (is(i32, i64)) return &convert<between<std::int32_t, std::int64_t>>;
  if (is(i64, i32)) return &convert<between<std::int64_t, std::int32_t>>;
  if (is(f32, i32)) return &convert_to_whole<between<float, std::int32_t>>;
  if (is(f64, i32)) return &convert_to_whole<between<double, std::int32_t>>;
  if (is(f32, i64)) return &convert_to_whole<between<float, std::int64_t>>;
  if (is(f64, i64)) return &convert_to_whole<between<double, std::int64_t>>;
  if (to == u8 && (from == f32 || from == f64)) return from == f32 ? &convert_to_byte<float> : &convert_to_byte<double>;
  return nullptr;
}
/// The loop of two operations on floating-point numbers, see JACQUARD_TILE_PAIRS; null where there is none. `swapped`: c is the outer one's first
/// operand.
inline tile_function pair_loop(scalar_op first, scalar_op second, bool swapped, dtype t) {
#define JACQUARD_PAIR(name)                                                                            \
  switch (second) {                                                                                    \
    case scalar_op::add: return JACQUARD_FLOAT(name##_add);                                            \
    case scalar_op::multiply: return JACQUARD_FLOAT(name##_multiply);                                  \
    case scalar_op::subtract: return swapped ? JACQUARD_FLOAT(name##_subtracted) : JACQUARD_FLOAT(name##_subtract); \
    default: return nullptr;                                                                           \
  }
  switch (first) {
    case scalar_op::add: JACQUARD_PAIR(add)
    case scalar_op::subtract: JACQUARD_PAIR(subtract)
    case scalar_op::multiply: JACQUARD_PAIR(multiply)
    case scalar_op::max: JACQUARD_PAIR(max)
    case scalar_op::min: JACQUARD_PAIR(min)
    default: return nullptr;
  }
#undef JACQUARD_PAIR
}
/// a / b for a register b, given its inverse as well.
inline tile_function quotient_loop(dtype t) { return JACQUARD_FLOAT(quotient); }
/// The loop that calls a function of full registers.
inline tile_function map_loop(int operands, dtype t) { return operands == 2 ? JACQUARD_FLOAT(map_two) : JACQUARD_FLOAT(map_one); }
#undef JACQUARD_FLOAT

}  // namespace jacquard::cpu::detail::JACQUARD_TILE_SET
#endif
