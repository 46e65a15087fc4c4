// A batch of derivatives inside a kernel, where each thread computes a vmap over its own small tensor, and by the host code of the same
// file, which also maps the derivative over spans. Deliberately no jq::map in a kernel: there, the grid is the map.
#include <cmath>
#include <span>

#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;
using vec4 = jq::tensor<double, 4>;

struct wave {
  template <class T>
  constexpr auto operator()(T x) const {
    return x * x * jq::sin(x);
  }
};
double slope_by_hand(double x) { return 2 * x * std::sin(x) + x * x * std::cos(x); }

struct slopes {
  __host__ __device__ static void compute(const vec4& x, vec4& y) { y = jq::vmap(jq::grad(wave{}))(x); }
};

void run_kernels() { run<slopes, double, vec4, vec4>("slopes", 1e-13); }

int main() {
  volatile double start = 0.25;
  const vec4 x{start, start + 0.5, start + 1, start + 1.5};
  vec4 y;
  slopes::compute(x, y);
  for (std::size_t i = 0; i < 4; ++i) check(y[i], slope_by_hand(x[i]), "vmap of grad");
  double many[21], mapped[21]{};  // more than lanes, and a remainder
  for (int i = 0; i < 21; ++i) many[i] = start + 0.125 * i;
  jq::map(jq::grad(wave{}), std::span<const double>(many), std::span<double>(mapped));
  for (int i = 0; i < 21; ++i) check(mapped[i], slope_by_hand(many[i]), "map of grad");
  return finish(run_kernels);
}
