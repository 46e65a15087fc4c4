// Question: do the time and the memory of a scan's backward pass grow with the number of steps only, and does a nested checkpoint
// hold them to the square root of it?
// Task: the gradient of n steps h <- tanh(w h + x_i) on vectors of 64 doubles with respect to w and the start, compiled, on the
// interpreter. The x_i are an argument, and not counted.
// Baseline: the same backward pass written by hand, which stores every h.
// Unit: seconds per step; peak_bytes, the most that arrays took besides the arguments. Bar: seconds and bytes per step do not grow;
// with the checkpoint, peak_bytes / sqrt(n) does not grow.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include <jacquard/jacquard.hpp>

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

template <class F>
void measure(benchmark::State& state, F f, const array& xs) {
  const std::int64_t n = state.range(0);
  const array w = jq::full({width}, 0.9), h = jq::zeros({width}, jq::f64);
  const auto slope = jq::jit(jq::grad(f, jq::argnums<0, 1>));
  slope(w, h, xs);
  const std::int64_t before = jq::host_memory().live;
  jq::reset_peak_memory();
  for (auto _ : state) benchmark::DoNotOptimize(slope(w, h, xs));
  const double bytes = double(jq::host_memory().peak - before);
  state.counters["peak_bytes"] = bytes;
  state.counters["bytes_per_step"] = bytes / double(n);
  state.counters["bytes_per_sqrt"] = bytes / std::sqrt(double(n));
  state.counters["s_per_step"] = benchmark::Counter(double(n) * double(state.iterations()), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void scan(benchmark::State& state) { measure(state, plain, jq::full({state.range(0), width}, 0.1)); }
void scan_of_checkpoints(benchmark::State& state) {
  const std::int64_t root = std::int64_t(std::sqrt(double(state.range(0))));
  measure(state, nested, jq::full({root, root, width}, 0.1));
}

void by_hand(benchmark::State& state) {
  const std::size_t n = std::size_t(state.range(0)), d = std::size_t(width);
  const std::vector<double> w(d, 0.9), xs(n * d, 0.1);
  for (auto _ : state) {
    std::vector<double> h((n + 1) * d, 0.0), dw(d, 0.0), dh(d, 1.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k) h[(i + 1) * d + k] = std::tanh(w[k] * h[i * d + k] + xs[i * d + k]);
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t k = 0; k < d; ++k) {
        const double ds = dh[k] * (1 - h[(i + 1) * d + k] * h[(i + 1) * d + k]);
        dw[k] += ds * h[i * d + k];
        dh[k] = ds * w[k];
      }
    benchmark::DoNotOptimize(dw.data());
    benchmark::DoNotOptimize(dh.data());
  }
  state.counters["s_per_step"] = benchmark::Counter(double(n) * double(state.iterations()), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK(by_hand)->Arg(100)->Arg(1024)->Arg(10000);
BENCHMARK(scan)->Arg(100)->Arg(1024)->Arg(10000);
BENCHMARK(scan_of_checkpoints)->Arg(100)->Arg(1024)->Arg(10000);

BENCHMARK_MAIN();
