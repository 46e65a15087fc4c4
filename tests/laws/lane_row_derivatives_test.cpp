// Derivatives of functions of small matrices, whose rows run on vector lanes. Oracle: the interpreter.
#include "lane_rows.hpp"

using namespace lane_rows;

TEST_CASE("rows of small results: derivatives in both lanes") {
  const auto a = filled<square>(1.5);
  const auto x = filled<tensor<double, 4>>(0.6);
  const auto form = [](auto p, auto u) { return jq::sum(u * jq::matmul(p, u * u)); };
  const auto map = [](auto u) { return jq::stack({u[0] * u[1], u[1] * u[2], u[2] * u[3], u[3] * u[0]}) / jq::sum(u * u); };
  const auto both = [=](const auto& p, const auto& u) {
    return std::tuple{jq::grad(form)(p, u), jq::grad(form, jq::argnums<1>)(p, u), jq::hessian(form, jq::argnums<1>)(p, u)};
  };
  check_lanes("quadratic form", both, a, x);
  check_lanes("Jacobians", [=](const auto& u) { return std::tuple{jq::jacfwd(map)(u), jq::jacrev(map)(u)}; }, x);
  const auto trace = [](auto p) { return jq::sum(jq::matmul(jq::matmul(p, jq::transpose(p)), p) * p); };
  check_lanes("cubic of a matrix", [=](const auto& p) { return jq::grad(trace)(p); }, a);
  check_lanes("a whole equation", [](const auto& p) { return jq::grad([](auto m) { return jq::sum(jq::linalg::inv(m) * m * m); })(p); }, square{2, 1, 0, 0, 0, 4, 1, 0, 0, 0, 1, 3, 0, 0, 0, 8});
}
