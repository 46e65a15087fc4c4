// Which types belong to the compile-time lane, and what a trace sees of them.
#include <doctest/doctest.h>
#include <jacquard/fixed/static_tree.hpp>

#include <optional>

namespace jq = jacquard;
using jq::tensor;

template <class T>
struct pair_of {
  T a, b;
};
struct numbers {
  double a;
  int b;
};
static_assert(jq::static_leaf<double> && jq::static_leaf<tensor<float, 2, 3>> && jq::static_leaf<std::array<int, 4>>);
static_assert(!jq::static_leaf<jq::array> && !jq::static_leaf<std::vector<double>>);
static_assert(jq::static_tree<std::tuple<double, pair_of<tensor<float, 2>>>> && jq::static_tree<std::array<pair_of<double>, 2>>);
static_assert(!jq::static_tree<std::optional<double>> && !jq::static_tree<std::vector<double>> && !jq::static_tree<std::tuple<jq::array>>);
static_assert(jq::detail::static_leaf_count<std::tuple<double, pair_of<float>>>() == 3);
static_assert(jq::detail::static_avals<double, std::array<float, 3>>()[0] == jq::aval(jq::f64, {}, true));
static_assert(jq::detail::static_avals<double, std::array<float, 3>>()[1] == jq::aval(jq::f32, {3}));

TEST_CASE("static trees: elements are reached through the leaf") {
  std::array<double, 2> x{1, 2};
  jq::static_leaf_traits<std::array<double, 2>>::data(x)[1] = 5;
  CHECK(x[1] == 5);
}
