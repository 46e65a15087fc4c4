// The programs as expressions of Eigen on mapped memory, row-major; one thread.

#include "peers.hpp"

#include <cmath>

#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

namespace peers {
namespace {

template <class T>
using values = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using constants = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using rows_of = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using matrix = Eigen::Map<rows_of<T>>;
template <class T>
using constant_matrix = Eigen::Map<const rows_of<T>>;
using index = Eigen::Index;

template <class T>
void poly8(const T* from, T* to, size_t n) {
  const constants<T> x(from, index(n));
  values<T>(to, index(n)) = ((x * x + T(0.5)) * x - T(0.25) * x + T(1)).max(T(0)) * x;
}
template <class T>
void update(T* p, size_t n) {
  values<T> x(p, index(n));
  x = ((x * x + T(0.5)) * x - T(0.25) * x + T(1)).max(T(0)) * x;
}
template <class T>
void gelu(const T* from, T* to, size_t n) {
  const constants<T> x(from, index(n));
  values<T>(to, index(n)) = T(0.5) * x * (T(1) + (T(0.79788456) * (x + T(0.044715) * x * x * x)).tanh());
}
template <class T>
void black_scholes(const options<T>& in, T* price, size_t n) {
  const constants<T> s(in.spot, index(n)), k(in.strike, index(n)), t(in.time, index(n)), v(in.volatility, index(n));
  using array = Eigen::Array<T, Eigen::Dynamic, 1>;
  const array deviation = v * t.sqrt(), d1 = ((s / k).log() + (T(0.02) + T(0.5) * v * v) * t) / deviation;
  const T root_half = T(0.70710678118654752440);
  values<T>(price, index(n)) =
      s * T(0.5) * (T(1) + (d1 * root_half).erf()) - k * (T(-0.02) * t).exp() * T(0.5) * (T(1) + ((d1 - deviation) * root_half).erf());
}
template <class T>
void softmax(const T* from, T* to, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r) {
    const constants<T> x(from + r * columns, index(columns));
    values<T> y(to + r * columns, index(columns));
    y = (x - x.maxCoeff()).exp();
    y *= T(1) / y.sum();
  }
}
template <class T>
void layer_norm(const T* from, T* to, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r) {
    const constants<T> x(from + r * columns, index(columns));
    values<T> y(to + r * columns, index(columns));
    y = x - x.mean();
    y *= T(1) / std::sqrt(y.square().mean() + T(1e-5));
  }
}
template <class T>
void heat(const T* from, T* to, size_t n) {
  const index m = index(n) - 2;
  const constant_matrix<T> u(from, index(n), index(n));
  const auto part = [&](index i, index j) { return u.block(i, j, m, m); };
  matrix<T>(to, m, m) = part(1, 1) + T(0.1) * (part(0, 1) + part(2, 1) + part(1, 0) + part(1, 2) - T(4) * part(1, 1));
}
template <class T>
void unit_points(const T* from, T* to, size_t n) {
  using points = Eigen::Array<T, Eigen::Dynamic, 3, Eigen::RowMajor>;
  const Eigen::Map<const points> x(from, index(n), 3);
  Eigen::Map<points> y(to, index(n), 3);
  y = x.colwise() / x.square().rowwise().sum().sqrt();
}
template <class T>
void haar(const T* from, T* to, size_t n) {
  using pairs = Eigen::Array<T, Eigen::Dynamic, 2, Eigen::RowMajor>;
  const Eigen::Map<const pairs> x(from, index(n), 2);
  Eigen::Map<pairs> y(to, index(n), 2);
  y.col(0) = T(0.5) * (x.col(0) + x.col(1));
  y.col(1) = T(0.5) * (x.col(0) - x.col(1));
}
template <class T>
void backwards(const T* from, T* to, size_t n) {
  values<T>(to, index(n)) = T(2) * constants<T>(from, index(n)).reverse();
}
template <class T>
void n_body(const T* at, const T* mass, T* out, size_t n) {
  const index m = index(n);
  const constants<T> x(at, m), y(at + n, m), z(at + 2 * n, m), masses(mass, m);
  Eigen::Array<T, Eigen::Dynamic, 1> square(m), w(m);
  for (index i = 0; i < m; ++i) {
    square = (x - x[i]).square() + (y - y[i]).square() + (z - z[i]).square() + T(1e-3);
    w = masses / (square * square.sqrt());
    out[i] = (w * (x - x[i])).sum(), out[i + m] = (w * (y - y[i])).sum(), out[i + 2 * m] = (w * (z - z[i])).sum();
  }
}
template <class T>
void logistic_step(const T* from, const T* labels, T* weights, size_t n, size_t d) {
  const constant_matrix<T> x(from, index(n), index(d));
  const constants<T> y(labels, index(n));
  Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>> w(weights, index(d));
  Eigen::Matrix<T, Eigen::Dynamic, 1> error = x * w;
  error = (T(1) / (T(1) + (-error.array()).exp()) - y).matrix();
  w.noalias() -= T(0.1) / T(n) * (x.transpose() * error);
}
template <class T>
void mlp_step(const network<T>& p, const T* from, const T* labels) {
  constexpr index b = index(batch), n0 = index(widths[0]), n1 = index(widths[1]), n2 = index(widths[2]), n3 = index(widths[3]);
  const constant_matrix<T> x(from, b, n0), y(labels, b, n3);
  matrix<T> w0(p.w[0], n0, n1), w1(p.w[1], n1, n2), w2(p.w[2], n2, n3);
  using row = Eigen::Map<Eigen::Matrix<T, 1, Eigen::Dynamic>>;
  row b0(p.b[0], n1), b1(p.b[1], n2), b2(p.b[2], n3);
  static rows_of<T> h0, h1, z, d2, d1, d0;
  h0.noalias() = x * w0;
  h0 = (h0.rowwise() + b0).array().tanh().matrix();
  h1.noalias() = h0 * w1;
  h1 = (h1.rowwise() + b1).array().tanh().matrix();
  z.noalias() = h1 * w2;
  z.rowwise() += b2;
  d2 = (z.colwise() - z.rowwise().maxCoeff().eval()).array().exp().matrix();
  d2.array().colwise() /= d2.rowwise().sum().eval().array();
  d2 = (d2 - y) / T(batch);
  d1.noalias() = d2 * w2.transpose();
  d1.array() *= T(1) - h1.array().square();
  d0.noalias() = d1 * w1.transpose();
  d0.array() *= T(1) - h0.array().square();
  w2.noalias() -= T(0.1) * (h1.transpose() * d2);
  w1.noalias() -= T(0.1) * (h0.transpose() * d1);
  w0.noalias() -= T(0.1) * (x.transpose() * d0);
  b2 -= T(0.1) * d2.colwise().sum();
  b1 -= T(0.1) * d1.colwise().sum();
  b0 -= T(0.1) * d0.colwise().sum();
}
template <class T>
void product(const T* a, const T* b, T* out, size_t n) {
  const index m = index(n);
  matrix<T>(out, m, m).noalias() = constant_matrix<T>(a, m, m) * constant_matrix<T>(b, m, m);
}
template <class T>
void layers(const T* weights, const T* from, T* to, size_t count, size_t d) {
  const constant_matrix<T> w(weights, index(d), index(d)), x(from, index(count), index(d));
  static rows_of<T> hidden;
  hidden.noalias() = x * w.transpose();
  hidden = hidden.array().tanh().matrix();
  matrix<T>(to, index(count), index(d)).noalias() = hidden * w.transpose();
}

template <class T>
library<T> table() {
  library<T> l{"Eigen"};
  l.poly8 = poly8<T>, l.update = update<T>, l.gelu = gelu<T>, l.black_scholes = black_scholes<T>, l.softmax = softmax<T>;
  l.layer_norm = layer_norm<T>, l.heat = heat<T>, l.n_body = n_body<T>, l.logistic_step = logistic_step<T>, l.mlp_step = mlp_step<T>;
  l.product = product<T>, l.layers = layers<T>, l.unit_points = unit_points<T>, l.haar = haar<T>, l.backwards = backwards<T>;
  return l;
}
const registration registered(table<float>(), table<double>());

}  // namespace
}  // namespace peers
