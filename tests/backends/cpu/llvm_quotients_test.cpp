// Quotients by constants, which compiled kernels write as products: rounded as quotients are, but for rare neighbours; infinities, NaN and zeros of
// either sign; numbers so small that they lose digits. Oracle: the division of the processor.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "../../show.hpp"

using jq::array;

namespace {

template <class T>
std::vector<T> numbers() {
  std::mt19937_64 generator(11);
  std::uniform_real_distribution<double> significand(1, 2);
  std::vector<T> x;
  const int exponents = std::numeric_limits<T>::max_exponent / 3;
  for (int i = 0; i < 40000; ++i) x.push_back(T(std::ldexp(significand(generator), i % (2 * exponents) - exponents) * (i % 2 ? -1 : 1)));
  for (int i = 1; i < 2000; ++i) x.push_back(T(i));
  return x;
}
template <class T>
std::vector<T> divided(const std::vector<T>& x, double by, jq::precision precision = jq::precision::fast) {
  const array r = jq::jit([by](array a) { return a / by; }, jq::backend("cpu"), precision, jq::compile_at::first_call)(jq::asarray(x));
  return {r.data<T>().begin(), r.data<T>().end()};
}
template <class T>
bool are_same(T a, T b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

}  // namespace

TEST_CASE_TEMPLATE("cpu: quotients by constants are those of the processor, or in rare cases their neighbours", T, float, double) {
  const std::vector<T> x = numbers<T>();
  for (const double by : {3.0, -7.0, 100.0, 0.1, 41.0, 1e-3, 3.14159265358979, -1e12, 4.0, 0.5, 1.0}) {
    const std::vector<T> got = divided(x, by), strict = divided(x, by, jq::precision::strict);
    int neighbours = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T want = x[i] / T(by);
      CHECK(are_same(strict[i], want));
      if (are_same(got[i], want)) continue;
      ++neighbours;
      CHECK((got[i] == std::nextafter(want, T(INFINITY)) || got[i] == std::nextafter(want, T(-INFINITY))));
    }
    CAPTURE(by);
    CHECK(neighbours <= 1);
  }
  for (int n = 2; n < 50; ++n) CHECK(divided(std::vector<T>{T(n), T(7 * n), T(-1000 * n)}, double(n)) == std::vector<T>{1, 7, -1000});
}
TEST_CASE_TEMPLATE("cpu: quotients by constants of what is no number, infinite, zero, huge or tiny", T, float, double) {
  using limits = std::numeric_limits<T>;
  const std::vector<T> x{limits::infinity(), -limits::infinity(), limits::quiet_NaN(), 0, -T(0), limits::max(), -limits::max(), limits::min(), limits::denorm_min(),
                         -3 * limits::denorm_min(), limits::min() * 3, limits::min() * 1000};
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double by : {3.0, -0.3, 1e20, -1e-20, 1e30, 1e-35, 3e38, 1e-40, 0.0, -0.0, inf, -inf, nan}) {
    const std::vector<T> got = divided(x, by);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T want = x[i] / T(by);
      CAPTURE(by);
      CAPTURE(x[i]);
      const bool is_small = std::fabs(want) < limits::min() / limits::epsilon();
      CHECK((are_same(got[i], want) || (is_small && std::fabs(got[i] - want) <= std::max(limits::denorm_min(), std::fabs(want) * limits::epsilon()))));
    }
  }
}
TEST_CASE("cpu: numbers of 16 bits divided by constants, and by the largest of their row or column") {
  const auto check = [](auto f, const array& x) { CHECK(jq::all(jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x) == f(x)).template item<bool>()); };
  for (const jq::dtype t : {jq::f16, jq::bf16}) {
    const array x = (jq::arange(-2000, 2000).astype(jq::f32) * 0.37).astype(t), rows = jq::reshape(x, {40, 100});
    for (const double by : {3.0, -0.7, 41.0, 1e-3}) check([by](array a) { return a / by; }, x);
    for (const int axis : {0, 1}) {
      check([axis](array a) { return a / jq::max(jq::abs(a), axis, jq::keepdims); }, rows);
      check([axis](array a) { return jq::where(a > 700.0, INFINITY, a) / jq::max(jq::abs(a), axis, jq::keepdims); }, rows);
    }
  }
}
