#pragma once
// How far functions of lanes are from the exact value, in units in the last place: shared by their tests.
#include <jacquard/fixed/lanes.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace lane_accuracy {

inline constexpr int width = jacquard::preferred_lanes;
using numbers = jacquard::lanes<double, width>;
inline const double inf = INFINITY, no_number = NAN;

template <class T>
double distance(T got, long double exact) {
  const T want = T(exact);
  if (got == want || (std::isnan(got) && std::isnan(want))) return 0;
  const T ulp = std::nextafter(std::fabs(want), T(INFINITY)) - std::fabs(want);
  return double(std::fabs((got - exact) / (long double)(ulp)));
}
/// The largest distance over random arguments in [low, high], or e to the power of these.
template <class Numbers = numbers, class F, class G>
double worst(F f, G exact, double low, double high, bool exponential = false) {
  using element = typename Numbers::lane_element;
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(low, high);
  double r = 0;
  for (int n = 0; n < 20000; ++n) {
    Numbers x(element(0));
    for (int i = 0; i < width; ++i) {
      const double u = uniform(generator);
      x.v[i] = element(exponential ? std::exp(u) : u);
    }
    const Numbers y = f(x);
    for (int i = 0; i < width; ++i) r = std::max(r, distance(y[i], exact((long double)(x[i]))));
  }
  return r;
}
template <class Numbers = numbers, class F>
bool special(F f, double x, double want) {
  using element = typename Numbers::lane_element;
  const double got = f(Numbers(element(x)))[1];
  return got == want || (got != got && want != want);
}

}  // namespace lane_accuracy
