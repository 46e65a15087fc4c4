// Frozen programs called inside CUDA kernels, and by the host code of the same file. The device code is only built here; main
// checks the host's values, which come from the same templates.
#include <cmath>
#include <cstdio>

#include <jacquard/fixed.hpp>

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

__global__ void slopes(const double* x, double* y, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = jq::grad(wave{})(x[i]);
}
__global__ void forces(const vec3* r, vec3* f, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) f[i] = jq::grad(potential{})(r[i]);
}
__global__ void jacobians(const jq::tensor<float, 3>* x, jq::tensor<float, 3, 3>* J, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) J[i] = jq::jacfwd(softmax{})(x[i]);
}

__global__ void smooth(const line* x, line* y, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = jq::grad(smoothed{})(x[i]);
}

// Constant evaluation in nvcc's own front end.
static_assert(jq::grad([](auto x) { return x * x * x; })(3.0) == 27.0);

int failures = 0;
void check(double got, double wanted, const char* what) {
  if (std::abs(got - wanted) <= 1e-6) return;
  std::printf("%s: got %.17g, wanted %.17g\n", what, got, wanted);
  ++failures;
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
  return failures;
}
