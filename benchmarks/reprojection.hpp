#pragma once
// The Jacobian of a camera's reprojection error (rotation, centre, focal length, principal point, two radial distortion
// coefficients, point, weight): the function as a user writes it, and its derivative by hand.

#include <jacquard/fixed.hpp>

#include <cmath>
#include <tuple>
#include <vector>

namespace reprojection {

namespace jq = jacquard;
template <class real>
using parameters_of = jq::tensor<real, 15>;
template <class real>
using feature_of = jq::tensor<real, 2>;
template <class real>
using jacobian_of = jq::tensor<real, 2, 15>;
using parameters = parameters_of<double>;
using feature = feature_of<double>;
using jacobian = jacobian_of<double>;

/// One observation: the parameters in the order r, C, f, u0, v0, k1, k2, X, w, and the measured point.
template <class P, class M>
struct observation {
  P p;
  M m;
};
/// Observations that differ, made of numbers from -1 to 1.
template <class real = double, class Numbers>
std::vector<observation<parameters_of<real>, feature_of<real>>> observations(std::size_t n, Numbers u) {
  std::vector<observation<parameters_of<real>, feature_of<real>>> r(n);
  for (auto& [p, m] : r) {
    for (std::size_t i = 0; i < 3; ++i) p[i] = real(.4 * u() + .05);
    for (std::size_t i = 3; i < 6; ++i) p[i] = real(.5 * u());
    p[6] = real(500 + 20 * u()), p[7] = real(10 * u()), p[8] = real(10 * u()), p[9] = real(.05 * u()), p[10] = real(.01 * u());
    p[11] = real(u()), p[12] = real(u()), p[13] = real(u() - 6), p[14] = real(1 + .3 * u());
    m[0] = real(200 * u()), m[1] = real(200 * u());
  }
  return r;
}

/// The point x rotated by r, whose angle is not zero and has this square (Rodrigues); and its limit for small angles.
inline constexpr auto rotated = [](auto r0, auto r1, auto r2, auto x0, auto x1, auto x2, auto square) {
  const auto theta = jq::sqrt(square);
  const auto inverse = 1.0 / theta;
  const auto u0 = r0 * inverse, u1 = r1 * inverse, u2 = r2 * inverse;
  const auto c = jq::cos(theta), s = jq::sin(theta);
  const auto along = (u0 * x0 + u1 * x1 + u2 * x2) * (1.0 - c);
  return std::tuple{x0 * c + (u1 * x2 - u2 * x1) * s + u0 * along, x1 * c + (u2 * x0 - u0 * x2) * s + u1 * along,
                    x2 * c + (u0 * x1 - u1 * x0) * s + u2 * along};
};
inline constexpr auto hardly_rotated = [](auto r0, auto r1, auto r2, auto x0, auto x1, auto x2, auto) {
  return std::tuple{x0 + (r1 * x2 - r2 * x1), x1 + (r2 * x0 - r0 * x2), x2 + (r0 * x1 - r1 * x0)};
};
/// The residual, given how a rotation is chosen by its angle.
template <class Rotate>
struct residual_with {
  constexpr auto operator()(auto p, auto m) const {
    const auto r0 = p[0], r1 = p[1], r2 = p[2];
    const auto x0 = p[11] - p[3], x1 = p[12] - p[4], x2 = p[13] - p[5];
    const auto square = r0 * r0 + r1 * r1 + r2 * r2;
    const auto [y0, y1, y2] = Rotate{}(square, r0, r1, r2, x0, x1, x2);
    const auto depth = 1.0 / y2;
    const auto q0 = y0 * depth, q1 = y1 * depth, rho = q0 * q0 + q1 * q1;
    const auto scale = p[6] * (1.0 + rho * (p[9] + p[10] * rho));
    return jq::stack({p[14] * (scale * q0 + p[7] - m[0]), p[14] * (scale * q1 + p[8] - m[1])});
  }
};
/// By a branch, for one observation after the other.
struct branch {
  constexpr auto operator()(auto square, auto... x) const { return jq::lax::cond(square > 0.0, rotated, hardly_rotated, x..., square); }
};
/// By computing both, which is what vector lanes do.
struct both {
  constexpr auto operator()(auto square, auto... x) const {
    const auto moves = square > 0.0;
    const auto [a0, a1, a2] = rotated(x..., jq::where(moves, square, 1.0));
    const auto [b0, b1, b2] = hardly_rotated(x..., square);
    return std::tuple{jq::where(moves, a0, b0), jq::where(moves, a1, b1), jq::where(moves, a2, b2)};
  }
};
inline constexpr residual_with<branch> residual{};
inline constexpr auto derivative = [](const auto& o) { return jq::jacrev(residual_with<both>{})(o.p, o.m); };

/// The same by hand: the rotation matrix, closed derivatives of the rotated point, one reciprocal. `constexpr` lets nvcc compile it
/// for devices, too.
template <class real>
constexpr void by_hand(const real* p, const real* m, real* J) {
  const real x[3] = {p[11] - p[3], p[12] - p[4], p[13] - p[5]};
  const real square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  real y[3], R[3][3], dr[3][3];  // y = R x, dr[i][j] = d y_i / d r_j
  if (square > 0) {
    const real theta = std::sqrt(square), inv = 1 / theta, c = std::cos(theta), s = std::sin(theta), v = 1 - c;
    const real u[3] = {p[0] * inv, p[1] * inv, p[2] * inv};
    R[0][0] = c + u[0] * u[0] * v, R[0][1] = u[0] * u[1] * v - u[2] * s, R[0][2] = u[0] * u[2] * v + u[1] * s;
    R[1][0] = u[0] * u[1] * v + u[2] * s, R[1][1] = c + u[1] * u[1] * v, R[1][2] = u[1] * u[2] * v - u[0] * s;
    R[2][0] = u[0] * u[2] * v - u[1] * s, R[2][1] = u[1] * u[2] * v + u[0] * s, R[2][2] = c + u[2] * u[2] * v;
    for (int i = 0; i < 3; ++i) y[i] = R[i][0] * x[0] + R[i][1] * x[1] + R[i][2] * x[2];
    const real dot = u[0] * x[0] + u[1] * x[1] + u[2] * x[2], sinc = s * inv, ver = v * inv;
    const real cross[3] = {u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2], u[0] * x[1] - u[1] * x[0]};
    // y = x c + (u x x) s + u (u.x) v, with d theta / d r_j = u_j and d u_i / d r_j = (delta_ij - u_i u_j) / theta
    for (int i = 0; i < 3; ++i) {
      const real along = -x[i] * s + cross[i] * c + u[i] * dot * s - cross[i] * sinc - 2 * u[i] * dot * ver;
      for (int j = 0; j < 3; ++j) dr[i][j] = along * u[j] + u[i] * x[j] * ver;
      dr[i][i] += dot * ver;
    }
    dr[0][1] += x[2] * sinc, dr[0][2] -= x[1] * sinc;
    dr[1][0] -= x[2] * sinc, dr[1][2] += x[0] * sinc;
    dr[2][0] += x[1] * sinc, dr[2][1] -= x[0] * sinc;
  } else {
    R[0][0] = R[1][1] = R[2][2] = 1;
    R[0][1] = -p[2], R[0][2] = p[1], R[1][0] = p[2], R[1][2] = -p[0], R[2][0] = -p[1], R[2][1] = p[0];
    for (int i = 0; i < 3; ++i) y[i] = R[i][0] * x[0] + R[i][1] * x[1] + R[i][2] * x[2];
    const real d[3][3] = {{0, x[2], -x[1]}, {-x[2], 0, x[0]}, {x[1], -x[0], 0}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) dr[i][j] = d[i][j];
  }
  const real z = 1 / y[2], q0 = y[0] * z, q1 = y[1] * z, rho = q0 * q0 + q1 * q1;
  const real f = p[6], w = p[14], L = 1 + rho * (p[9] + p[10] * rho), dL = p[9] + 2 * p[10] * rho;
  const real a00 = w * f * (L + 2 * q0 * q0 * dL), a01 = w * f * 2 * q0 * q1 * dL, a11 = w * f * (L + 2 * q1 * q1 * dL);
  const real e[2][3] = {{a00 * z, a01 * z, -(a00 * q0 + a01 * q1) * z}, {a01 * z, a11 * z, -(a01 * q0 + a11 * q1) * z}};
  const real q[2] = {q0, q1};
  for (int k = 0; k < 2; ++k) {
    real* row = J + 15 * k;
    for (int j = 0; j < 3; ++j) {
      row[j] = e[k][0] * dr[0][j] + e[k][1] * dr[1][j] + e[k][2] * dr[2][j];
      row[11 + j] = e[k][0] * R[0][j] + e[k][1] * R[1][j] + e[k][2] * R[2][j];
      row[3 + j] = -row[11 + j];
    }
    row[6] = w * L * q[k];
    row[7] = k == 0 ? w : 0;
    row[8] = k == 1 ? w : 0;
    row[9] = w * f * rho * q[k];
    row[10] = w * f * rho * rho * q[k];
    row[14] = f * L * q[k] + p[7 + k] - m[k];
  }
}

}  // namespace reprojection
