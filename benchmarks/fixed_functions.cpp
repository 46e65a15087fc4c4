// Question: what do derivatives of small fixed-size functions cost in the compile-time lane, compared with those written by hand?
// Tasks: T3 loss and gradient of a 16-32-1 network with 577 parameters on a batch of 16, T7 a call of a function of 16 floats, T10
// A (B x + c)^2 with 4 x 4 matrices, value and vjp; the gradient and the Hessian of the energy of Kepler's two bodies; the gradient
// of the sum of squares of the inverse of a 4 x 4 matrix, by cofactors and by jq::linalg; the forces of Lennard and Jones between eight atoms; the covariance that an
// extended Kalman filter of six states predicts, by the Jacobian of its motion; the Jacobian of a chain of seven enzymatic reactions;
// that of the squares of a cubic B-spline of 13 points, which is mostly zero.
// Unit: nanoseconds per call, and the ratio to the baseline in the same round (interleaved.hpp). Values are compared first.

#include <jacquard/fixed.hpp>
#include <jacquard/numpy/linalg.hpp>

#include <cmath>

#include "gradient_tasks.hpp"
#include "static_task.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::direct, interleaved::observe;
using static_task::task;
using jq::tensor;

namespace {

// T3

void small_network() {
  gradient_tasks::network_task t;
  interleaved::numbers u;
  u.fill(t.p.w1, .3), u.fill(t.p.b1, .3), u.fill(t.p.w2, .3), t.p.b2 = .3 * u();
  u.fill(t.x), u.fill(t.y);
  task("T3 network, loss and gradient", t, gradient_tasks::loss_and_gradient{}, direct<gradient_tasks::network_by_hand>, direct<gradient_tasks::network_by_library>);
}

// T7

constexpr auto scaled = [](auto x) { return x * 2.f + 1.f; };
/// Returns its result: stores to a place that may overlap with x keep g++ from using vectors, and cost eight times as much.
inline tensor<float, 16> scaled_by_hand(const tensor<float, 16>& x) {
  tensor<float, 16> y;
  for (std::size_t i = 0; i < 16; ++i) y[i] = x[i] * 2.f + 1.f;
  return y;
}
void call() {
  tensor<float, 16> x{};
  interleaved::numbers().fill(x);
  static tensor<float, 16> want{}, got{};
  // Both within the loop that times them: a call would cost as much as the function.
  const auto by_hand = [&]() __attribute__((always_inline)) {
    observe(&x);
    want = scaled_by_hand(x);
    observe(&want);
  };
  const auto ours = [&]() __attribute__((always_inline)) {
    observe(&x);
    got = jq::vjp(scaled, x).first;
    observe(&got);
  };
  by_hand(), ours();
  compare("T7 call of a function of 16 floats", 1, want == got ? 0 : 1, by_hand, ours, 1.0);
}

// T10

void linear_algebra() {
  gradient_tasks::algebra_task<double> t;
  interleaved::numbers u;
  u.fill(t.at.a), u.fill(t.at.b), u.fill(t.at.x), u.fill(t.at.c), u.fill(t.ct);
  task("T10 A (B x + c)^2, value and vjp", t, gradient_tasks::value_and_cotangents<double>{}, direct<gradient_tasks::squares_by_hand<double>>,
       direct<gradient_tasks::squares_by_library<double>>);
}

// Kepler

void kepler() {
  tensor<double, 6> s{};
  interleaved::numbers().fill(s);
  task("Kepler energy, gradient", s, tensor<double, 6>{}, direct<gradient_tasks::energy_gradient_by_hand<double>>,
       [](const tensor<double, 6>& in, tensor<double, 6>& out) { out = jq::grad(gradient_tasks::energy)(in); });
  task("Kepler energy, Hessian", s, tensor<double, 6, 6>{},
       [](const tensor<double, 6>& in, tensor<double, 6, 6>& out) { gradient_tasks::energy_hessian_by_hand(in.data(), out.data()); },
       [](const tensor<double, 6>& in, tensor<double, 6, 6>& out) { out = jq::hessian(gradient_tasks::energy)(in); });
}

// The inverse of a 4 x 4 matrix by the determinants of its 2 x 2 parts.

template <class T, class Get, class Put>
constexpr void invert(const Get& a, const Put& put) {
  const T s0 = a(0, 0) * a(1, 1) - a(1, 0) * a(0, 1), s1 = a(0, 0) * a(1, 2) - a(1, 0) * a(0, 2);
  const T s2 = a(0, 0) * a(1, 3) - a(1, 0) * a(0, 3), s3 = a(0, 1) * a(1, 2) - a(1, 1) * a(0, 2);
  const T s4 = a(0, 1) * a(1, 3) - a(1, 1) * a(0, 3), s5 = a(0, 2) * a(1, 3) - a(1, 2) * a(0, 3);
  const T c5 = a(2, 2) * a(3, 3) - a(3, 2) * a(2, 3), c4 = a(2, 1) * a(3, 3) - a(3, 1) * a(2, 3);
  const T c3 = a(2, 1) * a(3, 2) - a(3, 1) * a(2, 2), c2 = a(2, 0) * a(3, 3) - a(3, 0) * a(2, 3);
  const T c1 = a(2, 0) * a(3, 2) - a(3, 0) * a(2, 2), c0 = a(2, 0) * a(3, 1) - a(3, 0) * a(2, 1);
  const T d = 1.0 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
  put(0, 0, (a(1, 1) * c5 - a(1, 2) * c4 + a(1, 3) * c3) * d), put(0, 1, (a(0, 2) * c4 - a(0, 1) * c5 - a(0, 3) * c3) * d);
  put(0, 2, (a(3, 1) * s5 - a(3, 2) * s4 + a(3, 3) * s3) * d), put(0, 3, (a(2, 2) * s4 - a(2, 1) * s5 - a(2, 3) * s3) * d);
  put(1, 0, (a(1, 2) * c2 - a(1, 0) * c5 - a(1, 3) * c1) * d), put(1, 1, (a(0, 0) * c5 - a(0, 2) * c2 + a(0, 3) * c1) * d);
  put(1, 2, (a(3, 2) * s2 - a(3, 0) * s5 - a(3, 3) * s1) * d), put(1, 3, (a(2, 0) * s5 - a(2, 2) * s2 + a(2, 3) * s1) * d);
  put(2, 0, (a(1, 0) * c4 - a(1, 1) * c2 + a(1, 3) * c0) * d), put(2, 1, (a(0, 1) * c2 - a(0, 0) * c4 - a(0, 3) * c0) * d);
  put(2, 2, (a(3, 0) * s4 - a(3, 1) * s2 + a(3, 3) * s0) * d), put(2, 3, (a(2, 1) * s2 - a(2, 0) * s4 - a(2, 3) * s0) * d);
  put(3, 0, (a(1, 1) * c1 - a(1, 0) * c3 - a(1, 2) * c0) * d), put(3, 1, (a(0, 0) * c3 - a(0, 1) * c1 + a(0, 2) * c0) * d);
  put(3, 2, (a(3, 1) * s1 - a(3, 0) * s3 - a(3, 2) * s0) * d), put(3, 3, (a(2, 0) * s3 - a(2, 1) * s1 + a(2, 2) * s0) * d);
}
constexpr auto size_of_inverse = [](auto m) {
  decltype(m) total = 0.0;
  invert<decltype(m)>([&](int i, int j) { return m(i, j); }, [&](int, int, const auto& v) { total = total + v * v; });
  return total;
};
void size_of_inverse_by_hand(const tensor<double, 4, 4>& m, tensor<double, 4, 4>& g) {  // -2 M' M M' for the inverse M
  double M[4][4], p[4][4];
  invert<double>([&](int i, int j) { return m.data()[4 * i + j]; }, [&](int i, int j, double v) { M[i][j] = v; });
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) p[i][j] = -2 * (M[0][i] * M[0][j] + M[1][i] * M[1][j] + M[2][i] * M[2][j] + M[3][i] * M[3][j]);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      g.data()[4 * i + j] = p[i][0] * M[j][0] + p[i][1] * M[j][1] + p[i][2] * M[j][2] + p[i][3] * M[j][3];
}
/// The same by elimination with partial pivoting, as jq::linalg::inv.
constexpr auto size_by_elimination = [](auto m) {
  const auto inverse = jq::linalg::inv(m);
  return jq::sum(inverse * inverse);
};
void size_by_elimination_by_hand(const tensor<double, 4, 4>& m, tensor<double, 4, 4>& g) {
  double a[4][4], M[4][4]{}, p[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) a[i][j] = m.data()[4 * i + j];
  for (int i = 0; i < 4; ++i) M[i][i] = 1;
  for (int k = 0; k < 4; ++k) {
    int best = k;
    for (int i = k + 1; i < 4; ++i)
      if (std::fabs(a[i][k]) > std::fabs(a[best][k])) best = i;
    if (best != k) std::swap(a[k], a[best]), std::swap(M[k], M[best]);
    const double inverse = 1 / a[k][k];
    for (int j = 0; j < 4; ++j) a[k][j] *= inverse, M[k][j] *= inverse;
    for (int i = 0; i < 4; ++i) {
      if (i == k) continue;
      const double factor = a[i][k];
      for (int j = 0; j < 4; ++j) a[i][j] -= factor * a[k][j], M[i][j] -= factor * M[k][j];
    }
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) p[i][j] = -2 * (M[0][i] * M[0][j] + M[1][i] * M[1][j] + M[2][i] * M[2][j] + M[3][i] * M[3][j]);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      g.data()[4 * i + j] = p[i][0] * M[j][0] + p[i][1] * M[j][1] + p[i][2] * M[j][2] + p[i][3] * M[j][3];
}
void inverse() {
  tensor<double, 4, 4> m{};
  interleaved::numbers().fill(m);
  for (std::size_t i = 0; i < 4; ++i) m.data()[5 * i] += 3;
  task("size of a 4 x 4 inverse, gradient", m, tensor<double, 4, 4>{}, direct<size_of_inverse_by_hand>,
       [](const tensor<double, 4, 4>& in, tensor<double, 4, 4>& out) { out = jq::grad(size_of_inverse)(in); });
  const auto by_linalg = [](const tensor<double, 4, 4>& in, tensor<double, 4, 4>& out) { out = jq::grad(size_by_elimination)(in); };
  task("size of a 4 x 4 linalg::inv, gradient: elimination by hand", m, tensor<double, 4, 4>{}, direct<size_by_elimination_by_hand>, by_linalg);
  task("size of a 4 x 4 linalg::inv, gradient: cofactors by hand", m, tensor<double, 4, 4>{}, direct<size_of_inverse_by_hand>, by_linalg);
}

// Lennard-Jones

constexpr auto potential = [](auto x) {
  decltype(x[0]) total = 0.0;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < i; ++k) {
      const auto dx = x[3 * i] - x[3 * k], dy = x[3 * i + 1] - x[3 * k + 1], dz = x[3 * i + 2] - x[3 * k + 2];
      const auto inverse = 1.0 / (dx * dx + dy * dy + dz * dz), sixth = inverse * inverse * inverse;
      total = total + 4.0 * (sixth * sixth - sixth);
    }
  return total;
};
void forces_by_hand(const tensor<double, 24>& x, tensor<double, 24>& g) {
  g = {};
  for (std::size_t i = 0; i < 24; i += 3)
    for (std::size_t k = 0; k < i; k += 3) {
      const double dx = x[i] - x[k], dy = x[i + 1] - x[k + 1], dz = x[i + 2] - x[k + 2];
      const double inverse = 1 / (dx * dx + dy * dy + dz * dz), sixth = inverse * inverse * inverse;
      const double f = 24 * inverse * sixth * (1 - 2 * sixth);
      g[i] += f * dx, g[i + 1] += f * dy, g[i + 2] += f * dz;
      g[k] -= f * dx, g[k + 1] -= f * dy, g[k + 2] -= f * dz;
    }
}
void atoms() {
  tensor<double, 24> x{};
  interleaved::numbers().fill(x, 2);
  task("Lennard-Jones, forces on 8 atoms", x, tensor<double, 24>{}, direct<forces_by_hand>,
       [](const tensor<double, 24>& in, tensor<double, 24>& out) { out = jq::grad(potential)(in); });
}

// Kalman filter: place, speed, heading, rate of turn and its bias after a tenth of a second

constexpr auto motion = [](auto s) {
  const auto way = 0.1 * s[2];
  return jq::stack({s[0] + way * jq::cos(s[3]), s[1] + way * jq::sin(s[3]), s[2] * (1.0 - 0.005 * s[2]), s[3] + 0.1 * (s[4] - s[5]), 0.98 * s[4],
                    s[5]});
};
constexpr auto prediction = [](auto s, auto p) {
  const auto f = jq::jacfwd(motion)(s);
  return jq::matmul(jq::matmul(f, p), jq::transpose(f));
};
struct belief {
  tensor<double, 6> s;
  tensor<double, 6, 6> p;
};
void prediction_by_hand(const belief& b, tensor<double, 6, 6>& r) {  // F P F', where F has seven elements other than 0 and 1
  const tensor<double, 6>& s = b.s;
  const double c = .1 * std::cos(s[3]), d = .1 * std::sin(s[3]), f03 = -s[2] * d, f13 = s[2] * c, f22 = 1 - .01 * s[2];
  double a[6][6];
  const double* const p = b.p.data();
  for (std::size_t j = 0; j < 6; ++j) {
    a[0][j] = p[j] + c * p[12 + j] + f03 * p[18 + j], a[1][j] = p[6 + j] + d * p[12 + j] + f13 * p[18 + j], a[2][j] = f22 * p[12 + j];
    a[3][j] = p[18 + j] + .1 * (p[24 + j] - p[30 + j]), a[4][j] = .98 * p[24 + j], a[5][j] = p[30 + j];
  }
  for (std::size_t i = 0; i < 6; ++i) {
    double* const row = r.data() + 6 * i;
    row[0] = a[i][0] + a[i][2] * c + a[i][3] * f03, row[1] = a[i][1] + a[i][2] * d + a[i][3] * f13, row[2] = a[i][2] * f22;
    row[3] = a[i][3] + .1 * (a[i][4] - a[i][5]), row[4] = .98 * a[i][4], row[5] = a[i][5];
  }
}
void filter() {
  belief b{};
  interleaved::numbers u;
  u.fill(b.s), u.fill(b.p);
  task("Kalman filter, predicted covariance", b, tensor<double, 6, 6>{}, direct<prediction_by_hand>,
       [](const belief& in, tensor<double, 6, 6>& out) { out = jq::vjp(prediction, in.s, in.p).first; });
}

// Michaelis-Menten

constexpr double most[] = {1, .9, .8, 1.1, 1.2, .7, .6}, half[] = {.5, .4, .3, .6, .2, .5, .7};
constexpr auto rates = [](auto x) {
  decltype(x[0]) r[7];
  for (int i = 0; i < 7; ++i) r[i] = most[i] * x[i] / (half[i] + x[i]);
  return jq::stack({-r[0], r[0] - r[1], r[1] - r[2], r[2] - r[3], r[3] - r[4], r[4] - r[5], r[5] - r[6], r[6]});
};
void rates_by_hand(const tensor<double, 8>& x, tensor<double, 8, 8>& j) {
  j = {};
  for (std::size_t i = 0; i < 7; ++i) {
    const double inverse = 1 / (half[i] + x[i]), slope = most[i] * half[i] * inverse * inverse;
    j.data()[9 * i] = -slope, j.data()[9 * i + 8] = slope;
  }
}
void reactions() {
  tensor<double, 8> x{};
  interleaved::numbers().fill(x, .1);
  for (double& amount : x) amount += .5;
  task("Michaelis-Menten, Jacobian 8 x 8", x, tensor<double, 8, 8>{}, direct<rates_by_hand>,
       [](const tensor<double, 8>& in, tensor<double, 8, 8>& out) { out = jq::jacrev(rates)(in); });
}

// B-spline

constexpr double weights[] = {1. / 48, 23. / 48, 23. / 48, 1. / 48};  // in the middle of a segment
constexpr auto spline = [](auto p) {
  const auto part = [&](int k) { return weights[k] * p(jq::slice(k, k + 10)); };
  const auto y = part(0) + part(1) + part(2) + part(3);
  return y * y;
};
void spline_by_hand(const tensor<double, 13>& p, tensor<double, 10, 13>& j) {
  j = {};
  for (std::size_t i = 0; i < 10; ++i) {
    const double y = weights[0] * p[i] + weights[1] * p[i + 1] + weights[2] * p[i + 2] + weights[3] * p[i + 3];
    for (std::size_t k = 0; k < 4; ++k) j.data()[14 * i + k] = 2 * y * weights[k];
  }
}
void splines() {
  tensor<double, 13> p{};
  interleaved::numbers().fill(p);
  task("B-spline of 13 points, Jacobian 10 x 13", p, tensor<double, 10, 13>{}, direct<spline_by_hand>,
       [](const tensor<double, 13>& in, tensor<double, 10, 13>& out) { out = jq::jacfwd(spline)(in); });
}

}  // namespace

int main() {
  call();
  linear_algebra();
  kepler();
  inverse();
  atoms();
  filter();
  reactions();
  splines();
  small_network();
}
