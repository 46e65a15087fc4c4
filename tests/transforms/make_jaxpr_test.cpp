// make_jaxpr and eval_shape: programs as text, what is captured, what is never run.
#include "../show.hpp"

#include <map>
#include <optional>

using jq::array;

namespace {

constexpr auto scale_and_sum = [](const array& x) { return lax::reduce_sum(lax::mul(x, 2.0f), {0}); };
constexpr auto swap_parts = [](const std::pair<array, array>& p) { return std::tuple{p.second, p.first}; };
constexpr auto nothing = [](const array&) {};

// A program is a constant expression.
static_assert(jq::to_text(jq::make_jaxpr(scale_and_sum)(jq::zeros({3}))) ==
              "{ lambda ; a:f32[3]. let\n"
              "    b:f32[3] = mul a 2.0:f32[]\n"
              "    c:f32[] = reduce_sum[axes=(0,)] b\n"
              "  in (c,) }");
static_assert(jq::to_text(jq::make_jaxpr(swap_parts)(std::pair{jq::zeros({2}), array(1.0)})) ==
              "{ lambda ; a:f32[2] b:f64[]. let  in (b, a) }");
static_assert(jq::make_jaxpr(nothing)(jq::zeros({2}))->outvars.empty());

constexpr auto sum_over_members = [](const auto& x) { return lax::psum(x, "i") * 2.0; };
static_assert(jq::make_jaxpr(sum_over_members, jq::axis_env<"i", 4>)(jq::zeros({3})).out_avals()[0] == jq::aval(jq::f32, {3}));

// So is one of arguments of the compile-time lane, with static arguments that are types.
constexpr auto power = [](auto x, auto n) {
  auto y = x;
  for (int i = 1; i < n; ++i) y = y * x;
  return y;
};
constexpr auto square = jq::make_jaxpr(power, jq::static_argnums<1>)(2.0, std::integral_constant<int, 2>{});
static_assert(jq::to_text(square) == "{ lambda ; a:f64[]. let b:f64[] = mul a a in (b,) }");
constexpr auto scaled = jq::make_jaxpr([](auto n, auto x) { return lax::psum(x, "i") * double(n); }, jq::static_argnums<0>, jq::axis_env<"i", 4>)(
    std::integral_constant<int, 2>{}, 1.0);
static_assert(jq::to_text(scaled) == "{ lambda ; a:f64[]. let\n    b:f64[] = psum[axis_name=i] a\n    c:f64[] = mul b 2.0:f64[]\n  in (c,) }");

constexpr auto product_and_sum = [](auto x, auto y) { return std::pair(jq::matmul(x, y), jq::sum(y)); };
constexpr bool has_types(const std::pair<array, array>& r) {
  return r.first.shape() == jq::shape{3, 2} && r.first.dtype() == jq::f64 && r.second.shape() == jq::shape{} && r.second.dtype() == jq::f32;
}
static_assert(has_types(jq::eval_shape(product_and_sum)(jq::tensor<double, 3, 4>{}, jq::tensor<float, 4, 2>{})));

struct layer {
  array w, b;
};

}  // namespace

TEST_CASE("make_jaxpr: a program of one equation is one line") {
  const auto p = jq::make_jaxpr([](const array& x) { return lax::sin(x); })(jq::asarray({1.f, 2.f, 3.f}));
  CHECK(jq::to_string(p) == "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }");
  CHECK(p.in_avals().size() == 1);
  CHECK(p.out_avals()[0] == jq::aval(jq::f32, {3}));
  CHECK_FALSE(jq::check_jaxpr(*p));
}
TEST_CASE("make_jaxpr: arguments that the function gets as they are") {
  const auto power = [](const array& x, int n) {
    array y = x;
    for (int i = 1; i < n; ++i) y = lax::mul(y, x);
    return y;
  };
  const array x = jq::asarray({1.f, 2.f});
  CHECK(jq::to_string(jq::make_jaxpr(power, jq::static_argnums<1>)(x, 3)) ==
        "{ lambda ; a:f32[2]. let b:f32[2] = mul a a; c:f32[2] = mul b a in (c,) }");
  CHECK(jq::to_string(jq::make_jaxpr(power, jq::static_argnums<-1>)(x, 1)) == "{ lambda ; a:f32[2]. let  in (a,) }");
}
TEST_CASE("make_jaxpr: axes that nothing maps") {
  const array x = jq::asarray({1.f, 2.f});
  CHECK(jq::to_string(jq::make_jaxpr(sum_over_members, jq::axis_env<"i", 4>)(x)) ==
        "{ lambda ; a:f32[2]. let\n    b:f32[2] = psum[axis_name=i] a\n    c:f32[2] = mul b 2.0:f32[]\n  in (c,) }");
  const auto gathered = [](const array& v) { return lax::all_gather(lax::all_gather(v, "i"), "j", 1); };
  CHECK(jq::make_jaxpr(gathered, jq::axis_env<"i", 4>, jq::axis_env<"j", 3>)(x).out_avals()[0] == jq::aval(jq::f32, {4, 3, 2}));
  CHECK(jq::to_string(jq::vmap([](const array& v) {
          const jq::closed_jaxpr p = jq::make_jaxpr([v](const array& w) { return lax::all_gather(lax::psum(v, "mapped"), "i") + w; }, jq::axis_env<"i", 4>)(v);
          return v + float(p.out_avals()[0].dims[0]);
        }, jq::axis_name<"mapped">)(jq::asarray({{1.f}, {2.f}}))) == "[[5.]\n [6.]]");
  CHECK_THROWS_WITH_AS((void)jq::make_jaxpr(sum_over_members, jq::axis_env<"k", 4>)(x), doctest::Contains("unbound axis name: i"), jq::value_error);
  CHECK_THROWS_WITH_AS((void)jq::make_jaxpr(sum_over_members)(x), doctest::Contains("unbound axis name: i"), jq::value_error);
}
TEST_CASE("make_jaxpr: with the tree of results") {
  const auto [program, result] = jq::make_jaxpr([](const array& x) { return std::pair{x, lax::reduce_sum(x, {0})}; }, jq::return_shape)(jq::zeros({2}));
  CHECK(jq::to_string(program) == "{ lambda ; a:f32[2]. let b:f32[] = reduce_sum[axes=(0,)] a in (a, b) }");
  CHECK(result.first.shape() == jq::shape{2});
  CHECK(result.second.aval() == jq::aval(jq::f32, {}));
}
TEST_CASE("make_jaxpr: longer programs take a line per equation") {
  const auto f = [](const array& x, const array& y) {
    const array product = lax::mul(x, y);
    return lax::add(product, lax::sin(x));
  };
  const auto p = jq::make_jaxpr(f)(jq::zeros({2, 3}), jq::zeros({2, 3}));
  CHECK(jq::to_string(p) ==
        "{ lambda ; a:f32[2,3] b:f32[2,3]. let\n"
        "    c:f32[2,3] = mul a b\n"
        "    d:f32[2,3] = sin a\n"
        "    e:f32[2,3] = add c d\n"
        "  in (e,) }");
}
TEST_CASE("make_jaxpr: captured arrays become constvars, each once") {
  const array w = jq::asarray({1.f, 2.f});
  const auto p = jq::make_jaxpr([&](const array& x) { return lax::add(lax::mul(x, w), w); })(jq::zeros({2}));
  CHECK(jq::to_string(p) ==
        "{ lambda a:f32[2]; b:f32[2]. let\n    c:f32[2] = mul b a\n    d:f32[2] = add c a\n  in (d,) }");
  REQUIRE(p.constants.size() == 1);
  CHECK(p.constants[0].same_as(w));
}
TEST_CASE("make_jaxpr: C++ numbers are literals of the type they meet") {
  const auto p = jq::make_jaxpr([](const array& x) { return x * 2.5 + 1; })(jq::zeros({2}));
  CHECK(jq::to_string(p) == 
        "{ lambda ; a:f32[2]. let\n    b:f32[2] = mul a 2.5:f32[]\n    c:f32[2] = add b 1.0:f32[]\n  in (c,) }");
}
TEST_CASE("make_jaxpr: arrays made inside are equations, computed when the program runs") {
  int runs = 0;
  const auto f = [&](const array& x) {
    ++runs;
    return lax::add(x, jq::ones({2}));
  };
  const auto p = jq::make_jaxpr(f)(jq::zeros({2}));
  CHECK(runs == 1);
  CHECK(p.constants.empty());
  CHECK(p->equations.size() == 2);
  CHECK(show(jq::eval_jaxpr(p, std::vector<array>{jq::asarray({1.f, 2.f})})) == "f32[2] 2 3");
}
TEST_CASE("make_jaxpr: trees as arguments and results") {
  const auto f = [](const layer& l, const std::vector<array>& xs, const std::map<std::string, array>& m) {
    return std::map<std::string, array>{{"z", l.w}, {"a", lax::add(xs[1], m.at("k"))}};
  };
  const auto p = jq::make_jaxpr(f)(layer{jq::zeros({1}), jq::zeros({2})}, std::vector{jq::zeros({3}), jq::zeros({4})},
                                   std::map<std::string, array>{{"k", jq::zeros({4})}});
  CHECK(jq::to_string(p) == "{ lambda ; a:f32[1] b:f32[2] c:f32[3] d:f32[4] e:f32[4]. let\n    f:f32[4] = add d e\n  in (f, a) }");
}
TEST_CASE("make_jaxpr: foreign arrays and numbers as arguments") {
  const auto p = jq::make_jaxpr([](const array& x, const array& s, const array& n) { return std::tuple{x * s, n}; })(
      std::vector<double>{1, 2, 3}, 2.0, 7);
  CHECK(p.in_avals()[0] == jq::aval(jq::f64, {3}));
  CHECK(p.in_avals()[1].weak);
  CHECK(p.in_avals()[2].type == jq::i32);
}
TEST_CASE("make_jaxpr: equations know the user's line") {
  const auto p = jq::make_jaxpr([](const array& x) {
    return lax::sin(x);  // this line
  })(jq::zeros({2}));
  CHECK(p->equations[0].where.line == __LINE__ - 2);
  CHECK(std::string(p->equations[0].where.file).find("make_jaxpr_test.cpp") != std::string::npos);
}
TEST_CASE("make_jaxpr: values are not known while tracing") {
  const auto f = [](const array& x, const array& y) { return bool(y > 0.0) ? x : y; };
  const auto trace = [&] { return jq::make_jaxpr(f)(array(1.0), array(2.0)); };
  CHECK_THROWS_WITH_AS(trace(), doctest::Contains("Abstract tracer value encountered where concrete value is expected"),
                       jq::concretization_error);
  CHECK_THROWS_WITH_AS(trace(), doctest::Contains("argument 1"), jq::concretization_error);
  CHECK_THROWS_WITH_AS(trace(), doctest::Contains("lax::cond"), jq::concretization_error);
  CHECK_THROWS_WITH_AS(trace(), doctest::Contains("make_jaxpr_test.cpp"), jq::concretization_error);
}
TEST_CASE("make_jaxpr: nested transforms become part of the program") {
  const auto f = [](const array& x) { return lax::mul(x, lax::mul(x, x)); };
  const auto p = jq::make_jaxpr(jq::grad(f))(array(2.0));
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(show(jq::eval_jaxpr(p, std::vector<array>{jq::asarray(2.0)})) == "f64[] 12");
}

TEST_CASE("eval_shape: types without values") {
  int runs = 0;
  const auto f = [&](const array& x, const layer& l) {
    ++runs;
    return std::pair{lax::dot(x, l.w), std::optional<array>(l.b)};
  };
  const auto r = jq::eval_shape(f)(jq::zeros({4, 3}), layer{jq::zeros({3, 2}), jq::zeros({2}, jq::f64)});
  CHECK(runs == 1);
  CHECK(r.first.shape() == jq::shape{4, 2});
  CHECK(r.first.dtype() == jq::f32);
  CHECK(r.second->dtype() == jq::f64);
  CHECK(r.second->size() == 2);
  CHECK_THROWS_WITH_AS(r.first.item<float>(), doctest::Contains("eval_shape"), jq::value_error);
  CHECK_THROWS_WITH_AS(lax::sin(r.first), doctest::Contains("eval_shape"), jq::value_error);
}
TEST_CASE("eval_shape: of arguments of the compile-time lane") {
  const jq::tensor<double, 3, 4> x{};
  const auto r = jq::eval_shape(product_and_sum)(x, jq::tensor<float, 4, 2>{});
  CHECK(has_types(r));
  CHECK_THROWS_WITH_AS(r.second.item<float>(), doctest::Contains("eval_shape"), jq::value_error);
  const auto list = [](auto y) { return std::vector<array>(2, jq::sum(y)); };
  CHECK(jq::eval_shape(list)(x).size() == 2);
}
TEST_CASE("eval_shape: accepts what eval_shape returned") {
  const auto f = [](const array& x) { return lax::reduce_sum(x, {0}); };
  const auto types = jq::eval_shape(f)(jq::zeros({4, 3}));
  CHECK(jq::eval_shape(f)(types).shape() == jq::shape{});
}
TEST_CASE("make_jaxpr, eval_shape and lower: of types alone") {
  const jq::aval matrix(jq::f32, {2});
  const auto f = [](const array& x, const std::vector<array>& v) { return lax::add(lax::sin(x), v.at(0)); };
  const std::vector<jq::aval> list{matrix};
  CHECK(jq::to_string(jq::make_jaxpr(f)(matrix, list)) ==
        "{ lambda ; a:f32[2] b:f32[2]. let c:f32[2] = sin a; d:f32[2] = add c b in (d,) }");
  CHECK(jq::eval_shape(f)(matrix, list).shape() == jq::shape{2});
  const auto twice = jq::jit([](const array& x) { return x + x; });
  CHECK(show(twice.lower(jq::aval(jq::f32, {2})).compile()(jq::asarray({1.f, 2.f}))) == "f32[2] 2 4");
  CHECK_THROWS_WITH_AS(twice(matrix), doctest::Contains("aval: has a type but no value"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::grad([](const array& x) { return x * x; })(jq::aval(jq::f32, {})),
                       doctest::Contains("aval: has a type but no value"), jq::value_error);
}
TEST_CASE("eval_shape: runs no arithmetic, so that huge shapes are free") {
  const auto f = [](const array& x) { return lax::dot(x, lax::transpose(x, {1, 0})); };
  const auto types = jq::eval_shape([] { return jq::zeros({1 << 20, 1 << 20}); })();
  CHECK(jq::eval_shape(f)(types).shape() == jq::shape{1 << 20, 1 << 20});
}
TEST_CASE("eval_shape: shape errors are found") {
  const auto dot = [](const array& x, const array& y) { return lax::dot(x, y); };
  const auto add = [](const array& x, const array& y) { return x + y; };
  CHECK_THROWS_AS(jq::eval_shape(dot)(jq::zeros({3}), jq::zeros({4})), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::eval_shape(add)(jq::zeros({3}), jq::zeros({4})),
                       doctest::Contains("add got incompatible shapes for broadcasting: (3,), (4,)."), jq::shape_error);
}
