// Question: does a donated update loop work in place: as fast as a loop by hand does, and in no more memory than its state takes?
// Tasks: T20, x <- the polynomial of T6, 1e7 elements, f32 and f64, one thread and two; the peak of the process's memory over ten steps on a
// state of 1 GB (a quick look: 128 MB).
// Unit: ratios to the loops; memory as a ratio to the state's. Bars: 1.05. The loops by hand are compiled with -ffast-math, which turns this
// polynomial into one of an operation less; so is ours with precision::fast_math.

#include <fstream>

#include "contest.hpp"

namespace {

using namespace contest;

array polynomial(const array& x) {
  const array t = (x * x + 0.5) * x - 0.25 * x + 1;
  return jq::maximum(t, 0.0) * x;
}

template <class T>
void update(const jq::precision& precision) {
  const std::int64_t n = 10000000;
  const array start = uniform<T>(1, {n}, -1, 0);  // stays there, and goes to zero slowly
  const auto step = jq::jit(polynomial, jq::backend("cpu"), precision, jq::donate_argnums<0>);
  array x = step(start + 0.0);
  const std::vector<T> after = elements<T>(x), before = elements<T>(start);
  times_alone alone;
  for (int threads = 1; threads <= most_threads(); ++threads) {
    jq::cpu::set_threads(threads);
    const auto ours = [&] { x = step(x), interleaved::observe(read<T>(x)); };
    const auto updater = [&](const peers::library<T>& l, std::vector<T>& state) {
      return [&, threads] {
        with_threads(l, threads, [&] { l.update(state.data(), state.size()); });
        interleaved::observe(state.data());
      };
    };
    std::deque<std::vector<T>> states;
    std::deque<decltype(updater(std::declval<const peers::library<T>&>(), states[0]))> updaters;
    std::vector<interleaved::contender> baselines;
    for (const peers::library<T>& l : peers::libraries<T>()) {
      if (!l.update || (threads > 1 && !l.set_threads)) continue;
      std::vector<T>& own = states.emplace_back(before);
      const auto& run = updaters.emplace_back(updater(l, own));
      run();
      baselines.emplace_back(l.name, run, interleaved::relative_error(own.data(), after.data(), after.size()),
                             std::string_view(l.name).starts_with("by hand") ? 1.05 : 1.0);
    }
    const std::string task = std::string("T20 update in place, ") + number_name<T> + ", 1e7" + (precision.is_fast_math ? ", fast math" : "");
    measure(task, threads, tolerance<T>, {"ours", ours}, std::move(baselines), alone);
  }
}

/// A line of /proc/self/status, in bytes; zero where there is none.
double memory(const char* what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what)) return 1024 * std::strtod(line.c_str() + std::string_view(what).size(), nullptr);
  return 0;
}
/// Peak of the process's memory while a state is updated ten times, in states. `before` is what the process had without one: memory of
/// arrays that are gone is kept for the next ones.
template <class... Options>
double peak(std::int64_t n, double before, Options... options) {
  const auto step = jq::jit(polynomial, jq::backend("cpu"), options...);
  array x = jq::full({n}, -0.5, jq::f32);
  x.block_until_ready();
  std::ofstream("/proc/self/clear_refs") << 5 << std::flush;  // the peak starts here
  for (int i = 0; i < 10; ++i) x = step(x);
  interleaved::observe(x.data<float>().data());
  return (memory("VmHWM:") - before) / (4.0 * double(n));
}
void memory_of_a_loop() {
  if (memory("VmHWM:") == 0) return std::puts("this system does not tell the peak of a process's memory"), void();
  jq::jit(polynomial, jq::backend("cpu"))(jq::full({1000}, -0.5, jq::f32));  // what the first call loads is no part of the state
  const double before = memory("VmRSS:");
  const std::int64_t n = interleaved::quick() ? 1 << 25 : 1 << 28;
  const std::string state = interleaved::quick() ? "128 MB" : "1 GB";
  const interleaved::quartiles donated({peak(n, before, jq::donate_argnums<0>)}), kept({peak(n, before)});
  interleaved::report({"peak memory, state of " + state + ", donated", "the state", donated, 1.05});
  interleaved::report({"peak memory, state of " + state + ", not donated", "the state", kept});
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv);
  memory_of_a_loop();
  for (const jq::precision& p : {jq::precision::fast, jq::precision::fast_math}) update<float>(p), update<double>(p);
}
