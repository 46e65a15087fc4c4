#pragma once
// Interleaved timing: the library and its baselines run in alternation in one program, and the median of the ratios of the rounds counts,
// since the clock of a shared machine moves more between runs than what is measured. Every figure is printed and, where the environment
// names a file in JACQUARD_FIGURES, appended to it as a line of JSON, for scripts/bench. Deliberately without a list of benchmarks: a
// program is one question, and its main() asks it.

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <time.h>
#include <unistd.h>

namespace interleaved {

/// What p points to may be read and written here, as far as the compiler knows.
inline void observe(const void* p) { asm volatile("" ::"g"(p) : "memory"); }

/// A function as an object, so that calls of it are direct: through a pointer it would be called where what it is compared with is inlined.
template <auto function>
inline constexpr auto direct = [](auto&&... x) __attribute__((always_inline)) { return function(x...); };

/// Which time counts: the processor time of this thread, which others on the machine disturb less, or the clock, where several threads work.
enum class timer { processor, clock };

inline double now(timer t = timer::processor) {
  timespec s{};
  clock_gettime(t == timer::processor ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &s);
  return 1e9 * double(s.tv_sec) + double(s.tv_nsec);
}
/// Mean time of a call in nanoseconds.
template <class F>
double nanoseconds(F&& f, int repetitions, timer t = timer::processor) {
  const double start = now(t);
  for (int i = 0; i < repetitions; ++i) f();
  return (now(t) - start) / repetitions;
}

/// A quick look was asked for (JACQUARD_BENCH_QUICK): fewer and shorter rounds, whose quartiles are wider.
inline bool quick() {
  static const bool asked = std::getenv("JACQUARD_BENCH_QUICK") != nullptr;
  return asked;
}

struct quartiles {
  double low, middle, high;
  explicit quartiles(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    low = x[x.size() / 4], middle = x[x.size() / 2], high = x[3 * x.size() / 4];
  }
};

/// A bar of zero: the figure has none.
constexpr double no_bar = 0;

/// What was measured of one task against one baseline. Without a unit it is a ratio, and smaller is better; the times are of one item each.
struct figure {
  std::string task, against;
  quartiles value;
  double bar = no_bar;
  std::string unit = {};
  double ours = 0, baseline = 0;  ///< nanoseconds, zero where the figure is not made of times
};

namespace detail {
inline std::string quoted(std::string_view s) {
  std::string r = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') r += '\\';
    r += c;
  }
  return r + '"';
}
/// The name of the program without the `bench_` of its target.
inline std::string group() {
  const std::string_view name = program_invocation_short_name;
  return std::string(name.starts_with("bench_") ? name.substr(6) : name);
}
}  // namespace detail

/// Appends the figure to the file that JACQUARD_FIGURES names, if it does. An unwritable file ends the program.
inline void record(const figure& f) {
  const char* const path = std::getenv("JACQUARD_FIGURES");
  if (!path) return;
  std::FILE* const file = std::fopen(path, "a");
  if (!file) {
    std::fprintf(stderr, "JACQUARD_FIGURES: cannot write to %s\n", path);
    std::exit(1);
  }
  std::fprintf(file, "{\"group\": %s, \"task\": %s, \"against\": %s, \"unit\": %s, \"low\": %.5g, \"median\": %.5g, \"high\": %.5g, \"bar\": %.5g, "
                     "\"ours_ns\": %.5g, \"baseline_ns\": %.5g}\n",
               detail::quoted(detail::group()).c_str(), detail::quoted(f.task).c_str(), detail::quoted(f.against).c_str(),
               detail::quoted(f.unit).c_str(), f.value.low, f.value.middle, f.value.high, f.bar, f.ours, f.baseline);
  std::fclose(file);
}
/// Prints a figure that is no ratio, and records it.
inline void report(const figure& f) {
  std::printf("%-44s %-12s %10.4g [%.4g, %.4g] %s", f.task.c_str(), f.against.c_str(), f.value.middle, f.value.low, f.value.high, f.unit.c_str());
  if (f.bar != no_bar) std::printf("  bar %.4g", f.bar);
  std::printf("\n");
  std::fflush(stdout);
  record(f);
}

/// Nanoseconds of a call of f, divided by `items`, from 21 rounds of about 3 ms.
template <class F>
quartiles rounds_of(F&& f, int items = 1, timer t = timer::processor) {
  const double least = quick() ? 1e6 : 3e6;
  int n = 1;
  while (n < (1 << 28) && nanoseconds(f, n, t) * n < least) n *= 2;
  std::vector<double> r;
  for (int round = 0; round < (quick() ? 5 : 21); ++round) r.push_back(nanoseconds(f, n, t) / items);
  return quartiles(std::move(r));
}

/// Something that is timed. The loop over its calls is compiled with it, so that what the compiler sees is what a caller has.
struct contender {
  std::string name;
  std::function<double(int repetitions, timer)> time;  ///< mean nanoseconds of a call
  double error = 0;                                    ///< of its result against the library's
  double bar = no_bar;
  double limit = HUGE_VAL;                             ///< nanoseconds; what takes longer tells of the machine and is not recorded

  /// `run` must outlive the contender.
  template <class F>
  contender(std::string its_name, F& run, double its_error = 0, double its_bar = no_bar)
      : name(std::move(its_name)), time([&run](int n, timer t) { return nanoseconds(run, n, t); }), error(its_error), bar(its_bar) {}
};

/// How a task is measured.
struct terms {
  std::string task;
  int items = 1;              ///< times are divided by it
  double tolerance = 1e-12;   ///< a larger error of a contender ends the program
  timer clock = timer::processor;
  int pause = 0;              ///< microseconds of rest, and as many calls, before each measurement: threads spin for a while after their work
};

namespace detail {
/// Calls that take about 6 ms together; fewer would time the clock.
inline int repetitions_of(const contender& c, timer t) {
  const double least = quick() ? 1e6 : 3e6;
  int n = 1;
  while (n < (1 << 28) && c.time(n, t) * n < least) n *= 2;
  return n;
}
/// 21 rounds, or as many as fit into some seconds.
inline int rounds_of(const std::vector<contender>& all, const std::vector<int>& repetitions, timer t) {
  double round = 0;
  for (std::size_t i = 0; i < all.size(); ++i) round += all[i].time(repetitions[i], t) * repetitions[i];
  return std::clamp(int((quick() ? 0.7e9 : 5e9) / round), quick() ? 3 : 5, quick() ? 7 : 21);
}
}  // namespace detail

/// Times `ours` in alternation with the baselines and prints and records a line for each of them. Returns their median times.
inline std::vector<double> compare(const terms& how, const contender& ours, std::vector<contender> baselines) {
  for (const contender& c : baselines)
    if (!(c.error <= how.tolerance)) {
      std::printf("%s, %s: wrong, relative error %g\n", how.task.c_str(), c.name.c_str(), c.error);
      std::exit(1);
    }
  baselines.push_back(ours);
  std::vector<int> repetitions;
  for (const contender& c : baselines) repetitions.push_back(detail::repetitions_of(c, how.clock));
  const int rounds = detail::rounds_of(baselines, repetitions, how.clock);
  std::vector<std::vector<double>> times(baselines.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < baselines.size(); ++i) {
      if (how.pause > 0) {
        usleep(unsigned(how.pause));
        baselines[i].time(repetitions[i], how.clock);  // wakes its threads and lets them find processors, which takes some milliseconds
      }
      times[i].push_back(baselines[i].time(repetitions[i], how.clock) / how.items);
    }
  const std::vector<double>& own = times.back();
  std::vector<double> medians;
  for (std::size_t i = 0; i + 1 < baselines.size(); ++i) {
    std::vector<double> ratio;
    for (std::size_t k = 0; k < own.size(); ++k) ratio.push_back(own[k] / times[i][k]);
    const figure f{how.task, baselines[i].name, quartiles(ratio), baselines[i].bar, {}, quartiles(own).middle, quartiles(times[i]).middle};
    const double least = *std::min_element(own.begin(), own.end()) / *std::min_element(times[i].begin(), times[i].end());
    std::printf("%-44s %-8s %11.2f ns  ours %11.2f ns  ratio %5.2f [%.2f, %.2f]  of the least times %.2f\n", f.task.c_str(), f.against.c_str(),
                f.baseline, f.ours, f.value.middle, f.value.low, f.value.high, least);
    if (f.baseline <= baselines[i].limit) record(f);
    else std::printf("%-44s not recorded: %s takes more than its limit, this machine is busy\n", "", f.against.c_str());
    medians.push_back(f.baseline);
  }
  std::fflush(stdout);
  return medians;
}

/// Times `ours` against one baseline, of which it has the error `error`; above 1e-12 that ends the program. Times are divided by `items`.
template <class Hand, class Ours>
void compare(const char* name, int items, double error, Hand&& hand, Ours&& ours, double bar = no_bar, const char* against = "by hand") {
  compare(terms{name, items}, contender("ours", ours), {contender(against, hand, error, bar)});
}

/// Largest difference of n numbers, relative where they are larger than one.
template <class T>
double relative_error(const T* want, const T* got, std::size_t n) {
  double r = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = std::fabs(double(want[i]) - double(got[i])) / std::max(1.0, std::fabs(double(want[i])));
    if (std::isnan(d)) return d;
    r = std::max(r, d);
  }
  return r;
}

/// Numbers from the generator that all tasks use.
class numbers {
 public:
  double operator()() { return uniform_(generator_); }
  template <class T>
  void fill(T& x, double scale = 1) {
    for (auto& v : x) v = scale * (*this)();
  }

 private:
  std::mt19937_64 generator_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

}  // namespace interleaved
