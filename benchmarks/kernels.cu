// What do derivatives cost inside CUDA kernels, compared with the same kernels with derivatives by hand?
// Tasks, a thread each: the Jacobian of an observation of reprojection.hpp (memory decides); 256 steps of an orbit, whose forces are a gradient
// (arithmetic decides); the gradient of log-sum-exp of 16 numbers. Built and run by benchmarks/kernels; needs a GPU.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "interleaved.hpp"
#include "reprojection.hpp"

namespace jq = jacquard;

void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "kernels: %s\n", cudaGetErrorString(e));
  std::exit(1);
}

/// Memory of the device for n items.
template <class T>
struct device_memory {
  T* data = nullptr;
  std::size_t n;

  explicit device_memory(std::size_t count) : n(count) {
    must(cudaMalloc(&data, n * sizeof(T)));
    must(cudaMemset(data, 0xff, n * sizeof(T)));  // NaN, which no check lets pass
  }
  explicit device_memory(const std::vector<T>& from) : device_memory(from.size()) {
    must(cudaMemcpy(data, from.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> r(n);
    must(cudaMemcpy(r.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
    return r;
  }
};

/// out[i] = f(in[i]), one thread each.
template <class F, class In, class Out>
__global__ void each(const In* in, Out* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) F::compute(in[i], out[i]);
}

template <class real>
using observation = reprojection::observation<reprojection::parameters_of<real>, reprojection::feature_of<real>>;
struct jacobian_by_hand {
  template <class real>
  static __device__ void compute(const observation<real>& from, reprojection::jacobian_of<real>& to) {
    const observation<real> o = from;  // in registers, as what is written is
    reprojection::jacobian_of<real> J;
    reprojection::by_hand(o.p.data(), o.m.data(), J.data());
    to = J;
  }
};
struct jacobian {
  template <class real>
  static __device__ void compute(const observation<real>& o, reprojection::jacobian_of<real>& J) {
    J = jq::jacrev(reprojection::residual_with<reprojection::branch>{})(o.p, o.m);
  }
};

template <class real>
struct body {
  jq::tensor<real, 3> place, velocity;
};
/// Energy of a body of unit mass around another one.
struct potential {
  template <class T>
  constexpr auto operator()(T r) const {
    return -1.0 / jq::sqrt(jq::sum(r * r));
  }
};
/// Leapfrog with 256 steps; `Force` gives the derivatives of the energy.
template <class Force>
struct orbit {
  template <class real>
  static __device__ void compute(const body<real>& from, body<real>& to) {
    constexpr real step = real(1e-3);
    body<real> b = from;
    for (int n = 0; n < 256; ++n) {
      for (int k = 0; k < 3; ++k) b.place[k] += step / 2 * b.velocity[k];
      const jq::tensor<real, 3> g = Force::of(b.place);
      for (int k = 0; k < 3; ++k) b.velocity[k] -= step * g[k];
      for (int k = 0; k < 3; ++k) b.place[k] += step / 2 * b.velocity[k];
    }
    to = b;
  }
};
struct force_by_hand {
  template <class real>
  static __device__ jq::tensor<real, 3> of(const jq::tensor<real, 3>& r) {
    const real inverse = 1 / sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), cube = inverse * inverse * inverse;
    return {r[0] * cube, r[1] * cube, r[2] * cube};
  }
};
struct force {
  template <class real>
  static __device__ jq::tensor<real, 3> of(const jq::tensor<real, 3>& r) {
    return jq::grad(potential{})(r);
  }
};

struct log_sum_exp {
  template <class T>
  constexpr auto operator()(T x) const {
    const auto m = jq::max(x);
    return m + jq::log(jq::sum(jq::exp(x - m)));
  }
};
struct softmax_by_hand {
  template <class real>
  static __device__ void compute(const jq::tensor<real, 16>& from, jq::tensor<real, 16>& g) {
    const jq::tensor<real, 16> x = from;
    jq::tensor<real, 16> e;
    real m = x[0], s = 0;
    for (int i = 1; i < 16; ++i) m = x[i] > m ? x[i] : m;
    for (int i = 0; i < 16; ++i) s += e[i] = exp(x[i] - m);
    const real inverse = 1 / s;
    for (int i = 0; i < 16; ++i) g[i] = e[i] * inverse;
  }
};
struct softmax {
  template <class real>
  static __device__ void compute(const jq::tensor<real, 16>& x, jq::tensor<real, 16>& g) {
    g = jq::grad(log_sum_exp{})(x);
  }
};

/// Both kernels over the same items; results are compared number by number, as structs of `real`.
template <class real, class Hand, class Ours, class Out, class In>
void task(const char* name, const std::vector<In>& items, double tolerance, double bar) {
  const int n = int(items.size()), block = 128, grid = (n + block - 1) / block;
  const device_memory<In> in(items);
  const device_memory<Out> want(items.size()), got(items.size());
  const auto hand = [&] { each<Hand><<<grid, block>>>(in.data, want.data, n), must(cudaDeviceSynchronize()); };
  const auto ours = [&] { each<Ours><<<grid, block>>>(in.data, got.data, n), must(cudaDeviceSynchronize()); };
  hand(), must(cudaGetLastError()), ours(), must(cudaGetLastError());
  const std::vector<Out> wanted = want.host(), made = got.host();
  const std::size_t numbers = items.size() * sizeof(Out) / sizeof(real);
  const double error =
      interleaved::relative_error(reinterpret_cast<const real*>(wanted.data()), reinterpret_cast<const real*>(made.data()), numbers);
  const std::string full = std::string(name) + (sizeof(real) == 4 ? ", f32" : ", f64");
  interleaved::compare({full, n, tolerance, interleaved::timer::clock}, {"ours", ours}, {{"by hand", hand, error, bar}});
}

template <class real>
void tasks(double tolerance) {
  interleaved::numbers u;
  const std::size_t n = 1 << 20;
  task<real, jacobian_by_hand, jacobian, reprojection::jacobian_of<real>>("T4 reprojection Jacobians", reprojection::observations<real>(n, u),
                                                                          tolerance, 1.0);
  std::vector<body<real>> bodies(n);
  for (body<real>& b : bodies) {
    b.place = {real(1 + 0.1 * u()), real(0.1 * u()), real(0.1 * u())};
    b.velocity = {real(0.1 * u()), real(1 + 0.1 * u()), real(0.1 * u())};
  }
  task<real, orbit<force_by_hand>, orbit<force>, body<real>>("256 steps of orbits", bodies, tolerance, 1.0);
  std::vector<jq::tensor<real, 16>> rows(4 * n);
  for (auto& row : rows)
    for (auto& x : row) x = real(3 * u());
  task<real, softmax_by_hand, softmax, jq::tensor<real, 16>>("gradients of log-sum-exp of 16", rows, tolerance, 1.0);
}

int main() {
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::fprintf(stderr, "kernels: skipped, there is no GPU\n");
    return 77;
  }
  std::printf("%s\n", device.name);
  tasks<float>(2e-4);
  tasks<double>(1e-11);
}
