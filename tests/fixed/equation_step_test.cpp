// Primitives with kernels of their own in the compile-time lane: sorting, also with operands of several types, convolutions, and
// random bits.
#include <ostream>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::tensor;

constexpr auto sorted = [](auto x) { return jq::sort(x); };
constexpr auto places = [](auto x) { return jq::argsort(x); };
constexpr auto weighted = [](auto x) { return jq::sum(jq::sort(x) * jq::arange(3.0)); };
constexpr auto draw = [](auto key) { return jq::random::uniform(key, jq::shape{2}); };

constexpr auto strided = [](auto x, auto k) { return jq::sum(jq::lax::conv(x, k, {2}, {{1, 1}}) * (jq::arange(2.0) + 1)); };
constexpr auto blurred = [](auto x) { return jq::lax::conv(x, jq::ones({3, 2, 3, 3}), {1, 1}, "SAME"); };
constexpr tensor<double, 1, 1, 4> line{1, 2, 3, 4};
constexpr tensor<double, 1, 1, 3> taps{10, 20, 30};

static_assert(jq::jit(strided)(line, taps) == 20 + 60 + 2 * (20 + 60 + 120));
static_assert(jq::grad(strided)(line, taps) == tensor<double, 1, 1, 4>{20, 30 + 2 * 10, 2 * 20, 2 * 30});
static_assert(jq::grad(strided, jq::argnums<1>)(line, taps) == tensor<double, 1, 1, 3>{2 * 2, 1 + 2 * 3, 2 + 2 * 4});
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
TEST_CASE("convolutions at run time give what the run-time lane gives") {
  tensor<float, 1, 2, 8, 8> image{};
  for (int i = 0; i < 128; ++i) image[std::size_t(i)] = float(i * 37 % 50);
  const tensor<float, 1, 3, 8, 8> y = jq::jit(blurred)(image), expected = blurred(jq::asarray(image));
  CHECK(y == expected);
}
TEST_CASE("random numbers are those of the run-time lane") {
  constexpr tensor<std::uint32_t, 2> key{0, 42};
  constexpr tensor<float, 2> u = jq::jit(draw)(key);
  static_assert(u[0] >= 0 && u[0] < 1 && u[0] != u[1]);
  const tensor<float, 2> expected = jq::random::uniform(jq::asarray(key), jq::shape{2});
  CHECK(u == expected);
}
