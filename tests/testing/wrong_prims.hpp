#pragma once
// Primitives with one wrong rule each, for the checks to find.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace wrong {

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

/// x^2 whose derivative lacks the factor 2.
struct slope_p : jq::elementwise<slope_p, jq::floats, 1> {
  static constexpr std::string_view name = "wrong_slope";
  template <class T>
  static constexpr T apply(T x) {
    return x * x;
  }
  static constexpr array jvp(const array& t, const array& x, const array&) { return lax::mul(t, x); }
};
/// 3 x whose transpose is twice the cotangent.
struct transpose_p : jq::elementwise<transpose_p, jq::floats, 1> {
  static constexpr std::string_view name = "wrong_transpose";
  static constexpr std::uint32_t linear = 1;
  template <class T>
  static constexpr T apply(T x) {
    return T(3) * x;
  }
  static constexpr array transpose(int, const array& ct, const jq::transpose_call&) { return lax::mul(2.0, ct); }
};
/// 3 x whose batching rule always claims that the first dimension is the mapped one.
struct batch_p : jq::elementwise<batch_p, jq::floats, 1> {
  static constexpr std::string_view name = "wrong_batch";
  template <class T>
  static constexpr T apply(T x) {
    return T(3) * x;
  }
  static constexpr jq::batched batch(jq::batch_call& c) { return {jq::bind<batch_p>({}, {}, c.x[0]), 0}; }
};
/// The identity whose tangent has another dtype.
struct tangent_p : jq::elementwise<tangent_p, jq::floats, 1> {
  static constexpr std::string_view name = "wrong_tangent";
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
  static constexpr array jvp(const array& t, const array&, const array&) { return lax::convert_element_type(t, jq::f32); }
};

template <class P>
array call(const array& x) {
  return jq::bind<P>({}, jq::location::current(), x);
}

}  // namespace wrong

#define CHECK_REPORT(...)                              \
  do {                                                 \
    const jacquard::testing::report r_ = (__VA_ARGS__); \
    INFO(r_.text);                                     \
    CHECK(r_.ok);                                      \
  } while (false)
/// The check fails, and says so with `words`.
#define CHECK_FINDS(words, ...)                        \
  do {                                                 \
    const jacquard::testing::report r_ = (__VA_ARGS__); \
    CHECK(!r_.ok);                                     \
    CHECK_MESSAGE(r_.text.find(words) != std::string::npos, r_.text); \
  } while (false)
