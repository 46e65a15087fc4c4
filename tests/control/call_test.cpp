// call_p, the nested jit: one equation with a body, and every transform of it a call of the transformed body.
#include "../show.hpp"

using jq::array;

namespace {

const auto square = jq::jit([](const array& x) { return lax::mul(x, x); });
const auto affine = jq::jit([](const array& w, const array& x, const array& n) {
  return std::tuple{lax::add(lax::mul(w, x), lax::sin(w)), n};
});

/// A call equation, made at compile time.
constexpr array call_of_sine(const array& x) {
  const jq::aval type = x.aval();
  const jq::jaxpr_ref body = jq::detail::build_body(std::span(&type, 1), nullptr, [](std::span<const array> in) {
    return std::vector<array>{lax::sin(in[0])};
  });
  return jq::bind<jq::call_p>({body, "sine"}, {}, x);
}
static_assert(jq::to_text(jq::make_jaxpr([](const array& x) { return call_of_sine(x); })(array(1.0))) ==
              "{ lambda ; a:f64[]. let\n"
              "    b:f64[] = call[\n"
              "      jaxpr={ lambda ; c:f64[]. let d:f64[] = sin c in (d,) }\n"
              "      name=sine\n"
              "    ] a\n"
              "  in (b,) }");
constexpr bool transforms_keep_calls() {
  const auto count_calls = [](const jq::closed_jaxpr& p) {
    int n = 0;
    for (const jq::equation& e : p->equations) n += e.op == &jq::table_of<jq::call_p>();
    return n;
  };
  const auto f = [](const array& x) { return call_of_sine(x); };
  return count_calls(jq::make_jaxpr([&](const array& x, const array& t) {
           return jq::jvp(f, jq::primals(x), jq::tangents(t));
         })(array(1.0), array(1.0))) == 1 &&
         count_calls(jq::make_jaxpr(jq::vmap(f))(jq::zeros({2}))) == 1 &&
         jq::simplify(jq::make_jaxpr(f)(array(1.0)))->equations[0].op == &jq::table_of<jq::sin_p>();
}
static_assert(transforms_keep_calls());

}  // namespace

TEST_CASE("call: inside a trace a jitted function is one equation") {
  const auto p = jq::make_jaxpr([](const array& x) { return square(x) + x; })(jq::asarray({1.f, 2.f}));
  REQUIRE(p->equations.size() == 2);
  CHECK(p->equations[0].op->name == "call");
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(show(jq::eval_jaxpr(p, std::vector{jq::asarray({1.f, 2.f})})) == "f32[2] 2 6");
}
TEST_CASE("call: what the function captures becomes an operand") {
  const auto f = [](const array& x) {
    const array scaled = lax::mul(x, 3.0);
    return jq::jit([&](const array& y) { return lax::mul(y, scaled); })(x);
  };
  const auto p = jq::make_jaxpr(f)(array(1.0));
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(p->inputs(p->equations[1]).size() == 2);
  CHECK(show(jq::grad(f)(array(2.0))) == "f64[] 12");
}
TEST_CASE("call: jvp, grad, linearize and their nestings") {
  CHECK(show(jq::jvp(square, jq::primals(3.0), jq::tangents(2.0))) == "f64[] 9, f64[] 12");
  CHECK(jq::grad(square)(3.0) == 6);
  CHECK(jq::grad(jq::grad([](const array& x) { return square(square(x)); }))(2.0) == 48);
  CHECK(show(jq::linearize(square, jq::asarray(3.0)).second(1.0)) == "f64[] 6");
  CHECK(show(jq::hessian([](const array& x) { return total(square(x)); })(jq::asarray({1.0, 2.0}))) == "f64[2,2] 2 0 0 2");
}
TEST_CASE("call: several operands and results, some without tangents") {
  const auto f = [](const array& w, const array& x) { return std::get<0>(affine(w, x, array(3))); };
  CHECK(show(jq::grad(f)(0.0, 2.0)) == "f64[] 3");
  CHECK(show(jq::grad(f, jq::argnums<1>)(0.5, 2.0)) == "f64[] 0.5");
  const auto [y, t] = jq::jvp([&](const array& w) { return affine(w, array(2.0), array(3)); }, jq::primals(array(0.0)), jq::tangents(1.0));
  CHECK(show(y) == "f64[] 0, i32[] 3");
  CHECK(show(t) == "f64[] 3, bool[] 0");
}
TEST_CASE("call: linearize evaluates nothing of the body twice") {
  const auto p = jq::make_jaxpr(jq::grad(jq::jit([](const array& x) { return lax::exp(lax::sin(x)); })))(array(1.0));
  CHECK_FALSE(jq::check_jaxpr(*p));
  const std::string text = jq::to_string(p);
  CHECK(testing::count(text, "exp ") == 1);
  CHECK(testing::count(text, "sin ") == 1);
  CHECK(testing::count(text, "call[") == 2);  // the known part, and the transposed linear one
}
TEST_CASE("call: vmap over some operands") {
  const auto f = jq::vmap([](const array& w, const array& x) { return std::get<0>(affine(w, x, array(1))); }, jq::in_axes<jq::none, 0>);
  CHECK(show(f(jq::asarray(0.0), jq::asarray({1.0, 2.0}))) == "f64[2] 0 0");
  CHECK(show(jq::vmap(jq::grad(square))(jq::asarray({1.0, 2.0}))) == "f64[2] 2 4");
  const auto unmapped = jq::vmap([](const array&, const array& y) { return square(y); }, jq::in_axes<0, jq::none>, jq::out_axes<jq::none>);
  CHECK(show(unmapped(jq::zeros({2}), jq::asarray(3.0))) == "f64[] 9");
}
TEST_CASE("call: C++ conditions on its result under grad") {
  const auto f = [](const array& x) { return bool(square(x) > 2.0) ? square(x) : x; };
  CHECK(double(jq::grad(f)(array(3.0))) == 6);
  CHECK(double(jq::grad(f)(array(1.0))) == 1);
}
TEST_CASE("call: an error inside the body names the user's line") {
  const auto bad = jq::jit([](const array& x) { return lax::add(x, jq::zeros({7})); });
  CHECK_THROWS_WITH_AS(jq::vmap(bad)(jq::zeros({2, 3})), doctest::Contains("call_test.cpp"), jq::shape_error);
}
TEST_CASE("call: operands that do not fit the body are type errors") {
  const jq::aval type(jq::f32, {2});
  const jq::jaxpr_ref body = jq::detail::build_body(std::span(&type, 1), nullptr, [](std::span<const array> in) {
    return std::vector<array>{in[0]};
  });
  const auto call = [&](std::vector<array> in) { jq::bind_list<jq::call_p>({body, "f"}, {}, in); };
  CHECK_THROWS_WITH_AS(call({}), doctest::Contains("got 0 operands, wanted 1"), jq::type_error);
  CHECK_THROWS_WITH_AS(call({jq::zeros({3})}), doctest::Contains("operand 0 is f32[3], wanted f32[2]"), jq::type_error);
  CHECK_NOTHROW(call({jq::zeros({2})}));
}
TEST_CASE("call: nested to some depth, each level captured") {
  const auto f = [](const array& x) {
    return jq::jit([&](const array& y) {
      return jq::jit([&](const array& z) { return lax::mul(lax::mul(x, y), z); })(y);
    })(x);
  };
  CHECK(show(jq::jit(f)(array(2.0))) == "f64[] 8");
  CHECK(double(jq::grad(f)(array(2.0))) == 12);
  CHECK(double(jq::grad(jq::grad(f))(array(2.0))) == 12);
  CHECK(show(jq::vmap(jq::grad(f))(jq::asarray({1.0, 2.0}))) == "f64[2] 3 12");
}
