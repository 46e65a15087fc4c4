// What does a trip of a compiled loop cost? fori_loop, scan and while_loop with bodies of one and of eight elements, next to the same loop by hand,
// whose trips depend on each other as ours do; bar: 20 ns more a trip. And T22: an identity tap in a compiled loop, next to a
// std::function in a loop; bar: 100 ns.
#include <benchmark/benchmark.h>

#include <cmath>
#include <functional>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr int trips = 100000;

template <class F, class... A>
void run(benchmark::State& state, F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  for (auto _ : state) benchmark::DoNotOptimize(compiled(x...));
  state.SetItemsProcessed(state.iterations() * trips);
}

void by_hand(benchmark::State& state) {
  for (auto _ : state) {
    float s = 1;
    benchmark::DoNotOptimize(s);
    for (int i = 0; i < trips; ++i) s = s * 0.999f + 0.5f;
    benchmark::DoNotOptimize(s);
  }
  state.SetItemsProcessed(state.iterations() * trips);
}
BENCHMARK(by_hand);
void by_hand_sine_of_8(benchmark::State& state) {
  for (auto _ : state) {
    float s[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    benchmark::DoNotOptimize(s);
    for (int i = 0; i < trips; ++i)
      for (float& x : s) x = std::sin(x) * 0.999f + 0.5f;
    benchmark::DoNotOptimize(s);
  }
  state.SetItemsProcessed(state.iterations() * trips);
}
BENCHMARK(by_hand_sine_of_8);

void fori_loop(benchmark::State& state) {
  run(state, [](const array& x) { return lax::fori_loop(0, trips, [](const array&, const array& s) { return s * 0.999f + 0.5f; }, x); }, array(1.0f));
}
BENCHMARK(fori_loop);
void fori_loop_sine_of_8(benchmark::State& state) {
  run(state, [](const array& x) { return lax::fori_loop(0, trips, [](const array&, const array& s) { return jq::sin(s) * 0.999f + 0.5f; }, x); },
      jq::ones({8}));
}
BENCHMARK(fori_loop_sine_of_8);
void scan(benchmark::State& state) {
  run(state, [](const array& c, const array& x) {
    return lax::scan([](const array& s, const array& e) {
      const array next = s * 0.999f + e;
      return std::pair{next, next * 2.0f};
    }, c, x);
  }, array(1.0f), jq::ones({trips}));
}
BENCHMARK(scan);
void while_loop(benchmark::State& state) {
  run(state, [](const array& x) {
    return lax::while_loop([](const array& s) { return s < float(trips); }, [](const array& s) { return s + 1.0f; }, x);
  }, array(0.0f));
}
BENCHMARK(while_loop);

void std_function(benchmark::State& state) {
  double sum = 0;
  const std::function<void(const array&)> f = [&](const array& x) { sum += x.is_none(); };
  const array x = jq::asarray(1.f);
  for (auto _ : state)
    for (int i = 0; i < trips; ++i) {
      benchmark::DoNotOptimize(&f);
      f(x);
    }
  state.SetItemsProcessed(state.iterations() * trips);
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(std_function);
void tap_in_loop(benchmark::State& state) {
  std::size_t seen = 0;
  run(state, [&](const array& x) {
    return lax::fori_loop(0, trips, [&](const array&, const array& s) { return jq::id_tap([&](const array& y) { seen += !y.is_none(); }, s); }, x);
  }, array(1.0f));
  state.counters["taps"] = double(seen);
}
BENCHMARK(tap_in_loop);

}  // namespace
