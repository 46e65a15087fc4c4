// Linearization: what is computed at the point stays outside, only the linear program is kept.
#include "../show.hpp"

using jq::array;

namespace {

constexpr auto cubed_sine = [](const array& x) {
  const array s = lax::sin(x);
  return lax::mul(s, lax::mul(s, s));
};
constexpr jq::text linear_part() {
  return jq::to_text(jq::make_jaxpr([](const array& x, const array& t) {
    return jq::linearize([](const array& v) { return lax::sin(v); }, x).second(t);
  })(array(1.0), array(3.0)));
}
static_assert(linear_part() ==
              "{ lambda ; a:f64[] b:f64[]. let\n"
              "    _:f64[] = sin a\n"
              "    c:f64[] = cos a\n"
              "    d:f64[] = mul b c\n"
              "  in (d,) }");

jq::linearized linearized_at(const jq::closed_jaxpr& p, std::vector<array> x, std::vector<char> wanted) {
  return jq::linearize_jaxpr(*p, p.constants, x, wanted);
}

}  // namespace

TEST_CASE("linearize_jaxpr: the linear program has no nonlinear equation; residuals are its constants") {
  const auto p = jq::make_jaxpr(cubed_sine)(array(1.0));
  const jq::linearized l = linearized_at(p, {jq::asarray(0.5)}, {true});
  CHECK_FALSE(jq::check_jaxpr(*l.program));
  const std::string text = jq::to_string(l.program);
  CHECK(testing::count(text, "sin") == 0);
  CHECK(testing::count(text, "cos") == 0);
  CHECK_FALSE(l.program.constants.empty());
  const array s = lax::sin(jq::asarray(0.5)), c = lax::cos(jq::asarray(0.5));
  CHECK(show(l.primals) == show(lax::mul(s, lax::mul(s, s))));
  CHECK(show(jq::eval_jaxpr(l.program, std::vector{jq::asarray(1.0)})) == show(lax::mul(3.0, lax::mul(lax::mul(s, s), c))));
}
TEST_CASE("linearize_jaxpr: only the wanted arguments are inputs, zeros are no outputs") {
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return std::pair{lax::sin(x), lax::mul(x, y)}; })(
      array(1.0), array(1.0));
  const jq::linearized l = linearized_at(p, {jq::asarray(1.0), jq::asarray(2.0)}, {false, true});
  CHECK(l.program->invars.size() == 1);
  CHECK(l.program->outvars.size() == 1);
  CHECK(l.tangent_of == std::vector<int>{-1, 0});
}
TEST_CASE("linearize_jaxpr: integer arguments have no input") {
  const auto p = jq::make_jaxpr([](const array& n, const array& x) { return std::pair{n, lax::mul(x, x)}; })(array(3), array(1.0));
  const jq::linearized l = linearized_at(p, {jq::asarray(3), jq::asarray(2.0)}, {true, true});
  CHECK(l.program->invars.size() == 1);
  CHECK(l.tangent_of == std::vector<int>{-1, 0});
}
TEST_CASE("linearize: f is evaluated once, f_lin many times") {
  int calls = 0;
  const auto f = [&](const array& x) {
    ++calls;
    return cubed_sine(x);
  };
  const auto [y, f_lin] = jq::linearize(f, array(0.5));
  CHECK(calls == 1);
  CHECK(show(f_lin(1.0)) == show(jq::jvp(f, jq::primals(array(0.5)), jq::tangents(1.0)).second));
  CHECK(show(f_lin(2.0)) == show(jq::jvp(f, jq::primals(array(0.5)), jq::tangents(2.0)).second));
  CHECK(calls == 3);
  CHECK(show(y) == show(cubed_sine(jq::asarray(0.5))));
}
TEST_CASE("linearize: no tap and no primal equation runs again in f_lin") {
  int taps = 0;
  const auto f = [&](const array& x) { return lax::sin(jq::id_tap([&](const array&) { ++taps; }, x)); };
  const auto [y, f_lin] = jq::linearize(f, array(0.5));
  CHECK(taps == 1);
  f_lin(1.0);
  CHECK(taps == 2);  // the tap of the tangent
}
TEST_CASE("linearize under make_jaxpr stages the primal part into the outer program") {
  const auto p = jq::make_jaxpr([](const array& x) { return jq::linearize(cubed_sine, x).second(1.0); })(array(0.5));
  CHECK_FALSE(jq::check_jaxpr(*p));
  CHECK(show(jq::eval_jaxpr(p, std::vector{jq::asarray(0.5)})) == show(jq::grad(cubed_sine)(jq::asarray(0.5))));
}
