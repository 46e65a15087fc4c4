#pragma once
// Interleaved timing: the library and its baseline run in alternation in one program, and the median of the ratios of 21 rounds
// counts, since the clock of a shared machine moves more between runs than what is measured. Deliberately not for single calls of
// more than a millisecond.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace interleaved {

/// What p points to may be read and written here, as far as the compiler knows.
inline void observe(const void* p) { asm volatile("" ::"g"(p) : "memory"); }

/// Mean time of a call.
template <class F>
double nanoseconds(F&& f, int repetitions) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repetitions; ++i) f();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / repetitions;
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
  const int repetitions = std::max(1, int(6e6 / nanoseconds(hand, 3)));
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
