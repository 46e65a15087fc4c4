// Chapter 13: derivatives at compile time
//
// Call a transformed function with plain C++ numbers, jq::tensor, std::array, or trees of them, and the compiler does all
// the work: it traces the function, transforms it, simplifies the program and turns it into straight C++. No heap, no
// dispatch; the result is a plain C++ value and costs what a derivative written by hand costs. One jq::array among the
// arguments, and the same call runs in the run-time lane of the earlier chapters. This lane needs <jacquard/fixed.hpp> alone.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include <jacquard/fixed.hpp>
#include <jacquard/fixed/threads.hpp>  // only for jq::threads, at the end

namespace jq = jacquard;

// Functions capture nothing and take their arguments by `auto` (or as jq::array).
constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(jq::grad(cube)(3.0) == 27.0);
static_assert(jq::grad(jq::grad(cube))(3.f) == 18.f);
static_assert(jq::jvp(cube, jq::primals(2.0), jq::tangents(1.0)) == std::pair{8.0, 12.0});
// The program is a constant of the compiler as well.
static_assert(jq::to_string(jq::make_jaxpr(cube)(1.0)) == "{ lambda ; a:f64[]. let b:f64[] = mul a a; c:f64[] = mul b a in (c,) }");
// A constexpr tensor or std::array is a constant of the function, in which it is used as an array.
constexpr jq::tensor<double, 2, 2> turn{0, -1, 1, 0};
static_assert(jq::grad([](auto x) { return jq::matmul(turn, x)[0]; })(jq::tensor<double, 2>{3, 4}) == jq::tensor<double, 2>{0, -1});

// From here on: a mass in the plane, on an elastic cord from the origin. A tensor is an array whose shape is part of its type.
using vec = jq::tensor<double, 2>;
// The slope of sqrt is infinite at 0, so the chain rule has no derivative of a length there. A rule of our own (chapter 16) has.
constexpr auto root = [](auto x) { return jq::sqrt(jq::sum(x * x)); };
constexpr auto length = jq::custom_jvp(root, [](auto primals, auto tangents) {
  const auto& [x] = primals;
  const auto& [t] = tangents;
  const auto r = root(x);
  return std::pair{r, jq::sum(x * t) / jq::maximum(r, 1e-300)};
});
static_assert(jq::grad(length)(vec{0, 2}) == vec{0, 1} && jq::grad(length)(vec{0, 0}) == vec{0, 0});

// The cord pulls where it is longer than 1. While a function is traced its values are not known, so a C++ if may ask only for
// what is: shapes, types. A choice by values becomes a part of the program. where computes both sides, lax::cond one of them
// (in vector lanes, those that any lane takes).
constexpr auto energy = [](auto x) {
  const auto stretch = length(x) - 1.0;
  return jq::where(stretch > 0.0, 2.0 * stretch * stretch, 0.0);
};
static_assert(jq::grad(energy)(vec{0, 3}) == vec{0, 8} && jq::grad(energy)(vec{0.5, 0}) == vec{0, 0});
constexpr auto pull = [](auto r) {
  return jq::lax::cond(r > 1.0, [](auto q) { return 4.0 * (q - 1.0); }, [](auto q) { return 0.0 * q; }, r);
};
static_assert(jq::grad(pull)(3.0) == 4.0 && jq::grad(pull)(0.5) == 0.0);
constexpr jq::tensor<double, 2, 2> stiffness = jq::hessian(energy)(vec{0, 2});
// vmap makes a function of one position one of three.
static_assert(jq::vmap(energy)(jq::tensor<double, 3, 2>{0, 1, 2, 0, 0, 3}) == jq::tensor<double, 3>{0, 2, 8});

// Arguments, results and gradients may be class templates over their leaf type. While a function is traced, T is jq::array.
template <class T>
struct state {
  T x, v;
};
constexpr auto moved = [](auto s) {
  const auto v = s.v - 0.1 * jq::grad(energy)(s.x);
  return decltype(s){s.x + 0.1 * v, v};
};

// A C++ loop would lay out each of 100 steps. fori_loop and scan, with a number of trips that is known, trace one. The loop is
// one equation, compiled as a loop over one body; so are those of its derivative. Functions inside a traced one may capture.
constexpr auto swing = [](auto s) { return jq::lax::fori_loop(0, 100, [](auto, auto now) { return moved(now); }, s); };
constexpr auto reach = [](auto s) { return length(swing(s).x); };
constexpr state<vec> start{{2, 0}, {0, 1}};
static_assert(jq::make_jaxpr(swing)(start)->equations.size() == 2);  // the numbers of the trips, and the loop

// A tap (chapter 6) shows a value on its way. It is skipped where the compiler evaluates a call as a constant; a call of
// the running program makes it. The function of an id_tap captures nothing, either.
constexpr auto watched = [](auto r) { return pull(jq::id_print(r, jq::kw("what", "length"))); };
static_assert(jq::grad(watched)(3.0) == 4.0);  // prints nothing
// Called as it is, `watched` would meet lax::cond with a plain number, of which nothing is traced. jit is the transform that changes nothing.
static_assert(jq::jit(watched)(3.0) == 8.0);

// Limits. Shapes are part of the types of arguments. The compiler takes some milliseconds for an equation, for one in a loop once. It counts its
// steps, and larger functions need more than it allows by default: the CMake target jacquard::jacquard raises the limits; by hand it is
// -fconstexpr-ops-limit=2147483647 -fconstexpr-loop-limit=2147483647 -fconstexpr-depth=2048 for g++, and for clang
// -fconstexpr-steps=2147483647 -fconstexpr-depth=2048 -fbracket-depth=2048. Above 16384 equations, define JACQUARD_STATIC_EQUATIONS.
//
// What goes wrong is said in the compiler's output, by a static_assert or, where the function was traced to find it, by the argument of
// jacquard_error, with the line of the operation:
// - jq::grad([a](auto x) { return a * x; })(2.0)
//   a function transformed at compile time must not capture anything; capture nothing and pass all values as arguments, or pass a jq::array
// - jq::grad([](auto x) { if (x > 0.0) return x * x; return x; })(2.0)
//   Abstract tracer value encountered where concrete value is expected: values are not known while tracing at compile time; use jq::lax::cond
//   or jq::where
// - jq::grad(cube)(vec{1, 2})
//   Gradient only defined for scalar-output functions. Output had shape: (2,). Reduce it, e.g. with jq::sum, or use jq::jacrev
// docs/errors.md has more of them.

int main() {
  std::cout << "grad of x^3 at 3: " << jq::grad(cube)(3.0) << "\nstiffness:\n" << stiffness << '\n';
  std::cout << "reach: " << jq::jit(reach)(start) << ", its slopes " << jq::grad(reach)(start).x << ' ' << jq::grad(reach)(start).v << '\n';
  const double slope = jq::grad(watched)(3.0);
  std::cout << "slope of the pull: " << slope << '\n';

  // jq::map calls a function for many inputs, one in each vector lane: here a step of a thousand masses. An array of structs is any
  // contiguous range of them, which may be the output as well.
  const std::size_t n = 1000;
  std::vector<state<vec>> masses(n);
  std::vector<double> planes(4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    planes[i] = masses[i].x[0] = 0.002 * double(i);
    planes[3 * n + i] = masses[i].v[1] = 1;
  }
  jq::map(moved, masses, masses);
  // A struct of arrays is jq::columns, a plane of numbers for each number of the struct: here x[0], x[1], v[0], v[1]. Nothing needs to be
  // transposed for the lanes. With jq::threads(k) up to k threads share a large batch.
  const auto from = jq::columns<const state<vec>>::contiguous(planes.data(), n);
  jq::map(moved, from, jq::columns<state<vec>>::contiguous(planes.data(), n), jq::threads(2));
  double apart = 0;
  for (std::size_t i = 0; i < n; ++i) apart = std::max(apart, std::abs(planes[2 * n + i] - masses[i].v[0]));
  std::cout << "v[0] of the last mass: " << masses[n - 1].v[0] << ", the same in both layouts: " << std::boolalpha << (apart < 1e-14) << '\n';
}

// output:
// grad of x^3 at 3: 27
// stiffness:
// [[2. 0.]
//  [0. 4.]]
// reach: 0.929114, its slopes [-1.06173859  0.10662798] [ 0.21325595 -0.31937667]
// what: length
// 3.
// transforms: ['jvp', 'transpose'] what: length
// 4.
// slope of the pull: 4
// v[0] of the last mass: -0.3992, the same in both layouts: true
