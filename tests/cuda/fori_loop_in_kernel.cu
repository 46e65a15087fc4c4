// A loop of a fixed number of trips inside a kernel, and by the host code of the same file.
#include <cmath>

#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;

/// Newton's square root.
struct root {
  template <class T>
  constexpr auto operator()(T a) const {
    return jq::lax::fori_loop(0, 6, [&](auto, auto x) { return 0.5 * (x + a / x); }, a);
  }
};
struct newton {
  __host__ __device__ static void compute(const double& x, double& y) { y = jq::jit(root{})(x); }
};

void run_kernels() { run<newton, double, double, double>("root", 1e-13); }

int main() {
  volatile double x = 2;
  double y = 0;
  newton::compute(double(x), y);
  check(y, std::sqrt(2.0), "root");
  return finish(run_kernels);
}
