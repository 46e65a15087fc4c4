// Small arrays that stay arrays since all that is done with them runs as loops on lanes: which ones do, and that values are those of closed
// forms whatever their number, in constant evaluation, at run time and mapped.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "frozen_steps.hpp"

namespace jq = jacquard;
using frozen_steps::run;
using jq::tensor;

namespace {

/// How many arrays, of more than one element, are not taken apart.
template <class F, class... A>
constexpr std::uint32_t arrays_of(F, const A&...) {
  constexpr const auto& code = jq::detail::frozen_of<jq::detail::static_program<true, F, A...>>;
  std::uint32_t r = 0;
  for (bool small : jq::detail::small_arrays_of<code>.small) r += small ? 0 : 1;
  return r;
}
constexpr bool wide = jq::detail::has_lane_arrays;

constexpr auto log_sum_exp = [](auto x) {
  const auto m = jq::max(x);
  return m + jq::log(jq::sum(jq::exp(x - m)));
};
constexpr auto softmax = [](const auto& x) { return jq::grad(log_sum_exp)(x); };
constexpr auto leaky = [](auto x) { return jq::where(x > 0.0, x, 0.25 * x); };
constexpr auto sigmoid = [](auto x) { return 1.0 / (1.0 + jq::exp(-x)); };
constexpr auto halved_cubes = [](auto x) { return 0.5 * x * x * x; };
constexpr auto bell = [](auto x) { return jq::exp(-x * x); };

// Comparisons and quotients of at least eight numbers.
static_assert(!wide || (arrays_of(softmax, tensor<double, 8>{}) > 0 && arrays_of(softmax, tensor<double, 32>{}) > 0));
static_assert(!wide || (arrays_of(leaky, tensor<double, 8>{}) > 0 && arrays_of(sigmoid, tensor<double, 8>{}) > 0));
static_assert(!wide || arrays_of(sigmoid, tensor<double, 2, 4>{}) > 0);
static_assert(arrays_of(leaky, tensor<double, 4>{}) == 0 && arrays_of(softmax, tensor<double, 7>{}) == 0);
static_assert(arrays_of(halved_cubes, tensor<double, 16>{}) == 0);
static_assert(arrays_of(bell, tensor<double, 16>{}) == 0);
static_assert(arrays_of([](auto x) { return jq::sum(x * x); }, tensor<double, 16>{}) == 0);
// So for floats, unless most numbers of a program are doubles.
static_assert(arrays_of(bell, tensor<float, 16>{}) == 0 && arrays_of([](auto x) { return jq::sum(x * x); }, tensor<float, 16>{}) == 0);
static_assert(!wide || arrays_of(leaky, tensor<float, 16>{}) > 0);
constexpr auto beside_doubles = [](auto x, auto y) { return std::pair{bell(x), halved_cubes(y)}; };
static_assert(!wide || arrays_of(beside_doubles, tensor<float, 8>{}, tensor<double, 4, 4>{}) > 0);
// Whole numbers have no lanes.
static_assert(arrays_of([](auto x) { return jq::where(x > 2, x, 0); }, tensor<int, 16>{}) == 0);
// Single elements, other orders and other operations want numbers. So does all that such an array is combined with.
static_assert(arrays_of([](auto x) { return leaky(x)[3]; }, tensor<double, 16>{}) == 0);
static_assert(arrays_of([](auto x) { return leaky(x + jq::flip(x)); }, tensor<double, 16>{}) == 0);
static_assert(arrays_of([](auto x, auto a) { return leaky(jq::matmul(a, x)); }, tensor<double, 8>{}, tensor<double, 8, 8>{}) == 0);
static_assert(arrays_of([](auto x, auto y) { return std::pair{leaky(x + y), jq::flip(y)}; }, tensor<double, 8>{}, tensor<double, 8>{}) == 0);
// A loop over what does not fill vectors follows no other one.
static_assert(arrays_of(softmax, tensor<double, 9>{}) == 0);
static_assert(!wide || arrays_of(leaky, tensor<double, 9>{}) > 0);
static_assert(!wide || arrays_of(softmax, tensor<double, 12>{}) > 0);

// The same in constant evaluation.
static_assert(run(leaky, tensor<double, 9>{1, -4, 0, 8, -12, -0.5, 3, 2, -1}) == tensor<double, 9>{1, -1, 0, 8, -3, -0.125, 3, 2, -0.25});
static_assert(run(softmax, tensor<double, 8>{3, 3, 3, 3, 3, 3, 3, 3}) == tensor<double, 8>{.125, .125, .125, .125, .125, .125, .125, .125});

template <class T, int n>
tensor<T, n> some_numbers() {
  tensor<T, n> x{};
  for (std::size_t i = 0; i < n; ++i) x[i] = T((5 * i) % 11) / 2 - T(2.25);
  return x;
}

template <class T, int n, class F, class Want>
double worst(F f, Want want) {
  const tensor<T, n> x = some_numbers<T, n>(), got = run(f, x);
  double r = 0;
  for (std::size_t i = 0; i < n; ++i) r = std::fmax(r, std::fabs(double(got[i]) - want(x, i)));
  return r;
}
template <class X>
double softmax_by_hand(const X& x, std::size_t i) {
  double sum = 0;
  for (double v : x) sum += std::exp(v - x[i]);
  return 1 / sum;
}
template <class X>
double sigmoid_by_hand(const X& x, std::size_t i) {
  return 1 / (1 + std::exp(-double(x[i])));
}
template <class X>
double bell_by_hand(const X& x, std::size_t i) {
  return std::exp(-double(x[i]) * double(x[i]));
}
template <int n>
void check_numbers() {
  CAPTURE(n);
  CHECK(worst<double, n>(softmax, [](const auto& x, std::size_t i) { return softmax_by_hand(x, i); }) < 1e-15);
  CHECK(worst<double, n>(sigmoid, [](const auto& x, std::size_t i) { return sigmoid_by_hand(x, i); }) < 1e-15);
  CHECK(worst<float, n>(sigmoid, [](const auto& x, std::size_t i) { return sigmoid_by_hand(x, i); }) < 2e-7);
  CHECK(worst<float, n>(bell, [](const auto& x, std::size_t i) { return bell_by_hand(x, i); }) < 2e-7);
}

TEST_CASE("values are those of closed forms, for any number of elements") {
  check_numbers<8>();
  check_numbers<9>();
  check_numbers<12>();
  check_numbers<16>();
  check_numbers<31>();
  check_numbers<44>();
}
TEST_CASE("comparisons see what is not a number") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const tensor<double, 8> got = run(leaky, tensor<double, 8>{1, nan, -1, 0, 2, -2, nan, 4});
  CHECK((got[0] == 1 && std::isnan(got[1]) && got[2] == -.25 && got[3] == 0));
  CHECK((got[4] == 2 && got[5] == -.5 && std::isnan(got[6]) && got[7] == 4));
  const tensor<double, 8> of_nan = run(softmax, tensor<double, 8>{1, 2, 3, nan, 5, 6, 7, 8});
  CHECK(std::all_of(of_nan.begin(), of_nan.end(), [](double v) { return std::isnan(v); }));
}
TEST_CASE("mapped, the same function has an input in each lane and takes its arrays apart") {
  std::vector<tensor<double, 16>> in(19, some_numbers<double, 16>()), out(19);
  for (std::size_t i = 0; i < in.size(); ++i) in[i][i % 16] += double(i);
  jq::map(softmax, in, out);
  double worst = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    for (std::size_t k = 0; k < 16; ++k) worst = std::fmax(worst, std::fabs(out[i][k] - softmax_by_hand(in[i], k)));
  CHECK(worst < 1e-15);
}

}  // namespace
TEST_CASE("order among bools in arrays that run on lanes") {
  const auto f = [](const auto& x, const auto& y) {
    const auto a = x > 0.0, b = y > x;
    return std::pair{jq::where(a < b, x / y, y * 2.0), jq::where(jq::maximum(a, b), x, y / x)};
  };
  jq::tensor<double, 16> x{}, y{};
  for (std::size_t i = 0; i < 16; ++i) x[i] = double(i % 5) - 1.5, y[i] = double(i % 3) - 0.75;
  const auto [less, larger] = jq::jit(f)(x, y);
  for (std::size_t i = 0; i < 16; ++i) {
    const bool a = x[i] > 0, b = y[i] > x[i];
    CHECK(less[i] == (a < b ? x[i] / y[i] : y[i] * 2));
    CHECK(larger[i] == (a || b ? x[i] : y[i] / x[i]));
  }
}
