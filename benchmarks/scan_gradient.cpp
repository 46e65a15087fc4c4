// Question: do the time and the memory of a scan's backward pass grow with the number of steps only, and does a nested checkpoint
// hold them to the square root of it?
// Task: the gradient of n steps h <- tanh(w h + x_i) on vectors of 64 doubles with respect to w and the start, in machine code and on
// the interpreter. The x_i are an argument, and not counted.
// Baseline: the same backward pass written by hand, which stores every h, with the tanh of libm, one by one.
// Unit: ratio of the times; the most bytes that arrays took besides the arguments, per step, and with the checkpoint per square root of the
// steps. Bars on these are about what they are at 100 steps: they must not grow.

#include <cmath>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using jq::array;

namespace {

constexpr std::int64_t width = 64;

array step(const array& w, const array& h, const array& x) { return jq::tanh(w * h + x); }
array steps(const array& w, const array& h, const array& xs) {
  return jq::lax::scan([&](const array& s, const array& x) { return std::pair{step(w, s, x), std::tuple<>{}}; }, h, xs).first;
}
const auto plain = [](const array& w, const array& h, const array& xs) { return jq::sum(steps(w, h, xs)); };
/// sqrt(n) chunks of sqrt(n) steps; of each chunk only the start is kept.
const auto nested = [](const array& w, const array& h, const array& chunks) {
  const auto run = jq::checkpoint(steps);
  return jq::sum(jq::lax::scan([&](const array& s, const array& x) { return std::pair{run(w, s, x), std::tuple<>{}}; }, h, chunks).first);
};

/// The same backward pass by hand: what it leaves is the cotangent of w.
double by_hand(std::size_t n) {
  const std::size_t d = std::size_t(width);
  const std::vector<double> w(d, 0.9), xs(n * d, 0.1);
  std::vector<double> h((n + 1) * d, 0.0), dw(d, 0.0), dh(d, 1.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < d; ++k) h[(i + 1) * d + k] = std::tanh(w[k] * h[i * d + k] + xs[i * d + k]);
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = 0; k < d; ++k) {
      const double ds = dh[k] * (1 - h[(i + 1) * d + k] * h[(i + 1) * d + k]);
      dw[k] += ds * h[i * d + k];
      dh[k] = ds * w[k];
    }
  interleaved::observe(dh.data());
  return dw[0];
}

template <class F>
void measure(const char* name, const char* backend, double bar, std::int64_t n, F f, const array& xs, double memory_bar, const char* memory_unit, double memory_scale) {
  const array w = jq::full({width}, 0.9), h = jq::zeros({width}, jq::f64);
  const auto slope = jq::jit(jq::grad(f, jq::argnums<0, 1>), jq::backend(backend), jq::compile_at::first_call);
  const double want = by_hand(std::size_t(n)), got = std::get<0>(slope(w, h, xs))[0].template item<double>();
  const std::int64_t before = jq::host_memory().live;
  jq::reset_peak_memory();
  slope(w, h, xs);
  const double bytes = double(jq::host_memory().peak - before);
  const std::string task = std::string(name) + " on " + backend + ", " + std::to_string(n) + " steps";
  const auto hand = [&] { by_hand(std::size_t(n)); };
  const auto ours = [&] {
    const auto r = slope(w, h, xs);
    interleaved::observe(&r);
  };
  interleaved::terms how{task + ", per step", int(n)};
  interleaved::compare(how, {"ours", ours}, {interleaved::contender("by hand", hand, std::abs(got - want), bar)});
  interleaved::report({task + ", memory", "-", interleaved::quartiles({bytes / memory_scale}), memory_bar, memory_unit});
}

}  // namespace

int main() {
  jq::cpu::set_threads(1);  // the time of others is not counted
  for (const auto& [backend, bar] : {std::pair{"cpu", 1.3}, {"interpreter", interleaved::no_bar}})
    for (const std::int64_t n : {100, 1024, 10000}) {
      const double root = std::floor(std::sqrt(double(n)));
      measure("gradient of a scan", backend, bar, n, plain, jq::full({n, width}, 0.1), 1100, "B/step", double(n));
      measure("gradient of nested checkpoints", backend, bar, n, nested, jq::full({std::int64_t(root), std::int64_t(root), width}, 0.1), 3000, "B/root", root);
    }
}
