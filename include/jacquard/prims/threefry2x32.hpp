#pragma once
// threefry2x32: the counter-based random number generator, two words at a time. Deliberately only the hash: keys, splitting
// and distributions are built on it elsewhere.
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011; 20 rounds.

#include <array>

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// The words (x1, x2) encrypted with the key (k1, k2), elementwise; operands in the order k1, k2, x1, x2, two results.
/// Shapes  equal, or rank 0, which is broadcast.
/// Errors  type_error: a dtype other than u32; shape_error: different shapes.
/// Rules   no derivative.
/// Cost    about 80 integer operations an element.
struct threefry2x32_p {
  static constexpr std::string_view name = "threefry2x32";
  static constexpr bool no_derivative = true;

  static constexpr void abstract_eval(inference& c) {
    bool ok = c.in.size() == 4;
    for (const aval& a : c.in) ok = ok && a.type == u32;
    if (!ok) {
      text got;
      detail::put_dtypes(got, c.in);
      c.fail(error_kind::type, ": Arguments to threefry2x32 must have uint32 type, got [", got,
             "]; convert them with x.astype(jq::u32)");
      return;
    }
    const aval out = detail::elementwise_type(c, unsigned_integers);
    c.outputs.push_back(out);
    c.outputs.push_back(out);
  }
  /// A pair of words takes 20 rounds of 5 operations (a rotation is three), 6 additions of the key's words and 5 of counts, and the
  /// third key word.
  static constexpr void cost(auto& c) { c.cost.flops = double(c.out[0].elements()) * (20 * 5 + 2 * 6 + 5 + 2); }
  static constexpr void batch(auto& c) {
    std::vector<array> operands;
    detail::align_batch(c, operands);
    for (const array& y : bind_list<threefry2x32_p>({}, location{}, operands)) c.outputs.push_back({y, 0});
  }
  static constexpr void mask(auto& c) {
    std::vector<array> operands;
    const dimension_list dims = detail::align_masked(c, operands);
    for (const array& y : bind_list<threefry2x32_p>({}, location{}, operands)) c.outputs.push_back({y, dims});
  }
  /// Encrypts the words x1 and x2 in place, given the two words of the key: numbers of 32 bits, vectors of them, or numbers that write down
  /// what is done to them.
  template <class Word>
  [[gnu::always_inline]] static constexpr void encrypt(const Word& k1, const Word& k2, Word& x1, Word& x2) {
    constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    const Word schedule[3] = {k1, k2, k1 ^ k2 ^ 0x1BD11BDAu};
    x1 = x1 + schedule[0];
    x2 = x2 + schedule[1];
    for (std::uint32_t group = 1; group <= 5; ++group) {
      for (int k = 0; k < 4; ++k) {
        x1 = x1 + x2;
        rotate(x2, rotations[(group - 1) % 2][k]);
        x2 = x2 ^ x1;
      }
      x1 = x1 + schedule[group % 3];
      x2 = x2 + schedule[(group + 1) % 3] + group;
    }
  }
  static constexpr void record(record_call& c) {
    const recorded_scalar k1(c.to, c.in[0]), k2(c.to, c.in[1]);
    recorded_scalar x1(c.to, c.in[2]), x2(c.to, c.in[3]);
    encrypt(k1, k2, x1, x2);
    c.result = c.output == 0 ? x1.number() : x2.number();
  }
  /// One pair of words.
  static constexpr std::array<std::uint32_t, 2> hash(std::uint32_t k1, std::uint32_t k2, std::uint32_t x1,
                                                     std::uint32_t x2) {
    encrypt(k1, k2, x1, x2);
    return {x1, x2};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a) {
    std::int64_t step[4];
    for (std::size_t k = 0; k < 4; ++k) step[k] = a.in_types[k].rank() == 0 ? 0 : 1;
    for (std::int64_t i = 0, n = a.out_types[0].elements(); i < n; ++i) {
      const auto word = [&](std::size_t k) { return std::uint32_t(a.in[k][i * step[k]]); };
      const std::array<std::uint32_t, 2> y = hash(word(0), word(1), word(2), word(3));
      a.out[0][i] = T(y[0]);
      a.out[1][i] = T(y[1]);
    }
  }
  static void run(const auto& c) {
    const std::uint32_t* in[4];
    std::uint32_t* out[2];
    for (std::size_t k = 0; k < 4; ++k) in[k] = static_cast<const std::uint32_t*>(c.in[k].data);
    for (std::size_t k = 0; k < 2; ++k) out[k] = static_cast<std::uint32_t*>(c.out[k].data);
    const detail::call_types in_types(c.in), out_types(c.out);
    kernel(kernel_args<std::uint32_t>{in, {}, out, {}, in_types, out_types});
  }

 private:
  template <class Word>
  [[gnu::always_inline]] static constexpr void rotate(Word& x, int places) {
    if constexpr (math::lane_value<Word>)
      x = math::shift_left(x, Word(places)) | math::shift_right_logical(x, Word(32 - places));
    else x = (x << std::uint32_t(places)) | (x >> std::uint32_t(32 - places));
  }
};

namespace lax {
/// See threefry2x32_p. Returns the two arrays of words.
template <class Array = array>
constexpr array_list threefry2x32(const lazy<Array>& k1, const lazy<Array>& k2, const lazy<Array>& x1, const lazy<Array>& x2,
                                  location where = location::current()) {
  const array operands[] = {k1, k2, x1, x2};
  return bind_list<threefry2x32_p>({}, where, operands);
}
}  // namespace lax

}  // namespace jacquard
