// Frozen programs called inside CUDA kernels, and by the host code of the same file. main checks the host's values against closed forms
// and, where there is a GPU, what the kernels compute against the host's; elsewhere the device code is only built. Other programs are in
// files of their own: nvcc takes half a gigabyte and more for each.
#include <cmath>

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

// Constant evaluation in nvcc's own front end.
static_assert(jq::grad([](auto x) { return x * x * x; })(3.0) == 27.0);

void run_kernels() {
  run<slope, double, double, double>("slope", 1e-13);
  run<force, double, vec3, vec3>("force", 1e-13);
  run<jacobian, float, jq::tensor<float, 3>, jq::tensor<float, 3, 3>>("softmax", 1e-5);
}

int main() {
  volatile double x = 0.75;
  check(jq::grad(wave{})(double(x)), 2 * x * std::sin(x) + x * x * std::cos(x), "slope");
  const vec3 f = jq::grad(potential{})(vec3{x, 0, 1});  // r / |r|^3
  check(f[0], x / std::pow(x * x + 1, 1.5), "force");
  check(f[1], 0, "force");
  const auto J = jq::jacfwd(softmax{})(jq::tensor<float, 3>{0, 0, 0});
  check(J(0, 0), 2.0 / 9, "softmax");
  check(J(0, 1), -1.0 / 9, "softmax");
  return finish(run_kernels);
}
