// vmap: axes in and out, trees, what runs once, nesting, and the errors of the fact sheet. Collectives have their own file.
#include "../show.hpp"

#include <map>
#include <optional>

using jq::array;

namespace {

constexpr auto scale = [](const array& x, const array& s) { return lax::mul(x, s); };
static_assert(jq::to_text(jq::make_jaxpr(jq::vmap(scale))(jq::zeros({2}), jq::zeros({2}))) ==
              "{ lambda ; a:f32[2] b:f32[2]. let c:f32[2] = mul a b in (c,) }");
static_assert(jq::to_text(jq::make_jaxpr(jq::vmap(scale, jq::in_axes<0, jq::none>, jq::out_axes<1>))(jq::zeros({2, 3}), array(2.f))) ==
              "{ lambda ; a:f32[2,3] b:f32[]. let\n"
              "    c:f32[2,3] = mul a b\n"
              "    d:f32[3,2] = transpose[permutation=(1, 0)] c\n"
              "  in (d,) }");

const array grid = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
constexpr auto identity = [](const array& x) { return x; };
constexpr auto first = [](const array& x, const array&) { return x; };

struct point {
  array x, y;
};

}  // namespace

TEST_CASE("vmap: maps axis 0 of every argument") {
  CHECK(show(jq::vmap([](const array& x) { return total(x); })(grid)) == "f32[2] 6 15");
  CHECK(show(jq::vmap(scale)(grid, jq::asarray({10.f, 100.f}))) == "f32[2,3] 10 20 30 400 500 600");
}
TEST_CASE("vmap: in_axes for all or for each, negative, none") {
  const auto sum = [](const array& x) { return total(x); };
  CHECK(show(jq::vmap(sum, jq::in_axes<1>)(grid)) == "f32[3] 5 7 9");
  CHECK(show(jq::vmap(sum, jq::in_axes<-1>)(grid)) == "f32[3] 5 7 9");
  CHECK(show(jq::vmap(scale, jq::in_axes<1>)(grid, grid)) == "f32[3,2] 1 16 4 25 9 36");
  CHECK(show(jq::vmap(scale, jq::in_axes<0, jq::none>)(grid, jq::asarray(2.f))) == "f32[2,3] 2 4 6 8 10 12");
  CHECK(show(jq::vmap(scale, jq::in_axes<jq::none, -1>)(jq::asarray(2.f), grid)) == "f32[3,2] 2 8 4 10 6 12");
}
TEST_CASE("vmap: out_axes for all or for each, negative") {
  CHECK(show(jq::vmap(identity, jq::out_axes<1>)(grid)) == "f32[3,2] 1 4 2 5 3 6");
  CHECK(show(jq::vmap(identity, jq::out_axes<-1>)(grid)) == "f32[3,2] 1 4 2 5 3 6");
  const auto twice = [](const array& x) { return std::tuple{x, x}; };
  CHECK(show(jq::vmap(twice, jq::out_axes<0, 1>)(grid)) == "f32[2,3] 1 2 3 4 5 6, f32[3,2] 1 4 2 5 3 6");
  CHECK(show(jq::vmap(identity, jq::in_axes<1>, jq::out_axes<1>)(grid)) == show(grid));
}
TEST_CASE("vmap: outputs that are not mapped are repeated, or returned once with out_axes none") {
  const auto constant = [](const array&, const array& y) { return y; };
  CHECK(show(jq::vmap(constant, jq::in_axes<0, jq::none>)(grid, jq::asarray(7.f))) == "f32[2] 7 7");
  CHECK(show(jq::vmap(constant, jq::in_axes<0, jq::none>, jq::out_axes<jq::none>)(grid, jq::asarray(7.f))) == "f32[] 7");
  CHECK(show(jq::vmap([](const array&) { return array(2.0); })(grid)) == "f64[2] 2 2");
  CHECK(show(jq::vmap(constant, jq::in_axes<0, jq::none>, jq::out_axes<1>)(grid, jq::asarray({7.f, 8.f}))) == "f32[2,2] 7 7 8 8");
}
TEST_CASE("vmap: axis_size where no argument tells it") {
  const auto f = [](const array& x) { return x * 2.0; };
  CHECK(show(jq::vmap(f, jq::in_axes<jq::none>, jq::axis_size(3))(jq::asarray(1.f))) == "f32[3] 2 2 2");
  CHECK(show(jq::vmap([] { return array(5); }, jq::axis_size(2))()) == "i32[2] 5 5");
  CHECK(show(jq::vmap(f, jq::axis_size(2))(jq::asarray({1.f, 2.f}))) == "f32[2] 2 4");
}
TEST_CASE("vmap: trees, whole and by prefix") {
  const auto f = [](const std::pair<array, point>& p) { return point{p.first * p.second.x, p.second.y}; };
  const std::pair args{jq::asarray({1.f, 2.f}), point{jq::asarray({3.f, 4.f}), jq::asarray({5.f, 6.f})}};
  CHECK(show(jq::vmap(f)(args)) == "f32[2] 3 8, f32[2] 5 6");
  const auto prefix = jq::in_axes_tree(std::tuple{jq::none, 0});
  CHECK(show(jq::vmap(f, prefix)(std::pair{jq::asarray(10.f), args.second})) == "f32[2] 30 40, f32[2] 5 6");
  const auto leaves = jq::in_axes_tree(std::tuple{0, std::tuple{0, jq::none}});
  CHECK(show(jq::vmap(f, leaves)(std::pair{args.first, point{args.second.x, jq::asarray(9.f)}})) == "f32[2] 3 8, f32[2] 9 9");
}
TEST_CASE("vmap: prefixes of vectors, maps and optionals") {
  const auto sum = [](const std::vector<array>& v) { return v[0] + v[1]; };
  CHECK(show(jq::vmap(sum, jq::in_axes_tree(std::vector{0, jq::none}))(std::vector{jq::asarray({1.f, 2.f}), jq::asarray(10.f)})) ==
        "f32[2] 11 12");
  const auto of_map = [](const std::map<std::string, array>& m) { return m.at("a") * m.at("b"); };
  const std::map<std::string, array> m{{"a", jq::asarray({1.f, 2.f})}, {"b", jq::asarray(10.f)}};
  CHECK(show(jq::vmap(of_map, jq::in_axes_tree(std::map<std::string, int>{{"a", 0}, {"b", jq::none}}))(m)) == "f32[2] 10 20");
  const auto maybe = [](const std::optional<array>& x, const array& y) { return x ? *x + y : y; };
  CHECK(show(jq::vmap(maybe)(std::optional<array>(), jq::asarray({1.f, 2.f}))) == "f32[2] 1 2");
}
TEST_CASE("vmap: out_axes_tree") {
  const auto f = [](const array& x) { return std::map<std::string, array>{{"a", x}, {"b", x}}; };
  const auto r = jq::vmap(f, jq::out_axes_tree(std::map<std::string, int>{{"a", 0}, {"b", 1}}))(grid);
  CHECK(show(r.at("a")) == show(grid));
  CHECK(show(r.at("b")) == "f32[3,2] 1 4 2 5 3 6");
}
TEST_CASE("vmap: nested, in either order of axes") {
  const auto outer = [](const array& x, const array& y) { return x * y; };
  const auto table = jq::vmap(jq::vmap(outer, jq::in_axes<jq::none, 0>), jq::in_axes<0, jq::none>);
  CHECK(show(table(jq::asarray({1.f, 2.f}), jq::asarray({3.f, 4.f, 5.f}))) == "f32[2,3] 3 4 5 6 8 10");
  CHECK(jq::vmap(jq::vmap(identity, jq::in_axes<1>))(jq::zeros({2, 3, 4})).shape() == jq::shape{2, 4, 3});
}
TEST_CASE("vmap: closures over mapped values of an enclosing vmap") {
  const auto f = [](const array& x) {
    return jq::vmap([&](const array& y) { return x * y; })(jq::asarray({1.f, 10.f}));
  };
  CHECK(show(jq::vmap(f)(jq::asarray({1.f, 2.f}))) == "f32[2,2] 1 10 2 20");
}
TEST_CASE("vmap: foreign arguments and a mapped axis of size zero") {
  CHECK(show(jq::vmap(identity)(std::vector<double>{1, 2})) == "f64[2] 1 2");
  CHECK(jq::vmap(scale)(jq::zeros({0, 3}), jq::zeros({0})).shape() == jq::shape{0, 3});
}

TEST_CASE("vmap: axes of different sizes") {
  const auto run = [](auto... a) { return testing::message_of<jq::value_error>([&] { jq::vmap([](auto... x) { return (x + ...); })(a...); }); };
  CHECK(run(jq::zeros({10, 4}), jq::zeros({2, 10})) ==
        "vmap got inconsistent sizes for array axes to be mapped:\n"
        "arg 0 has shape (10, 4) and axis 0 is to be mapped\n"
        "arg 1 has shape (2, 10) and axis 0 is to be mapped\n"
        "so\n"
        "arg 0 has an axis to be mapped of size 10\n"
        "arg 1 has an axis to be mapped of size 2");
  CHECK(run(jq::zeros({10}), jq::zeros({2}), jq::zeros({10})).find("args 0, 2 have axes to be mapped of size 10") != std::string::npos);
}
TEST_CASE("vmap: axes of different sizes within trees") {
  const auto f = [](const array& x, const std::vector<array>& v) { return x + v[0] + v[1]; };
  const auto run = [&] { jq::vmap(f)(jq::zeros({10}), std::vector{jq::zeros({2}), jq::zeros({2})}); };
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("the tree of axis sizes is:\n(10, [2, 2])"), jq::value_error);
}
TEST_CASE("vmap: ranks that are too small") {
  CHECK_THROWS_WITH_AS(jq::vmap(identity)(jq::asarray(1.f)),
                       doctest::Contains("vmap was requested to map its argument along axis 0, which implies that its rank should be at "
                                         "least 1, but is only 0 (its shape is ())"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::in_axes<-4>)(jq::zeros({3, 4, 5})),
                       doctest::Contains("at least 4, but is only 3 (its shape is (3, 4, 5))"), jq::value_error);
}
TEST_CASE("vmap: nothing mapped, or sizes that disagree with axis_size") {
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::in_axes<jq::none>)(grid),
                       doctest::Contains("vmap must have at least one non-None value in in_axes"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::axis_size(3))(grid), doctest::Contains("axis_size"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::in_axes<jq::none>, jq::axis_size(-1))(grid), doctest::Contains("-1"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap([](const std::vector<array>&) { return array(1.f); })(std::vector<array>{}),
                       doctest::Contains("vmap wrapped function must be passed at least one argument containing an array"), jq::value_error);
}
TEST_CASE("vmap: outputs and out_axes that do not fit") {
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::out_axes<jq::none>)(grid),
                       doctest::Contains("vmap has mapped output but out_axes is None"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::out_axes<jq::none>, jq::axis_name<"foo">)(grid),
                       doctest::Contains("vmap has mapped output (axis_name=foo) but out_axes is None"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::out_axes<-4>)(grid), doctest::Contains("axis -4 is out of bounds"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(identity, jq::out_axes<2>)(grid), doctest::Contains("axis 2 is out of bounds"), jq::value_error);
}
TEST_CASE("vmap: prefixes that do not fit") {
  const auto sum = [](const std::vector<array>& v) { return v[0] + v[1]; };
  const std::vector v{jq::zeros({2}), jq::zeros({2})};
  const char* want = "vmap in_axes specification must be a tree prefix of the corresponding value";
  CHECK_THROWS_WITH_AS(jq::vmap(sum, jq::in_axes_tree(std::vector{0}))(v), doctest::Contains(want), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(sum, jq::in_axes_tree(std::vector{0, 0, 0}))(v), doctest::Contains(want), jq::value_error);
  const auto of_map = [](const std::map<std::string, std::vector<array>>& m) { return m.at("a")[0]; };
  const std::map<std::string, std::vector<array>> m{{"a", v}};
  CHECK_THROWS_WITH_AS(jq::vmap(of_map, jq::in_axes_tree(std::map<std::string, int>{{"z", 0}}))(m), doctest::Contains(want), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::vmap(of_map, jq::in_axes_tree(std::map<std::string, int>{{"a", 0}, {"z", 0}}))(m), doctest::Contains(want),
                       jq::value_error);
  const auto to_vector = [](const array& x) { return std::vector<std::vector<array>>{{x, x}, {x, x}}; };
  CHECK_THROWS_WITH_AS(jq::vmap(to_vector, jq::out_axes_tree(std::vector{0}))(grid),
                       doctest::Contains("vmap out_axes specification must be a tree prefix of the corresponding value"), jq::value_error);
}
TEST_CASE("vmap: no values while mapping") {
  CHECK_THROWS_WITH_AS(jq::vmap([](const array& x) { return bool(x > 0.0) ? x : -x; })(jq::asarray({1.f, 2.f})),
                       doctest::Contains("traced by vmap"), jq::concretization_error);
  CHECK(show(jq::vmap(first, jq::in_axes<0, jq::none>)(grid, jq::asarray(1.f))) == show(grid));
}
