// Question: what does it cost, per equation, to trace a function, to differentiate it and to vectorise it?
// Task: chains of m operations, alternately x * x0 and sin(x), on a scalar and on a vector of 8 (T8 of the task list).
// Unit: seconds per equation of the resulting program. Bar: 1 microsecond.

#include <benchmark/benchmark.h>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

/// A chain of m operations.
struct chain {
  int m;
  jq::array operator()(const jq::array& x0) const {
    jq::array x = x0;
    for (int i = 0; i < m; ++i) x = i % 2 ? jq::sin(x) : x * x0;
    return x;
  }
};

/// Runs `make` and reports its time per equation of the program it returns.
template <class Make>
void measure(benchmark::State& state, Make make) {
  std::size_t equations = 0;
  for (auto _ : state) {
    const jq::closed_jaxpr p = make();
    equations = p->equations.size();
    benchmark::DoNotOptimize(equations);
  }
  state.counters["equations"] = double(equations);
  state.counters["s_per_equation"] =
      benchmark::Counter(double(equations) * double(state.iterations()), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void trace(benchmark::State& state) {
  const jq::array x = jq::asarray(0.5);
  const chain f{int(state.range(0))};
  measure(state, [&] { return jq::make_jaxpr(f)(x); });
}
void grad(benchmark::State& state) {
  const jq::array x = jq::asarray(0.5);
  const chain f{int(state.range(0))};
  measure(state, [&] { return jq::make_jaxpr(jq::grad(f))(x); });
}
void vmap(benchmark::State& state) {
  const jq::array x = jq::ones({8, 3});
  const chain f{int(state.range(0))};
  measure(state, [&] { return jq::make_jaxpr(jq::vmap(f))(x); });
}
void vmap_of_grad(benchmark::State& state) {
  const jq::array x = jq::ones({8});
  const chain f{int(state.range(0))};
  measure(state, [&] { return jq::make_jaxpr(jq::vmap(jq::grad(f)))(x); });
}
void simplify(benchmark::State& state) {
  const jq::closed_jaxpr p = jq::make_jaxpr(jq::grad(chain{int(state.range(0))}))(jq::asarray(0.5));
  measure(state, [&] { return jq::simplify(p); });
}

}  // namespace

BENCHMARK(trace)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(grad)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(vmap)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(vmap_of_grad)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK(simplify)->Arg(10)->Arg(100)->Arg(1000);

BENCHMARK_MAIN();
