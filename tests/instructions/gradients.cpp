// Gradients of five functions, each by the library and by hand, for `counts` beside this file.
#include <jacquard/fixed.hpp>

#include <cmath>

namespace jq = jacquard;
using jq::tensor;
using two = tensor<double, 2>;
using three = tensor<double, 3>;
using six = tensor<double, 6>;
using square = tensor<double, 3, 3>;

constexpr auto cubic = [](auto x) { return x * x * x - 2.0 * x; };
extern "C" double cubic_library(double x) { return jq::grad(cubic)(x); }
extern "C" double cubic_hand(double x) { return 3 * (x * x) - 2; }

constexpr auto rosenbrock = [](auto x) {
  const auto u = x[1] - x[0] * x[0], v = 1.0 - x[0];
  return 100.0 * u * u + v * v;
};
extern "C" void rosenbrock_library(const two& x, two& g) { g = jq::grad(rosenbrock)(x); }
extern "C" void rosenbrock_hand(const two& x, two& g) {
  const double u = x[1] - x[0] * x[0], v = 1 - x[0], du = 200 * u;
  g[0] = -2 * v - 2 * du * x[0];
  g[1] = du;
}

constexpr auto energy = [](auto s) {
  const auto kinetic = 0.5 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  return kinetic - 1.0 / jq::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
};
extern "C" void energy_library(const six& s, six& g) { g = jq::grad(energy)(s); }
extern "C" void energy_hand(const six& s, six& g) {
  const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_cube = 1 / (square * std::sqrt(square));
  for (std::size_t i = 0; i < 3; ++i) g[i] = s[i] * inverse_cube, g[3 + i] = s[3 + i];
}

constexpr auto form = [](auto a, auto x) { return jq::sum(x * jq::matmul(a, x)); };
extern "C" void form_library(const square& a, const three& x, three& g) { g = jq::grad(form, jq::argnums<1>)(a, x); }
extern "C" void form_hand(const square& a, const three& x, three& g) {
  const double xy = a(0, 1) + a(1, 0), xz = a(0, 2) + a(2, 0), yz = a(1, 2) + a(2, 1);
  g[0] = 2 * a(0, 0) * x[0] + xy * x[1] + xz * x[2];
  g[1] = xy * x[0] + 2 * a(1, 1) * x[1] + yz * x[2];
  g[2] = xz * x[0] + yz * x[1] + 2 * a(2, 2) * x[2];
}

constexpr auto distance = [](auto x, auto y) {
  const auto d = x - y;
  return jq::sqrt(jq::sum(d * d));
};
extern "C" void distance_library(const three& x, const three& y, three& g) { g = jq::grad(distance)(x, y); }
extern "C" void distance_hand(const three& x, const three& y, three& g) {
  const double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2], inverse = 1 / std::sqrt(a * a + b * b + c * c);
  g[0] = a * inverse, g[1] = b * inverse, g[2] = c * inverse;
}

// What must be found: a temporary on the stack.
extern "C" double spilled(double x) {
  volatile double kept = x;
  return kept;
}
