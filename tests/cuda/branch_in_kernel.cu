// The Jacobian of a branch inside a kernel, and by the host code of the same file.
#include <cmath>
#include <tuple>

#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;
using vec3 = jq::tensor<double, 3>;

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
struct turning {
  __host__ __device__ static void compute(const vec3& x, jq::tensor<double, 3, 3>& J) { J = jq::jacrev(turned{})(x); }
};

void run_kernels() { run<turning, double, vec3, jq::tensor<double, 3, 3>>("turned", 1e-12); }

int main() {
  volatile double x = 0.75;
  const auto turn = jq::jacrev(turned{})(vec3{0, 0, x});  // of (x + r0, x + r1, their product)
  check(turn(0, 0), 1, "branch");
  check(turn(2, 2), 2 * x, "branch");
  const auto half = jq::jacrev(turned{})(vec3{0, std::acos(-1.0) / 2, x});  // the derivative of sin(r) / r at pi / 2 is -4 / pi^2
  check(half(1, 1), 1 - 4 * x / (std::acos(-1.0) * std::acos(-1.0)), "branch");
  return finish(run_kernels);
}
