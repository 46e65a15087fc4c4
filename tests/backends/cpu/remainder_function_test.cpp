// Remainders of floating-point division in compiled kernels. Oracle: fmod of the C library, to the last bit.
#include "same.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using jq::array;

namespace {

/// Pairs of numbers of all sizes, some whole multiples of others, and all pairs of special ones.
template <class T>
std::pair<std::vector<T>, std::vector<T>> pairs() {
  std::pair<std::vector<T>, std::vector<T>> r;
  std::mt19937_64 any(11);
  std::uniform_real_distribution<double> mantissa(-2, 2);
  const auto add = [&](T x, T y) { r.first.push_back(x), r.second.push_back(y); };
  for (int range : {4, 20, 40, 120})
    for (int i = 0; i < 3000; ++i) {
      const T x = T(std::ldexp(mantissa(any), int(any() % unsigned(range)) - range / 2)), y = T(std::ldexp(mantissa(any), int(any() % unsigned(range)) - range / 2));
      add(x, y);
      add(y * T(i % 97), y);
      add(std::nextafter(y * T(i % 97), T(0)), y);
      add(std::nextafter(y * T(i % 97), T(1000)), y);
    }
  using limits = std::numeric_limits<T>;
  const T special[] = {0, 1, T(0.1), 3, limits::infinity(), limits::quiet_NaN(), limits::max(), limits::min(), limits::denorm_min(), T(4194304), T(8388609), std::nextafter(T(3), T(0))};
  for (T x : special)
    for (T y : special)
      for (T s : {T(1), T(-1)})
        for (T q : {T(1), T(-1)}) add(s * x, q * y);
  return r;
}
template <class T>
void check() {
  const auto [x, y] = pairs<T>();
  for (const bool exact : {false, true}) {
    const auto on = [&](auto f) {
      const std::span<const T> a(x), b(y);
      if (exact) return jq::jit(f, jq::backend("cpu"), jq::precision::strict, jq::compile_at::first_call)(jq::asarray(a), jq::asarray(b));
      return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(jq::asarray(a), jq::asarray(b));
    };
    const array r = on([](array a, array b) { return jq::lax::rem(a, b); });
    const auto got = r.template data<T>();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T want = std::fmod(x[i], y[i]);
      const bool same = std::isnan(want) ? std::isnan(got[i]) : want == got[i] && std::signbit(want) == std::signbit(got[i]);
      if (!same && wrong++ < 5) FAIL_CHECK("fmod(" << x[i] << ", " << y[i] << ") = " << want << ", got " << got[i]);
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("cpu: remainders of f32") { check<float>(); }
TEST_CASE("cpu: remainders of f64") { check<double>(); }
TEST_CASE("cpu: remainders of few elements, and by one number") {
  for (const std::int64_t n : {1, 2, 3, 7, 8, 17, 33}) {
    const array x = jq::random::normal(jq::random::key(1), {n}) * 100.0f;
    CHECK_SAME([](array a) { return jq::lax::rem(a, array(0.37f)); }, x);
    CHECK_SAME([](array a) { return jq::floor_divide(a, array(0.37f)) + jq::mod(a, array(-7.5f)); }, x);
    CHECK_SAME([](array a) { return jq::mod(a, array(7.25)); }, x.astype(jq::f64));
  }
}
TEST_CASE("cpu: what lies in registers while the remainder of one number is computed stays as it is") {
  const auto f = [](array a, array b) {
    const array all = jq::broadcast_to(b, {17, 3, 1}).astype(jq::bf16) != jq::broadcast_to(a, {17, 3, 1}).astype(jq::bf16);
    const array one = jq::lax::rem(jq::broadcast_to(all(0, 0, 0).astype(jq::f16), {17, 3, 1}), jq::broadcast_to(b, {17, 3, 1}).astype(jq::f16));
    return std::pair{all, jq::where(jq::isnan(one), 7.0, one)};
  };
  const auto many = [](array a, array b) {  // as many lanes as are several registers
    const array all = jq::broadcast_to(b, {17, 3, 1}).astype(jq::bf16) != jq::broadcast_to(a, {17, 3, 1}).astype(jq::bf16);
    const array r = jq::lax::rem(jq::reshape(jq::arange(51), {17, 3, 1}).astype(jq::f16) + all(0, 0, 0).astype(jq::f16), jq::broadcast_to(b, {17, 3, 1}).astype(jq::f16) + 3.0);
    return std::tuple{all, r, jq::logical_not(all)};
  };
  for (const std::int64_t a : {0, 1, 5})
    for (const bool b : {false, true}) {
      CHECK_SAME(f, jq::asarray(a), jq::asarray(b));
      CHECK_SAME(many, jq::asarray(a), jq::asarray(b));
    }
  CHECK_SAME([](array x, array y) { return jq::sin(x) * 2.0 + jq::lax::rem(y, array(0.3)); }, jq::random::normal(jq::random::key(2), {40}, jq::f64), jq::asarray(1.0));
}
