// Question: what do loops that compute the same for each of many examples cost through jit, next to the loops that one would write: for each example all
// its trips? One thread. Bar: 1x.
// Unit: nanoseconds per call, and the ratio to the loops in the same round (interleaved.hpp). Results are compared first.

#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "array_task.hpp"

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;

template <class T>
void hand_logistic(const T* x, std::int64_t n, T* y);
template <class T>
void hand_pendulum(const T* x, std::int64_t n, T* y);
template <class T>
void hand_roots(const T* x, std::int64_t n, T* y);
template <class T>
void hand_escape(const T* cr, std::int64_t columns, const T* ci, std::int64_t rows, std::int32_t* trips);
template <class T>
void hand_solve(const T* a, const T* b, std::int64_t n, T* x);

namespace {

constexpr std::int64_t count = 20000;

/// ours(x...) against by_hand(out), which writes as many elements of R.
template <class R, class Ours, class ByHand, class... X>
void task(const std::string& name, Ours ours, ByHand by_hand, double tolerance, const X&... x) {
  array_task::task<R>(name, "by hand", 1, ours, by_hand, tolerance, x...);
}

template <class T>
void tasks(const std::string& type) {
  interleaved::numbers number;
  const double rounding = sizeof(T) == 8 ? 1e-10 : 1e-3;
  std::vector<T> v(count), states(2 * count), systems(9 * count), sides(3 * count);
  for (T& x : v) x = T(0.1 + 0.4 * (1 + number()));
  for (T& x : states) x = T(number());
  for (T& x : sides) x = T(number());
  for (std::size_t i = 0; i < systems.size(); ++i) systems[i] = T(number() + (i % 9 % 4 == 0 ? 2 : 0));
  const array x = jq::asarray(v);
  task<T>("the logistic map, 20 trips" + type, [](array a) { return lax::fori_loop(0, 20, [](array, array s) { return T(3.2) * s * (T(1) - s); }, a); },
          [&](T* y) { hand_logistic(v.data(), count, y); }, rounding * 100, x);
  const auto slope = [](array s) { return jq::stack({s[1], -jq::sin(s[0])}); };
  const auto pendulum = [slope](array s0) {  // the method of Runge and Kutta
    return lax::fori_loop(0, 20, [slope](array, array s) {
      const T h = T(0.05);
      const array a = slope(s), b = slope(s + h / 2 * a), c = slope(s + h / 2 * b), d = slope(s + h * c);
      return s + h / 6 * (a + T(2) * b + T(2) * c + d);
    }, s0);
  };
  task<T>("vmap of 20 Runge-Kutta steps of a pendulum" + type, jq::vmap(pendulum), [&](T* y) { hand_pendulum(states.data(), count, y); }, rounding * 10, jq::asarray(states, jq::shape{count, 2}));
  const auto root = [](array a) {
    return lax::while_loop([a](array s) { return jq::abs(s * s - a) > T(1e-5); }, [a](array s) { return T(0.5) * (s + a / s); }, a + T(1));
  };
  task<T>("vmap of Newton's iteration until it is close" + type, jq::vmap(root), [&](T* y) { hand_roots(v.data(), count, y); }, rounding, x);
  const auto escape = [](array cr, array ci) {
    using state = std::tuple<array, array, array>;
    return std::get<2>(lax::while_loop([](const state& s) { return std::get<0>(s) * std::get<0>(s) + std::get<1>(s) * std::get<1>(s) < T(4) && std::get<2>(s) < 100; },
                                       [cr, ci](const state& s) {
                                         const auto& [a, b, n] = s;
                                         return state{a * a - b * b + cr, T(2) * a * b + ci, n + 1};
                                       }, state{array(T(0)), array(T(0)), array(0)}));
  };
  std::vector<T> across(200), down(100);
  for (std::size_t i = 0; i < across.size(); ++i) across[i] = T(-2 + 2.5 * double(i) / 200);
  for (std::size_t i = 0; i < down.size(); ++i) down[i] = T(-1 + 2 * double(i) / 100);
  // Points near the edge take another number of trips where a product and a sum round once: in f32 some of them do.
  task<std::int32_t>("vmap of vmap of Mandelbrot's set, 100 x 200, at most 100 trips" + type, jq::vmap(jq::vmap(escape, jq::in_axes<0, jq::none>), jq::in_axes<jq::none, 0>),
                     [&](std::int32_t* y) { hand_escape(across.data(), 200, down.data(), 100, y); }, sizeof(T) == 8 ? 1e-3 : 5e-2, jq::asarray(across), jq::asarray(down));
  task<T>("vmap of solve, 3 equations" + type, jq::vmap([](array a, array b) { return jq::linalg::solve(a, b); }), [&](T* y) { hand_solve(systems.data(), sides.data(), count, y); }, rounding * 1e3,
          jq::asarray(systems, jq::shape{count, 3, 3}), jq::asarray(sides, jq::shape{count, 3}));
}

}  // namespace

int main() {
  setenv("JACQUARD_THREADS", "1", 1);
  tasks<double>(", f64");
  tasks<float>(", f32");
}
