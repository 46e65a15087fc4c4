// A scan inside a kernel, and by the host code of the same file: as many trips as there are coefficients, a number that types fix.
#include <tuple>
#include <utility>

#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;
using vec4 = jq::tensor<double, 4>;

/// A polynomial of degree 3 at 2.
struct polynomial {
  template <class T>
  constexpr auto operator()(T coefficients) const {
    return jq::lax::scan([](auto sum, auto c) { return std::pair{2.0 * sum + c, std::tuple<>{}}; }, 0.0, coefficients).first;
  }
};
struct value {
  __host__ __device__ static void compute(const vec4& c, double& y) { y = jq::jit(polynomial{})(c); }
};

void run_kernels() { run<value, double, vec4, double>("polynomial", 1e-13); }

int main() {
  volatile double c = 3;
  double y = 0;
  value::compute(vec4{1, 2, c, 4}, y);
  check(y, 8 + 2 * 4 + c * 2 + 4, "polynomial");
  return finish(run_kernels);
}
