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

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::observe;
using jq::tensor;

namespace {

template <class T>
const std::string type_name = sizeof(T) == 4 ? " in float" : " in double";

template <class T, class Hand, class Ours>
void compare(const std::string& name, int items, const T* want, const T* got, std::size_t n, Hand& by_hand, Ours& ours) {
  by_hand(), ours();
  interleaved::terms how{name + type_name<T>, items};
  if (sizeof(T) == 4) how.tolerance = 1e-5;
  interleaved::compare(how, interleaved::contender("ours", ours), {interleaved::contender("by hand", by_hand, interleaved::relative_error(want, got, n), 1.0)});
}
/// Two functions that fill the same kind of result, T and nothing else, from the same input.
template <class T, class In, class Out, class Hand, class Ours>
void task(const std::string& name, In& in, Out, Hand hand, Ours ours) {
  static Out want{}, got{};
  const auto by_hand = [&] {
    observe(&in);
    hand(in, want);
    observe(&want);
  };
  const auto by_library = [&] {
    observe(&in);
    ours(in, got);
    observe(&got);
  };
  compare(name, 1, reinterpret_cast<const T*>(&want), reinterpret_cast<const T*>(&got), sizeof(Out) / sizeof(T), by_hand, by_library);
}
template <class X>
void fill(interleaved::numbers& u, X& x, double scale = 1) {
  for (auto& v : x) v = std::remove_cvref_t<decltype(v)>(scale * u());
}

// A (B x + c)^2

template <class T>
struct algebra {
  tensor<T, 4, 4> a, b;
  tensor<T, 4> x, c;
};
template <class T>
struct algebra_task {
  algebra<T> at;
  tensor<T, 4> ct;
};
template <class T>
struct value_and_cotangents {
  tensor<T, 4> y;
  algebra<T> ct;
};
constexpr auto squares = [](auto a, auto b, auto x, auto c) {
  const auto u = jq::matmul(b, x) + c;
  return jq::matmul(a, u * u);
};
template <class T>
void squares_by_hand(const algebra_task<T>& t, value_and_cotangents<T>& r) {
  T u[4], s[4], du[4]{};
  for (std::size_t i = 0; i < 4; ++i) {
    u[i] = t.at.c[i];
    for (std::size_t j = 0; j < 4; ++j) u[i] += t.at.b.data()[4 * i + j] * t.at.x[j];
    s[i] = u[i] * u[i];
  }
  for (std::size_t i = 0; i < 4; ++i) {
    r.y[i] = 0, r.ct.x[i] = 0;
    for (std::size_t j = 0; j < 4; ++j) r.y[i] += t.at.a.data()[4 * i + j] * s[j], r.ct.a.data()[4 * i + j] = t.ct[i] * s[j];
  }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) du[j] += t.ct[i] * t.at.a.data()[4 * i + j];
  for (std::size_t i = 0; i < 4; ++i) du[i] *= 2 * u[i], r.ct.c[i] = du[i];
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) r.ct.b.data()[4 * i + j] = du[i] * t.at.x[j], r.ct.x[j] += du[i] * t.at.b.data()[4 * i + j];
}
template <class T>
void linear_algebra() {
  algebra_task<T> t;
  interleaved::numbers u;
  fill(u, t.at.a), fill(u, t.at.b), fill(u, t.at.x), fill(u, t.at.c), fill(u, t.ct);
  task<T>("A (B x + c)^2, value and vjp", t, value_and_cotangents<T>{}, squares_by_hand<T>, [](const algebra_task<T>& in, value_and_cotangents<T>& out) {
    const auto [y, back] = jq::vjp(squares, in.at.a, in.at.b, in.at.x, in.at.c);
    const auto [a, b, x, c] = back(in.ct);
    out.y = y, out.ct.a = a, out.ct.b = b, out.ct.x = x, out.ct.c = c;
  });
}

// Kepler

constexpr auto energy = [](auto s) {
  const auto square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
  return 0.5 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]) - 1.0 / jq::sqrt(square);
};
template <class T>
void hessian_by_hand(const tensor<T, 6>& s, tensor<T, 6, 6>& h) {
  const T square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_square = 1 / square;
  const T inverse_cube = inverse_square / std::sqrt(square), b = -3 * inverse_cube * inverse_square;
  h = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const T c = b * s[i];
    for (std::size_t j = 0; j < 3; ++j) h.data()[6 * i + j] = c * s[j];
    h.data()[7 * i] += inverse_cube;
    h.data()[7 * (3 + i)] = 1;
  }
}
template <class T>
void kepler() {
  tensor<T, 6> s{};
  interleaved::numbers u;
  fill(u, s);
  task<T>("Kepler energy, Hessian", s, tensor<T, 6, 6>{}, hessian_by_hand<T>,
          [](const tensor<T, 6>& in, tensor<T, 6, 6>& out) { out = jq::hessian(energy)(in); });
}

// Short arrays

constexpr auto log_sum_exp = [](auto x) {
  const auto m = jq::max(x);
  return m + jq::log(jq::sum(jq::exp(x - m)));
};
constexpr auto gelu = [](auto x) { return 0.5 * x * (1.0 + jq::tanh(0.79788456 * (x + 0.044715 * x * x * x))); };
template <class T, int n>
void short_array() {
  tensor<T, n> x{};
  interleaved::numbers u;
  fill(u, x, 3);
  task<T>("log-sum-exp of " + std::to_string(n) + ", gradient", x, tensor<T, n>{},
          [](const tensor<T, n>& in, tensor<T, n>& g) {
            T m = in[0], s = 0;
            for (std::size_t i = 1; i < n; ++i) m = in[i] > m ? in[i] : m;
            for (std::size_t i = 0; i < n; ++i) s += g[i] = std::exp(in[i] - m);
            for (std::size_t i = 0; i < n; ++i) g[i] *= 1 / s;
          },
          [](const tensor<T, n>& in, tensor<T, n>& g) { g = jq::grad(log_sum_exp)(in); });
  if constexpr (n == 16)
    task<T>("gelu of 16", x, tensor<T, n>{},
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
  static constexpr auto function = [](const auto& s) { return jq::grad(energy)(s); };
  template <class T>
  static void by_hand(const tensor<T, 6>& s, tensor<T, 6>& g) {
    const T square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], inverse_cube = 1 / (square * std::sqrt(square));
    for (std::size_t k = 0; k < 3; ++k) g[k] = s[k] * inverse_cube, g[3 + k] = s[3 + k];
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
  compare(name + ", array of structs", int(n), want[0].data(), got[0].data(), n * elements, by_hand, of_structs);
  of_arrays();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < elements; ++k) gathered[elements * i + k] = results[k * n + i];
  compare(name + ", struct of arrays", int(n), want[0].data(), gathered.data(), n * elements, by_hand, of_arrays);
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
