// jvp, linearize and vjp as users call them: trees in, trees out, values on demand, and every error of their arguments.
#include "../show.hpp"

#include <cmath>
#include <map>

using jq::array;

namespace {

constexpr auto square = [](const array& x) { return lax::mul(x, x); };
static_assert(jq::to_text(jq::make_jaxpr([](const array& x) { return jq::vjp(square, x).second(1.0); })(array(2.0))) ==
              "{ lambda ; a:f64[]. let\n"
              "    _:f64[] = mul a a\n"
              "    b:f64[] = mul a 1.0:f64[]\n"
              "    c:f64[] = mul 1.0:f64[] a\n"
              "    d:f64[] = add b c\n"
              "  in (d,) }");

struct body {
  array position, velocity;
};
template <class T>
struct pose {
  T x, angle;
};

using strings = std::map<std::string, array>;

}  // namespace

TEST_CASE("jvp: value and directional derivative") {
  const auto [y, t] = jq::jvp(square, jq::primals(3.0), jq::tangents(2.0));
  CHECK(show(y) == "f64[] 9");
  CHECK(show(t) == "f64[] 12");
  const array x = jq::asarray({1.f, 2.f});
  CHECK(show(jq::jvp(square, jq::primals(x), jq::tangents(jq::asarray({1.f, 10.f})))) == "f32[2] 1 4, f32[2] 2 40");
  CHECK(show(jq::jvp(square, std::tuple(x), std::tuple(jq::asarray({1.f, 10.f})))) == "f32[2] 1 4, f32[2] 2 40");
  CHECK(show(jq::jvp(square, std::tuple(x), jq::tangents(jq::asarray({1.f, 10.f})))) == "f32[2] 1 4, f32[2] 2 40");
}
TEST_CASE("jvp: trees of arguments and results") {
  const auto step = [](const body& b, const strings& s) {
    return strings{{"p", b.position + b.velocity * s.at("dt")}, {"v", b.velocity}};
  };
  const body b{jq::asarray(1.0), jq::asarray(2.0)}, tb{jq::asarray(0.5), jq::asarray(0.25)};
  const auto [y, t] = jq::jvp(step, jq::primals(b, strings{{"dt", 10.0}}), jq::tangents(tb, strings{{"dt", 0.0}}));
  CHECK(show(y.at("p")) == "f64[] 21");
  CHECK(show(t.at("p")) == "f64[] 3");
  CHECK(show(t.at("v")) == "f64[] 0.25");
}
TEST_CASE("jvp: results that do not depend on the arguments have zero tangents") {
  const auto f = [](const array&) { return std::tuple{jq::ones({2}), array(3), lax::gt(array(1.0), 0.5)}; };
  CHECK(show(jq::jvp(f, jq::primals(1.0), jq::tangents(1.0)).second) == "f32[2] 0 0, bool[] 0, bool[] 0");
}
TEST_CASE("jvp: integers take any tangent and carry none") {
  const auto f = [](const array& n, const array& x) { return std::pair{n + 1, x * n}; };
  const auto [y, t] = jq::jvp(f, jq::primals(jq::asarray(3), jq::asarray(2.0)), jq::tangents(jq::asarray(false), jq::asarray(1.0)));
  CHECK(show(y) == "i32[] 4, f64[] 6");
  CHECK(show(t) == "bool[] 0, f64[] 3");
}
TEST_CASE("jvp: C++ numbers as tangents take the dtype of their primal") {
  CHECK(show(jq::jvp(square, jq::primals(jq::asarray(3.f)), jq::tangents(1)).second) == "f32[] 6");
}
TEST_CASE("jvp: wrong tangents") {
  const array x = jq::asarray({1.f, 2.f, 3.f});
  CHECK_THROWS_WITH_AS(jq::jvp(square, jq::primals(x), jq::tangents(jq::asarray({1.f, 2.f}))),
                       doctest::Contains("jvp called with different primal and tangent shapes; got primal shape (3,) and tangent "
                                         "shape as (2,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::jvp(square, jq::primals(x), jq::tangents(jq::asarray({1.0, 2.0, 3.0}))),
                       doctest::Contains("primal and tangent arguments to jvp do not match."), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jvp(square, jq::primals(x), jq::tangents(jq::asarray({1.0, 2.0, 3.0}))),
                       doctest::Contains("float32"), jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jvp(square, jq::primals(x), jq::tangents(x, x)),
                       doctest::Contains("primal and tangent arguments to jvp must have the same tree structure; primals have tree "
                                         "structure PyTreeDef((*,)) whereas tangents have tree structure PyTreeDef((*, *)). "),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(jq::jvp(square, jq::primals(x), jq::tangents(jq::asarray({1.f}))), doctest::Contains("differentiate_test.cpp"),
                       jq::shape_error);
  const auto pair = [](const std::pair<array, array>& p) { return p.first; };
  CHECK_THROWS_WITH_AS(jq::jvp(pair, jq::primals(std::pair{x, x}), jq::tangents(std::vector{x, x})),
                       doctest::Contains("PyTreeDef(([*, *],))"), jq::type_error);
}

TEST_CASE("linearize: trees, and tangents that do not fit") {
  const auto f = [](const body& b) { return b.position * b.velocity; };
  const auto [y, f_lin] = jq::linearize(f, body{jq::asarray(3.f), jq::asarray(4.f)});
  CHECK(show(y) == "f32[] 12");
  CHECK(show(f_lin(body{jq::asarray(1.f), jq::asarray(0.f)})) == "f32[] 4");
  CHECK(show(f_lin(body{array(1.0), array(1.0)})) == "f32[] 7");
  const std::string want = "linearized function called on tangent values inconsistent with the original primal values";
  CHECK_THROWS_WITH_AS(f_lin(body{jq::asarray(1.0), jq::asarray(1.f)}), doctest::Contains(want.c_str()), jq::value_error);
  CHECK_THROWS_WITH_AS(f_lin(body{jq::asarray({1.f}), jq::asarray(1.f)}), doctest::Contains(want.c_str()), jq::value_error);
  CHECK_THROWS_WITH_AS(f_lin(jq::asarray(1.f)), doctest::Contains(want.c_str()), jq::error);
}
TEST_CASE("linearize: integer arguments are passed over") {
  const auto [y, f_lin] = jq::linearize([](const array& n, const array& x) { return std::pair{n, x * n}; }, jq::asarray(3),
                                        jq::asarray(2.0));
  CHECK(show(f_lin(jq::asarray(false), jq::asarray(5.0))) == "bool[] 0, f64[] 15");
}

TEST_CASE("vjp: cotangents come as a tuple with one entry per argument, in the arguments' types") {
  const auto f = [](const array& x, const std::pair<array, array>& p) { return lax::mul(x, lax::mul(p.first, p.second)); };
  const auto [y, back] = jq::vjp(f, 2.f, std::pair{jq::asarray(3.f), jq::asarray(5.f)});
  const auto [dx, dp] = back(1.f);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(dx)>, float>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(dp)>, std::pair<array, array>>);
  CHECK(show(y) == "f32[] 30");
  CHECK(dx == 15.f);
  CHECK(show(dp) == "f32[] 10, f32[] 6");
}
TEST_CASE("vjp: foreign arguments get cotangents of their own type") {
  const auto [y, back] = jq::vjp([](const array& x) { return total(lax::mul(x, x)); }, std::vector<double>{1, 2, 3});
  const std::vector<double> dx = std::get<0>(back(1.0));
  CHECK(dx == std::vector<double>{2, 4, 6});
  const auto [z, forward] = jq::vjp([](const array& x, const array& a) { return total(lax::sin(x)) * a; },
                                    std::array<float, 2>{0.f, 0.f}, pose<array>{1.f, 2.f}.x);
  CHECK(std::get<0>(forward(2.f)) == std::array<float, 2>{2.f, 2.f});
}
TEST_CASE("vjp: arguments that do not matter get zeros; integers get float0 zeros") {
  const auto [y, back] = jq::vjp([](const array& x, const array&, const array& n) { return x * n; }, jq::asarray(2.0),
                                 jq::asarray({1.f, 2.f}), jq::asarray({1, 2, 3}));
  CHECK(show(back(jq::ones({3}, jq::f64))) == "f64[] 6, f32[2] 0 0, bool[3] 0 0 0");
}
TEST_CASE("vjp: integer outputs take any cotangent") {
  const auto [y, back] = jq::vjp([](const array& x) { return std::pair{x * 2.0, lax::gt(x, 0.0)}; }, jq::asarray(2.0));
  CHECK(show(back(std::pair{array(1.0), array(false)})) == "f64[] 2");
}
TEST_CASE("vjp: the pullback may be called many times") {
  const auto [y, back] = jq::vjp(square, jq::asarray({1.0, 2.0}));
  CHECK(show(back(jq::asarray({1.0, 0.0}))) == "f64[2] 2 0");
  CHECK(show(back(jq::asarray({0.0, 1.0}))) == "f64[2] 0 4");
}
TEST_CASE("vjp: with has_aux what comes beside the value is passed through") {
  const auto f = [](const array& x, const std::map<std::string, array>& m) {
    return std::pair{lax::mul(x, m.at("k")), std::vector<array>{lax::sin(x), array(7)}};
  };
  const std::map<std::string, array> m{{"k", array(3.0)}};
  const auto [y, pullback, aux] = jq::vjp(f, array(2.0), m, jq::has_aux);
  CHECK(show(y) == "f64[] 6");
  CHECK(aux.size() == 2);
  CHECK(show(aux[1]) == "i32[] 7");
  const auto [by_x, by_m] = pullback(1.0);
  CHECK(show(by_x) == "f64[] 3");
  CHECK(show(by_m.at("k")) == "f64[] 2");
  const auto [z, first, of_tuple] = jq::vjp([](const array& x) { return std::tuple{std::pair{x, x}, x}; }, jq::has_aux, array(2.0));
  CHECK(show(std::get<0>(first(std::pair{array(1.0), array(2.0)}))) == "f64[] 3");
  CHECK_THROWS_WITH_AS(pullback(jq::asarray({1.0, 2.0})), doctest::Contains("Shape of cotangent input to vjp pullback function (2,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(first(array(1.0)), doctest::Contains("PyTreeDef(*) does not match the structure of the primal output PyTreeDef((*, *))"),
                       jq::type_error);
  const std::vector<double> foreign{1, 2};
  const auto kept = jq::vjp([](const array& x) { return std::pair{x, lax::neg(x)}; }, foreign, jq::has_aux);
  CHECK(std::get<0>(std::get<1>(kept)(jq::asarray({3.0, 4.0}))) == std::vector<double>{3, 4});
}
TEST_CASE("vjp: has_aux within other transforms") {
  const auto slope = [](const array& x) {
    const auto [y, pullback, aux] = jq::vjp([](const array& v) { return std::pair{square(v), lax::sin(v)}; }, x, jq::has_aux);
    return lax::mul(std::get<0>(pullback(1.0)), aux);
  };
  CHECK(float(slope(array(2.f))) == doctest::Approx(4 * std::sin(2.0)));
  CHECK(float(jq::grad(slope)(array(2.f))) == doctest::Approx(2 * std::sin(2.0) + 4 * std::cos(2.0)));
  CHECK(float(jq::jit(slope)(array(2.f))) == doctest::Approx(4 * std::sin(2.0)));
}
TEST_CASE("vjp: wrong cotangents") {
  const auto [y, back] = jq::vjp([](const array& x) { return std::pair{x, lax::mul(x, x)}; }, jq::asarray({1.f, 2.f}));
  const array ct = jq::ones({2});
  CHECK_THROWS_WITH_AS(back(ct), doctest::Contains("Tree structure of cotangent input"), jq::type_error);
  CHECK_THROWS_WITH_AS(back(ct), doctest::Contains("does not match"), jq::type_error);
  CHECK_THROWS_WITH_AS(back(std::pair{ct, jq::ones({2}, jq::f64)}),
                       doctest::Contains("Type of cotangent input to vjp pullback function (float64) is not the expected tangent "
                                         "type (float32)"), jq::type_error);
  CHECK_THROWS_WITH_AS(back(std::pair{jq::ones({3}), ct}),
                       doctest::Contains("Shape of cotangent input to vjp pullback function (3,) must be the same as the shape of "
                                         "corresponding primal "), jq::shape_error);
}
TEST_CASE("jvp and vjp nest in any order, and closures do not confuse perturbations") {
  const auto cube = [](const array& x) { return x * x * x; };
  const auto forward = [&](const array& x) { return jq::jvp(cube, jq::primals(x), jq::tangents(1.0)).second; };
  const auto backward = [&](const array& x) { return std::get<0>(jq::vjp(cube, x).second(1.0)); };
  CHECK(show(jq::jvp(forward, jq::primals(array(2.0)), jq::tangents(1.0)).second) == "f64[] 12");
  CHECK(show(jq::jvp(backward, jq::primals(array(2.0)), jq::tangents(1.0)).second) == "f64[] 12");
  CHECK(show(jq::vjp(forward, jq::asarray(2.0)).second(1.0)) == "f64[] 12");
  CHECK(show(jq::vjp(backward, jq::asarray(2.0)).second(1.0)) == "f64[] 12");
  // d/dx (x * d/dy (x + y)) = 1, not 2
  const auto confused = [](const array& x) {
    return x * jq::jvp([&](const array& y) { return x + y; }, jq::primals(array(1.0)), jq::tangents(1.0)).second;
  };
  CHECK(show(jq::jvp(confused, jq::primals(array(1.0)), jq::tangents(1.0)).second) == "f64[] 1");
}
TEST_CASE("values on demand: C++ conditions and loops under differentiation") {
  const auto relu = [](const array& x) { return bool(x > 0.0) ? x : x * 0.0; };
  CHECK(show(jq::jvp(relu, jq::primals(array(2.0)), jq::tangents(1.0)).second) == "f64[] 1");
  CHECK(show(jq::jvp(relu, jq::primals(array(-2.0)), jq::tangents(1.0)).second) == "f64[] 0");
  const auto newton = [](const array& a) {  // the square root of a
    array x = a;
    while (std::abs((x * x - a).item<double>()) > 1e-12) x = (x + a / x) * 0.5;
    return x;
  };
  CHECK(show(jq::vjp(newton, jq::asarray(9.0)).second(1.0)) == "f64[] 0.16667");
  const auto nested = [&](const array& a) { return std::get<0>(jq::vjp(newton, a).second(1.0)); };
  CHECK(show(jq::jvp(nested, jq::primals(array(9.0)), jq::tangents(1.0)).second) == "f64[] -0.0092593");
}
TEST_CASE("values on demand: not inside vmap and jit") {
  const auto f = [](const array& x) { return bool(x > 0.0) ? x : -x; };
  const auto under_vmap = [&] { jq::jvp([&](const array& x) { return jq::vmap(f)(x); }, jq::primals(jq::ones({2})), jq::tangents(jq::ones({2}))); };
  CHECK_THROWS_AS(under_vmap(), jq::concretization_error);
  CHECK_THROWS_AS(jq::vjp(jq::jit(f), jq::asarray(1.0)), jq::concretization_error);
}
TEST_CASE("linearize and vjp work at a point inside a program") {
  const auto f = [](const array& x) {
    const auto [y, f_lin] = jq::linearize([](const array& v) { return lax::sin(v); }, x);
    return f_lin(array(1.0)) * y;  // sin cos
  };
  CHECK(show(jq::grad(f)(array(0.5))) == show(array(std::cos(1.0))));
  CHECK(show(jq::jit(f)(array(0.5))) == show(array(std::sin(1.0) / 2)));
  CHECK(show(jq::vmap(f)(jq::asarray({0.0, 0.5}))) == "f64[2] 0 " + testing::number_text(std::sin(1.0) / 2));
}
TEST_CASE("tangents and cotangents of whole numbers have their shape, plain numbers any") {
  const auto same = [](const array& x) { return x; };
  const array two = jq::asarray({1, 2});
  CHECK_THROWS_WITH_AS(jq::jvp(same, jq::primals(two), jq::tangents(jq::asarray({1.f, 2.f, 3.f}))),
                       doctest::Contains("jvp called with different primal and tangent shapes; got primal shape (2,) and tangent shape as (3,)"), jq::shape_error);
  CHECK(show(jq::jvp(same, jq::primals(two), jq::tangents(jq::asarray({1.f, 2.f}))).first) == "i32[2] 1 2");
  CHECK(show(jq::jvp(same, jq::primals(two), jq::tangents(0)).first) == "i32[2] 1 2");
  const auto [y, back] = jq::vjp(same, two);
  CHECK_THROWS_WITH_AS(back(jq::asarray({1.f, 2.f, 3.f})), doctest::Contains("Shape of cotangent input to vjp pullback function (3,)"), jq::shape_error);
  CHECK_NOTHROW(back(jq::asarray({1.f, 2.f})));
}
