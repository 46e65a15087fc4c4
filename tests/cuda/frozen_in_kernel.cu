// Frozen programs called inside CUDA kernels, and by the host code of the same file. main checks the host's values against closed forms
// and, where there is a GPU, what the kernels compute against the host's; elsewhere the device code is only built.
#include <cmath>
#include <tuple>

#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;
using vec3 = jq::tensor<double, 3>;

struct wave {
  template <class T>
  constexpr auto operator()(T x) const {
    return x * x * jq::sin(x);
  }
};
/// Energy of a body of unit mass around another one.
struct potential {
  template <class T>
  constexpr auto operator()(T r) const {
    return -1.0 / jq::sqrt(jq::sum(r * r));
  }
};
struct softmax {
  template <class T>
  constexpr auto operator()(T x) const {
    const auto e = jq::exp(x - jq::max(x));
    return e / jq::sum(e);
  }
};

using line = jq::tensor<float, 1, 1, 6>;
struct smoothed {
  template <class T>
  constexpr auto operator()(T x) const {
    const auto y = jq::lax::conv(x, jq::ones({1, 1, 3}), {2}, "SAME");
    return jq::sum(y * y);
  }
};

/// A long sum, which is taken in parts, and a maximum.
struct log_sum_exp {
  template <class T>
  constexpr auto operator()(T x) const {
    const auto m = jq::max(x);
    return m + jq::log(jq::sum(jq::exp(x - m)));
  }
};
/// A point turned about an axis by its length, by a branch, as a camera's model has it.
struct turned {
  template <class T>
  constexpr auto operator()(T p) const {
    const auto square = p[0] * p[0] + p[1] * p[1];
    const auto turn = [](auto r0, auto r1, auto x, auto s) {
      const auto angle = jq::sqrt(s);
      return std::tuple{x * jq::cos(angle) + r0, x * jq::sin(angle) / angle + r1};
    };
    const auto hardly = [](auto r0, auto r1, auto x, auto) { return std::tuple{x + r0, x + r1}; };
    const auto [a, b] = jq::lax::cond(square > 0.0, turn, hardly, p[0], p[1], p[2], square);
    return jq::stack({a, b, a * b});
  }
};

// What is computed of one item, by a kernel or by the host.
struct slope {
  __host__ __device__ static void compute(const double& x, double& y) { y = jq::grad(wave{})(x); }
};
struct force {
  __host__ __device__ static void compute(const vec3& r, vec3& f) { f = jq::grad(potential{})(r); }
};
struct jacobian {
  __host__ __device__ static void compute(const jq::tensor<float, 3>& x, jq::tensor<float, 3, 3>& J) { J = jq::jacfwd(softmax{})(x); }
};
struct smooth {
  __host__ __device__ static void compute(const line& x, line& y) { y = jq::grad(smoothed{})(x); }
};
struct weights {
  __host__ __device__ static void compute(const jq::tensor<float, 16>& x, jq::tensor<float, 16>& y) { y = jq::grad(log_sum_exp{})(x); }
};
struct turning {
  __host__ __device__ static void compute(const vec3& x, jq::tensor<double, 3, 3>& J) { J = jq::jacrev(turned{})(x); }
};

// Constant evaluation in nvcc's own front end.
static_assert(jq::grad([](auto x) { return x * x * x; })(3.0) == 27.0);

void run_kernels() {
  run<slope, double, double, double>("slope", 1e-13);
  run<force, double, vec3, vec3>("force", 1e-13);
  run<jacobian, float, jq::tensor<float, 3>, jq::tensor<float, 3, 3>>("softmax", 1e-5);
  run<smooth, float, line, line>("convolution", 1e-5);
  run<weights, float, jq::tensor<float, 16>, jq::tensor<float, 16>>("log-sum-exp", 1e-5);
  run<turning, double, vec3, jq::tensor<double, 3, 3>>("turned", 1e-12);
}

int main() {
  volatile double x = 0.75;
  check(jq::grad(wave{})(double(x)), 2 * x * std::sin(x) + x * x * std::cos(x), "slope");
  const vec3 f = jq::grad(potential{})(vec3{x, 0, 1});  // r / |r|^3
  check(f[0], x / std::pow(x * x + 1, 1.5), "force");
  check(f[1], 0, "force");
  const line g = jq::grad(smoothed{})(line{1, 2, 3, 4, 5, 6});  // of 6^2 + 12^2 + 11^2
  check(g[0], 12, "convolution");
  check(g[4], 46, "convolution");
  const auto J = jq::jacfwd(softmax{})(jq::tensor<float, 3>{0, 0, 0});
  check(J(0, 0), 2.0 / 9, "softmax");
  check(J(0, 1), -1.0 / 9, "softmax");
  const jq::tensor<float, 16> w = jq::grad(log_sum_exp{})(jq::tensor<float, 16>{});
  check(w[0], 1.0 / 16, "log-sum-exp");
  const auto turn = jq::jacrev(turned{})(vec3{0, 0, x});  // of (x + r0, x + r1, their product)
  check(turn(0, 0), 1, "branch");
  check(turn(2, 2), 2 * x, "branch");
  const auto half = jq::jacrev(turned{})(vec3{0, std::acos(-1.0) / 2, x});  // the derivative of sin(r) / r at pi / 2 is -4 / pi^2
  check(half(1, 1), 1 - 4 * x / (std::acos(-1.0) * std::acos(-1.0)), "branch");
  return finish(run_kernels);
}
