// The programs as expressions of xtensor, with its SIMD by xsimd; operands and results are adapted memory, assigned without temporaries.

#include "peers.hpp"

#include <array>
#include <cmath>

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace peers {
namespace {

template <class T, std::size_t... I>
auto adapted(T* p, std::array<std::size_t, sizeof...(I)> shape, std::index_sequence<I...>) {
  std::size_t size = 1;
  for (std::size_t d : shape) size *= d;
  return xt::adapt(p, size, xt::no_ownership(), shape);
}
template <class T, class... N>
auto on(T* p, N... n) {
  return adapted(p, std::array<std::size_t, sizeof...(N)>{n...}, std::make_index_sequence<sizeof...(N)>());
}

template <class T>
void poly8(const T* from, T* to, size_t n) {
  const auto x = on(from, n);
  auto y = on(to, n);
  xt::noalias(y) = xt::maximum((x * x + T(0.5)) * x - T(0.25) * x + T(1), T(0)) * x;
}
template <class T>
void update(T* p, size_t n) {
  auto x = on(p, n);
  xt::noalias(x) = xt::maximum((x * x + T(0.5)) * x - T(0.25) * x + T(1), T(0)) * x;
}
template <class T>
void gelu(const T* from, T* to, size_t n) {
  const auto x = on(from, n);
  auto y = on(to, n);
  xt::noalias(y) = T(0.5) * x * (T(1) + xt::tanh(T(0.79788456) * (x + T(0.044715) * x * x * x)));
}
template <class T>
void black_scholes(const options<T>& in, T* price, size_t n) {
  const auto s = on(in.spot, n), k = on(in.strike, n), t = on(in.time, n), v = on(in.volatility, n);
  const xt::xtensor<T, 1> deviation = v * xt::sqrt(t), d1 = (xt::log(s / k) + (T(0.02) + T(0.5) * v * v) * t) / deviation;
  const T root_half = T(0.70710678118654752440);
  auto to = on(price, n);
  xt::noalias(to) = s * T(0.5) * (T(1) + xt::erf(d1 * root_half)) -
                    k * xt::exp(T(-0.02) * t) * T(0.5) * (T(1) + xt::erf((d1 - deviation) * root_half));
}
template <class T>
void softmax(const T* from, T* to, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r) {  // by rows: reductions of a whole matrix make matrices of temporaries
    const auto x = on(from + r * columns, columns);
    auto y = on(to + r * columns, columns);
    const T largest = xt::amax(x, xt::evaluation_strategy::immediate)();
    xt::noalias(y) = xt::exp(x - largest);
    const T sum = xt::sum(y, xt::evaluation_strategy::immediate)();
    y *= T(1) / sum;
  }
}
template <class T>
void layer_norm(const T* from, T* to, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r) {
    const auto x = on(from + r * columns, columns);
    auto y = on(to + r * columns, columns);
    const T mean = xt::sum(x, xt::evaluation_strategy::immediate)() / T(columns);
    xt::noalias(y) = x - mean;
    const T variance = xt::sum(y * y, xt::evaluation_strategy::immediate)() / T(columns);
    y *= T(1) / std::sqrt(variance + T(1e-5));
  }
}
template <class T>
void heat(const T* from, T* to, size_t n) {
  const auto u = on(from, n, n);
  auto out = on(to, n - 2, n - 2);
  const auto part = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
    return xt::view(u, xt::range(i, i + std::ptrdiff_t(n) - 2), xt::range(j, j + std::ptrdiff_t(n) - 2));
  };
  xt::noalias(out) = part(1, 1) + T(0.1) * (part(0, 1) + part(2, 1) + part(1, 0) + part(1, 2) - T(4) * part(1, 1));
}
template <class T>
void unit_points(const T* from, T* to, size_t n) {
  const auto x = on(from, n, 3);
  auto y = on(to, n, 3);
  xt::xtensor<T, 1> length = xt::sqrt(xt::sum(x * x, {1}));
  xt::noalias(y) = x / xt::view(length, xt::all(), xt::newaxis());
}
template <class T>
void haar(const T* from, T* to, size_t n) {
  const auto x = on(from, n, 2);
  auto y = on(to, n, 2);
  const auto a = xt::view(x, xt::all(), 0), b = xt::view(x, xt::all(), 1);
  xt::noalias(xt::view(y, xt::all(), 0)) = T(0.5) * (a + b);
  xt::noalias(xt::view(y, xt::all(), 1)) = T(0.5) * (a - b);
}
template <class T>
void backwards(const T* from, T* to, size_t n) {
  auto y = on(to, n);
  xt::noalias(y) = T(2) * xt::flip(on(from, n), 0);
}
template <class T>
void n_body(const T* at, const T* mass, T* out, size_t n) {
  const auto x = on(at, n), y = on(at + n, n), z = on(at + 2 * n, n), m = on(mass, n);
  xt::xtensor<T, 1> square = xt::empty<T>({n}), w = xt::empty<T>({n});
  for (size_t i = 0; i < n; ++i) {
    const T a = at[i], b = at[n + i], c = at[2 * n + i];
    xt::noalias(square) = (x - a) * (x - a) + (y - b) * (y - b) + (z - c) * (z - c) + T(1e-3);
    xt::noalias(w) = m / (square * xt::sqrt(square));
    out[i] = xt::sum(w * (x - a), xt::evaluation_strategy::immediate)();
    out[n + i] = xt::sum(w * (y - b), xt::evaluation_strategy::immediate)();
    out[2 * n + i] = xt::sum(w * (z - c), xt::evaluation_strategy::immediate)();
  }
}

template <class T>
library<T> table() {
  library<T> l{"xtensor"};
  l.poly8 = poly8<T>, l.update = update<T>, l.gelu = gelu<T>, l.black_scholes = black_scholes<T>, l.softmax = softmax<T>;
  l.layer_norm = layer_norm<T>, l.heat = heat<T>, l.n_body = n_body<T>;
  l.unit_points = unit_points<T>, l.haar = haar<T>, l.backwards = backwards<T>;
  return l;
}
const registration registered(table<float>(), table<double>());

}  // namespace
}  // namespace peers
