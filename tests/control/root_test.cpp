// lax::custom_root: roots and their derivatives by the implicit function theorem, with methods that have no reverse mode of their
// own.
#include "control_testing.hpp"

#include <jacquard/control/linear_solve.hpp>
#include <jacquard/control/root.hpp>

using jq::array;
using jq::asarray;

namespace {

/// Newton's method with the derivative taken by jvp.
const auto newton = [](const auto& f, const array& start) {
  return lax::while_loop([&](const array& x) { return jq::abs(f(x)) > 1e-14; },
                         [&](const array& x) {
                           const auto [y, slope] = jq::jvp(f, jq::primals(x), jq::tangents(asarray(1.0)));
                           return x - y / slope;
                         },
                         start);
};
const auto divide = [](const auto& g, const array& y) { return y / g(asarray(1.0)); };
const auto square_root = [](const array& a) {
  return lax::custom_root([&](const array& x) { return x * x - a; }, asarray(1.0), newton, divide);
};

}  // namespace

TEST_CASE("custom_root: the root, and derivatives of all orders") {
  CHECK(show(square_root(asarray(4.0))) == "f64[] 2");
  CHECK(show(jq::jit(square_root)(asarray(9.0))) == "f64[] 3");
  CHECK(show(jq::grad(square_root)(asarray(4.0))) == "f64[] 0.25");
  CHECK(show(jq::jvp(square_root, jq::primals(asarray(4.0)), jq::tangents(asarray(2.0))).second) == "f64[] 0.5");
  CHECK(show(jq::grad(jq::grad(square_root))(asarray(4.0))) == "f64[] -0.03125");
  CHECK(show(jq::vmap(jq::grad(square_root))(asarray({4.0, 16.0}))) == "f64[2] 0.25 0.125");
}
TEST_CASE("custom_root: of several variables, the tangents by a linear solve") {
  // x + 0.1 sin(y) = p, y + 0.1 sin(x) = q
  const auto fixed_point = [](const array& p) {
    return lax::custom_root(
        [&](const array& x) { return x + lax::sin(lax::rev(x, {0})) * 0.1 - p; }, p,
        [](const auto& f, const array& start) { return lax::fori_loop(0, 40, [&](const array&, const array& x) { return x - f(x); }, start); },
        [](const auto& g, const array& y) {
          const auto method = [](const auto& matvec, const array& b) { return lax::fori_loop(0, 40, [&](const array&, const array& x) { return x + b - matvec(x); }, b); };
          return lax::custom_linear_solve(g, y, method, method);
        });
  };
  const array p = asarray({0.4, -0.7});
  const array x = fixed_point(p);
  CHECK_REPORT(jq::testing::all_close(x + lax::sin(lax::rev(x, {0})) * 0.1, p, 1e-12));
  CHECK_REPORT(jq::testing::check_grads(fixed_point, std::tuple{p}, {.order = 1}));
}
TEST_CASE("custom_root: results unlike the guess are type errors") {
  const auto f = [](const array& x) { return x * 1.0; };
  const auto constant = [](const auto&, const array& start) { return start; };
  CHECK_THROWS_WITH_AS(lax::custom_root([](const array& x) { return std::tuple{x, x}; }, asarray(1.0), constant, divide),
                       doctest::Contains("the function's output and the initial guess must have same type structure"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::custom_root(f, asarray(1.0), [](const auto&, const array&) { return asarray(1); }, divide),
                       doctest::Contains("solve output and the initial guess must have identical types"), jq::type_error);
}
