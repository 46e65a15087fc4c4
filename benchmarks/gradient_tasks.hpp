#pragma once
// Functions whose derivatives several benchmarks ask for, in numpy's words as users of Jacquard write them, and these derivatives by hand in
// plain loops. Deliberately without loops tuned for -ffast-math, which are in peers/loops.cpp.

#include <cmath>

#include <jacquard/fixed.hpp>

#include "differentiators/differentiators.hpp"

namespace gradient_tasks {

namespace jq = jacquard;
using jq::tensor;

// T1

inline constexpr auto rosenbrock = [](auto x) {
  const auto a = x(jq::slice(0, -1)), b = x(jq::slice(1, jq::none));
  const auto u = b - a * a, v = 1.0 - a;
  return jq::sum(100.0 * u * u + v * v);
};
template <int n>
void rosenbrock_by_hand(const double* x, double* g) {
  for (int i = 0; i < n; ++i) g[i] = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    g[i] += -400 * a * x[i] - 2 * b;
    g[i + 1] += 200 * a;
  }
}

// T2

inline constexpr auto log_sum_exp = [](auto x) {
  const auto m = jq::max(x);
  return m + jq::log(jq::sum(jq::exp(x - m)));
};
template <int n>
void softmax_by_hand(const double* x, double* g) {
  double m = x[0], s = 0;
  for (int i = 1; i < n; ++i) m = x[i] > m ? x[i] : m;
  for (int i = 0; i < n; ++i) s += g[i] = std::exp(x[i] - m);
  for (int i = 0; i < n; ++i) g[i] *= 1 / s;
}

// T3: a network 16-32-1 on 16 rows

struct network {
  tensor<double, 32, 16> w1;
  tensor<double, 32> b1, w2;
  double b2;
};
struct network_task {
  network p;
  tensor<double, 16, 16> x;
  tensor<double, 16> y;
};
struct loss_and_gradient {
  double loss;
  network g;
};
inline constexpr auto network_loss = [](auto w1, auto b1, auto w2, auto b2, auto x, auto y) {
  const auto error = jq::matmul(jq::tanh(jq::matmul(x, jq::transpose(w1)) + b1), w2) + b2 - y;
  return jq::sum(error * error) / 16.0;
};
inline void network_by_hand(const network_task& t, loss_and_gradient& r) {
  r = {};
  for (std::size_t b = 0; b < 16; ++b) {
    double z[32], out = t.p.b2;
    for (std::size_t h = 0; h < 32; ++h) {
      double s = t.p.b1[h];
      for (std::size_t i = 0; i < 16; ++i) s += t.p.w1.data()[16 * h + i] * t.x.data()[16 * b + i];
      z[h] = std::tanh(s);
      out += t.p.w2[h] * z[h];
    }
    const double e = out - t.y[b], d = 2 * e / 16;
    r.loss += e * e / 16;
    r.g.b2 += d;
    for (std::size_t h = 0; h < 32; ++h) {
      r.g.w2[h] += d * z[h];
      const double dz = d * t.p.w2[h] * (1 - z[h] * z[h]);
      r.g.b1[h] += dz;
      for (std::size_t i = 0; i < 16; ++i) r.g.w1.data()[16 * h + i] += dz * t.x.data()[16 * b + i];
    }
  }
}
inline void network_by_library(const network_task& in, loss_and_gradient& out) {
  const auto [l, g] = jq::value_and_grad(network_loss, jq::argnums<0, 1, 2, 3>)(in.p.w1, in.p.b1, in.p.w2, in.p.b2, in.x, in.y);
  out.loss = l;
  out.g = {std::get<0>(g), std::get<1>(g), std::get<2>(g), std::get<3>(g)};
}

// Kepler

inline constexpr auto energy = [](auto s) { return differentiators::energy_of<decltype(s[0])>(s); };
inline void energy_hessian_by_hand(const double* s, double* h) {
  const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_square = 1 / square;
  const double inverse_cube = inverse_square / std::sqrt(square), b = -3 * inverse_cube * inverse_square;
  for (std::size_t i = 0; i < 36; ++i) h[i] = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = b * s[i];
    for (std::size_t j = 0; j < 3; ++j) h[6 * i + j] = c * s[j];
    h[7 * i] += inverse_cube;
    h[7 * (3 + i)] = 1;
  }
}

// A chain of 1000 operations

inline constexpr auto chain = [](auto x) { return differentiators::steps_of<decltype(x[0])>(x[0], x[1], x[2]); };
inline void chain_by_hand(const double* x, double* g) {
  double y[200], at = x[0];
  const double a = x[1], b = x[2];
  for (double& step : y) step = at, at += 0.01 * (a - b * at * at);
  double dy = 1, da = 0, db = 0;
  for (int i = 199; i >= 0; --i) {
    da += 0.01 * dy, db -= 0.01 * y[i] * y[i] * dy;
    dy *= 1 - 0.02 * b * y[i];
  }
  g[0] = dy, g[1] = da, g[2] = db;
}

}  // namespace gradient_tasks
