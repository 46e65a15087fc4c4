// defjvps: a rule for each argument of a custom_jvp function, in both lanes, to higher order, and what is said of wrong ones.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

constexpr auto product = [](const auto& x, const auto& y) { return jq::sin(x) * y; };
/// d/dx is 10 times what it is, d/dy is not there.
constexpr auto f = jq::custom_jvp(product, jq::defjvps([](const auto& t, const auto&, const auto& x, const auto& y) { return t * jq::cos(x) * y * 10.0; }, jq::none));
static_assert(jq::grad(f)(0.0, 2.0) == 20.0);
static_assert(jq::grad(f, jq::argnums<1>)(1.0, 2.0) == 0.0);
static_assert(f(0.0, 2.0) == 0.0);

/// y' = y, told by the result.
constexpr auto grows = jq::custom_jvp([](const auto& x) { return jq::exp(x); }, jq::defjvps([](const auto& t, const auto& y, const auto&) { return t * y; }));
static_assert(jq::grad(jq::grad(jq::grad(grows)))(0.0) == 1.0);

const array x = asarray({0.25, 0.5}), y = asarray({3.0, 4.0});

}  // namespace

TEST_CASE("defjvps: the sum of what the rules give, in every mode") {
  CHECK_REPORT(jq::testing::all_close(f(x, y), jq::sin(x) * y));
  const array want = jq::cos(x) * y * 10.0;
  CHECK_REPORT(jq::testing::all_close(jq::jvp(f, jq::primals(x, y), jq::tangents(jq::ones({2}, jq::f64), jq::ones({2}, jq::f64))).second, want));
  const auto slope = jq::grad([](const array& u, const array& v) { return total(f(u, v)); });
  CHECK_REPORT(jq::testing::all_close(slope(x, y), want));
  CHECK_REPORT(jq::testing::all_close(jq::jit(slope)(x, y), want));
  CHECK_REPORT(jq::testing::all_close(jq::vmap(jq::grad(f))(x, y), want));
  CHECK_REPORT(jq::testing::all_close(jq::grad([&](const array& u) { return total(slope(u, y)); })(x), -jq::sin(x) * y * 10.0));
}
TEST_CASE("defjvps: rules that capture, trees of arguments and of results, integers") {
  const array scale = asarray(2.0);
  const auto g = jq::custom_jvp([](const std::pair<array, array>& p, const array& n) { return std::tuple{p.first * p.second, p.first + n}; },
                                jq::defjvps(
                                    [scale](const std::pair<array, array>& t, const auto&, const std::pair<array, array>& p, const array&) {
                                      return std::tuple{(t.first * p.second + p.first * t.second) * scale, t.first};
                                    },
                                    jq::none));
  const auto out = jq::jvp([&](const array& a, const array& b) { return g(std::pair{a, b}, asarray(3)); }, jq::primals(x, y),
                           jq::tangents(jq::ones({2}, jq::f64), jq::zeros({2}, jq::f64)));
  CHECK_REPORT(jq::testing::all_close(std::get<0>(out.second), y * 2.0));
  CHECK_REPORT(jq::testing::all_close(std::get<1>(out.second), jq::ones({2}, jq::f64)));
}
TEST_CASE("defjvps: a rule whose result looks otherwise") {
  const auto g = jq::custom_jvp([](const array& v) { return std::pair{v, v}; }, jq::defjvps([](const array& t, const auto&, const array&) { return t; }));
  CHECK_THROWS_WITH_AS((void)jq::jvp(g, jq::primals(x), jq::tangents(x)), doctest::Contains("of structure (*, *), but got *"), jq::type_error);
  const auto h = jq::custom_jvp([](const array& v) { return v; }, jq::defjvps([](const array& t, const auto&, const array&) { return total(t); }));
  CHECK_THROWS_WITH_AS((void)jq::jvp(h, jq::primals(x), jq::tangents(x)), doctest::Contains("equal shapes and dtypes, but got float64[2] and float64[] respectively"),
                       jq::type_error);
}
