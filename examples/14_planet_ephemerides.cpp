// Chapter 14: planet ephemerides
//
// A real use of the compile-time lane: where planets are, how fast they move, and how their orbits follow from observations.
// Six published numbers describe an orbit. The position comes from Kepler's equation, the velocity from jvp in time, and the
// Jacobian of a least-squares fit from jacfwd in the elements. No derivative is written by hand, none is left for run time, and
// <jacquard/fixed.hpp> is enough. Source of the elements: E. M. Standish, "Keplerian elements for approximate positions of the major planets", JPL.

#include <cmath>
#include <cstdio>
#include <jacquard/fixed.hpp>

namespace jq = jacquard;
using vec3 = jq::tensor<double, 3>;
/// Semi-major axis (au), eccentricity, inclination, mean longitude, longitude of perihelion, longitude of the ascending node
/// (degrees), in the ecliptic and equinox of J2000.
using elements = jq::tensor<double, 6>;

struct planet { const char* name; elements at_epoch, per_century; };
/// Table 1 of the source, valid from 1800 to 2050.
constexpr planet planets[] = {
    {"Mercury", {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593},
     {0.00000037, 0.00001906, -0.00594749, 149472.67411175, 0.16047689, -0.12534081}},
    {"Venus", {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255},
     {0.00000390, -0.00004107, -0.00078890, 58517.81538729, 0.00268329, -0.27769418}},
    {"Earth", {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0},  // with the Moon
     {0.00000562, -0.00004392, -0.01294668, 35999.37244981, 0.32327364, 0.0}},
    {"Mars", {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891},
     {0.00001847, 0.00007882, -0.00813131, 19140.30268499, 0.44441088, -0.29257343}},
    {"Jupiter", {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909},
     {-0.00011607, -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106}},
    {"Saturn", {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448},
     {-0.00125060, -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794}},
    {"Uranus", {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503},
     {-0.00196176, -0.00004397, -0.00242939, 428.48202785, 0.40805281, 0.04240589}},
    {"Neptune", {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574},
     {0.00026291, 0.00005105, 0.00035372, 218.45945325, -0.32241464, -0.00508664}}};
constexpr const planet &earth = planets[2], &mars = planets[3];

/// The heliocentric position (au, ecliptic) `t` days after the epoch, of elements that change at the given rates.
constexpr auto position = [](auto at_epoch, auto per_century, auto t) {
  constexpr double degree = 3.14159265358979323846 / 180;
  const auto orbit = at_epoch + per_century * (t / 36525.0);
  const auto a = orbit[0], e = orbit[1];
  const auto inclination = orbit[2] * degree, longitude = orbit[3] * degree, perihelion = orbit[4] * degree, node = orbit[5] * degree;
  const auto anomaly = longitude - perihelion;
  auto eccentric = anomaly + e * jq::sin(anomaly);
  for (int i = 0; i < 4; ++i)  // Newton's method for E - e sin E = M
    eccentric = eccentric - (eccentric - e * jq::sin(eccentric) - anomaly) / (1.0 - e * jq::cos(eccentric));
  const auto x = a * (jq::cos(eccentric) - e), y = a * jq::sqrt(1.0 - e * e) * jq::sin(eccentric);
  const auto w = perihelion - node;
  const auto cw = jq::cos(w), sw = jq::sin(w), cn = jq::cos(node), sn = jq::sin(node);
  const auto ci = jq::cos(inclination), si = jq::sin(inclination);
  const auto u = cw * x - sw * y, v = sw * x + cw * y;
  return jq::stack({cn * u - sn * v * ci, sn * u + cn * v * ci, v * si});
};

vec3 position_of(const planet& p, double t) { return jq::jit(position)(p.at_epoch, p.per_century, t); }
/// In au a day: the derivative of the position in time.
vec3 velocity_of(const planet& p, double t) {
  return jq::jvp(position, jq::primals(p.at_epoch, p.per_century, t), jq::tangents(elements{}, elements{}, 1.0)).second;
}
/// Sensitivity of the position to the elements at the epoch.
constexpr auto sensitivity = jq::jacfwd(position);
/// How fast two planets move apart, times their distance; and the distance.
std::pair<double, double> separation(const planet& one, const planet& other, double t) {
  const vec3 r = position_of(one, t), q = position_of(other, t), v = velocity_of(one, t), u = velocity_of(other, t);
  double change = 0;
  for (std::size_t k = 0; k < 3; ++k) change += (r[k] - q[k]) * (v[k] - u[k]);
  return {change, std::hypot(r[0] - q[0], r[1] - q[1], r[2] - q[2])};
}

/// Solves the 6 x 6 system of normal equations by Cholesky decomposition, in place.
void solve(double (&n)[6][6], double (&b)[6]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = n[i][j];
      for (int k = 0; k < j; ++k) s -= n[i][k] * n[j][k];
      n[i][j] = i == j ? std::sqrt(s) : s / n[j][j];
    }
  const auto eliminate = [&](int i, int from, int to, bool upper) {
    for (int k = from; k < to; ++k) b[i] -= (upper ? n[k][i] : n[i][k]) * b[k];
    b[i] /= n[i][i];
  };
  for (int i = 0; i < 6; ++i) eliminate(i, 0, i, false);
  for (int i = 5; i >= 0; --i) eliminate(i, i + 1, 6, true);
}

/// One Gauss-Newton step towards the observed positions. Returns the root mean square of the residuals before it.
template <std::size_t N>
double improve(elements& orbit, const double (&days)[N], const vec3 (&observed)[N]) {
  double normal[6][6] = {}, right[6] = {}, sum = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const vec3 p = jq::jit(position)(orbit, mars.per_century, days[k]);
    const jq::tensor<double, 3, 6> J = sensitivity(orbit, mars.per_century, days[k]);
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
  std::printf("at J2000     x         y         z (au)   km/s\n");
  for (const planet& p : planets) {
    const vec3 r = position_of(p, 0), v = velocity_of(p, 0);
    std::printf("%-7s %9.4f %9.4f %9.4f %8.2f\n", p.name, r[0], r[1], r[2], std::hypot(v[0], v[1], v[2]) * 149597870.7 / 86400);
  }

  // The closest approach of Mars in 60 000 years: where it stops coming nearer.
  double before = 1300, after = 1360;
  for (int i = 0; i < 40; ++i) {
    const double middle = (before + after) / 2;
    (separation(mars, earth, middle).first < 0 ? before : after) = middle;
  }
  std::printf("Mars was closest %.1f days after J2000, at %.4f au\n", after, separation(mars, earth, after).second);

  double days[24];
  vec3 observed[24];
  for (int k = 0; k < 24; ++k) {
    days[k] = 20.0 * k;
    observed[k] = position_of(mars, days[k]);
  }
  elements guess{1.5, 0.08, 2.2, -6, -20, 45};
  for (int step = 0; step < 4; ++step) std::printf("fit of Mars, step %d: residual %.0e au\n", step, improve(guess, days, observed));
  std::printf("a = %.6f au, e = %.6f, i = %.4f degrees\n", guess[0], guess[1], guess[2]);
}

// output:
// at J2000     x         y         z (au)   km/s
// Mercury   -0.1301   -0.4473   -0.0246    38.88
// Venus     -0.7183   -0.0327    0.0410    35.17
// Earth     -0.1772    0.9672   -0.0000    30.29
// Mars       1.3907   -0.0134   -0.0345    26.33
// Jupiter    3.9983    2.9457   -0.1017    13.67
// Saturn     6.4148    6.5457   -0.3691    10.02
// Uranus    14.4255  -13.7376   -0.2380     6.55
// Neptune   16.8048  -24.9927    0.1274     5.43
// Mars was closest 1333.9 days after J2000, at 0.3730 au
// fit of Mars, step 0: residual 4e-02 au
// fit of Mars, step 1: residual 2e-03 au
// fit of Mars, step 2: residual 1e-05 au
// fit of Mars, step 3: residual 5e-11 au
// a = 1.523710 au, e = 0.093394, i = 1.8497 degrees
