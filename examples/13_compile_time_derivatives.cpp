// Chapter 13: derivatives at compile time
//
// Call a transformed function with plain C++ numbers, jq::tensor, std::array, or trees of them, and the compiler does all
// the work: it traces the function, transforms it, simplifies the program and turns it into straight C++. No heap, no
// dispatch; the result is a plain C++ value and costs what a derivative written by hand costs. One jq::array among the
// arguments, and the same call runs in the run-time lane of the earlier chapters.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include <jacquard/fixed.hpp>

namespace jq = jacquard;

// Functions capture nothing and take their arguments by `auto` (or as jq::array).
constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(jq::grad(cube)(3.0) == 27.0);
static_assert(jq::grad(jq::grad(cube))(3.f) == 18.f);
static_assert(jq::jvp(cube, jq::primals(2.0), jq::tangents(1.0)) == std::pair{8.0, 12.0});

// A tensor is an array whose shape is part of its type.
using vec3 = jq::tensor<double, 3>;
constexpr auto energy = [](auto r) { return -1.0 / jq::sqrt(jq::sum(r * r)); };
constexpr vec3 force = jq::grad(energy)(vec3{1, 0, 0});
static_assert(force == vec3{1, 0, 0});
constexpr jq::tensor<double, 3, 3> stiffness = jq::hessian(energy)(vec3{1, 0, 0});
static_assert(stiffness(0, 0) == -2 && stiffness(1, 1) == 1);

// Gradients look like their arguments, also if these are a class template over its leaf type.
template <class T>
struct pose {
  T position, angle;
  bool operator==(const pose&) const = default;
};
constexpr auto lever = [](const auto& p) { return p.position * jq::cos(p.angle); };
static_assert(jq::grad(lever)(pose<double>{2, 0}) == pose<double>{1, 0});

// The program is a constant of the compiler as well.
static_assert(jq::to_string(jq::make_jaxpr(cube)(1.0)) == "{ lambda ; a:f64[]. let b:f64[] = mul a a; c:f64[] = mul b a in (c,) }");

// jq::map runs such a function over many inputs, one per vector lane.
constexpr auto slope = [](const auto& p) { return jq::grad(lever)(p); };

int main() {
  std::cout << "grad of x^3 at 3: " << jq::grad(cube)(3.0) << '\n';
  std::cout << "force: " << force << "\nstiffness:\n" << stiffness << '\n';

  std::vector<pose<double>> poses(5), slopes(5);
  for (int i = 0; i < 5; ++i) poses[std::size_t(i)] = {1.0 + i, 0.25 * i};
  jq::map(slope, poses, slopes);
  double worst = 0;
  for (std::size_t i = 0; i < 5; ++i) worst = std::max(worst, std::abs(slopes[i].position - std::cos(poses[i].angle)));
  std::cout << "mapped slopes are right: " << std::boolalpha << (worst < 1e-15) << '\n';
}

// output:
// grad of x^3 at 3: 27
// force: [1. 0. 0.]
// stiffness:
// [[-2. -0. -0.]
//  [-0.  1. -0.]
//  [-0. -0.  1.]]
// mapped slopes are right: true
