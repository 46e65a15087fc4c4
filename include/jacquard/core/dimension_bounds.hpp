#pragma once
// What is known of the value of a symbolic dimension: bounds by interval arithmetic, and comparisons that are decided only
// where the bounds decide them. Deliberately sound rather than sharp: an undecided comparison is an answer of its own.

#include <limits>

#include "jacquard/core/dimension.hpp"
#include "jacquard/core/error.hpp"

namespace jacquard {

/// Least and greatest value, each with the extreme of the type where there is none.
struct dimension_bounds {
  static constexpr std::int64_t none_below = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t none_above = std::numeric_limits<std::int64_t>::max();
  std::int64_t low = 0, high = none_above;

  constexpr dimension_bounds scaled(std::int64_t c) const {
    if (c == 0) return {0, 0};
    if (c > 0) return {low == none_below ? low : times(low, c), high == none_above ? high : times(high, c)};
    return {high == none_above ? none_below : times(high, c), low == none_below ? none_above : times(low, c)};
  }
  friend constexpr dimension_bounds operator+(const dimension_bounds& a, const dimension_bounds& b) {
    return {a.low == none_below || b.low == none_below ? none_below : plus(a.low, b.low),
            a.high == none_above || b.high == none_above ? none_above : plus(a.high, b.high)};
  }
  /// The product of intervals, if they are bounded or do not reach below 0; else it is not bounded either.
  friend constexpr dimension_bounds operator*(const dimension_bounds& a, const dimension_bounds& b) {
    if (a.low == 1 && a.high == 1) return b;
    if (a.low < 0 || b.low < 0) {
      if (a.low == none_below || b.low == none_below || a.high == none_above || b.high == none_above) return {none_below, none_above};
      const std::int64_t corners[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
      dimension_bounds r{corners[0], corners[0]};
      for (std::int64_t c : corners) {
        if (c < r.low) r.low = c;
        if (c > r.high) r.high = c;
      }
      return r;
    }
    if (a.high == 0 || b.high == 0) return {0, 0};  // also where the other one is not bounded
    return {times(a.low, b.low), a.high == none_above || b.high == none_above ? none_above : times(a.high, b.high)};
  }

 private:
  // Without the compilers' functions for overflow, which nvcc 13 does not know in constant evaluation.
  static constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
    const bool negative = (a < 0) != (b < 0);
    const std::uint64_t x = magnitude(a), y = magnitude(b), most = std::uint64_t(none_above) + (negative ? 1 : 0);
    if (x != 0 && y > most / x) return negative ? none_below : none_above;
    return std::int64_t(negative ? 0 - x * y : x * y);
  }
  static constexpr std::int64_t plus(std::int64_t a, std::int64_t b) {
    if (b > 0 && a > none_above - b) return none_above;
    if (b < 0 && a < none_below - b) return none_below;
    return a + b;
  }
  static constexpr std::uint64_t magnitude(std::int64_t a) { return a < 0 ? 0 - std::uint64_t(a) : std::uint64_t(a); }
};

/// Bounds of `d`; `bounds_of` maps a name_text to the bounds of that size.
template <class Sizes>
constexpr dimension_bounds bounds(const dimension& d, const Sizes& bounds_of) {
  dimension_bounds sum{0, 0};
  for (const dimension::term& t : d.terms()) {
    dimension_bounds product{1, 1};
    for (const dimension::factor& f : t.factors) {
      dimension_bounds b;
      if (f.base.is_name()) b = bounds_of(f.base.name);
      else {
        b = bounds(f.base.argument[0], bounds_of);
        const std::int64_t c = f.base.divisor;
        if (b.low != dimension_bounds::none_below) b.low = c == 0 ? (b.low > 0 ? b.low : 0) : dimension::floor_of(b.low, c);
        else if (c == 0) b.low = 0;
        if (b.high != dimension_bounds::none_above) b.high = c == 0 ? (b.high > 0 ? b.high : 0) : dimension::floor_of(b.high, c);
      }
      for (int i = 0; i < f.power; ++i) product = product * b;
    }
    sum = sum + product.scaled(t.coefficient);
  }
  return sum;
}
/// Bounds where of every size it is only known that it is not negative.
constexpr dimension_bounds bounds(const dimension& d) {
  return bounds(d, [](const name_text&) { return dimension_bounds{}; });
}

/// The answer to a comparison of symbolic dimensions.
enum class verdict : std::uint8_t { no, yes, inconclusive };

/// Whether a >= b for all sizes (yes), for none (no), or that depends on them.
template <class Sizes>
constexpr verdict at_least(const dimension& a, const dimension& b, const Sizes& bounds_of) {
  const dimension_bounds d = bounds(a - b, bounds_of);
  return d.low >= 0 ? verdict::yes : d.high < 0 ? verdict::no : verdict::inconclusive;
}
constexpr verdict at_least(const dimension& a, const dimension& b) {
  return at_least(a, b, [](const name_text&) { return dimension_bounds{}; });
}
/// Whether a == b for all sizes, for none, or that depends on them.
constexpr verdict equal(const dimension& a, const dimension& b) {
  if (a == b) return verdict::yes;
  const dimension_bounds d = bounds(a - b);
  return d.low > 0 || d.high < 0 ? verdict::no : verdict::inconclusive;
}

/// The error of a comparison that must be decided and is not: "Polynomial comparison 4 n + 3 >= 4 is inconclusive".
constexpr error_record inconclusive(const dimension& a, std::string_view relation, const dimension& b) {
  return make_error(error_kind::value, "Polynomial comparison ", a, " ", relation, " ", b,
                    " is inconclusive; it depends on the sizes");
}

}  // namespace jacquard
