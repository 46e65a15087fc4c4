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
template <int n, class T = double>
void softmax_by_hand(const T* x, T* g) {
  T m = x[0], s = 0;
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

// T10

template <class T>
struct algebra {
  tensor<T, 4, 4> a, b;
  tensor<T, 4> x, c;
};
template <class T>
struct algebra_task {
  algebra<T> at;
  tensor<T, 4> ct;
};
template <class T>
struct value_and_cotangents {
  tensor<T, 4> y;
  algebra<T> ct;
};
inline constexpr auto squares = [](auto a, auto b, auto x, auto c) {
  const auto u = jq::matmul(b, x) + c;
  return jq::matmul(a, u * u);
};
template <class T>
void squares_by_hand(const algebra_task<T>& t, value_and_cotangents<T>& r) {
  T u[4], s[4], du[4]{};
  for (std::size_t i = 0; i < 4; ++i) {
    u[i] = t.at.c[i];
    for (std::size_t j = 0; j < 4; ++j) u[i] += t.at.b.data()[4 * i + j] * t.at.x[j];
    s[i] = u[i] * u[i];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    r.y[i] = 0, r.ct.x[i] = 0;
    for (std::size_t j = 0; j < 4; ++j) r.y[i] += t.at.a.data()[4 * i + j] * s[j], r.ct.a.data()[4 * i + j] = t.ct[i] * s[j];
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) du[j] += t.ct[i] * t.at.a.data()[4 * i + j];
  for (std::size_t i = 0; i < 4; ++i) du[i] *= 2 * u[i], r.ct.c[i] = du[i];
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) r.ct.b.data()[4 * i + j] = du[i] * t.at.x[j], r.ct.x[j] += du[i] * t.at.b.data()[4 * i + j];
}
template <class T>
void squares_by_library(const algebra_task<T>& in, value_and_cotangents<T>& out) {
  const auto [y, back] = jq::vjp(squares, in.at.a, in.at.b, in.at.x, in.at.c);
  const auto [a, b, x, c] = back(in.ct);
  out.y = y, out.ct.a = a, out.ct.b = b, out.ct.x = x, out.ct.c = c;
}

// Kepler

inline constexpr auto energy = [](auto s) { return differentiators::energy_of<decltype(s[0])>(s); };
template <class T>
void energy_gradient_by_hand(const tensor<T, 6>& s, tensor<T, 6>& g) {
  const T square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_cube = 1 / (square * std::sqrt(square));
  for (std::size_t i = 0; i < 3; ++i) g[i] = s[i] * inverse_cube, g[3 + i] = s[3 + i];
}
template <class T>
void energy_hessian_by_hand(const T* s, T* h) {
  const T square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_square = 1 / square;
  const T inverse_cube = inverse_square / std::sqrt(square), b = -3 * inverse_cube * inverse_square;
  for (std::size_t i = 0; i < 36; ++i) h[i] = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const T c = b * s[i];
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
