#pragma once
// Tests of samples against distributions known in closed form: Kolmogorov's and Smirnov's for continuous ones, Pearson's chi-square for
// counts. Seeds are fixed, so that a test passes always or never; a level of one in a thousand keeps it honest.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "numpy_testing.hpp"

namespace testing {

inline std::vector<double> values_of(const jq::array& x) {
  const jq::array wide = jq::ravel(x).astype(jq::f64);
  const std::span<const double> s = wide.data<double>();
  return {s.begin(), s.end()};
}
/// sqrt(n) times the largest distance of the samples' distribution function to `cdf`: below 1.95 for 999 of 1000 sets of samples.
inline double kolmogorov(const jq::array& samples, const std::function<double(double)>& cdf) {
  std::vector<double> x = values_of(samples);
  std::sort(x.begin(), x.end());
  const double n = double(x.size());
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double f = cdf(x[i]);
    if (!(f >= 0 && f <= 1)) return inf;
    largest = std::max({largest, f - double(i) / n, double(i + 1) / n - f});
  }
  return largest * std::sqrt(n);
}
/// Pearson's statistic of counts against probabilities, in standard deviations above what is expected; about below 3.5 for 999 of 1000 sets
/// of samples. Values that are expected less than 10 times count as one.
inline double pearson(const jq::array& samples, const std::function<double(int)>& probability, int first, int last) {
  std::map<int, double> counts;
  for (double v : values_of(samples)) ++counts[int(v)];
  const double n = double(samples.size());
  double statistic = 0, seen = 0, share = 0;
  int classes = 0;
  for (int v = first; v <= last; ++v) {
    const double p = probability(v);
    if (n * p < 10) continue;
    statistic += (counts[v] - n * p) * (counts[v] - n * p) / (n * p);
    seen += counts[v];
    share += p;
    ++classes;
  }
  const double rest = n - seen, wanted = n * (1 - share);
  if (wanted > 1) statistic += (rest - wanted) * (rest - wanted) / wanted, ++classes;
  else if (rest > 12) return inf;
  return (statistic - (classes - 1)) / std::sqrt(2.0 * std::max(1, classes - 1));
}
inline constexpr double unlikely = 1.95, unlikely_deviations = 3.5;

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace testing

using testing::kolmogorov;
using testing::normal_cdf;
using testing::pearson;
using testing::unlikely;
using testing::unlikely_deviations;
