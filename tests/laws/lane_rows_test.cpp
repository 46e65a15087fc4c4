// The law of the two lanes for small matrices and vectors, the rows of whose results run on vector lanes.
#include "lane_functions.hpp"

namespace {

constexpr tensor<double, 4, 4> a{1.5, 1.13, 2.24, 2.61, 1.02, 3.35, 3.72, -1.09, 4.46, 4.83, -2.2, 5.57, 5.94, -3.31, 6.68, 7.05};
constexpr tensor<double, 4, 4> b{-.8, -1.17, -.06, .31, -2.28, 1.05, 1.42, -3.39, 2.16, 2.53, -4.5, 3.27, 3.64, -5.61, 4.38, 4.75};
constexpr tensor<double, 4> x{.6, .23, 1.34, 1.71}, y{2.1, 1.73, 2.84, 3.21};
constexpr tensor<double, 7> u{.4, .03, 1.14, 1.51, -1.08, 2.25, 2.62}, v{1.3, .93, 2.04, 2.41, -.18, 3.15, 3.52};

constexpr auto turned_product = [](auto p, auto q) { return jq::matmul(jq::transpose(p), q) - p; };
constexpr auto outer_products = [](auto p, auto q) { return -jq::outer(p, q) * 0.25 + jq::outer(q, p * p); };
constexpr auto quotients = [](auto p, auto q) { return p / (q * q + 1.0) - 1.0 / p; };
constexpr auto extremes_between = [](auto p, auto q) { return jq::matmul(jq::maximum(p, q), jq::minimum(p, 0.3) - q); };
constexpr auto functions_between = [](auto p, auto q) { return jq::matmul(p, jq::tanh(jq::matmul(p, q))) * jq::exp(-q); };
constexpr auto parts = [](auto p, auto q) { return jq::concatenate({p * q, jq::expand_dims(q * 2.0, 0), jq::flip(p, 1) + q}, 0); };
constexpr auto single_precision = [](auto p) { return jq::matmul(p.astype(jq::f32), p.astype(jq::f32)).astype(jq::f64) * p; };

}  // namespace

TEST_CASE("both lanes: rows of products") { same(turned_product, a, b), same(outer_products, x, y), same(outer_products, u, v); }
TEST_CASE("both lanes: rows of quotients, and with other operations between") { same(quotients, a, x), same(extremes_between, a, b), same(functions_between, a, x); }
TEST_CASE("both lanes: rows of parts, and of other dtypes") { same(parts, a, x), same(single_precision, a); }
