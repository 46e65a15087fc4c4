// psum and its like of trees, and over dimensions.
#include <jacquard/fixed.hpp>
#include <jacquard/prims/tree_collectives.hpp>

#include "../show.hpp"

template <class T>
struct moments {
  T first, second;
  bool operator==(const moments&) const = default;
};
using vec2 = jq::tensor<double, 2>;

constexpr auto sums = [](const auto& x) { return jq::lax::psum(moments<jq::array>{x, x * x}, "i"); };
static_assert(jq::vmap(sums, jq::axis_name<"i">)(vec2{1, 3}) == moments<vec2>{{4, 4}, {10, 10}});
constexpr auto spread = [](const auto& x) {
  const auto [low, high] = std::pair{jq::lax::pmin(std::tuple{x}, "i"), jq::lax::pmax(std::tuple{x}, "i")};
  return std::get<0>(high) - std::get<0>(low);
};
static_assert(jq::vmap(spread, jq::axis_name<"i">)(vec2{1, 3}) == vec2{2, 2});

TEST_CASE("ppermute: pairs that were computed") {
  std::vector<std::pair<int, std::int64_t>> ring;
  for (int i = 0; i < 3; ++i) ring.emplace_back(i, (i + 1) % 3);
  const auto turn = [&](const jq::array& v) {
    return std::pair{jq::lax::ppermute(v, "i", ring), jq::lax::ppermute(std::tuple{v}, "i", ring)};
  };
  const auto [one, tree] = jq::vmap(turn, jq::axis_name<"i">)(jq::asarray({1, 2, 3}));
  CHECK(jq::to_string(one) == "[3 1 2]");
  CHECK(jq::to_string(std::get<0>(tree)) == "[3 1 2]");
}
TEST_CASE("collectives of trees are those of their leaves") {
  const jq::array x = jq::asarray({{1.0, 2.0}, {3.0, 4.0}});
  const auto all = [](const jq::array& v) {
    const std::vector<jq::array> parts{v, 2.0 * v};
    return std::tuple{jq::lax::psum(std::pair{v, v}, "i"), jq::lax::pmean(parts, "i"), jq::lax::ppermute(std::tuple{v}, "i", {{0, 1}, {1, 0}})};
  };
  const auto [sum, mean, turned] = jq::vmap(all, jq::axis_name<"i">)(x);
  CHECK(jq::to_string(sum.second) == "[[4. 6.]\n [4. 6.]]");
  CHECK(jq::to_string(mean[1]) == "[[4. 6.]\n [4. 6.]]");
  CHECK(jq::to_string(std::get<0>(turned)) == "[[3. 4.]\n [1. 2.]]");

  const auto over_both = [](const jq::array& v) { return jq::lax::psum(std::pair{v, v * v}, {"i", "j"}).second; };
  CHECK(jq::to_string(jq::vmap(jq::vmap(over_both, jq::axis_name<"j">), jq::axis_name<"i">)(x)) == "[[30. 30.]\n [30. 30.]]");
  const auto mean_of_gradients = [](const jq::array& v) {
    return jq::lax::pmean(jq::grad([](const std::pair<jq::array, jq::array>& p) { return jq::sum(p.first * p.second); })(std::pair{v, v}), "i").first;
  };
  CHECK(jq::to_string(jq::vmap(mean_of_gradients, jq::axis_name<"i">)(x)) == "[[2. 3.]\n [2. 3.]]");
}
TEST_CASE("dimensions by their positions, beside mapped axes") {
  const jq::array x = jq::asarray({{1.0, 2.0}, {3.0, 5.0}});
  CHECK(show(jq::lax::psum(x, 0)) == "f64[2] 4 7");
  CHECK(show(jq::lax::psum(x, {0, 1})) == "f64[] 11");
  CHECK(show(jq::lax::pmean(x, -1)) == "f64[2] 1.5 4");
  CHECK(show(jq::lax::pmean(jq::asarray({1, 2}), 0)) == "f64[] 1.5");
  CHECK(show(jq::lax::psum(x > 1.5, 0)) == "i32[2] 1 2");
  CHECK(show(jq::lax::pmax(std::pair{x, -x}, 1)) == "f64[2] 2 5, f64[2] -1 -3");
  CHECK(show(jq::lax::pmin(x, {1})) == "f64[2] 1 3");
  const auto both = jq::vmap([](const jq::array& v) { return jq::lax::psum(v, {"i", 0}); }, jq::axis_name<"i">);
  CHECK(show(both(x)) == "f64[2] 11 11");
  CHECK(show(jq::vmap([](const jq::array& v) { return jq::lax::pmean(v, {0, "i"}); }, jq::axis_name<"i">)(x)) == "f64[2] 2.75 2.75");
  CHECK_THROWS_WITH_AS(jq::lax::psum(x, 2), doctest::Contains("got axes (2,)"), jq::shape_error);
}
