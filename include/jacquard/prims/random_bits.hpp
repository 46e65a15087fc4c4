#pragma once
// random_bits: the words of threefry2x32 for the positions 0, 1, 2, ..., as integers without a sign or as floating-point numbers in
// [0, 1). One primitive, so that nothing but the numbers goes to memory. Deliberately of rank 1 for a key: a reshape gives other shapes.

#include <cstring>

#include "jacquard/core/wide_vectors.hpp"
#include "jacquard/prims/threefry2x32.hpp"

namespace jacquard {

/// Random numbers for each key (k1, k2), a function of the key and their position. Of the two words that the position encrypts to, u64 has the first one
/// above the second, u32 their xor, u16 and u8 its low bits. A float has as many bits, from the high ones of u64, u32, u16 (f16) or u8 (bf16), as its
/// mantissa, divided by a power of two: evenly distributed in [0, 1).
/// Shapes  k1 [d...], k2 [d...] -> [d..., size].
/// Errors  type_error: words that are not u32, another dtype; shape_error: words of different shapes, a negative size.
/// Rules   no derivative.
/// Cost    about 120 integer operations an element; writes the result once.
struct random_bits_p {
  static constexpr std::string_view name = "random_bits";
  struct params {
    jacquard::dtype type = u32;
    std::int64_t size = 0;
    static constexpr std::string_view fields = "dtype size";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (c.in[0].type != u32 || c.in[1].type != u32) {
      text got;
      detail::put_dtypes(got, c.in);
      return c.fail(error_kind::type, ": the words of a key must have uint32 type, got ", got, "; convert them with x.astype(jq::u32)");
    }
    if (!is_unsigned_integer(p.type) && !is_floating(p.type))
      return c.fail(error_kind::type, ": got the dtype ", long_name(p.type), "; wanted an unsigned integer or a floating point one, e.g. jq::u32");
    const shape out(c.in[0].dims.with(c.in[0].rank(), p.size));
    if (!(c.in[0].dims == c.in[1].dims) || p.size < 0 || out.overflowed()) {
      text got;
      detail::put_shapes(got, c.in);
      return c.fail(error_kind::shape, ": got ", p.size, " numbers for keys of words of shapes ", got, "; wanted equal shapes, a size that is not "
                    "negative, and at most ", max_rank, " dimensions");
    }
    return {p.type, out};
  }
  static constexpr void cost(auto& c) { c.cost.flops = double(c.out[0].elements()) * 120; }
  static constexpr batched batch(auto& c, const params& p) {
    std::vector<array> words;
    for (std::size_t k = 0; k < 2; ++k) {
      if (c.dims[k] == not_mapped) words.push_back(detail::batch_broadcast(c.x[k], c.size));
      else words.push_back(detail::batch_to_front(c.x[k], c.dims[k]));
    }
    return {bind_list<random_bits_p>(p, location{}, words)[0], 0};
  }
  static constexpr masked mask(auto& c, const params& p) {
    std::vector<array> words;
    dimension_list dims = detail::align_masked(c, words);
    c.reads_sizes = true;
    dims.push_back(c.scope.decode(p.size, decode<params>(c.twin).size));
    return {bind_list<random_bits_p>({p.type, c.scope.padded(dims.back())}, location{}, words)[0], dims};
  }
  /// Positions of 64 bits are left to the kernel.
  static constexpr void record(record_call& c, const params& p) {
    if (p.size > std::int64_t(1) << 32) return;
    const index_source& last = c.at.back();
    const auto word = [&](std::int32_t step) { return recorded_scalar(c.to, step); };
    recorded_scalar x1 = word(c.to.constant(literal(std::uint32_t(0)))), x2 = word(c.to.convert(c.to.index_at(last.loop, last.start, last.step), u32));
    threefry2x32_p::encrypt(word(c.in[0]), word(c.in[1]), x1, x2);
    const auto as = [&](const recorded_scalar& x, dtype t) { return word(c.to.convert(x.number(), t)); };
    const recorded_scalar mixed = x1 ^ x2;
    if (is_unsigned_integer(p.type) && p.type != u64) c.result = as(mixed, p.type).number();
    else if (p.type == f32) c.result = above_one(c.to, mixed, f32, 9, std::uint32_t(0x3f800000));
    else if (size_of(p.type) == 2) {
      const int bits = mantissa(p.type), width = p.type == bf16 ? 8 : 16;
      const recorded_scalar whole = math::shift_right_logical(mixed & double((1 << width) - 1), recorded_scalar(width - bits));
      c.result = c.to.convert((as(whole, f32) * (1.0 / (1 << bits))).number(), p.type);
    } else {
      const recorded_scalar wide = math::shift_left(as(x1, u64), recorded_scalar(32)) | as(x2, u64);
      c.result = p.type == u64 ? wide.number() : above_one(c.to, wide, f64, 12, std::uint64_t(0x3ff) << 52);
    }
  }
  /// In the compile-time lane.
  static constexpr void kernel_of_each(const auto& in, const auto& out, const shape& dims, const params& p) {
    auto* to = std::get<0>(out);
    const auto* k1 = std::get<0>(in);
    const auto* k2 = std::get<std::tuple_size_v<std::remove_cvref_t<decltype(in)>> - 1>(in);
    for (std::int64_t r = 0; r < dims.elements(); ++r)
      for (std::uint64_t i = 0; i < std::uint64_t(p.size); ++i)
        *to++ = number<std::remove_pointer_t<decltype(to)>>(
            threefry2x32_p::hash(std::uint32_t(k1[r]), std::uint32_t(k2[r]), std::uint32_t(i >> 32), std::uint32_t(i)), p.type);
  }
  static void run(const auto& c, const params& p) {
    const auto k1 = static_cast<const std::uint32_t*>(c.in[0].data), k2 = static_cast<const std::uint32_t*>(c.in[1].data);
    char* to = static_cast<char*>(c.out[0].data);
    const auto fill = filling();
    for (std::int64_t r = 0, keys = c.in[0].type->elements(); r < keys; ++r, to += p.size * std::int64_t(size_of(p.type)))
      fill(k1[r], k2[r], p, to);
  }

 private:
  static constexpr int mantissa(jacquard::dtype t) { return t == f64 ? 52 : t == f32 ? 23 : t == f16 ? 10 : 7; }

  /// The number made of a pair of words.
  template <class T>
  static constexpr T number(const std::array<std::uint32_t, 2>& w, jacquard::dtype t) {
    const std::uint64_t both = std::uint64_t(w[0]) << 32 | w[1];
    const std::uint32_t mixed = w[0] ^ w[1];
    if (is_unsigned_integer(t)) return T(t == u64 ? both : t == u32 ? mixed : t == u16 ? mixed & 0xffff : mixed & 0xff);
    const int bits = mantissa(t), width = t == bf16 ? 8 : 8 * int(size_of(t));
    const std::uint64_t whole = (t == f64 ? both : mixed & ((std::uint64_t(1) << width) - 1)) >> (width - bits);
    if constexpr (std::is_same_v<T, double>) return double(whole) * (1.0 / double(std::uint64_t(1) << bits));
    else return T(float(whole) * (1.0f / float(std::uint64_t(1) << bits)));
  }
  /// The upper bits of x as the mantissa of a float in [1, 2), whose other bits are `one`, minus one: exact.
  template <class Bits>
  static constexpr std::int32_t above_one(scalar_program& to, const recorded_scalar& x, jacquard::dtype t, int unused, Bits one) {
    const recorded_scalar above = math::shift_right_logical(x, recorded_scalar(unused)) | recorded_scalar(to, to.constant(literal(one)));
    return (recorded_scalar(to, to.bitcast(above.number(), t)) - 1.0).number();
  }

  /// So many words at a time, in registers of that size: vectors larger than the registers go through memory.
  template <std::size_t Lanes>
  struct vectors {
    typedef std::uint32_t words __attribute__((vector_size(4 * Lanes)));
    typedef std::uint64_t wide_words __attribute__((vector_size(4 * Lanes)));
    typedef float singles __attribute__((vector_size(4 * Lanes)));
    typedef double doubles __attribute__((vector_size(4 * Lanes)));
    typedef std::uint32_t half_words __attribute__((vector_size(2 * Lanes)));
    typedef std::uint16_t halves __attribute__((vector_size(2 * Lanes)));
    typedef std::uint8_t bytes __attribute__((vector_size(Lanes)));
    using places = std::make_index_sequence<Lanes>;

    template <std::size_t... I>
    [[gnu::always_inline]] static void count_from(words& x, std::uint32_t first, std::index_sequence<I...>) {
      x = words{std::uint32_t(I)...} + first;
    }
  };
  /// Two vectors, encrypted side by side: each step of one waits for the one before.
  template <class Words>
  struct two {
    Words x[2];
#define JACQUARD_SIDE_BY_SIDE(op) \
  [[gnu::always_inline]] friend two operator op(const two& a, const two& b) { return {{a.x[0] op b.x[0], a.x[1] op b.x[1]}}; } \
  [[gnu::always_inline]] friend two operator op(const two& a, std::uint32_t b) { return {{a.x[0] op b, a.x[1] op b}}; }
    JACQUARD_SIDE_BY_SIDE(+) JACQUARD_SIDE_BY_SIDE(^) JACQUARD_SIDE_BY_SIDE(|) JACQUARD_SIDE_BY_SIDE(<<) JACQUARD_SIDE_BY_SIDE(>>)
#undef JACQUARD_SIDE_BY_SIDE
  };

  /// Stores the numbers made of some pairs of words.
  template <class Numbers>
  [[gnu::always_inline]] static void store(const Numbers& x, char* to, std::int64_t n, std::int64_t size) {
    if (n * size >= std::int64_t(sizeof x)) std::memcpy(to, &x, sizeof x);
    else if (n > 0) std::memcpy(to, &x, std::size_t(n * size));
  }
  /// The kernel, written once for all instruction sets: it becomes part of the functions below.
  template <std::size_t Lanes>
  [[gnu::always_inline]] static void fill_by_vectors(std::uint32_t first, std::uint32_t second, const params& p, char* to) {
    using v = vectors<Lanes>;
    using pair = two<typename v::words>;
    constexpr auto lanes = std::int64_t(Lanes);
    const std::int64_t size = std::int64_t(size_of(p.type));
    pair k1{}, k2{};
    for (int u = 0; u < 2; ++u) k1.x[u] += first, k2.x[u] += second;
    for (std::int64_t i = 0; i < p.size; i += 2 * lanes) {
      pair x1{}, x2{};
      for (int u = 0; u < 2; ++u) {
        const std::uint64_t place = std::uint64_t(i + u * lanes);
        x1.x[u] += std::uint32_t(place >> 32);
        v::count_from(x2.x[u], std::uint32_t(place), typename v::places{});
      }
      threefry2x32_p::encrypt(k1, k2, x1, x2);
      for (int u = 0; u < 2; ++u) put<Lanes>(x1.x[u], x2.x[u], p.type, to + (i + u * lanes) * size, p.size - i - u * lanes);
    }
  }
  /// Stores at most n numbers made of the words of a vector.
  template <std::size_t Lanes, class Words>
  [[gnu::always_inline]] static void put(const Words& x1, const Words& x2, jacquard::dtype t, char* here, std::int64_t n) {
    using v = vectors<Lanes>;
    const std::int64_t size = std::int64_t(size_of(t));
    if (t == u64 || t == f64) {
      for (std::size_t half = 0; half < 2; ++half) {
        typename v::half_words high, low;
        std::memcpy(&high, reinterpret_cast<const char*>(&x1) + half * sizeof high, sizeof high);
        std::memcpy(&low, reinterpret_cast<const char*>(&x2) + half * sizeof low, sizeof low);
        const typename v::wide_words wide = __builtin_convertvector(high, typename v::wide_words) << 32 | __builtin_convertvector(low, typename v::wide_words);
        const std::int64_t before = std::int64_t(half * Lanes / 2);
        if (t == u64) store(wide, here + before * size, n - before, size);
        else store(typename v::doubles(wide >> 12 | std::uint64_t(0x3ff) << 52) - 1.0, here + before * size, n - before, size);
      }
      return;
    }
    const Words mixed = x1 ^ x2;
    if (t == u32) store(mixed, here, n, size);
    else if (t == f32) store(typename v::singles(mixed >> 9 | 0x3f800000u) - 1.0f, here, n, size);
    else if (t == u16) store(__builtin_convertvector(mixed, typename v::halves), here, n, size);
    else if (t == u8) store(__builtin_convertvector(mixed, typename v::bytes), here, n, size);
    else
      for (std::int64_t k = 0; k < n && k < std::int64_t(Lanes); ++k) {
        if (t == f16) reinterpret_cast<float16*>(here)[k] = number<float16>({0, mixed[k]}, f16);
        else reinterpret_cast<bfloat16*>(here)[k] = number<bfloat16>({0, mixed[k]}, bf16);
      }
  }
  using filler = void (*)(std::uint32_t, std::uint32_t, const params&, char*);
  static void fill_anywhere(std::uint32_t k1, std::uint32_t k2, const params& p, char* to) { fill_by_vectors<4>(k1, k2, p, to); }
#if defined(__x86_64__)
  [[gnu::target("avx2")]] static void fill_v3(std::uint32_t k1, std::uint32_t k2, const params& p, char* to) { fill_by_vectors<8>(k1, k2, p, to); }
  [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]] static void fill_v4(std::uint32_t k1, std::uint32_t k2, const params& p, char* to) {
    fill_by_vectors<16>(k1, k2, p, to);
  }
  /// The one for this processor.
  static filler filling() {
    return detail::has_widest_vectors() ? &fill_v4 : detail::has_wide_vectors() ? &fill_v3 : &fill_anywhere;
  }
#else
  static filler filling() { return &fill_anywhere; }
#endif
};

namespace lax {
/// See random_bits_p.
template <class Array = array>
constexpr array random_bits(const lazy<Array>& k1, const lazy<Array>& k2, std::int64_t size, dtype t = u32, location where = location::current()) {
  const array words[] = {k1, k2};
  return bind_list<random_bits_p>({t, size}, where, words)[0];
}
}  // namespace lax

}  // namespace jacquard
