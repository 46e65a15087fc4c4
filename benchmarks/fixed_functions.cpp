// Question: what do derivatives of small fixed-size functions cost in the compile-time lane, compared with those written by hand?
// Tasks: T3 loss and gradient of a 16-32-1 network with 577 parameters on a batch of 16, T7 a call of a function of 16 floats, T10
// A (B x + c)^2 with 4 x 4 matrices, value and vjp; the gradient and the Hessian of the energy of Kepler's two bodies; the gradient
// of the sum of squares of the inverse of a 4 x 4 matrix.
// Unit: nanoseconds per call, and the ratio to the baseline in the same round (interleaved.hpp). Values are compared first.

#include <jacquard/fixed.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::observe, interleaved::relative_error;
using jq::tensor;

namespace {

template <class T>
double error_of(const T& want, const T& got) {
  return relative_error(reinterpret_cast<const double*>(&want), reinterpret_cast<const double*>(&got), sizeof(T) / sizeof(double));
}

/// Compares two functions that fill the same kind of result from the same input.
template <class In, class Out, class Hand, class Ours>
void task(const char* name, In& in, Out, Hand hand, Ours ours) {
  static Out want{}, got{};
  const auto by_hand = [&] {
    observe(&in);
    hand(in, want);
    observe(&want);
  };
  const auto by_library = [&] {
    observe(&in);
    ours(in, got);
    observe(&got);
  };
  by_hand(), by_library();
  compare(name, 1, error_of(want, got), by_hand, by_library, 1.0);
}

// T3

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
constexpr auto loss = [](auto w1, auto b1, auto w2, auto b2, auto x, auto y) {
  const auto error = jq::matmul(jq::tanh(jq::matmul(x, jq::transpose(w1)) + b1), w2) + b2 - y;
  return jq::sum(error * error) / 16.0;
};
void loss_by_hand(const network_task& t, loss_and_gradient& r) {
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
void network_loss() {
  network_task t;
  interleaved::numbers u;
  u.fill(t.p.w1, .3), u.fill(t.p.b1, .3), u.fill(t.p.w2, .3), t.p.b2 = .3 * u();
  u.fill(t.x), u.fill(t.y);
  task("T3 network, loss and gradient", t, loss_and_gradient{}, loss_by_hand, [](const network_task& in, loss_and_gradient& out) {
    const auto [l, g] = jq::value_and_grad(loss, jq::argnums<0, 1, 2, 3>)(in.p.w1, in.p.b1, in.p.w2, in.p.b2, in.x, in.y);
    out.loss = l;
    out.g = {std::get<0>(g), std::get<1>(g), std::get<2>(g), std::get<3>(g)};
  });
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

struct algebra {
  tensor<double, 4, 4> a, b;
  tensor<double, 4> x, c;
};
struct algebra_task {
  algebra at;
  tensor<double, 4> ct;
};
struct value_and_cotangents {
  tensor<double, 4> y;
  algebra ct;
};
constexpr auto squares = [](auto a, auto b, auto x, auto c) {
  const auto u = jq::matmul(b, x) + c;
  return jq::matmul(a, u * u);
};
void squares_by_hand(const algebra_task& t, value_and_cotangents& r) {
  double u[4], s[4], du[4];
  for (std::size_t i = 0; i < 4; ++i) {
    u[i] = t.at.c[i];
    for (std::size_t j = 0; j < 4; ++j) u[i] += t.at.b.data()[4 * i + j] * t.at.x[j];
    s[i] = u[i] * u[i];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    r.y[i] = 0, du[i] = 0, r.ct.x[i] = 0;
    for (std::size_t j = 0; j < 4; ++j) r.y[i] += t.at.a.data()[4 * i + j] * s[j], r.ct.a.data()[4 * i + j] = t.ct[i] * s[j];
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) du[j] += t.ct[i] * t.at.a.data()[4 * i + j];
  for (std::size_t i = 0; i < 4; ++i) du[i] *= 2 * u[i], r.ct.c[i] = du[i];
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) r.ct.b.data()[4 * i + j] = du[i] * t.at.x[j], r.ct.x[j] += du[i] * t.at.b.data()[4 * i + j];
}
void linear_algebra() {
  algebra_task t;
  interleaved::numbers u;
  u.fill(t.at.a), u.fill(t.at.b), u.fill(t.at.x), u.fill(t.at.c), u.fill(t.ct);
  task("T10 A (B x + c)^2, value and vjp", t, value_and_cotangents{}, squares_by_hand, [](const algebra_task& in, value_and_cotangents& out) {
    const auto [y, back] = jq::vjp(squares, in.at.a, in.at.b, in.at.x, in.at.c);
    const auto [a, b, x, c] = back(in.ct);
    out.y = y, out.ct.a = a, out.ct.b = b, out.ct.x = x, out.ct.c = c;
  });
}

// Kepler

constexpr auto energy = [](auto s) {
  const auto kinetic = 0.5 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  return kinetic - 1.0 / jq::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
};
void energy_gradient_by_hand(const tensor<double, 6>& s, tensor<double, 6>& g) {
  const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_cube = 1 / (square * std::sqrt(square));
  for (std::size_t i = 0; i < 3; ++i) g[i] = s[i] * inverse_cube, g[3 + i] = s[3 + i];
}
void energy_hessian_by_hand(const tensor<double, 6>& s, tensor<double, 6, 6>& h) {
  const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_square = 1 / square;
  const double inverse_cube = inverse_square / std::sqrt(square), b = -3 * inverse_cube * inverse_square;
  h = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = b * s[i];
    for (std::size_t j = 0; j < 3; ++j) h.data()[6 * i + j] = c * s[j];
    h.data()[7 * i] += inverse_cube;
    h.data()[7 * (3 + i)] = 1;
  }
}
void kepler() {
  tensor<double, 6> s{};
  interleaved::numbers().fill(s);
  task("Kepler energy, gradient", s, tensor<double, 6>{}, energy_gradient_by_hand,
       [](const tensor<double, 6>& in, tensor<double, 6>& out) { out = jq::grad(energy)(in); });
  task("Kepler energy, Hessian", s, tensor<double, 6, 6>{}, energy_hessian_by_hand,
       [](const tensor<double, 6>& in, tensor<double, 6, 6>& out) { out = jq::hessian(energy)(in); });
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
void inverse() {
  tensor<double, 4, 4> m{};
  interleaved::numbers().fill(m);
  for (std::size_t i = 0; i < 4; ++i) m.data()[5 * i] += 3;
  task("size of a 4 x 4 inverse, gradient", m, tensor<double, 4, 4>{}, size_of_inverse_by_hand,
       [](const tensor<double, 4, 4>& in, tensor<double, 4, 4>& out) { out = jq::grad(size_of_inverse)(in); });
}

}  // namespace

int main() {
  call();
  linear_algebra();
  kepler();
  inverse();
  network_loss();
}
