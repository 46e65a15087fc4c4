#pragma once
// One array program on the cpu backend against the same program of other libraries (peers/): values are compared first, then all of them
// are timed in alternation, on one thread and on two. Deliberately for functions of arrays that leave their arguments alone; what updates
// its arguments is timed by the program that asks.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"
#include "openblas_hint.hpp"
#include "peers/peers.hpp"

namespace contest {

namespace jq = jacquard;
using jq::array;

template <class T>
constexpr jq::dtype number = std::is_same_v<T, float> ? jq::f32 : jq::f64;
template <class T>
constexpr const char* number_name = std::is_same_v<T, float> ? "f32" : "f64";
/// What results may differ by: more than the vector functions of libmvec do, much less than a mistake.
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-12;

template <class T>
const T* read(const array& x) {
  return x.data<T>().data();
}
/// Random numbers from low to high.
template <class T>
array uniform(int seed, const jq::shape& dims, double low = -1, double high = 1) {
  return jq::random::uniform(jq::random::key(seed), dims, number<T>, low, high);
}

inline std::vector<array> pieces(const array& x) { return {x}; }
template <class... A>
std::vector<array> pieces(const std::tuple<A...>& x) {
  return std::apply([](const auto&... piece) { return std::vector<array>{piece...}; }, x);
}
/// The first piece where it is: timed calls look at no more, and make no list.
inline const array& first_piece(const array& x) { return x; }
template <class... A>
const array& first_piece(const std::tuple<A...>& x) {
  return std::get<0>(x);
}
/// The elements of all pieces, one after the other.
template <class T, class X>
std::vector<T> elements(const X& x) {
  std::vector<T> r;
  for (const array& piece : pieces(x)) {
    const auto s = piece.template data<T>();
    r.insert(r.end(), s.begin(), s.end());
  }
  return r;
}

/// How many threads to measure with: two, where there are two processors.
inline int most_threads() {
  static const int n = jq::cpu::threads() < 2 ? 1 : 2;
  return n;
}
/// Programs get machine code before they first run; with the argument "tiles", or where there is no libLLVM, they stay on tiles.
inline void begin(int argc, char** argv) {
  openblas_hint::start(argv);
  const bool tiles = (argc > 1 && std::string_view(argv[1]) == "tiles") || !jq::cpu::code_generator::get();
  jq::cpu::set_compile_at(tiles ? jq::compile_time::never : jq::compile_time::first_call);
  std::printf("threads: %d\n", most_threads());
  std::puts(tiles ? "tier 0: the tile interpreter" : "tier 1: compiled code");
}
/// What baselines took on one thread, by their names.
using times_alone = std::map<std::string, double>;

/// Times `ours` against the baselines on so many threads; on several the clock counts, and everybody starts after a rest, since OpenMP's
/// threads spin for a while after their work. A baseline that they make twice as slow waits for a processor that others have: its figure is
/// not recorded.
inline void measure(const std::string& name, int threads, double tolerated, const interleaved::contender& ours,
                    std::vector<interleaved::contender> baselines, times_alone& alone) {
  interleaved::terms how{name, 1, tolerated};
  if (threads > 1) {
    how.task += ", " + std::to_string(threads) + " threads", how.clock = interleaved::timer::clock, how.pause = 20000;
    for (interleaved::contender& c : baselines) c.limit = 2 * alone[c.name];
  }
  const std::vector<double> medians = interleaved::compare(how, ours, baselines);
  for (std::size_t i = 0; threads == 1 && i < medians.size(); ++i) alone[baselines[i].name] = medians[i];
}
/// A number of elements as people write it: 1000 is 1e3.
inline std::string size_name(std::int64_t n) {
  int zeros = 0;
  while (n >= 10 && n % 10 == 0) n /= 10, ++zeros;
  return zeros < 3 ? std::to_string(n) + std::string(std::size_t(zeros), '0') : std::to_string(n) + "e" + std::to_string(zeros);
}

/// Runs `f` of a library with its threads set to so many, and back at once: the OpenBLAS that it uses may be ours too.
template <class T, class F>
void with_threads(const peers::library<T>& l, int threads, F&& f) {
  if (threads > 1) l.set_threads(threads);
  f();
  if (threads > 1) l.set_threads(1);
}

/// What is asked of a task: the ratio to loops by hand (1 counts against other libraries), how many times the usual tolerance values may
/// differ by, where large terms cancel, and how ours is compiled.
struct goal {
  double bar, leeway = 1;
  jq::precision precision = jq::precision::fast;
  goal(double its_bar, double its_leeway = 1) : bar(its_bar), leeway(its_leeway) {}
  /// The same with the liberties that the loops by hand, which are compiled with -ffast-math, have.
  goal in_fast_math() const {
    goal g = *this;
    g.precision = jq::precision::fast_math;
    return g;
  }
};

/// A call of the compiled function that writes its results to `out`, one after the other, as the baselines do.
template <class T, class F, class... A>
jq::bound_call bound(const F& compiled, const std::vector<array>& results, std::vector<T>& out, const A&... x) {
  std::vector<jq::writable_memory> to;
  std::size_t begin = 0;
  for (const array& piece : results) {
    to.push_back(std::span(out).subspan(begin, std::size_t(piece.size())));
    begin += std::size_t(piece.size());
  }
  const std::vector<jq::readable_memory> from{x...};
  return compiled.lower(x...).compile().bind(from, to);
}

/// Times jit(f)(x...) against `run(function, out)` for each library that has the function `member`. Results are written to `out`, several of
/// them one after the other. Kernels of less than 1e5 results are not shared between threads; of less than 1e4, where memory is part of the
/// time, two rows compare like with like and have the bars: baselines that take fresh memory for their results in each call, as ours does, and
/// calls of ours that are bound to memory that is ready, as the baselines'. The row of neither tells what a returned array costs.
template <class T, class F, class Member, class Run, class... A>
void task(const std::string& what, const goal& wanted, F f, Member member, Run run, const A&... x) {
  jq::cpu::set_threads(1);
  const std::string name = what + (wanted.precision.is_fast_math ? ", fast math" : "");
  const auto compiled = jq::jit(f, jq::backend("cpu"), wanted.precision);
  const auto result = compiled(x...);
  const std::vector<T> ours = elements<T>(result);
  std::vector<T> out(ours.size()), own(ours.size());
  jq::bound_call here = bound(compiled, pieces(result), own, x...);
  const auto by_call = [&] {
    const auto y = compiled(x...);  // given back before the next call, which writes there: the baselines, too, write to one place
    interleaved::observe(read<T>(first_piece(y)));
  };
  const auto by_bound_call = [&] {
    here();
    interleaved::observe(own.data());
  };
  times_alone alone;
  const bool is_small = ours.size() < 10000;
  enum class memory { as_usual, fresh, bound };
  const auto compare = [&](const std::string& task, int threads, const interleaved::contender& us, memory where = memory::as_usual) {
    const bool fresh = where == memory::fresh;
    jq::cpu::set_threads(threads);
    const auto program_of = [&](const peers::library<T>& l) {
      return [&, threads, fresh, function = l.*member] {
        const std::unique_ptr<T[]> own_memory(fresh ? new T[ours.size()] : nullptr);
        T* const to = fresh ? own_memory.get() : out.data();
        with_threads(l, threads, [&] { run(function, to); });
        interleaved::observe(to);
      };
    };
    std::deque<decltype(program_of(std::declval<const peers::library<T>&>()))> programs;
    std::vector<interleaved::contender> baselines;
    for (const peers::library<T>& l : peers::libraries<T>()) {
      if (!(l.*member) || (threads > 1 && !l.set_threads)) continue;
      const auto& program = programs.emplace_back(program_of(l));
      if (fresh) run(l.*member, out.data());  // values to compare
      program();
      const bool by_hand = std::string_view(l.name).starts_with("by hand");
      const double bar = is_small && where == memory::as_usual ? interleaved::no_bar : by_hand ? wanted.bar : 1.0;
      baselines.emplace_back(l.name, program, interleaved::relative_error(out.data(), ours.data(), ours.size()), bar);
    }
    measure(task, threads, wanted.leeway * tolerance<T>, us, std::move(baselines), alone);
  };
  compare(name, 1, {"ours", by_call});
  if (is_small) {
    compare(name + ", fresh", 1, {"ours", by_call}, memory::fresh);
    by_bound_call();
    if (own != ours) {
      std::fprintf(stderr, "%s: a bound call has other results than a call\n", name.c_str());
      std::exit(1);
    }
    compare(name + ", bound", 1, {"ours", by_bound_call}, memory::bound);
  }
  for (int threads = 2; threads <= (ours.size() < 100000 ? 1 : most_threads()); ++threads) compare(name, threads, {"ours", by_call});
}

}  // namespace contest
