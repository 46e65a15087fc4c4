// Movements of large arrays whose operands are computed in the result: which are, and that all elements arrive, against loops.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <cmath>

namespace jq = jacquard;
using jq::tensor;

namespace {

constexpr std::size_t n = 100;
using vector = tensor<double, 100>;

template <class F, class... A>
constexpr int filled_in() {
  int r = 0;
  for (bool f : jq::detail::layout_of<jq::detail::frozen_of<jq::detail::static_program<true, std::remove_const_t<F>, A...>>>.filled_in) r += f ? 1 : 0;
  return r;
}
/// Doubles in memory that no argument and no result holds.
template <class F, class... A>
constexpr std::uint32_t memory() {
  return jq::detail::layout_of<jq::detail::frozen_of<jq::detail::static_program<true, std::remove_const_t<F>, A...>>>.memory[std::size_t(jq::f64)];
}
vector numbers() {
  vector x{};
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(double(i)) + 2;
  return x;
}
constexpr auto pad = [](auto x, jq::int_list low, jq::int_list high, jq::int_list interior) { return jq::lax::pad(x, 7.0, low, high, interior); };

constexpr auto padded = [](auto x) { return pad(x * x, {3}, {5}, {0}); };
constexpr auto joined = [](auto x) { return jq::concatenate({x * x, x, x + 1.0}); };
constexpr auto nested = [](auto x) { return jq::concatenate({pad(x * x, {1}, {0}, {0}), x + 1.0}); };
constexpr auto twice = [](auto x) {
  const auto y = x * x;
  return jq::concatenate({y, y});
};
constexpr auto read_again = [](auto x) {  // a view of the part, in a loop with another one
  const auto y = x * x, z = pad(y, {1}, {0}, {0});
  const auto a = y(jq::slice(0, -1)), b = y(jq::slice(1, jq::none));
  return std::tuple{jq::sum(a * b), 2.0 * z, jq::sum(y)};
};
constexpr auto cropped = [](auto x) { return pad(x * x, {-1}, {1}, {0}); };
constexpr auto spread = [](auto x) { return pad(x * x, {0}, {0}, {1}); };
constexpr auto far = [](auto x) { return pad(x * x, {40}, {40}, {0}); };
constexpr auto itself = [](auto x) { return pad(x, {1}, {1}, {0}); };
constexpr auto result_too = [](auto x) {
  const auto y = x * x;
  return std::tuple{y, pad(y, {1}, {1}, {0})};
};
constexpr auto rosenbrock = [](auto x) {
  const auto a = x(jq::slice(0, -1)), b = x(jq::slice(1, jq::none));
  const auto u = b - a * a, v = 1.0 - a;
  return jq::sum(100.0 * u * u + v * v);
};
constexpr auto gradient = jq::grad(rosenbrock);

static_assert(filled_in<decltype(padded), vector>() == 1 && memory<decltype(padded), vector>() == 0);
static_assert(filled_in<decltype(nested), vector>() == 2 && memory<decltype(nested), vector>() == 0);
static_assert(filled_in<decltype(read_again), vector>() == 1 && memory<decltype(read_again), vector>() == n + 1);
static_assert(filled_in<decltype(gradient), vector>() == 2 && memory<decltype(gradient), vector>() == 2 * n);
// What is not there whole and in one piece, or would leave much to copy, and what lies elsewhere already.
static_assert(filled_in<decltype(joined), vector>() == 0);
static_assert(filled_in<decltype(twice), vector>() == 0);
static_assert(filled_in<decltype(cropped), vector>() == 0);
static_assert(filled_in<decltype(spread), vector>() == 0);
static_assert(filled_in<decltype(far), vector>() == 0);
static_assert(filled_in<decltype(itself), vector>() == 0);
static_assert(filled_in<decltype(result_too), vector>() == 0);

template <class F>
auto value(F, const vector& x) {
  return jq::vjp(F{}, x).first;
}

}  // namespace

TEST_CASE("movements: operands computed in the result") {
  const vector x = numbers();
  const auto p = value(padded, x);
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(p[i] == (i < 3 || i >= n + 3 ? 7 : x[i - 3] * x[i - 3]));
  const auto m = value(nested, x);
  CHECK(m[0] == 7);
  for (std::size_t i = 0; i < n; ++i) CHECK((m[i + 1] == x[i] * x[i] && m[n + 1 + i] == x[i] + 1));
}
TEST_CASE("movements: a part that is read again, through views too") {
  const vector x = numbers();
  const auto [products, z, sum] = value(read_again, x);
  double want_products = 0, want_sum = 0;
  for (std::size_t i = 0; i < n; ++i) want_sum += x[i] * x[i];
  for (std::size_t i = 0; i + 1 < n; ++i) want_products += x[i] * x[i] * x[i + 1] * x[i + 1];
  CHECK(products == doctest::Approx(want_products).epsilon(1e-13));
  CHECK(sum == doctest::Approx(want_sum).epsilon(1e-13));
  CHECK(z[0] == 14);
  for (std::size_t i = 0; i < n; ++i) CHECK(z[i + 1] == 2 * (x[i] * x[i]));
}
TEST_CASE("movements: operands that stay where they are") {
  const vector x = numbers();
  const auto square = [&](std::size_t i) { return x[i] * x[i]; };
  const auto j = value(joined, x);
  const auto t = value(twice, x);
  const auto c = value(cropped, x);
  const auto s = value(spread, x);
  const auto f = value(far, x);
  const auto own = value(itself, x);
  const auto [y, z] = value(result_too, x);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK((j[i] == square(i) && j[n + i] == x[i] && j[2 * n + i] == x[i] + 1));
    CHECK((t[i] == square(i) && t[n + i] == square(i)));
    CHECK(c[i] == (i + 1 < n ? square(i + 1) : 7));
    CHECK(s[2 * i] == square(i));
    CHECK(f[40 + i] == square(i));
    CHECK((own[i + 1] == x[i] && y[i] == square(i) && z[i + 1] == square(i)));
  }
  CHECK((s[1] == 7 && f[0] == 7 && f[n + 79] == 7 && own[0] == 7 && own[n + 1] == 7 && z[n + 1] == 7));
}
TEST_CASE("movements: the gradient of a function of neighbours") {
  const vector x = numbers();
  vector want{};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double a = x[i + 1] - x[i] * x[i];
    want[i] += -400 * a * x[i] - 2 * (1 - x[i]), want[i + 1] += 200 * a;
  }
  const vector got = gradient(x);
  for (std::size_t i = 0; i < n; ++i) CHECK(got[i] == doctest::Approx(want[i]).epsilon(1e-13));
}
TEST_CASE("movements: in constant evaluation") {
  constexpr auto ends = [] {
    vector x{};
    for (std::size_t i = 0; i < n; ++i) x[i] = double(i);
    const auto p = jq::vjp(padded, x).first;
    return std::array{p[2], p[3], p[n + 2], p[n + 3]};
  }();
  static_assert(ends == std::array{7.0, 0.0, 99.0 * 99.0, 7.0});
}
