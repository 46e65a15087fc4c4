#pragma once
// Sample arrays of every dtype: random, distinct, or chosen from a list. The same seed gives the same array everywhere.
// Deliberately not jacquard's own random numbers, which these samples help to test.

#include "jacquard/core/eval.hpp"

namespace jacquard::testing {

/// Reproducible numbers. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class sampler {
 public:
  constexpr explicit sampler(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull) {}
  constexpr std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// In (low, high).
  constexpr double between(double low, double high) { return low + (high - low) * (double(bits() >> 12) + 0.5) * 0x1p-52; }
  /// In [0, n).
  constexpr std::int64_t below(std::int64_t n) { return std::int64_t(bits() % std::uint64_t(n)); }

 private:
  std::uint64_t state_;
};

namespace detail {

/// An array whose element i is value(i), a complex number, converted to the type.
template <class Value>
array fill(const aval& t, Value&& value) {
  buffer* b = make_buffer(t);
  visit_dtype(t.type, [&]<class T>(std::type_identity<T>) {
    T* to = static_cast<T*>(b->data);
    for (std::int64_t i = 0; i < t.elements(); ++i)
      to[i] = jacquard::detail::convert_element<complex128, T>(complex128(value(i)));
  });
  return array(b);
}

}  // namespace detail

/// Random numbers in (low, high), of complex types in both parts. Of integers, whole numbers in [low, high], of unsigned
/// ones those that are not negative; of bool, either.
inline array sample(const aval& t, std::uint64_t seed, double low = -2, double high = 2) {
  sampler s(seed);
  if (is_boolean(t.type)) return detail::fill(t, [&](std::int64_t) { return complex128(double(s.below(2)), 0); });
  if (is_integer(t.type)) {
    std::int64_t first = std::int64_t(low) - (double(std::int64_t(low)) > low ? 1 : 0), last = std::int64_t(high);
    if (is_unsigned_integer(t.type) && first < 0) first = 0;
    if (last < first) last = first;
    return detail::fill(t, [&](std::int64_t) { return complex128(double(first + s.below(last - first + 1)), 0); });
  }
  return detail::fill(t, [&](std::int64_t) {
    const double re = s.between(low, high);
    return complex128(re, is_complex(t.type) ? s.between(low, high) : 0);
  });
}

/// Different numbers in random order: multiples of 1/4, all of them `offset` (less than 1/4, not 0) beside one, so that
/// neither ties nor whole numbers occur; of integers, whole numbers around 0.
inline array distinct(const aval& t, std::uint64_t seed, double offset = 0.125) {
  sampler s(seed);
  const std::int64_t n = t.elements();
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < n; ++i) order.push_back(i);
  for (std::int64_t i = n; i > 1; --i) std::swap(order[std::size_t(i - 1)], order[std::size_t(s.below(i))]);
  const bool whole = !is_inexact(t.type);
  return detail::fill(t, [&](std::int64_t i) {
    const std::int64_t rank = order[std::size_t(i)] - (is_unsigned_integer(t.type) ? 0 : n / 2);
    if (whole) return complex128(is_boolean(t.type) ? double(rank & 1) : double(rank), 0);
    return complex128(double(rank) / 4 + offset, is_complex(t.type) ? s.between(-2, 2) : 0);
  });
}

/// Numbers picked at random from a list.
inline array picked(const aval& t, std::uint64_t seed, std::span<const double> from) {
  sampler s(seed);
  return detail::fill(t, [&](std::int64_t) { return complex128(from[std::size_t(s.below(std::int64_t(from.size())))], 0); });
}

/// A random direction at `x`: numbers in (-1, 1) of its type; zeros of dtype bool where the type has no tangents.
inline array direction(const array& x, std::uint64_t seed) {
  const aval t = x.aval();
  if (!is_inexact(t.type)) return detail::fill(aval(bool_, t.dims), [](std::int64_t) { return complex128(0, 0); });
  return sample(t, seed, -1, 1);
}

}  // namespace jacquard::testing
