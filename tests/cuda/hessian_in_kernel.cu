// The Hessian of a frozen function inside a kernel, and by the host code of the same file.
#include <cmath>

#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;
using vec2 = jq::tensor<double, 2>;
using square = jq::tensor<double, 2, 2>;

struct valley {
  template <class T>
  constexpr auto operator()(T x) const {
    return x[0] * x[0] * x[1] + jq::sin(x[1]);
  }
};
struct curvature {
  __host__ __device__ static void compute(const vec2& x, square& H) { H = jq::hessian(valley{})(x); }
};

void run_kernels() { run<curvature, double, vec2, square>("curvature", 1e-13); }

int main() {
  volatile double x = 0.75, y = 1.5;
  square H;
  curvature::compute(vec2{x, y}, H);
  check(H(0, 0), 2 * y, "d2/dx2");
  check(H(0, 1), 2 * x, "d2/dx dy");
  check(H(1, 0), 2 * x, "d2/dy dx");
  check(H(1, 1), -std::sin(y), "d2/dy2");
  return finish(run_kernels);
}
