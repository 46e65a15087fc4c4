// Divisions of many elements by one number. Oracle: the division.
#include <jacquard/exec/lowering/shared_divisors.hpp>

#include <jacquard/backends/cpu/cpu.hpp>

#include <limits>

#include "../../show.hpp"

using jq::array;

namespace {

template <class F, class... A>
std::string loops(F f, const A&... x) {
  return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x...).compile().as_text("loops");
}
template <class T>
struct range;
template <>
struct range<float> {
  static constexpr jq::dtype type = jq::f32;
  static constexpr double power = 127, least = -149, unit = 1.2e-7;
};
template <>
struct range<double> {
  static constexpr jq::dtype type = jq::f64;
  static constexpr double power = 1023, least = -1074, unit = 2.3e-16;
};
/// Numbers of all magnitudes, both zeros, infinities and NaN.
template <class T>
std::vector<T> magnitudes() {
  using limits = std::numeric_limits<T>;
  std::vector<T> r{0, -T(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(), limits::denorm_min(), limits::min(), T(1), T(-3)};
  for (double e = range<T>::least; e <= range<T>::power; e += range<T>::power / 40) r.push_back(T(std::exp2(e) * 1.37)), r.push_back(-T(std::exp2(e)));
  return r;
}
template <class T>
bool is_near(T got, T want) {
  if (want != want) return got != got;
  if (std::isinf(want) || want == 0) return got == want || (want == 0 ? std::fabs(got) <= std::numeric_limits<T>::denorm_min() : false);
  if (std::isinf(got)) return std::fabs(want) > std::numeric_limits<T>::max() * (1 - 2 * range<T>::unit);
  return std::fabs(double(got) - double(want)) <= 2 * range<T>::unit * std::fabs(double(want)) + 2 * double(std::numeric_limits<T>::denorm_min());
}
/// f(a, b) of all pairs of numbers, next to `wanted` of them.
template <class T>
void divide_all(auto f, auto wanted) {
  const std::vector<T> x = magnitudes<T>();
  const array all = jq::asarray(x);
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto compiled = jq::jit([=](array a, array b) { return f(a, jq::expand_dims(b, 1)); }, jq::backend("cpu"), when);
    const array q = compiled(jq::broadcast_to(all, {std::int64_t(x.size()), std::int64_t(x.size())}), all);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t k = 0; k < x.size(); ++k) {
        const T got = q.data<T>()[i * x.size() + k], want = wanted(x[k], x[i]);
        CHECK_MESSAGE(is_near(got, want), double(x[k]), " / ", double(x[i]), ": got ", double(got), ", wanted ", double(want));
      }
  }
}

}  // namespace

TEST_CASE("shared divisors: rows divided by a number each take one division a row") {
  const array x = jq::ones({5, 40}), s = jq::ones({5});
  const auto divisions = [](const std::string& text) { return testing::count(text, "= div "); };
  const std::string rows = loops([](array a, array b) { return a / jq::expand_dims(b, 1); }, x, s);
  CHECK(rows.find("= div %") != std::string::npos);
  CHECK(testing::count(rows, "= mul ") == 3);
  CHECK(divisions(loops([](array a) { return std::pair{a / jq::sum(a, 1, jq::keepdims), (a + 1) / jq::sum(a, 1, jq::keepdims)}; }, x)) == 1);
}
TEST_CASE("shared divisors: divisions by constants, by columns, of few elements and of other types stay") {
  const auto products = [](const std::string& text) { return testing::count(text, "= mul "); };
  CHECK(products(loops([](array a) { return a / 49.0f; }, jq::ones({100}))) == 0);
  CHECK(products(loops([](array a, array b) { return a / b; }, jq::ones({5, 40}), jq::ones({40}))) == 0);
  CHECK(products(loops([](array a, array b) { return a / jq::expand_dims(b, 1); }, jq::ones({40, 2}), jq::ones({40}))) == 0);
  CHECK(products(loops([](array a, array b) { return a / b; }, jq::ones({40}), jq::ones({40}))) == 0);
  CHECK(show(jq::jit([](array a) { return a / 49.0f; }, jq::backend("cpu"))(jq::asarray({49.0f, 98.0f}))) == "f32[2] 1 2");
}
TEST_CASE("shared divisors: quotients of all magnitudes") {
  const auto quotient = [](auto a, auto b) { return a / b; };
  divide_all<float>(quotient, quotient);
  divide_all<double>(quotient, quotient);
}
TEST_CASE("shared divisors: by roots of all magnitudes") {
  const auto by_root = [](array a, array b) { return a / jq::sqrt(b); };
  const auto wanted = [](auto a, auto b) { return a / std::sqrt(b); };
  divide_all<float>(by_root, wanted);
  divide_all<double>(by_root, wanted);
  CHECK(loops([&](array a, array b) { return by_root(a, jq::expand_dims(b, 1)); }, jq::ones({5, 40}), jq::ones({5})).find("rsqrt") != std::string::npos);
}
TEST_CASE("shared divisors: strict programs divide") {
  const auto f = [](array a, array b) { return a / jq::expand_dims(b, 1); };
  const array x = jq::random::normal(jq::random::key(1), {9, 50}), s = jq::random::normal(jq::random::key(2), {9});
  const array got = jq::jit(f, jq::backend("cpu"), jq::precision::strict)(x, s), want = f(x, s);
  CHECK(jq::all(got == want).item<bool>());
}
