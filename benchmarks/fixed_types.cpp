// Question: does the compile-time lane cost in float what it costs in double, and is jq::map worth it for small structs and cheap functions,
// as vectors of three numbers and states of six are?
// Tasks, each in double and in float: value and vjp of A (B x + c)^2 with 4 x 4 matrices; the Hessian of the energy of Kepler's two bodies;
// the gradient of log-sum-exp of 8, 16 and 32; gelu of 16; 2000 unit vectors and 2000 gradients of Kepler's energy by jq::map, from an array of
// structs and from a struct of arrays.
// Unit: nanoseconds per call or item, and the ratio to the loop by hand in the same type and round (interleaved.hpp). Values are compared first.

#include <jacquard/fixed.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "gradient_tasks.hpp"
#include "static_task.hpp"

namespace jq = jacquard;
using interleaved::direct, interleaved::observe;
using static_task::compare, static_task::task;
using jq::tensor;

namespace {

template <class T>
const std::string type_name = sizeof(T) == 4 ? " in float" : " in double";

template <class X>
void fill(interleaved::numbers& u, X& x, double scale = 1) {
  for (auto& v : x) v = std::remove_cvref_t<decltype(v)>(scale * u());
}

// A (B x + c)^2

template <class T>
void linear_algebra() {
  gradient_tasks::algebra_task<T> t;
  interleaved::numbers u;
  fill(u, t.at.a), fill(u, t.at.b), fill(u, t.at.x), fill(u, t.at.c), fill(u, t.ct);
  task<T>("A (B x + c)^2, value and vjp" + type_name<T>, t, gradient_tasks::value_and_cotangents<T>{}, direct<gradient_tasks::squares_by_hand<T>>,
          direct<gradient_tasks::squares_by_library<T>>);
}

// Kepler

template <class T>
void kepler() {
  tensor<T, 6> s{};
  interleaved::numbers u;
  fill(u, s);
  task<T>("Kepler energy, Hessian" + type_name<T>, s, tensor<T, 6, 6>{},
          [](const tensor<T, 6>& in, tensor<T, 6, 6>& out) { gradient_tasks::energy_hessian_by_hand(in.data(), out.data()); },
          [](const tensor<T, 6>& in, tensor<T, 6, 6>& out) { out = jq::hessian(gradient_tasks::energy)(in); });
}

// Short arrays

constexpr auto gelu = [](auto x) { return 0.5 * x * (1.0 + jq::tanh(0.79788456 * (x + 0.044715 * x * x * x))); };
template <class T, int n>
void short_array() {
  tensor<T, n> x{};
  interleaved::numbers u;
  fill(u, x, 3);
  task<T>("log-sum-exp of " + std::to_string(n) + ", gradient" + type_name<T>, x, tensor<T, n>{},
          [](const tensor<T, n>& in, tensor<T, n>& g) { gradient_tasks::softmax_by_hand<n>(in.data(), g.data()); },
          [](const tensor<T, n>& in, tensor<T, n>& g) { g = jq::grad(gradient_tasks::log_sum_exp)(in); });
  if constexpr (n == 16)
    task<T>("gelu of 16" + type_name<T>, x, tensor<T, n>{},
            [](const tensor<T, n>& in, tensor<T, n>& y) {
              for (std::size_t i = 0; i < n; ++i) {
                const T v = in[i];
                y[i] = T(.5) * v * (1 + std::tanh(T(0.79788456) * (v + T(0.044715) * v * v * v)));
              }
            },
            [](const tensor<T, n>& in, tensor<T, n>& y) { y = jq::jit(gelu)(in); });
}

// Structs

struct unit_vector {
  static constexpr auto function = [](const auto& x) { return x / jq::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); };
  template <class T>
  static void by_hand(const tensor<T, 3>& x, tensor<T, 3>& y) {
    const T inverse = 1 / std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (std::size_t k = 0; k < 3; ++k) y[k] = x[k] * inverse;
  }
};
struct energy_gradient {
  static constexpr auto function = [](const auto& s) { return jq::grad(gradient_tasks::energy)(s); };
  template <class T>
  static void by_hand(const tensor<T, 6>& s, tensor<T, 6>& g) {
    gradient_tasks::energy_gradient_by_hand(s, g);
  }
};
template <class T, int elements, class Task>
void structs(const std::string& name) {
  constexpr std::size_t n = 2000;
  using item = tensor<T, elements>;
  std::vector<item> in(n), want(n), got(n);
  std::vector<T> planes(n * elements), results(n * elements), gathered(n * elements);
  interleaved::numbers u;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < elements; ++k) in[i][k] = planes[k * n + i] = T(u() + 1.5);
  const auto by_hand = [&] {
    for (std::size_t i = 0; i < n; ++i) Task::by_hand(in[i], want[i]);
    observe(want.data());
  };
  const auto of_structs = [&] {
    jq::map(Task::function, in, got);
    observe(got.data());
  };
  const auto from = jq::columns<const item>::contiguous(planes.data(), n);
  auto to = jq::columns<item>::contiguous(results.data(), n);
  const auto of_arrays = [&] {
    jq::map(Task::function, from, to);
    observe(results.data());
  };
  compare(name + ", array of structs" + type_name<T>, int(n), want[0].data(), got[0].data(), n * elements, by_hand, of_structs);
  of_arrays();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < elements; ++k) gathered[elements * i + k] = results[k * n + i];
  compare(name + ", struct of arrays" + type_name<T>, int(n), want[0].data(), gathered.data(), n * elements, by_hand, of_arrays);
}

template <class T>
void all() {
  linear_algebra<T>();
  kepler<T>();
  short_array<T, 8>();
  short_array<T, 16>();
  short_array<T, 32>();
  structs<T, 3, unit_vector>("2000 unit vectors");
  structs<T, 6, energy_gradient>("2000 gradients of Kepler's energy");
}

}  // namespace

int main() {
  all<double>();
  all<float>();
}
