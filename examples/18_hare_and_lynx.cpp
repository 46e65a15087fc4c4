// Chapter 18: hare and lynx
//
// A differential equation fitted to data. The solver is an adaptive Runge-Kutta method in a while_loop, which takes as
// many steps as the solution needs; its gradient comes from a second differential equation that runs backwards, the
// adjoint, given to jq::custom_vjp. The data are the pelts of snowshoe hares and lynxes, in thousands, that the Hudson's
// Bay Company traded in 1900 to 1920 (Elton and Nicholson, Journal of Animal Ecology 11, 1942; the table is that of P.
// Howard, Modeling Basics, Texas A&M 2009). The model is Lotka's and Volterra's: with u hares and v lynxes,
//   du/dt = (a - b v) u,  dv/dt = (d u - c) v.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

const array pelts = jq::asarray({{30., 4.},    {47.2, 6.1},  {70.2, 9.8},  {77.4, 35.2}, {36.3, 59.4}, {20.6, 41.7},
                                 {18.1, 19.},  {21.4, 13.},  {22., 8.3},   {25.4, 9.1},  {27.1, 7.4},  {40.3, 8.},
                                 {57., 12.3},  {76.6, 19.5}, {52.3, 45.7}, {19.5, 51.1}, {11.2, 29.7}, {7.6, 15.8},
                                 {14.6, 9.7},  {16.2, 10.1}, {24.7, 8.6}});

/// y(t + span) from y(t) for y' = f(y), by the method of Dormand and Prince (J. Comp. Appl. Math. 6, 1980): steps of order
/// 5, whose error is estimated with a second solution of order 4.
template <class F>
array solve(F f, const array& start, double span) {
  struct state {
    array y, left, step;
  };
  const auto trial = [&](const array& y, const array& h) {
    const array k1 = f(y), k2 = f(y + h * (k1 / 5.)), k3 = f(y + h * (k1 * (3 / 40.) + k2 * (9 / 40.)));
    const array k4 = f(y + h * (k1 * (44 / 45.) - k2 * (56 / 15.) + k3 * (32 / 9.)));
    const array k5 = f(y + h * (k1 * (19372 / 6561.) - k2 * (25360 / 2187.) + k3 * (64448 / 6561.) - k4 * (212 / 729.)));
    const array k6 = f(y + h * (k1 * (9017 / 3168.) - k2 * (355 / 33.) + k3 * (46732 / 5247.) + k4 * (49 / 176.) -
                                k5 * (5103 / 18656.)));
    const array next = y + h * (k1 * (35 / 384.) + k3 * (500 / 1113.) + k4 * (125 / 192.) - k5 * (2187 / 6784.) +
                                k6 * (11 / 84.));
    const array error = h * (k1 * (71 / 57600.) - k3 * (71 / 16695.) + k4 * (71 / 1920.) - k5 * (17253 / 339200.) +
                             k6 * (22 / 525.) - f(next) / 40.);
    const array scale = 1e-6 + 1e-6 * jq::maximum(jq::abs(y), jq::abs(next));
    return std::pair{next, jq::sqrt(jq::mean(jq::square(error / scale)))};
  };
  const auto body = [&](const state& s) {
    const array h = jq::minimum(s.step, s.left);
    const auto [next, error] = trial(s.y, h);
    const array good = error <= 1.0;
    const array factor = jq::clip(0.9 * jq::power(jq::maximum(error, 1e-10), -0.2), 0.2, 5.0);
    return state{jq::where(good, next, s.y), jq::where(good, s.left - h, s.left), h * factor};
  };
  return lax::while_loop([](const state& s) { return s.left > 1e-12; }, body, state{start, array(span), array(0.1)}).y;
}

array lotka_volterra(const array& y, const array& p) {  // p = (a, b, c, d)
  const array change = jq::concatenate(std::vector{jq::reshape(p(0) - p(1) * y(1), {1}), jq::reshape(p(3) * y(0) - p(2), {1})}, 0);
  return change * y;
}
/// Populations of 21 years, [21, 2].
array simulate(const array& start, const array& p) {
  const auto year = [&](const array& y, const std::tuple<>&) {
    return std::pair{solve([&](const array& x) { return lotka_volterra(x, p); }, y, 1.0), y};
  };
  return lax::scan(year, start, std::tuple<>{}, {.length = 21}).second;
}
/// The adjoint: backwards through each year, y, the cotangent of y and that of p together solve
///   y' = -f(y, p),  l' = l df/dy,  g' = l df/dp.
std::tuple<array, array> simulate_backwards(const std::pair<array, array>& saved, const array& ct) {
  const auto& [ys, p] = saved;
  const auto equations = [p = p](const array& z) {
    const auto [dy, pullback] = jq::vjp(lotka_volterra, z(jq::slice(0, 2)), p);
    const auto [l, g] = pullback(z(jq::slice(2, 4)));
    return jq::concatenate(std::vector{-dy, l, g}, 0);
  };
  const auto year = [&](const array& lg, const std::pair<array, array>& at) {
    const auto& [y, c] = at;
    const array z = jq::concatenate(std::vector{y, lg(jq::slice(0, 2)) + c, lg(jq::slice(2, 6))}, 0);
    return std::pair{solve(equations, z, 1.0)(jq::slice(2, 8)), std::tuple<>{}};
  };
  const auto years = std::pair{ys(jq::slice(1, 21)), ct(jq::slice(1, 21))};
  const array lg = lax::scan(year, jq::zeros({6}, jq::f64), years, {.reverse = true}).first;
  return {lg(jq::slice(0, 2)) + ct(0), lg(jq::slice(2, 6))};
}
const auto populations = jq::custom_vjp(
    simulate, [](const array& start, const array& p) {
      const array ys = simulate(start, p);
      return std::pair{ys, std::pair{ys, p}};
    },
    simulate_backwards);

/// Mean square of the logarithms' differences. x are the logarithms of the populations in 1900 and of a, b, c, d.
array misfit(const array& x) {
  const array ys = populations(jq::exp(x(jq::slice(0, 2))), jq::exp(x(jq::slice(2, 6))));
  return jq::mean(jq::square(jq::log(ys) - jq::log(pelts)));
}

int main() {
  // The adjoint against differences, at the start of the fit.
  array x = jq::log(jq::asarray({30.0, 4.0, 0.5, 0.025, 0.8, 0.025}));
  const auto value_and_slope = jq::jit(jq::value_and_grad(misfit));
  const array by_adjoint = value_and_slope(x).second, one = jq::eye(6, jq::f64);
  double largest = 0;
  for (int i = 0; i < 6; ++i) {
    const array up = misfit(x + 1e-4 * one(i)), down = misfit(x - 1e-4 * one(i));
    largest = std::max(largest, std::abs(double((up - down) / 2e-4 - by_adjoint(i))));
  }
  std::printf("adjoint and differences agree to 1e-3: %s\n", largest < 1e-3 ? "yes" : "no");

  // Adam, with a rate that falls.
  array m = x * 0.0, v = x * 0.0;
  std::printf("misfit at first %.2f\n", double(value_and_slope(x).first));
  for (int i = 1; i <= 300; ++i) {
    const array g = value_and_slope(x).second;
    m = 0.9 * m + 0.1 * g, v = 0.99 * v + 0.01 * g * g;
    x = x - 0.05 / (1 + i / 50.0) * (m / (1 - std::pow(0.9, i))) / (jq::sqrt(v / (1 - std::pow(0.99, i))) + 1e-12);
  }
  const array p = jq::exp(x);
  std::printf("misfit at last  %.2f\n", double(value_and_slope(x).first));
  std::printf("a %.2f  b %.3f  c %.2f  d %.3f\n", double(p(2)), double(p(3)), double(p(4)), double(p(5)));
}

// output:
// adjoint and differences agree to 1e-3: yes
// misfit at first 0.26
// misfit at last  0.05
// a 0.54  b 0.027  c 0.80  d 0.024
