// The law of the two lanes for floats: the compile-time lane computes with them in float, rearranged and on lanes as it does with doubles.
#include "lane_functions.hpp"

namespace {

constexpr tensor<float, 12> x{.5f, .125f, .75f, .25f, .875f, .375f, .625f, .0625f, .9375f, .3125f, .6875f, .4375f};
constexpr tensor<float, 12> y{1.5f, 2.25f, .75f, 3.f, 1.25f, .5f, 2.5f, 1.75f, 1.f, .625f, 3.5f, 2.f};
constexpr tensor<float, 4, 4> a{1.5f, 1.25f, 2.25f, 2.5f, 1.f, 3.375f, 3.75f, -1.f, 4.5f, 4.75f, -2.25f, 5.5f, 6.f, -3.25f, 6.75f, 7.f};

/// Within some units in the last place of float, of values near one.
template <class F, class... T>
void same_in_float(F f, const T&... in) {
  jq::testing::leaves got;
  laws::put(jq::jit(f)(in...), got);
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(jq::asarray(in)...));
  const jq::testing::report r = jq::testing::all_close(got, want, 4e-6, 1e-6);
  CHECK_MESSAGE(r.ok, r.text);
}

constexpr auto quotients = [](auto p, auto q) { return std::tuple{p / (q * q + 1.0) - 1.0 / p, p / jq::sqrt(jq::sum(p * p)), jq::where(p > q, p, q * 0.25)}; };
constexpr auto products = [](auto m, auto p) {
  const auto v = p(jq::slice(0, 4));
  return std::tuple{jq::matmul(m, jq::matmul(m, v)) - v, jq::outer(v, v * v) * 0.5, jq::matmul(jq::transpose(m), m)};
};
constexpr auto totals = [](auto p, auto q) { return std::tuple{jq::sum(p * q), jq::prod(p), jq::max(p - q), jq::min(p * q), jq::mean(q), jq::var(p)}; };
constexpr auto softmax = [](auto p) {
  return jq::grad([](auto v) {
    const auto m = jq::max(v);
    return m + jq::log(jq::sum(jq::exp(v - m)));
  })(p);
};
constexpr auto mixture = [](auto p) { return jq::grad([](auto v) { return jq::sum(jq::tanh(v) * jq::exp(-v * v) / (1.0 + v * v) + jq::sin(3.0 * v) * jq::log(v)); })(p); };
constexpr auto curvature = [](auto p) { return jq::hessian([](auto v) { return jq::sum(v(jq::slice(1, jq::none)) * v(jq::slice(0, -1)) * v(jq::slice(0, -1))); })(p(jq::slice(0, 5))); };
constexpr auto with_doubles = [](auto p, auto q) { return std::tuple{jq::sum(p) * 0.5, p.astype(jq::f64) * q.astype(jq::f64), jq::exp(p)}; };

}  // namespace

TEST_CASE("both lanes: functions of floats") { same_in_float(real_functions, x), same_in_float(more_real_functions, x); }
TEST_CASE("both lanes: products, quotients and totals of floats") {
  same_in_float(products, a, x), same_in_float(quotients, x, y), same_in_float(totals, x, y), same_in_float(with_doubles, x, y);
}
TEST_CASE("both lanes: derivatives of functions of floats") { same_in_float(softmax, y), same_in_float(mixture, x), same_in_float(curvature, y); }
