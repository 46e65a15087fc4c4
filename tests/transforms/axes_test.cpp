// Axis specifications against trees: one axis per leaf, prefixes, and how misfits are told.
#include "../show.hpp"

#include <map>
#include <optional>

using jq::array;

namespace {

using axes = std::vector<int>;
constexpr int none = jq::none, misfit = jq::detail::mismatch;

template <class Prefix, class T>
constexpr axes from(const Prefix& prefix, const T& tree) {
  axes r;
  jq::detail::axes_from_prefix(prefix, tree, r);
  return r;
}
template <class Prefix>
constexpr jq::text text_of_axes(const Prefix& prefix) {
  jq::text t;
  jq::detail::put_axes(t, prefix);
  return t;
}

struct point {
  array x, y;
};
struct point_axes {
  int x, y;
};

static_assert(from(2, std::pair{array(), std::tuple{array(), array()}}) == axes{2, 2, 2});
static_assert(from(std::pair{0, std::tuple{none, -1}}, std::pair{array(), std::tuple{array(), array()}}) == axes{0, none, -1});
static_assert(from(std::pair{0, none}, std::pair{array(), std::tuple{array(), array()}}) == axes{0, none, none});
static_assert(text_of_axes(std::tuple{0, none, std::array{1, -2}}) == "(0, None, [1, -2])");
static_assert(text_of_axes(std::tuple{0}) == "(0,)");
// Nothing of a misfit is lost: every leaf is marked, and an empty value at least once.
static_assert(from(std::array{0, 1}, std::vector<std::pair<array, array>>(1)) == axes{misfit, misfit});
static_assert(from(std::array{0}, std::vector<array>()) == axes{misfit});

}  // namespace

TEST_CASE("axes: containers that fit part by part") {
  CHECK(from(std::vector{0, 1}, std::vector<array>(2)) == axes{0, 1});
  CHECK(from(std::map<std::string, int>{{"a", 0}, {"b", none}}, std::map<std::string, array>{{"a", {}}, {"b", {}}}) == axes{0, none});
  CHECK(from(std::tuple{0, 1}, point{}) == axes{0, 1});
  CHECK(from(point_axes{none, 1}, point{}) == axes{none, 1});
  CHECK(from(std::vector{std::pair{0, 1}}, std::vector{std::pair{array(), point{}}}) == axes{0, 1, 1});
}
TEST_CASE("axes: optionals pass the axis on, or have none") {
  CHECK(from(1, std::optional<point>(point{})) == axes{1, 1});
  CHECK(from(std::pair{0, 1}, std::optional<point>(point{})) == axes{0, 1});
  CHECK(from(1, std::optional<point>()).empty());
}
TEST_CASE("axes: keys and lengths that do not fit") {
  CHECK(from(std::map<std::string, int>{{"z", 0}}, std::map<std::string, array>{{"a", {}}}) == axes{misfit});
  CHECK(from(std::vector{0}, std::vector<array>(2)) == axes{misfit, misfit});
  CHECK(from(std::vector{0, 0, 0}, std::vector<array>(2)) == axes{misfit, misfit});
}
TEST_CASE("axes: as text") {
  CHECK(text_of_axes(none) == "None");
  CHECK(text_of_axes(std::map<std::string, std::vector<int>>{{"a", {0}}, {"b", {}}}) == "{'a': [0], 'b': []}");
  CHECK(text_of_axes(point_axes{0, none}) == "(0, None)");
}
TEST_CASE("axes: the sizes of a tree") {
  const std::vector<array> leaves{jq::zeros({10, 3}), jq::zeros({2}), jq::zeros({4, 5})};
  CHECK(jq::detail::tree_of_sizes("PyTreeDef((*, {'a*': [*, *]}))", leaves, {0, jq::not_mapped, 1}) == "(10, {'a*': [None, 5]})");
}
TEST_CASE("flatten_axes: one axis per leaf, and the error names what was specified") {
  const std::vector<array> two(2, jq::zeros({3}));
  CHECK(jq::flatten_axes("f in_parts", std::tuple{two[0], two}, std::tuple{0, jq::none}) == axes{0, none, none});
  CHECK(jq::flatten_axes("f in_parts", std::tuple{two[0], two}, 1) == axes{1, 1, 1});
  CHECK(jq::flatten_axes("f in_parts", std::tuple<>{}, std::tuple<>{}).empty());
  CHECK_THROWS_WITH_AS(jq::flatten_axes("f in_parts", std::tuple{two}, std::tuple{axes{0}}),
                       doctest::Contains("f in_parts specification must be a tree prefix of the corresponding value, got specification ([0],) for value tree "
                                         "PyTreeDef(([*, *],))."),
                       jq::value_error);
}
