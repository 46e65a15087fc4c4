// simplify: inlined calls, merged equations, units, dead code; effects keep their order and their number.
#include "../show.hpp"

#include <cmath>
#include <limits>

using jq::array;

namespace {

constexpr auto wasteful = [](const array& x) {
  const array a = lax::sin(x), b = lax::sin(x);
  const array unused = lax::cos(x);
  return lax::mul(lax::add(lax::add(a, 0.0), b), 1.0);
};
static_assert(jq::to_text(jq::simplify(jq::make_jaxpr(wasteful)(array(1.0)))) ==
              "{ lambda ; a:f64[]. let b:f64[] = sin a; c:f64[] = add b b in (c,) }");
static_assert(jq::simplify(jq::make_jaxpr(wasteful)(array(1.0)))->equations.size() == 2);

template <class F, class... A>
std::string simplified(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  CHECK_FALSE(jq::check_jaxpr(*p));
  return jq::to_string(p);
}

}  // namespace

TEST_CASE("simplify: equal equations merge, also through chains, not across different parameters") {
  CHECK(simplified([](const array& x) {
    const array a = lax::exp(lax::sin(x));
    return lax::sub(a, lax::exp(lax::sin(x)));
  }, array(1.0)) == "{ lambda ; a:f64[]. let\n    b:f64[] = sin a\n    c:f64[] = exp b\n    d:f64[] = sub c c\n  in (d,) }");
  CHECK(testing::count(simplified([](const array& x) {
    const array a = lax::reduce_sum(x, {0});
    return std::tuple{a, lax::reduce_sum(x, {1}), lax::reduce_sum(x, {0})};
  }, jq::zeros({2, 2})), "reduce_sum") == 2);
}
TEST_CASE("simplify: literals of different type or value stay apart") {
  CHECK(simplified([](const array& x) {
    const array a = lax::mul(x, 2.0);
    return lax::add(a, lax::mul(x, 3.0));
  }, array(1.0)) == "{ lambda ; a:f64[]. let\n    b:f64[] = mul a 2.0:f64[]\n    c:f64[] = mul a 3.0:f64[]\n    d:f64[] = add b c\n  in (d,) }");
}
TEST_CASE("simplify: units vanish only where the type stays") {
  CHECK(simplified([](const array& x) { return lax::sub(lax::add(x, 0.0), 0.0); }, array(1.0)) == "{ lambda ; a:f64[]. let  in (a,) }");
  CHECK(simplified([](const array& x) { return lax::div(x, 1.0); }, array(1.0)) == "{ lambda ; a:f64[]. let  in (a,) }");
  CHECK(simplified([](const array& x) { return lax::sub(0.0, x); }, array(1.0)) == "{ lambda ; a:f64[]. let b:f64[] = sub 0.0:f64[] a in (b,) }");
  // a scalar plus an array of zeros is an array
  CHECK(testing::count(simplified([](const array& x) { return lax::add(x, jq::zeros({3})); }, array(1.f)), "add") == 1);
}
TEST_CASE("simplify: units in each element of an array vanish, too") {
  const array x = jq::ones({2, 3});
  const std::string nothing = "{ lambda ; a:f32[2,3]. let  in (a,) }";
  CHECK(simplified([](const array& a) { return lax::mul(lax::broadcast_in_dim(array(1.0f), {2, 3}, {}), a); }, x) == nothing);
  CHECK(simplified([](const array& a) { return lax::div(a, lax::reshape(lax::broadcast_in_dim(array(1.0f), {6}, {}), {2, 3})); }, x) == nothing);
  CHECK(simplified(jq::grad([](const array& a, const array& b) { return jq::sum(a * b); }), x, x) ==
        "{ lambda ; a:f32[2,3] b:f32[2,3]. let  in (b,) }");
  // what else is made of those stays
  CHECK(testing::count(simplified([](const array& a) {
          const array one = lax::broadcast_in_dim(array(1.0f), {2, 3}, {});
          return std::pair(lax::mul(one, a), one);
        }, x), "broadcast_in_dim") == 1);
  CHECK(testing::count(simplified([](const array& a) { return lax::mul(lax::broadcast_in_dim(array(2.0f), {2, 3}, {}), a); }, x), "mul") == 1);
}
TEST_CASE("simplify: a product with the complex number 1 stays: an infinite part times 0 is NaN") {
  const auto f = [](const array& x) { return jq::complex64(1, 0) * lax::complex(x, x); };
  const auto g = [](const array& x) { return lax::complex(x, x) / jq::complex64(1, 0); };
  CHECK(testing::count(simplified(f, array(1.f)), "mul") == 1);
  CHECK(testing::count(simplified(g, array(1.f)), "div") == 1);
  const array infinite = array(std::numeric_limits<float>::infinity());
  const jq::complex64 eager = f(infinite).item<jq::complex64>(), compiled = jq::jit(f)(infinite).item<jq::complex64>();
  CHECK(std::isnan(eager.real()));
  CHECK(std::isnan(compiled.real()));
}
TEST_CASE("simplify: where the signs of zeros count, sums with 0 and differences with -0 stay") {
  const auto left = [](auto f, const array& x) { return jq::simplify(jq::make_jaxpr(f)(x), jq::no_effect, true)->equations.size(); };
  const auto plus = [](double v) { return [v](const array& x) { return lax::add(x, v); }; };
  const auto minus = [](double v) { return [v](const array& x) { return lax::sub(x, v); }; };
  CHECK(left(plus(0.0), array(1.0)) == 1);
  CHECK(left(plus(-0.0), array(1.0)) == 0);
  CHECK(left(minus(0.0), array(1.0)) == 0);
  CHECK(left(minus(-0.0), array(1.0)) == 1);
  CHECK(left([](const array& x) { return lax::add(x, 0); }, array(1)) == 0);  // whole numbers have one zero
  const auto f = jq::jit(plus(0.0), jq::precision::strict);
  CHECK_FALSE(std::signbit(f(array(-0.0)).item<double>()));
}
TEST_CASE("simplify: what changes NaN or infinity stays") {
  CHECK(testing::count(simplified([](const array& x) { return lax::mul(x, 0.0); }, array(1.0)), "mul") == 1);
  CHECK(testing::count(simplified([](const array& x) { return lax::sub(x, x); }, array(1.0)), "sub") == 1);
  CHECK(testing::count(simplified([](const array& x) { return lax::div(x, x); }, array(1.0)), "div") == 1);
}
TEST_CASE("simplify: constants nobody uses go") {
  const array w = jq::ones({2}), v = jq::ones({3});
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([&](const array& x) {
    lax::sin(v);
    return x + w;
  })(jq::zeros({2})));
  REQUIRE(p.constants.size() == 1);
  CHECK(p.constants[0].same_as(w));
  CHECK(p->constvars.size() == 1);
}
TEST_CASE("simplify: calls are inlined at every depth") {
  const auto inner = jq::jit([](const array& x) { return lax::sin(x); });
  const auto outer = jq::jit([&](const array& x) { return lax::mul(inner(x), 2.0); });
  CHECK(simplified([&](const array& x) { return lax::add(outer(x), inner(x)); }, array(1.0)) ==
        "{ lambda ; a:f64[]. let\n    b:f64[] = sin a\n    c:f64[] = mul b 2.0:f64[]\n    d:f64[] = add c b\n  in (d,) }");
}
TEST_CASE("simplify: taps are never merged; dead ones go only on request") {
  const auto f = [](const array& x) {
    const auto see = [](const array&) {};
    const array a = jq::id_tap(see, x);
    const array b = jq::id_tap(see, x);
    jq::id_tap(see, x);
    return a + b;
  };
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(array(1.0));
  CHECK(testing::count(jq::to_string(jq::simplify(p)), "id_tap") == 3);
  CHECK(testing::count(jq::to_string(jq::simplify(p, jq::tap_effect)), "id_tap") == 2);
}
TEST_CASE("simplify: gradients keep their values") {
  const auto f = [](const array& x) { return total(lax::mul(lax::sin(x), lax::tanh(x))); };
  const array x = jq::asarray({0.25, 0.5, 2.0});
  const jq::closed_jaxpr p = jq::make_jaxpr(jq::grad(f))(x), q = jq::simplify(p);
  CHECK_FALSE(jq::check_jaxpr(*q));
  CHECK(q->equations.size() < p->equations.size());
  CHECK(show(jq::eval_jaxpr(q, std::vector{x})) == show(jq::eval_jaxpr(p, std::vector{x})));
}
TEST_CASE("simplify: many literals and many equations") {
  const auto f = [](const array& x) {
    array s = x;
    for (int i = 0; i < 200; ++i) s = lax::add(s, lax::mul(x, double(i % 20) + 2));
    return s;
  };
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(array(1.0)), q = jq::simplify(p);
  CHECK_FALSE(jq::check_jaxpr(*q));
  CHECK(q->equations.size() == 220);
  CHECK(show(jq::eval_jaxpr(q, std::vector{jq::asarray(1.0)})) == show(jq::eval_jaxpr(p, std::vector{jq::asarray(1.0)})));
}
