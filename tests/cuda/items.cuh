#pragma once
// A function of one item run over many, by kernels and by the host, and what they make compared; where there is no GPU, kernels are only
// built. Deliberately without a test framework: nvcc's front end has enough to read.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

template <class F, class In, class Out>
__global__ void each(const In* x, Out* y, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) F::compute(x[i], y[i]);
}

inline int failures = 0;
inline void check(double got, double wanted, const char* what) {
  if (std::abs(got - wanted) <= 1e-6) return;
  std::printf("%s: got %.17g, wanted %.17g\n", what, got, wanted);
  ++failures;
}
inline void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(e));
  ++failures;
}
/// Runs a kernel over 300 items and compares what it makes, numbers of type `real`, with what the host makes.
template <class F, class real, class In, class Out>
void run(const char* what, double tolerance) {
  constexpr int n = 300;
  static In x[n];
  static Out got[n];
  real* const numbers = reinterpret_cast<real*>(x);
  for (std::size_t i = 0; i < sizeof(x) / sizeof(real); ++i) numbers[i] = real(0.25 + 1.5 * double(i * 37 % 101) / 101);
  std::memset(static_cast<void*>(got), 0xff, sizeof(got));
  In* in;
  Out* out;
  must(cudaMalloc(&in, sizeof(x))), must(cudaMalloc(&out, sizeof(got)));
  must(cudaMemcpy(in, x, sizeof(x), cudaMemcpyHostToDevice)), must(cudaMemcpy(out, got, sizeof(got), cudaMemcpyHostToDevice));
  each<F><<<(n + 63) / 64, 64>>>(in, out, n);
  must(cudaGetLastError()), must(cudaDeviceSynchronize());
  must(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
  must(cudaFree(in)), must(cudaFree(out));
  for (int i = 0; i < n; ++i) {
    Out want;
    F::compute(x[i], want);
    const real *const g = reinterpret_cast<const real*>(got + i), *const w = reinterpret_cast<const real*>(&want);
    for (std::size_t k = 0; k < sizeof(Out) / sizeof(real); ++k) {
      if (std::abs(g[k] - w[k]) <= tolerance * std::max(1.0, std::abs(double(w[k])))) continue;
      std::printf("%s, item %d, number %zu: the kernel made %.17g, the host %.17g\n", what, i, k, double(g[k]), double(w[k]));
      ++failures;
      return;
    }
  }
}
/// Runs `run_kernels` where there is a GPU. Returns what main() does.
inline int finish(void (*run_kernels)()) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) {
    run_kernels();
    std::puts("the kernels ran");
  } else std::puts("built; there is no GPU to run the kernels");
  return failures;
}
