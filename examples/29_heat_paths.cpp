// Chapter 29: heat paths
//
// A plate is warmed evenly and cooled along a short piece of its left edge. A third of it may be made of a good conductor: where?
// The temperature solves a large system of which only products with the matrix are known, by conjugate gradients, some hundred
// trips of a while_loop. The design is improved along the gradient, for all cells at once. That gradient does not go back through
// the trips: jq::linalg::cg is differentiated as a solution, by one more solve. The method is that of topology optimisation (Bendsoe
// and Sigmund, Topology Optimization, Springer 2004), conductivities to the power 3 of the density.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

constexpr int side = 64;

/// The plate: how well each face between two cells conducts, [side, side - 1] and [side - 1, side], and the cells that are cooled.
struct plate {
  array across, down, sink;
};
/// Two cells behind one another conduct as their harmonic mean.
array between(const array& a, const array& b) { return 2.0 * a * b / (a + b); }
plate make_plate(const array& conductivity, const array& sink) {
  const auto first = jq::slice(0, -1), rest = jq::slice(1, jq::none);
  return {between(conductivity(jq::all, first), conductivity(jq::all, rest)), between(conductivity(first), conductivity(rest)), sink};
}
/// What flows out of each cell at the temperature t: the matrix of the system, symmetric and positive definite, as a function.
array outflow(const plate& p, const array& t) {
  const array right = p.across * jq::diff(t, 1, 1), lower = p.down * jq::diff(t, 1, 0);
  const auto pad = [](const array& flow, int axis, bool before) {
    const std::pair<int, int> own = before ? std::pair{1, 0} : std::pair{0, 1}, none{0, 0};
    return axis == 0 ? jq::pad(flow, {own, none}) : jq::pad(flow, {none, own});
  };
  return pad(right, 1, true) - pad(right, 1, false) + pad(lower, 0, true) - pad(lower, 0, false) + p.sink * t;
}
array temperature(const array& density, const array& sink, const array& heat) {
  const plate p = make_plate(1e-3 + (1 - 1e-3) * jq::power(density, 3), sink);
  // The diagonal of the matrix as a preconditioner: what a cell would lose if its neighbours were at 0.
  const auto faces = [](const array& f, jq::pad_widths before, jq::pad_widths after) { return jq::pad(f, before) + jq::pad(f, after); };
  const array diagonal = faces(p.across, {{0, 0}, {1, 0}}, {{0, 0}, {0, 1}}) + faces(p.down, {{1, 0}, {0, 0}}, {{0, 1}, {0, 0}}) + sink;
  return jq::linalg::cg([&](const array& t) { return outflow(p, t); }, heat, {.tol = 1e-10}, [&](const array& r) { return r / diagonal; });
}
/// Each density with some of its neighbours', so that no pattern is finer than the grid can compute.
array smoothed(const array& density) {
  const array wide = jq::pad(density, 1, "edge");
  array sum = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum = sum + (i == 1 ? 0.5 : 0.25) * (j == 1 ? 0.5 : 0.25) * wide(jq::slice(i, i + side), jq::slice(j, j + side));
  return sum;
}
/// The mean temperature, weighted by the heat: what is to be small.
array warmth(const array& density, const array& sink, const array& heat) {
  return jq::sum(heat * temperature(smoothed(density), sink, heat));
}
/// The optimality criterion: densities grow where they help more than a price l, by at most a tenth; l is found by bisection, so that a
/// third of the plate is used.
array improved(const array& density, const array& slope) {
  const auto at_price = [&](const array& l) {
    return jq::clip(density * jq::sqrt(jq::maximum(-slope, 0.0) / l), jq::maximum(density - 0.1, 0.01), jq::minimum(density + 0.1, 1.0));
  };
  const auto halve = [&](const array&, const std::pair<array, array>& bounds) {
    const array middle = jq::sqrt(bounds.first * bounds.second), too_much = jq::mean(at_price(middle)) > 1.0 / 3;
    return std::pair{jq::where(too_much, middle, bounds.first), jq::where(too_much, bounds.second, middle)};
  };
  return at_price(lax::fori_loop(0, 60, halve, std::pair{array(1e-9), array(1e9)}).first);
}

int main() {
  const array heat = jq::full({side, side}, 1.0 / (side * side)), flat = jq::full({side, side}, 1.0 / 3);
  const array sink = jq::zeros({side, side}, jq::f64).at(jq::slice(side / 2 - 3, side / 2 + 3), 0).set(10.0);
  const auto value_and_slope = jq::jit(jq::value_and_grad(warmth));

  // The gradient against a difference, for one of the cells.
  const auto [before, slope] = value_and_slope(flat, sink, heat);
  const array nudge = jq::zeros({side, side}, jq::f64).at(30, 20).set(1e-4);
  const auto value = jq::jit(warmth);
  const double difference = double(value(flat + nudge, sink, heat) - value(flat - nudge, sink, heat)) / 2e-4;
  std::cout << "gradient and difference agree: " << (std::abs(difference / double(slope(30, 20)) - 1) < 1e-5 ? "yes" : "no") << '\n';

  array density = flat;
  const auto improve = jq::jit(improved);
  for (int i = 0; i < 40; ++i) density = improve(density, value_and_slope(density, sink, heat).second);
  const array after = value(density, sink, heat);
  std::cout << "an eighth of the temperature is left, or less: " << (double(after) < double(before) / 8 ? "yes" : "no") << '\n'
            << "part of the plate that is used: " << jq::round(jq::mean(density), 3) << '\n';

  // What it looks like goes to another stream, as it depends on last digits: a tree, whose trunk is at the cooled edge.
  std::cerr << "temperatures " << before << ' ' << after << '\n';
  for (int i = 0; i < side; i += 2) {
    std::string row;
    for (int j = 0; j < side; ++j) row += " .:-=+*#%@"[std::min(9, int(10 * density(i, j).item<double>()))];
    std::cerr << row << '\n';
  }
}

// output:
// gradient and difference agree: yes
// an eighth of the temperature is left, or less: yes
// part of the plate that is used: 0.333
