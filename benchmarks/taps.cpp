// What does a tap cost? Direct taps per call, at 4 kB, 4 MB and 32 MB, next to a call through a function pointer; T22, taps in a
// compiled chain; the outfeed's rate of small taps and its bandwidth next to memcpy; and identity callbacks over (1,1024,1024)
// and (8,1024,1024) f32, 100 calls each, for which the reference implementation of the field was reported to take 0.20 s and
// 4.6 s by callback, 0.25 s and 1.5 s by outfeed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::array;

namespace {

constexpr int chain = 100;

/// A compiled program of `chain` taps one after another.
template <class F>
auto tapped_chain(F see) {
  return jq::jit([see](const array& x) {
    array y = x;
    for (int i = 0; i < chain; ++i) y = jq::id_tap(see, y);
    return y;
  });
}

/// The baseline of T22: a std::function called in a loop.
void std_function(benchmark::State& state) {
  double sum = 0;
  const std::function<void(const array&)> f = [&](const array& x) { sum += x.is_none(); };
  const array x = jq::asarray(1.f);
  for (auto _ : state)
    for (int i = 0; i < chain; ++i) {
      benchmark::DoNotOptimize(&f);
      f(x);
    }
  state.SetItemsProcessed(state.iterations() * chain);
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(std_function);

/// T22 and the direct bar: time per tap of a compiled chain, by size of the array in bytes.
void direct_tap(benchmark::State& state) {
  std::size_t seen = 0;
  const auto f = tapped_chain([&](const array& x) { seen += x.is_none() ? 0 : 1; });
  const array x = jq::zeros({state.range(0) / 4}, jq::f32);
  for (auto _ : state) benchmark::DoNotOptimize(f(x));
  state.SetItemsProcessed(state.iterations() * chain);
  state.counters["taps"] = double(seen);
}
BENCHMARK(direct_tap)->Arg(4)->Arg(4 << 10)->Arg(4 << 20)->Arg(32 << 20);

/// A tap that went through vmap and grad has a list of transforms to tell of.
void direct_tap_with_context(benchmark::State& state) {
  std::size_t seen = 0;
  const auto f = jq::jit(jq::vmap([&](const array& x) {
    array y = x;
    for (int i = 0; i < chain; ++i)
      y = jq::id_tap([&](const array&, const jq::tap_context& c) { seen += c.transforms.size(); }, y, jq::kw("what", "a long enough name of it"));
    return y;
  }));
  const array x = jq::zeros({1024}, jq::f32);
  for (auto _ : state) benchmark::DoNotOptimize(f(x));
  state.SetItemsProcessed(state.iterations() * chain);
}
BENCHMARK(direct_tap_with_context);

/// The same chain without taps that do anything: what executing 100 equations costs by itself.
void empty_equations(benchmark::State& state) {
  const auto f = jq::jit([](const array& x) {
    array y = x;
    for (int i = 0; i < chain; ++i) y = jq::reshape(y, {2 - i % 2, 1 + i % 2});
    return y;
  });
  const array x = jq::asarray({{1.f, 2.f}});
  for (auto _ : state) benchmark::DoNotOptimize(f(x));
  state.SetItemsProcessed(state.iterations() * chain);
}
BENCHMARK(empty_equations);

void outfeed_small_taps(benchmark::State& state) {
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  std::size_t seen = 0;
  const auto f = tapped_chain([&](const array&) { ++seen; });
  const array x = jq::asarray(1.f);
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) f(x);
    jq::barrier_wait();
  }
  state.SetItemsProcessed(state.iterations() * 1000 * chain);
  jq::reset_tap_delivery();
}
BENCHMARK(outfeed_small_taps)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The same bytes copied to one place, round by round, between rounds of the outfeed.
void outfeed_bandwidth(benchmark::State& state) {
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  const std::int64_t bytes = state.range(0);
  const auto f = jq::jit([](const array& x) { return jq::id_tap([](const array&) {}, x); });
  const array x = jq::ones({bytes / 4}, jq::f32);
  std::vector<float> copy(std::size_t(bytes / 4), 1.f);
  const auto seconds = [](auto&& work) {
    const double begin = jq::detail::now();
    work();
    return jq::detail::now() - begin;
  };
  double fed = 1e9, copied = 1e9;
  for (auto _ : state) {
    fed = std::min(fed, seconds([&] {
      for (int i = 0; i < 4; ++i) f(x);
      jq::barrier_wait();
    }) / 4);
    copied = std::min(copied, seconds([&] {
      for (int i = 0; i < 4; ++i) {
        std::memcpy(copy.data(), x.data<float>().data(), std::size_t(bytes));
        benchmark::DoNotOptimize(copy.data());
        benchmark::ClobberMemory();
      }
    }) / 4);
  }
  state.counters["GB/s"] = double(bytes) / fed * 1e-9;
  state.counters["memcpy GB/s"] = double(bytes) / copied * 1e-9;
  state.counters["of memcpy"] = copied / fed;
  jq::reset_tap_delivery();
}
BENCHMARK(outfeed_bandwidth)->Arg(4 << 20)->Arg(32 << 20)->Iterations(30)->UseRealTime()->Unit(benchmark::kMillisecond);

/// 100 calls of an identity over (n, 1024, 1024) f32: a kernel that hands its input on in place.
void identity_device_callback(benchmark::State& state) {
  const auto f = jq::jit([](const array& x) {
    return jq::device_callback([](const jq::device_call& c) { benchmark::DoNotOptimize(c.out[0]); }, x, x, jq::input_output_aliases{{0, 0}});
  }, jq::donate_argnums<0>);
  array x = jq::zeros({state.range(0), 1024, 1024}, jq::f32);
  for (auto _ : state)
    for (int i = 0; i < 100; ++i) x = f(x);
}
BENCHMARK(identity_device_callback)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The same, by a function that returns its argument.
void identity_pure_callback(benchmark::State& state) {
  const auto f = jq::jit([](const array& x) { return jq::pure_callback([](const array& y) { return y; }, x, x); });
  const array x = jq::zeros({state.range(0), 1024, 1024}, jq::f32);
  for (auto _ : state)
    for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(f(x));
}
BENCHMARK(identity_pure_callback)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The same through the outfeed, one way.
void identity_outfeed(benchmark::State& state) {
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  const auto f = jq::jit([](const array& x) { return jq::id_tap([](const array&) {}, x); });
  const array x = jq::zeros({state.range(0), 1024, 1024}, jq::f32);
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(f(x));
    jq::barrier_wait();
  }
  jq::reset_tap_delivery();
}
BENCHMARK(identity_outfeed)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
