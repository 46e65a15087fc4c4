// jq::tensor: a value of fixed shape, to and from the containers and arrays around it.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

#include <numeric>
#include <sstream>

namespace jq = jacquard;
using jq::tensor;

constexpr tensor<double, 2, 3> m{1, 2, 3, 4, 5, 6};
static_assert(std::is_aggregate_v<tensor<double, 2>> && std::is_trivially_copyable_v<tensor<double, 2>>);
static_assert(m(0, 2) == 3 && m(1, 0) == 4 && m[5] == 6);
static_assert(m.shape() == jq::shape{2, 3} && m.ndim() == 2 && m.size() == 6 && m.dtype() == jq::f64);
static_assert(tensor<float>{2.f}() == 2.f && tensor<float>::shape() == jq::shape{});
static_assert(tensor<int, 0>{}.size() == 0);
static_assert(m == tensor<double, 2, 3>{1, 2, 3, 4, 5, 6} && m != tensor<double, 2, 3>{});
static_assert(std::accumulate(m.begin(), m.end(), 0.0) == 21);
static_assert(std::array<double, 6>(m)[3] == 4);
static_assert(tensor<double, 2>{std::array{1.0, 2.0}}[1] == 2);
static_assert(tensor<double, 2>::from(std::array{1.0, 2.0})[1] == 2);
// One std::array within another for each dimension.
using rows = std::array<std::array<double, 3>, 2>;
static_assert(std::is_same_v<tensor<double, 2, 3>::nested, rows>);
static_assert(rows(m) == rows{{{1, 2, 3}, {4, 5, 6}}} && tensor<double, 2, 3>::from(rows(m)) == m);
static_assert(tensor<double, 2, 3>::from({{{1, 2, 3}, {4, 5, 6}}}) == m);
static_assert(tensor<int, 2, 1, 2>::nested(tensor<int, 2, 1, 2>{1, 2, 3, 4})[1][0][1] == 4);
static_assert(tensor<int, 1, 2>::from({{{7, 8}}})[1] == 8 && tensor<int, 0, 2>::from(tensor<int, 0, 2>::nested{}).size() == 0);

TEST_CASE("tensors: elements can be written and walked over") {
  tensor<int, 2, 2> t{};
  t(1, 0) = 7;
  for (int& x : t) ++x;
  CHECK(t == tensor<int, 2, 2>{1, 1, 8, 1});
  const std::span<int, 4> view = t;
  view[0] = 5;
  CHECK(t(0, 0) == 5);
}
TEST_CASE("tensors: print as arrays do") {
  std::ostringstream out;
  out << m;
  CHECK(out.str() == "[[1. 2. 3.]\n [4. 5. 6.]]");
  CHECK(jq::to_string(tensor<double>{2.5}) == "2.5");
}
TEST_CASE("tensors: convert to and from arrays") {
  const jq::array x = jq::asarray(m);
  CHECK(x.shape() == jq::shape{2, 3});
  const tensor<double, 2, 3> back = x;
  CHECK(back == m);
  using tall = tensor<double, 3, 2>;
  CHECK_THROWS_WITH_AS((void)static_cast<tall>(x), doctest::Contains("wanted (3, 2)"), jq::type_error);
  using narrow = tensor<float, 2, 3>;
  CHECK_THROWS_AS((void)static_cast<narrow>(x), jq::type_error);
  CHECK_THROWS_WITH_AS((void)(tensor<double, 3>::from(std::span(m.elements))), doctest::Contains("got 6 elements, wanted 3"),
                       jq::shape_error);
}
TEST_CASE("tensors: convert without a word where the other type is known") {
  const auto rank_of = [](const jq::array& x) { return x.ndim(); };
  CHECK(rank_of(m) == 2);
  const jq::array x = m;
  CHECK(x.data<double>()[5] == 6);
  const auto sum_of = [](std::span<const double, 6> s) { return s[0] + s[5]; };
  CHECK(sum_of(m) == 7);
  const auto first = [](const tensor<double, 2>& t) { return t[0]; };
  CHECK(first({std::array{3.0, 4.0}}) == 3);
  CHECK(first(jq::asarray({5.0, 6.0})) == 5);
  const std::array<double, 2> stored = jq::asarray({7.0, 8.0});
  CHECK(stored[1] == 8);
  const std::array<double, 6> copied = m;
  const rows in_rows = m;
  CHECK(in_rows[1][2] == 6);
  CHECK(copied[5] == 6);
  tensor<double, 2> t{};
  t = {stored};
  CHECK(t == tensor<double, 2>{7, 8});
}
TEST_CASE("tensors: are operands and arguments of the run-time lane") {
  const jq::array y = jq::asarray({1.0, 1.0}) + tensor<double, 2>{1, 2};
  CHECK(jq::to_string(y) == "[2. 3.]");
  const tensor<double, 2> g = jq::grad([](auto x, auto z) { return jq::sum(x * z); })(tensor<double, 2>{1, 2}, jq::asarray({3.0, 4.0}));
  CHECK(g == tensor<double, 2>{3, 4});
}
constexpr tensor<double, 3> weights{1, 2, 3};
constexpr tensor<float, 2, 2> turn{0, -1, 1, 0};
constexpr std::array<int, 2> places{2, 0};
TEST_CASE("tensors and arrays of the program are constants of its functions") {
  constexpr tensor<double, 3> v{4, 5, 6};
  static_assert(jq::grad([](auto x) { return jq::sum(x * weights * weights); })(v) == tensor<double, 3>{1, 4, 9});
  static_assert(jq::grad([](auto x) { return jq::dot(weights, jq::sin(0.0 * x) + x); })(v) == weights);
  static_assert(jq::grad([](auto x) { return jq::sum(x * jq::asarray(weights)) + jq::sum(jq::array(weights)); })(v) == weights);
  static_assert(jq::jit([](auto x) { return jq::matmul(turn, x); })(tensor<float, 2>{3, 4}) == tensor<float, 2>{-4, 3});
  static_assert(jq::grad([](auto x) { return jq::sum(jq::take(x, places) * std::array{10.0, 20.0}); })(v) == tensor<double, 3>{20, 0, 10});
  static_assert(jq::vmap([](auto x) { return jq::dot(x, weights); })(tensor<double, 2, 3>{1, 0, 0, 0, 1, 1}) == tensor<double, 2>{1, 5});
  double x[] = {1, 2};  // also where it runs
  const double y = jq::grad([](auto u) { return jq::sum(u * weights) * u; })(x[1]);
  CHECK(y == 24);
}
TEST_CASE("tables within functions of this lane") {
  constexpr tensor<double, 3> v{1, 2, 3};
  static_assert(jq::grad([](auto x) { return jq::sum(jq::take(x, jq::asarray({2, 0})) * jq::asarray({10.0, 20.0})); })(v) == tensor<double, 3>{20, 0, 10});
  static_assert(jq::grad([](auto x) { return jq::sum(jq::matmul(jq::asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}), x) * jq::asarray(2.0)); })(v) ==
                tensor<double, 3>{10, 14, 18});
  static_assert(jq::grad([](auto x) { return jq::sum(jq::where(jq::asarray({true, false, true}), x * x, x)); })(v) == tensor<double, 3>{2, 1, 6});
  static_assert(jq::grad([](auto x) { return jq::sum(x) + jq::sum(jq::asarray(std::initializer_list<double>{})); })(v) == tensor<double, 3>{1, 1, 1});
}
