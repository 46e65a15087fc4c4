// Code of one name is linked once: what files with vectors of different sizes share must not depend on these. Prints what is wrong.
#include "function.hpp"

#include <cmath>
#include <cstdio>

int main() {
  int failures = 0;
  for (const std::size_t n : {1, 2, 3, 6, 7, 10, 13, 100}) {
    std::vector<double> x(n), y(n + 16, -7.0);
    for (std::size_t i = 0; i < n; ++i) x[i] = 0.5 * double(i);
    for (const auto& run : {map_plain, map_wide}) {
      run(x, y);
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double want = i < n ? std::sin(x[i]) * x[i] + std::exp(x[i] * 0.1) : -7.0;
        if (std::abs(y[i] - want) <= 1e-12 * std::abs(want) + 1e-14) continue;
        std::printf("%s, %zu items: element %zu is %g, wanted %g\n", run == map_plain ? "plain" : "wide", n, i, y[i], want);
        ++failures;
      }
    }
  }
  return failures != 0;
}
