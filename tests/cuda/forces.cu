// The program of docs/cuda.md. Without a GPU it prints zeros.
#include <jacquard/fixed.hpp>
#include <cstdio>

namespace jq = jacquard;
using vec3 = jq::tensor<double, 3>;

/// Minus the energy of a body near another one: its gradient is the force.
constexpr auto attraction = [](auto r) { return 1.0 / jq::sqrt(jq::sum(r * r)); };

__global__ void forces(const vec3* place, vec3* force, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) force[i] = jq::grad(attraction)(place[i]);
}

int main() {
  const vec3 at[2]{{1, 0, 0}, {0, 2, 0}};
  vec3 result[2]{}, *place, *force;
  cudaMalloc(&place, sizeof(at));
  cudaMalloc(&force, sizeof(at));
  cudaMemcpy(place, at, sizeof(at), cudaMemcpyHostToDevice);
  forces<<<1, 2>>>(place, force, 2);
  cudaMemcpy(result, force, sizeof(at), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", result[0](0), result[1](1));
}
