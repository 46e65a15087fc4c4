// Primitives with kernels of their own in the compile-time lane: sorting, also with operands of several types, and random bits.
#include <ostream>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::tensor;

constexpr auto sorted = [](auto x) { return jq::sort(x); };
constexpr auto places = [](auto x) { return jq::argsort(x); };
constexpr auto weighted = [](auto x) { return jq::sum(jq::sort(x) * jq::arange(3.0)); };
constexpr auto draw = [](auto key) { return jq::random::uniform(key, jq::shape{2}); };

static_assert(jq::jit(sorted)(tensor<double, 4>{3, 1, 2, -5}) == tensor<double, 4>{-5, 1, 2, 3});
static_assert(jq::vmap(sorted)(tensor<float, 2, 2>{3, 1, 2, 5}) == tensor<float, 2, 2>{1, 3, 2, 5});
static_assert(jq::jit(places)(tensor<float, 3>{3, 1, 2}) == tensor<std::int64_t, 3>{1, 2, 0});
static_assert(jq::grad(weighted)(tensor<double, 3>{3, 1, 2}) == tensor<double, 3>{2, 0, 1});

TEST_CASE("sorting at run time gives what constant evaluation gives") {
  volatile double three = 3;
  CHECK(jq::grad(weighted)(tensor<double, 3>{three, 1, 2}) == tensor<double, 3>{2, 0, 1});
  tensor<double, 50> x{};
  for (int i = 0; i < 50; ++i) x(i) = double(i * 37 % 50);
  const tensor<double, 50> y = jq::jit(sorted)(x);
  for (int i = 0; i < 50; ++i) CHECK(y(i) == i);
}
TEST_CASE("random numbers are those of the run-time lane") {
  constexpr tensor<std::uint32_t, 2> key{0, 42};
  constexpr tensor<float, 2> u = jq::jit(draw)(key);
  static_assert(u[0] >= 0 && u[0] < 1 && u[0] != u[1]);
  const tensor<float, 2> expected = jq::random::uniform(jq::asarray(key), jq::shape{2});
  CHECK(u == expected);
}
