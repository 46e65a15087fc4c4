// lax::custom_linear_solve: solutions and their derivatives against inverses in closed form, with methods that have no reverse mode
// of their own.
#include "control_testing.hpp"

#include <jacquard/control/linear_solve.hpp>

using jq::array;
using jq::asarray;

namespace {

/// x += step (b - matvec(x)) until it no longer changes.
const auto richardson = [](const auto& matvec, const array& b) {
  const auto far = [&](const array& x) { return jq::max(jq::abs(b - matvec(x))) > 1e-13; };
  return lax::while_loop(far, [&](const array& x) { return x + (b - matvec(x)) * 0.3; }, b * 0.0);
};
const auto solve = [](const array& m, const array& b) {
  return lax::custom_linear_solve([&](const array& x) { return jq::dot(m, x); }, b, richardson, richardson);
};
/// By Cramer's rule.
const auto in_closed_form = [](const array& m, const array& b) {
  const array det = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
  return testing::stacked({(b(0) * m(1, 1) - b(1) * m(0, 1)) / det, (b(1) * m(0, 0) - b(0) * m(1, 0)) / det});
};
const array m = asarray({{2.0, 0.5}, {-0.3, 1.5}}), b = asarray({1.0, -2.0});

}  // namespace

TEST_CASE("custom_linear_solve: solutions, eagerly, compiled and over examples") {
  CHECK_REPORT(jq::testing::all_close(solve(m, b), in_closed_form(m, b)));
  CHECK_REPORT(jq::testing::all_close(jq::jit(solve)(m, b), in_closed_form(m, b)));
  CHECK_REPORT(jq::testing::check_vmap(solve, {0, jq::none}, std::tuple{testing::stacked({m, m * 0.5, m + 0.1}), b}, 1e-10, 1e-10));
  CHECK_REPORT(jq::testing::check_vmap(solve, {jq::none, 1}, std::tuple{m, testing::examples(b, 1)}, 1e-10, 1e-10));
}
TEST_CASE("custom_linear_solve: derivatives of the solution, not of the method") {
  CHECK_REPORT(jq::testing::all_close(jq::jacrev(solve, jq::argnums<0, 1>)(m, b), jq::jacrev(in_closed_form, jq::argnums<0, 1>)(m, b)));
  CHECK_REPORT(jq::testing::all_close(jq::jacfwd(solve, jq::argnums<0, 1>)(m, b), jq::jacfwd(in_closed_form, jq::argnums<0, 1>)(m, b)));
  const auto loss = [](const auto& f) { return [f](const array& a, const array& v) { return total(f(a, v) * f(a, v)); }; };
  CHECK_REPORT(jq::testing::all_close(jq::hessian(loss(solve))(m, b), jq::hessian(loss(in_closed_form))(m, b)));
}
TEST_CASE("custom_linear_solve: symmetric systems need no second method") {
  const auto symmetric = [](const array& s, const array& v) {
    return lax::custom_symmetric_solve([&](const array& x) { return jq::dot(s, x) + x; }, v, richardson);
  };
  const array s = asarray({{1.0, 0.2}, {0.2, 0.5}});
  const auto want = [](const array& a, const array& v) { return in_closed_form(a + jq::eye(2, jq::f64), v); };
  CHECK_REPORT(jq::testing::all_close(jq::grad([&](const array& v) { return total(symmetric(s, v)); })(b),
                                      jq::grad([&](const array& v) { return total(want(s, v)); })(b)));
}
TEST_CASE("custom_linear_solve: reverse mode without a method for the transposed system") {
  const auto one_way = [](const array& v) { return total(lax::custom_linear_solve([](const array& x) { return jq::dot(m, x); }, v, richardson)); };
  CHECK_NOTHROW(jq::jvp(one_way, jq::primals(b), jq::tangents(b)));
  CHECK_THROWS_WITH_AS(jq::grad(one_way)(b), doctest::Contains("transpose_solve required for backwards mode"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::custom_linear_solve([](const array& x) { return total(x); }, b, richardson), doctest::Contains("must have identical types"), jq::type_error);
  const jq::closed_jaxpr p = jq::make_jaxpr(one_way)(b);
  CHECK(p->equations[0].op == &jq::table_of<jq::linear_solve_p>());
}
