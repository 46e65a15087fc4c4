#pragma once
// random_bits: the words of threefry2x32 for the positions 0, 1, 2, ..., as integers without a sign or as floating-point numbers in
// [0, 1). One primitive, so that nothing but the numbers goes to memory. Deliberately of rank 1 for a key: a reshape gives other shapes.

#include <cstring>

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

  static constexpr int lanes = 16;
  typedef std::uint32_t words __attribute__((vector_size(4 * lanes)));
  typedef std::uint64_t wide_words __attribute__((vector_size(8 * lanes)));

  /// Stores the numbers made of some pairs of words.
  template <class Numbers>
  [[gnu::always_inline]] static void store(const Numbers& x, char* to, std::int64_t n) {
    if (n == lanes) std::memcpy(to, &x, sizeof x);
    else std::memcpy(to, &x, std::size_t(n) * (sizeof x / lanes));
  }
  /// The kernel, written once for all instruction sets: it becomes part of the functions below.
  [[gnu::always_inline]] static void fill_by_vectors(std::uint32_t first, std::uint32_t second, const params& p, char* to) {
    typedef float singles __attribute__((vector_size(4 * lanes)));
    typedef double doubles __attribute__((vector_size(8 * lanes)));
    typedef std::uint16_t halves __attribute__((vector_size(2 * lanes)));
    typedef std::uint8_t bytes __attribute__((vector_size(lanes)));
    const words k1 = words{} + first, k2 = words{} + second, places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (std::int64_t i = 0; i < p.size; i += lanes) {
      const std::int64_t n = p.size - i < lanes ? p.size - i : lanes;
      words x1 = words{} + std::uint32_t(std::uint64_t(i) >> 32), x2 = places + std::uint32_t(i);
      threefry2x32_p::encrypt(k1, k2, x1, x2);
      char* const here = to + i * std::int64_t(size_of(p.type));
      if (p.type == u64 || p.type == f64) {
        const wide_words wide = __builtin_convertvector(x1, wide_words) << 32 | __builtin_convertvector(x2, wide_words);
        if (p.type == u64) store(wide, here, n);
        else store(doubles(wide >> 12 | std::uint64_t(0x3ff) << 52) - 1.0, here, n);
        continue;
      }
      const words mixed = x1 ^ x2;
      if (p.type == u32) store(mixed, here, n);
      else if (p.type == f32) store(singles(mixed >> 9 | 0x3f800000u) - 1.0f, here, n);
      else if (p.type == u16) store(__builtin_convertvector(mixed, halves), here, n);
      else if (p.type == u8) store(__builtin_convertvector(mixed, bytes), here, n);
      else
        for (std::int64_t k = 0; k < n; ++k) {
          if (p.type == f16) reinterpret_cast<float16*>(here)[k] = number<float16>({0, mixed[k]}, f16);
          else reinterpret_cast<bfloat16*>(here)[k] = number<bfloat16>({0, mixed[k]}, bf16);
        }
    }
  }
  using filler = void (*)(std::uint32_t, std::uint32_t, const params&, char*);
  static void fill_anywhere(std::uint32_t k1, std::uint32_t k2, const params& p, char* to) { fill_by_vectors(k1, k2, p, to); }
#if defined(__x86_64__)
  [[gnu::target("avx2")]] static void fill_v3(std::uint32_t k1, std::uint32_t k2, const params& p, char* to) { fill_by_vectors(k1, k2, p, to); }
  [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]] static void fill_v4(std::uint32_t k1, std::uint32_t k2, const params& p, char* to) {
    fill_by_vectors(k1, k2, p, to);
  }
  /// The one for this processor.
  static filler filling() {
    static const filler best = [] {
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return &fill_v4;
      return __builtin_cpu_supports("avx2") ? &fill_v3 : &fill_anywhere;
    }();
    return best;
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
