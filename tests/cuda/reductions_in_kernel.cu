// Gradients of a convolution and of a long reduction inside kernels, and by the host code of the same file.
#include <jacquard/fixed.hpp>

#include "items.cuh"

namespace jq = jacquard;

using line = jq::tensor<float, 1, 1, 6>;
struct smoothed {
  template <class T>
  constexpr auto operator()(T x) const {
    const auto y = jq::lax::conv(x, jq::ones({1, 1, 3}), {2}, "SAME");
    return jq::sum(y * y);
  }
};

/// A long sum, which is taken in parts, and a maximum.
struct log_sum_exp {
  template <class T>
  constexpr auto operator()(T x) const {
    const auto m = jq::max(x);
    return m + jq::log(jq::sum(jq::exp(x - m)));
  }
};

struct smooth {
  __host__ __device__ static void compute(const line& x, line& y) { y = jq::grad(smoothed{})(x); }
};
struct weights {
  __host__ __device__ static void compute(const jq::tensor<float, 16>& x, jq::tensor<float, 16>& y) { y = jq::grad(log_sum_exp{})(x); }
};

void run_kernels() {
  run<smooth, float, line, line>("convolution", 1e-5);
  run<weights, float, jq::tensor<float, 16>, jq::tensor<float, 16>>("log-sum-exp", 1e-5);
}

int main() {
  const line g = jq::grad(smoothed{})(line{1, 2, 3, 4, 5, 6});  // of 6^2 + 12^2 + 11^2
  check(g[0], 12, "convolution");
  check(g[4], 46, "convolution");
  const jq::tensor<float, 16> w = jq::grad(log_sum_exp{})(jq::tensor<float, 16>{});
  check(w[0], 1.0 / 16, "log-sum-exp");
  return finish(run_kernels);
}
