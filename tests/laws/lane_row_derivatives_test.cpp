// The law of the two lanes for derivatives of functions of small matrices, the rows of which run on vector lanes.
#include "lane_functions.hpp"

namespace {

constexpr tensor<double, 4, 4> a{1.5, 1.13, 2.24, 2.61, 1.02, 3.35, 3.72, -1.09, 4.46, 4.83, -2.2, 5.57, 5.94, -3.31, 6.68, 7.05};
constexpr tensor<double, 4, 4> invertible{2, 1, 0, 0, 0, 4, 1, 0, 0, 0, 1, 3, 0, 0, 0, 8};
constexpr tensor<double, 4> x{.6, .23, 1.34, 1.71};

constexpr auto form = [](auto p, auto u) { return jq::sum(u * jq::matmul(p, u * u)); };
constexpr auto of_form = [](auto p, auto u) { return std::tuple{jq::grad(form)(p, u), jq::grad(form, jq::argnums<1>)(p, u), jq::hessian(form, jq::argnums<1>)(p, u)}; };
constexpr auto neighbours = [](auto u) { return jq::stack({u[0] * u[1], u[1] * u[2], u[2] * u[3], u[3] * u[0]}) / jq::sum(u * u); };
constexpr auto of_neighbours = [](auto u) { return std::tuple{jq::jacfwd(neighbours)(u), jq::jacrev(neighbours)(u)}; };
constexpr auto of_cubic = jq::grad([](auto p) { return jq::sum(jq::matmul(jq::matmul(p, jq::transpose(p)), p) * p); });
constexpr auto of_inverse = jq::grad([](auto m) { return jq::sum(jq::linalg::inv(m) * m * m); });

}  // namespace

TEST_CASE("both lanes: rows of gradients and Hessians") { same(of_form, a, x), same(of_cubic, a); }
TEST_CASE("both lanes: rows of Jacobians") { same(of_neighbours, x); }
TEST_CASE("both lanes: rows behind a whole equation") { same(of_inverse, invertible); }
