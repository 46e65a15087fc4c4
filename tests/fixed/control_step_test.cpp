// Control flow in the compile-time lane: loops, branches, custom rules and solutions in constant expressions, with their
// derivatives, and a loop as one frozen body.
#include <doctest/doctest.h>
#include <jacquard/control/custom_batching.hpp>
#include <jacquard/control/linear_solve.hpp>
#include <jacquard/control/root.hpp>
#include <jacquard/fixed.hpp>

#include <array>
#include <cmath>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr bool near(double a, double b) { return a - b < 1e-12 && b - a < 1e-12; }

// x^5 as a loop of five trips: one scan, whose body is one product.
constexpr auto power = [](const auto& x) { return lax::fori_loop(0, 5, [&](const auto&, const auto& p) { return p * x; }, x * 0.0 + 1.0); };
static_assert(jq::vmap(power)(std::array{2.0, 3.0})[1] == 243.0);
static_assert(jq::grad(power)(2.0) == 80.0);
static_assert(jq::grad(jq::grad(power))(2.0) == 160.0);
static_assert(jq::jvp(power, jq::primals(2.0), jq::tangents(1.0)).second == 80.0);

// A recurrence over an array, results stacked.
constexpr auto running = [](const auto& xs) {
  return lax::scan([](const auto& s, const auto& x) { return std::pair{s * 0.5 + x, s * x}; }, xs(0) * 0.0, xs);
};
constexpr auto total = [](const auto& xs) {
  const auto r = running(xs);
  return r.first + jq::sum(r.second);
};
constexpr std::array<double, 4> values{1.0, 2.0, -1.0, 0.5};
static_assert(near(jq::value_and_grad(total)(values).first, 0.625 + (0 + 2.0 - 2.5 + 0.125)));
static_assert(near(jq::grad(total)(values)[0], 0.125 + 2.0 - 0.5 + 0.125));

// A branch and a loop whose number of trips is a value.
constexpr auto branch = [](const auto& x) {
  return lax::cond(x > 1.0, [](const auto& v) { return v * v; }, [](const auto& v) { return v * 3.0; }, x);
};
static_assert(jq::value_and_grad(branch)(2.0) == std::pair{4.0, 4.0});
static_assert(jq::value_and_grad(branch)(0.5) == std::pair{1.5, 3.0});
static_assert(jq::vmap(jq::grad(branch))(std::array{2.0, 0.5}) == jq::tensor<double, 2>{4.0, 3.0});
constexpr auto choice = [](const auto& x, const auto& i) {
  return lax::switch_(i, std::tuple{[](const auto& v) { return v; }, [](const auto& v) { return v * v; }, [](const auto& v) { return v * v * v; }}, x);
};
static_assert(jq::grad(choice)(2.0, -3) == 1.0 && jq::grad(choice)(2.0, 1) == 4.0 && jq::grad(choice)(2.0, 9) == 12.0);
constexpr auto doubled = [](const auto& x) {
  return lax::while_loop([](const auto& v) { return v < 100.0; }, [](const auto& v) { return v * 2.0; }, x);
};
static_assert(jq::jvp(doubled, jq::primals(3.0), jq::tangents(1.0)) == std::pair{192.0, 64.0});
static_assert(jq::vmap(doubled)(std::array{3.0, 200.0}) == jq::tensor<double, 2>{192.0, 200.0});

// Rules of the user's own, and a checkpoint.
constexpr auto with_rule = jq::custom_jvp([](const auto& x) { return x * x; },
                                          [](const auto& x, const auto& t) { return std::pair{std::get<0>(x) * std::get<0>(x), std::get<0>(t) * 7.0}; });
static_assert(jq::grad([](const auto& x) { return with_rule(x) * 2.0; })(3.0) == 14.0);
constexpr auto with_pullback = jq::custom_vjp([](const auto& x) { return x * x; }, [](const auto& x) { return std::pair{x * x, x}; },
                                              [](const auto& r, const auto& ct) { return std::tuple{r * ct * 10.0}; });
static_assert(jq::grad([](const auto& x) { return with_pullback(x) * 2.0; })(3.0) == 60.0);
static_assert(jq::vmap(jq::grad(with_pullback))(std::array{3.0, 1.0}) == jq::tensor<double, 2>{30.0, 10.0});
constexpr auto kept = jq::checkpoint([](const auto& x) { return x * x * x; });
static_assert(jq::grad([](const auto& x) { return kept(x) * 2.0; })(2.0) == 24.0);

constexpr auto with_batching = jq::custom_batching([](const array& x) { return x * 2.0; }, [](const jq::mapped_arguments&, const array& x) { return x * 3.0; });
static_assert(jq::vmap(with_batching)(std::array{1.0, 2.0}) == jq::tensor<double, 2>{3.0, 6.0});

// Solutions, roots and partial results, and a linear system of a size that is known when it runs.
constexpr auto divided = [](const array& m, const array& b) {
  return lax::custom_symmetric_solve([&](const array& v) { return v * m; }, b, [&](const auto&, const array& v) { return v / m; });
};
static_assert(jq::jvp(divided, jq::primals(2.0, 3.0), jq::tangents(0.0, 1.0)) == std::pair{1.5, 0.5});
static_assert(jq::grad(divided)(2.0, 3.0) == -0.75);
static_assert(jq::vmap(divided)(std::array{2.0, 4.0}, std::array{3.0, 1.0}) == jq::tensor<double, 2>{1.5, 0.25});
constexpr auto root = [](const array& a) {
  const auto newton = [](const auto& f, const array& start) {
    return lax::fori_loop(0, 20, [&](const array&, const array& x) { return x - f(x) / (2.0 * x); }, start);
  };
  return lax::custom_root([&](const array& x) { return x * x - a; }, a, newton, [](const auto& g, const array& y) { return y / g(y * 0.0 + 1.0); });
};
static_assert(jq::value_and_grad(root)(4.0) == std::pair{2.0, 0.25});
constexpr auto partial_sums = [](const array& x) { return jq::sum(lax::associative_scan([](const array& a, const array& b) { return a + b; }, x)); };
static_assert(jq::value_and_grad(partial_sums)(jq::tensor<double, 3>{1, 2, 3}).first == 10);
static_assert(jq::grad(partial_sums)(jq::tensor<double, 3>{1, 2, 3}) == jq::tensor<double, 3>{3, 2, 1});
constexpr auto halves = jq::mask([](const array& b) {
  return lax::custom_symmetric_solve([](const array& v) { return v * 2.0; }, b, [](const auto&, const array& v) { return v / 2.0; });
}, jq::in_shapes<"n">, jq::out_shape<"n">);
static_assert(halves(jq::args(jq::tensor<double, 3>{2, 4, 6}), jq::dims{{"n", 2}}) == jq::tensor<double, 3>{1, 2, 0});

// A long loop is frozen as one body.
constexpr auto thousand = [](const auto& x) { return lax::fori_loop(0, 1000, [](const auto&, const auto& v) { return v * 0.999 + 0.001; }, x); };
constexpr auto frozen_thousand = jq::make_jaxpr(jq::grad(thousand))(2.0);
static_assert(frozen_thousand.equations.size() < 40);

}  // namespace

TEST_CASE("control flow at compile time: the same values at run time") {
  volatile double x = 2.0;
  CHECK(jq::grad(power)(double(x)) == 80.0);
  CHECK(jq::grad(thousand)(double(x)) == doctest::Approx(std::pow(0.999, 1000)));
  CHECK(jq::value_and_grad(branch)(double(x)).first == 4.0);
}
TEST_CASE("control flow at compile time: large carries and elements") {
  std::array<double, 200> v{};
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = double(i);
  const auto f = [](const auto& a) { return jq::sum(lax::fori_loop(0, 3, [](const auto&, const auto& s) { return s * s * 0.01; }, a)); };
  const auto slope = jq::grad(f)(v);
  // ((a^2 c)^2 c)^2 c = c^7 a^8
  CHECK(slope[3] == doctest::Approx(8 * std::pow(3.0, 7) * 1e-14));
  CHECK(slope[199] == doctest::Approx(8 * std::pow(199.0, 7) * 1e-14));
}
