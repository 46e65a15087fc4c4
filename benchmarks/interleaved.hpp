#pragma once
// Interleaved timing: the library and its baseline run in alternation in one program, and the median of the ratios of 21 rounds
// counts, since the clock of a shared machine moves more between runs than what is measured. Deliberately not for single calls of
// more than a millisecond.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <time.h>

namespace interleaved {

/// What p points to may be read and written here, as far as the compiler knows.
inline void observe(const void* p) { asm volatile("" ::"g"(p) : "memory"); }

/// Processor time of this thread, which others on the machine disturb less than the clock.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
}
/// Mean time of a call in nanoseconds.
template <class F>
double nanoseconds(F&& f, int repetitions) {
  const double start = now();
  for (int i = 0; i < repetitions; ++i) f();
  return (now() - start) / repetitions;
}

struct quartiles {
  double low, middle, high;
  explicit quartiles(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    low = x[x.size() / 4], middle = x[x.size() / 2], high = x[3 * x.size() / 4];
  }
};

/// Times `ours` against `hand` in alternation and prints one line. Times are divided by `items`. An error above 1e-12 ends the program.
template <class Hand, class Ours>
void compare(const char* name, int items, double error, Hand&& hand, Ours&& ours) {
  if (!(error < 1e-12)) {
    std::printf("%-34s wrong: relative error %g\n", name, error);
    std::exit(1);
  }
  int repetitions = 1;  // about 6 ms; few calls would time the clock
  while (repetitions < (1 << 28) && nanoseconds(hand, repetitions) * repetitions < 3e6) repetitions *= 2;
  std::vector<double> a, b, ratio;
  for (int round = 0; round < 21; ++round) {
    a.push_back(nanoseconds(hand, repetitions) / items);
    b.push_back(nanoseconds(ours, repetitions) / items);
    ratio.push_back(b.back() / a.back());
  }
  const quartiles r(ratio);
  const double least = *std::min_element(b.begin(), b.end()) / *std::min_element(a.begin(), a.end());
  std::printf("%-36s hand %9.1f ns  ours %9.1f ns  ratio %.2f [%.2f, %.2f]  of the least times %.2f\n", name, quartiles(a).middle,
              quartiles(b).middle, r.middle, r.low, r.high, least);
}

/// Largest difference of n numbers, relative where they are larger than one.
inline double relative_error(const double* want, const double* got, std::size_t n) {
  double r = 0;
  for (std::size_t i = 0; i < n; ++i) r = std::max(r, std::fabs(want[i] - got[i]) / std::max(1.0, std::fabs(want[i])));
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
