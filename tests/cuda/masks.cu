// Masks of the compile-time lane in nvcc's constant evaluation and in its host code; a kernel hands on what was evaluated. Masks themselves
// do not run in kernels: sizes by name (jq::dims) live in the host's memory.
#include <cstdio>
#include <utility>

#include <jacquard/fixed.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::tensor;

constexpr double garbage = 1e300;
constexpr auto sum = jq::mask([](const array& x) { return jq::sum(x * x); }, jq::in_shapes<"n">, jq::out_shape<"">);
constexpr auto running = jq::mask([](const array& x) { return jq::cumsum(x); }, jq::in_shapes<"n">, jq::out_shape<"n">);
constexpr auto product = jq::mask([](const array& x, const array& m) { return jq::matmul(x, m); }, jq::in_shapes<"n", "(n, m)">, jq::out_shape<"m">);
// A loop over a symbolic length.
constexpr auto polynomial = jq::mask([](const array& coefficients, const array& x) {
  return lax::scan([&](const array& c, const array& a) { return std::pair{c * x + a, std::tuple<>{}}; }, 0.0, coefficients).first;
}, jq::in_shapes<"n", "">, jq::out_shape<"">);
// Without out_shape the logical shape comes along.
constexpr auto twice = jq::mask([](const array& x) { return jq::concatenate({x, x}); }, jq::in_shapes<"n">);

static_assert(sum(jq::args(tensor<double, 4>{1, 2, 3, garbage}), jq::dims{{"n", 3}}) == 14);
static_assert(sum(jq::args(tensor<double, 4>{garbage, garbage, garbage, garbage}), jq::dims{{"n", 0}}) == 0);
static_assert(polynomial(jq::args(tensor<double, 4>{1, 2, 3, garbage}, 10.0), jq::dims{{"n", 3}}) == 123);
// Elements by elements: what nvcc 13 hands to the host's compiler for a comparison of tensors in a static_assert does not compile there.
constexpr auto sums = running(jq::args(tensor<double, 4>{1, 2, garbage, garbage}), jq::dims{{"n", 2}});
static_assert(sums(0) == 1 && sums(1) == 3 && sums(2) == 0 && sums(3) == 0);
constexpr auto row = product(jq::args(tensor<double, 2>{1, garbage}, tensor<double, 2, 3>{5, 6, garbage, garbage, garbage, garbage}),
                             jq::dims{{"m", 2}, {"n", 1}});
static_assert(row(0) == 5 && row(1) == 6 && row(2) == 0);
constexpr auto both = twice(jq::args(tensor<double, 2>{7, garbage}), jq::dims{{"n", 1}});
static_assert(both.first(0) == 7 && both.first(1) == 7 && both.first(2) == 0 && both.second(0) == 2);

__global__ void sum_of_squares(double* y) {
  constexpr double evaluated = sum(jq::args(tensor<double, 4>{1, 2, 3, garbage}), jq::dims{{"n", 3}});
  *y = evaluated;
}

int main() {
  volatile int n = 2;
  const double got = sum(jq::args(tensor<double, 4>{3, 4, garbage, garbage}), jq::dims{{"n", int(n)}});
  if (got != 25) std::printf("sum of squares: got %g, wanted 25\n", got);
  return got != 25;
}
