// Chapter 14: planet ephemerides
//
// A real use of the compile-time lane: where planets are, how fast they move, and how their orbits follow from observations.
// Six published numbers describe an orbit. The position comes from Kepler's equation, the velocity from jvp in time, and the
// Jacobian of a least-squares fit from jacfwd in the elements. No derivative is written by hand, and none is left for run time.
// Source of the elements: E. M. Standish, "Keplerian elements for approximate positions of the major planets", JPL.

#include <cmath>
#include <cstdio>

#include <jacquard/fixed.hpp>

namespace jq = jacquard;

using vec3 = jq::tensor<double, 3>;
/// Semi-major axis (au), eccentricity, inclination, mean longitude, longitude of perihelion, longitude of the ascending node
/// (radians), at the epoch J2000.
using elements = jq::tensor<double, 6>;

constexpr double degree = 3.14159265358979323846 / 180;
constexpr elements of_degrees(double a, double e, double i, double l, double p, double n) {
  return {a, e, i * degree, l * degree, p * degree, n * degree};
}
constexpr elements earth = of_degrees(1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0);
constexpr elements mars = of_degrees(1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891);

/// The heliocentric position (au, ecliptic) `t` days after the epoch.
constexpr auto position = [](auto orbit, auto t) {
  const auto a = orbit[0], e = orbit[1], inclination = orbit[2], perihelion = orbit[4], node = orbit[5];
  const auto mean_motion = 0.01720209895 / (a * jq::sqrt(a));  // Gauss's constant
  const auto anomaly = orbit[3] - perihelion + mean_motion * t;
  auto eccentric = anomaly + e * jq::sin(anomaly);
  for (int i = 0; i < 4; ++i)  // Newton's method for E - e sin E = M
    eccentric = eccentric - (eccentric - e * jq::sin(eccentric) - anomaly) / (1.0 - e * jq::cos(eccentric));
  const auto x = a * (jq::cos(eccentric) - e), y = a * jq::sqrt(1.0 - e * e) * jq::sin(eccentric);
  const auto w = perihelion - node;
  const auto cw = jq::cos(w), sw = jq::sin(w), cn = jq::cos(node), sn = jq::sin(node), ci = jq::cos(inclination),
             si = jq::sin(inclination);
  const auto u = cw * x - sw * y, v = sw * x + cw * y;
  return jq::stack({cn * u - sn * v * ci, sn * u + cn * v * ci, v * si});
};

vec3 velocity(const elements& orbit, double t) {
  return jq::jvp(position, jq::primals(orbit, t), jq::tangents(elements{}, 1.0)).second;
}
/// Sensitivity of the position to the elements.
constexpr auto sensitivity = jq::jacfwd(position);

/// Solves the 6 x 6 system of normal equations by Cholesky decomposition, in place.
void solve(double (&n)[6][6], double (&b)[6]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = n[i][j];
      for (int k = 0; k < j; ++k) s -= n[i][k] * n[j][k];
      n[i][j] = i == j ? std::sqrt(s) : s / n[j][j];
    }
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= n[i][k] * b[k];
    b[i] /= n[i][i];
  }
  for (int i = 5; i >= 0; --i) {
    for (int k = i + 1; k < 6; ++k) b[i] -= n[k][i] * b[k];
    b[i] /= n[i][i];
  }
}

/// One Gauss-Newton step towards the observed positions. Returns the root mean square of the residuals before it.
template <std::size_t N>
double improve(elements& orbit, const double (&days)[N], const vec3 (&observed)[N]) {
  double normal[6][6] = {}, right[6] = {}, sum = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const vec3 p = jq::vjp(position, orbit, days[k]).first;
    const jq::tensor<double, 3, 6> J = sensitivity(orbit, days[k]);
    for (int row = 0; row < 3; ++row) {
      const double r = observed[k][std::size_t(row)] - p[std::size_t(row)];
      sum += r * r;
      for (int i = 0; i < 6; ++i) {
        right[i] += J(row, i) * r;
        for (int j = 0; j < 6; ++j) normal[i][j] += J(row, i) * J(row, j);
      }
    }
  }
  solve(normal, right);
  for (int i = 0; i < 6; ++i) orbit[std::size_t(i)] += right[i];
  return std::sqrt(sum / (3 * N));
}

int main() {
  for (const auto& [name, orbit] : {std::pair{"Earth", earth}, std::pair{"Mars", mars}}) {
    const vec3 p = jq::vjp(position, orbit, 0.0).first, v = velocity(orbit, 0);
    std::printf("%-5s at J2000: (%.4f, %.4f, %.4f) au, %.2f km/s\n", name, p[0], p[1], p[2],
                std::hypot(v[0], v[1], v[2]) * 149597870.7 / 86400);
  }
  double days[24];
  vec3 observed[24];
  for (int k = 0; k < 24; ++k) {
    days[k] = 20.0 * k;
    observed[k] = jq::vjp(position, mars, days[k]).first;
  }
  elements guess = of_degrees(1.5, 0.08, 2.2, -6, -20, 45);
  for (int step = 0; step < 4; ++step) std::printf("fit of Mars, step %d: residual %.0e au\n", step, improve(guess, days, observed));
  std::printf("a = %.6f au, e = %.6f, i = %.4f degrees\n", guess[0], guess[1], guess[2] / degree);
}

// output:
// Earth at J2000: (-0.1772, 0.9672, -0.0000) au, 30.29 km/s
// Mars  at J2000: (1.3907, -0.0134, -0.0345) au, 26.33 km/s
// fit of Mars, step 0: residual 5e-02 au
// fit of Mars, step 1: residual 2e-03 au
// fit of Mars, step 2: residual 4e-05 au
// fit of Mars, step 3: residual 7e-09 au
// a = 1.523710 au, e = 0.093394, i = 1.8497 degrees
