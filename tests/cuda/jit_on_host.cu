// The run-time lane in a file that nvcc compiles: its front end must take what the host compilers take. The kernel beside it reads nothing.
#include <jacquard/jacquard.hpp>

#include <cstdio>

namespace jq = jacquard;

__global__ void increment(float* x) { *x += 1.0f; }

const auto global_function = jq::jit([](const jq::array& x) { return x * 5.0f; });

int main() {
  const auto f = jq::jit([](const jq::array& x) { return jq::sum(jq::sin(x) * 2.0f); });
  const jq::array x = jq::asarray({0.0f, 1.0f});
  const auto with_static = jq::jit([](const jq::array& v, int n) { return v * float(n); }, jq::static_argnums<1>);
  const auto masked = jq::mask([](const jq::array& v, const jq::array& m) { return jq::matmul(v, m); }, jq::in_shapes<"n", "(n, m)">, jq::out_shape<"m">);
  const jq::array product = masked(jq::args(jq::asarray({1.0f, 2.0f, 9.0f}), jq::ones({3, 2})), jq::dims{{"n", 2}, {"m", 1}});
  const bool right = float(f(x)) == 2.0f * jq::sin(1.0f) && float(f(x)) == float(jq::jit(f)(x)) && float(jq::grad(f)(x)(0)) == 2.0f &&
                     float(jq::vmap(global_function)(x)(1)) == 5.0f && float(with_static(x, 3)(1)) == 3.0f &&
                     float(product(0)) == 3.0f && float(product(1)) == 0.0f;
  if (!right) std::puts("a jitted function of a .cu file computes something else");
  return right ? 0 : 1;
}
