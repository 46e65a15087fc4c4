// jq::args, jq::dims as a tree, and sizes as values.
#include "../show.hpp"

#include <cstdint>

static_assert(jq::leaf_count(jq::dims{{"n", 3}, {"m", 2}}) == 2);

TEST_CASE("dims: sizes by name") {
  const jq::dims d{{"n", 3}, {"m", jq::asarray(std::uint8_t(2))}};
  CHECK(show(d.find("n")) == "i32[] 3");
  CHECK(show(d.find("m")) == "u8[] 2");
  CHECK(d.find("k").is_none());
  CHECK(show(jq::dims{{"n", std::vector<int>{1, 2}}}.find("n")) == "i32[2] 1 2");
}
TEST_CASE("dims: a tree whose structure holds the names") {
  const jq::dims d{{"n", 3}, {"m", 2}};
  CHECK(jq::tree::structure(d) == "PyTreeDef({'n': *, 'm': *})");
  const jq::dims twice = jq::tree::map([](const jq::array& x) { return lax::add(x, x); }, d);
  CHECK(show(twice.find("m")) == "i32[] 4");
}
TEST_CASE("args: a tuple that owns its arguments") {
  const jq::array x = jq::asarray({1.f});
  const std::tuple<jq::array, double> a = jq::args(x, 2.0);
  CHECK(std::get<0>(a).same_as(x));
  CHECK(std::get<1>(a) == 2);
}
TEST_CASE("dim_as_value: a size outside mask, and its errors") {
  CHECK(show(jq::dim_as_value(jq::zeros({2, 5}), -1)) == "i64[] 5");
  CHECK_THROWS_WITH_AS(jq::dim_as_value(jq::zeros({2, 5}), 2), doctest::Contains("dim_as_value: axis 2 is out of bounds for an array of shape (2, 5)"),
                       jq::shape_error);
}
TEST_CASE("dim_as_value: within mask a value of the run, in any dtype") {
  const auto f = [](const jq::array& x) { return lax::convert_element_type(jq::dim_as_value(x, 0), jq::f16); };
  CHECK(show(jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(jq::zeros({5})), jq::dims{{"n", 3}})) == "f16[] 3");
}
