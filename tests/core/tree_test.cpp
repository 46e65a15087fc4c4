// Rebuilding trees with other leaves and other leaf types, and the functions of jq::tree.
#include <jacquard/core/tree.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

#include <map>
#include <optional>

namespace {

struct layer {
  jq::array w, b;
};
template <class T>
struct pose {
  T x, y;
  std::pair<T, T> joints;
};
template <class T, int N>
struct chain {
  std::array<T, N> links;
};

}  // namespace

template <class T, int N>
struct jacquard::rebind<chain<T, N>> {
  using type = chain<rebind_t<T>, N>;
};

using jq::rebind_t;
static_assert(std::is_same_v<rebind_t<double>, jq::array> && std::is_same_v<rebind_t<std::vector<float>>, jq::array>);
static_assert(std::is_same_v<rebind_t<pose<double>>, pose<jq::array>> && std::is_same_v<rebind_t<layer>, layer>);
static_assert(std::is_same_v<rebind_t<const std::pair<int, layer>&>, std::pair<jq::array, layer>>);
static_assert(std::is_same_v<rebind_t<std::map<std::string, double>>, std::map<std::string, jq::array>>);
static_assert(std::is_same_v<rebind_t<std::map<std::string, double, std::less<>>>, std::map<std::string, jq::array, std::less<>>>);
static_assert(std::is_same_v<rebind_t<std::array<pose<float>, 2>>, std::array<pose<jq::array>, 2>>);
static_assert(std::is_same_v<rebind_t<std::optional<std::vector<double>>>, std::optional<jq::array>>);
static_assert(std::is_same_v<rebind_t<chain<double, 3>>, chain<jq::array, 3>>);
static_assert(jq::has_only_arrays<layer>() && !jq::has_only_arrays<pose<double>>() && jq::has_only_arrays<std::tuple<>>());
static_assert(jq::tree::map([](jq::array x) { return jq::array(x.item<double>() * 2); }, std::pair(1.0, 2)).second.item<double>() == 4);

TEST_CASE("flatten and unflatten are inverse") {
  const std::tuple<layer, std::vector<jq::array>> t{{jq::ones({2}), jq::zeros({1})}, {jq::asarray(5.f)}};
  const auto leaves = jq::tree::flatten(t);
  REQUIRE(leaves.size() == 3);
  const auto back = jq::tree::unflatten(t, leaves);
  static_assert(std::is_same_v<decltype(back), const std::tuple<layer, std::vector<jq::array>>>);
  CHECK(std::get<0>(back).w.same_as(std::get<0>(t).w));
  CHECK(std::get<1>(back)[0].same_as(leaves[2]));
}

TEST_CASE("unflatten wants the right number of leaves") {
  const auto m = testing::message_of<jq::type_error>([] { jq::tree::unflatten(std::pair(1.0, 2.0), std::vector<jq::array>(3)); });
  CHECK(m.find("got 3 leaves, wanted 2 for PyTreeDef((*, *))") != std::string::npos);
}

TEST_CASE("map over one tree and over several") {
  const pose<double> p{1, 2, {3, 4}};
  const pose<jq::array> doubled = jq::tree::map([](jq::array x) { return x * 2.0; }, p);
  CHECK(show(doubled) == "f64[] 2, f64[] 4, f64[] 6, f64[] 8");
  const auto sum = jq::tree::map([](jq::array a, jq::array b, jq::array c) { return a + b * c; }, p, doubled, p);
  CHECK(show(sum) == "f64[] 3, f64[] 10, f64[] 21, f64[] 36");
  const std::map<std::string, jq::array> m{{"k", jq::asarray(1.0)}};
  CHECK(show(jq::tree::map([](jq::array x) { return -x; }, m).at("k")) == "f64[] -1");
}

TEST_CASE("map wants trees of one structure") {
  using list = std::vector<jq::array>;
  const jq::array x = jq::asarray(1.0);
  const auto add = [](jq::array a, jq::array b) { return a + b; };
  const auto m = testing::message_of<jq::type_error>([&] { jq::tree::map(add, list{x}, list{x, x}); });
  CHECK(m.find("[*]") != std::string::npos);
  CHECK(m.find("[*, *]") != std::string::npos);
}

TEST_CASE("results that mirror an argument come back in its type") {
  const pose<double> p{1, 2, {3, 4}};
  const pose<double> g = jq::grad([](const pose<jq::array>& q) { return q.x * q.y + q.joints.second * q.joints.second; },
                                  jq::argnums<0>)(p);
  CHECK(g.x == 2.0);
  CHECK(g.y == 1.0);
  CHECK(g.joints == std::pair(0.0, 8.0));
}

TEST_CASE("a map keeps its order of keys") {
  using arrays = std::map<std::string, jq::array, std::less<>>;
  const auto f = [](const arrays& m) { return m.find(std::string_view("k"))->second * 2.0; };
  CHECK(show(jq::grad(f)(arrays{{"k", jq::array(3.0)}}).at("k")) == "f64[] 2");
  const std::map<std::string, double, std::less<>> slopes = jq::grad(f)(std::map<std::string, double, std::less<>>{{"k", 3.0}});
  CHECK(slopes.at("k") == 2.0);
  const auto both = [](const arrays& m) { return arrays{{"a", m.at("k")}, {"b", m.at("k") * 3.0}}; };
  CHECK(show(jq::jacrev(both)(arrays{{"k", jq::array(3.0)}}).at("b").at("k")) == "f64[] 3");
}
TEST_CASE("an optional keeps its presence, a map its keys, a vector its length") {
  const std::pair<std::optional<jq::array>, std::optional<jq::array>> t{std::nullopt, jq::asarray(1.0)};
  const auto u = jq::tree::map([](jq::array x) { return x + 1.0; }, t);
  CHECK_FALSE(u.first);
  CHECK(double(*u.second) == 2.0);
  CHECK(jq::tree::map([](jq::array x) { return x; }, std::vector<jq::array>{}).empty());
}
