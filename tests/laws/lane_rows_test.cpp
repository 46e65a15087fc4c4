// Rows of small results on vector lanes, made of products, quotients, functions and parts, in many forms. Oracle: the interpreter.
#include "lane_rows.hpp"

using namespace lane_rows;

TEST_CASE("rows of small results: functions in both lanes") {
  using four = tensor<double, 4>;
  using seven = tensor<double, 7>;
  const auto a = filled<square>(1.5), b = filled<square>(-0.8);
  const auto x = filled<four>(0.6), y = filled<four>(2.1);
  check_lanes("turned product", lifted([](auto p, auto q) { return jq::matmul(jq::transpose(p), q) - p; }), a, b);
  check_lanes("negative outer product", lifted([](auto u, auto v) { return -jq::outer(u, v) + jq::outer(v, u); }), x, y);
  check_lanes("quotients of rows", lifted([](auto p, auto u) { return p / (u * u + 1.0) - 1.0 / p; }), a, x);
  check_lanes("extremes between", lifted([](auto p, auto q) { return jq::matmul(jq::maximum(p, q), jq::minimum(p, 0.3) - q); }), a, b);
  check_lanes("functions between", lifted([](auto p, auto u) { return jq::matmul(p, jq::tanh(jq::matmul(p, u))) * jq::exp(-u); }), a, x);
  check_lanes("parts side by side", lifted([](auto p, auto u) { return jq::concatenate({p * u, jq::expand_dims(u * 2.0, 0), jq::flip(p, 1) + u}, 0); }), a, x);
  check_lanes("rows of seven", lifted([](auto u, auto v) { return jq::outer(u, v) * 0.25 + jq::outer(v, u * u); }), filled<seven>(.4), filled<seven>(1.3));
  check_lanes("single precision", lifted([](auto p) { return jq::matmul(p.astype(jq::f32), p.astype(jq::f32)).astype(jq::f64) * p; }), filled<square>(1.0));
}
