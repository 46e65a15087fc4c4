// The forward-mode interpreter: tangents beside primals, symbolic zeros, missing rules.
#include "../show.hpp"

using jq::array;

namespace {

constexpr auto sin_times = [](const array& x, const array& y) {
  const array s = lax::sin(x);
  return lax::mul(s, y);
};
constexpr jq::text differentiated() {
  return jq::to_text(jq::make_jaxpr([](const array& x, const array& y, const array& t) {
    return jq::jvp([&](const array& v) { return sin_times(v, y); }, jq::primals(x), jq::tangents(t));
  })(array(1.0), array(2.0), array(3.0)));
}
// The primal program first, then the tangents; the tangent of y is a symbolic zero and costs nothing.
static_assert(differentiated() ==
              "{ lambda ; a:f64[] b:f64[] c:f64[]. let\n"
              "    d:f64[] = sin a\n"
              "    e:f64[] = cos a\n"
              "    f:f64[] = mul c e\n"
              "    g:f64[] = mul d b\n"
              "    h:f64[] = mul f b\n"
              "  in (g, h) }");

/// A primitive without rules for transforms.
struct mystery_p : jq::elementwise<mystery_p, jq::floats, 1> {
  static constexpr std::string_view name = "mystery";
  template <class T>
  static constexpr T apply(T x) {
    return x + x;
  }
};
array mystery(const array& x, jq::location where = jq::location::current()) { return jq::bind<mystery_p>({}, where, x); }

std::vector<array> list(std::initializer_list<array> a) { return a; }

}  // namespace

TEST_CASE("jvp_jaxpr: primals and tangents of every output") {
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return std::pair{lax::mul(x, y), lax::add(x, y)}; })(
      array(1.0), array(1.0));
  const auto r = jq::jvp_jaxpr(*p, p.constants, list({jq::asarray(3.0), jq::asarray(4.0)}),
                               list({jq::asarray(1.0), jq::asarray(10.0)}));
  CHECK(show(r.primals) == "f64[] 12, f64[] 7");
  CHECK(show(r.tangents) == "f64[] 34, f64[] 11");
}
TEST_CASE("jvp_jaxpr: a none tangent is a zero that costs no equation") {
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return std::pair{lax::sin(x), lax::sin(y)}; })(
      array(1.0), array(1.0));
  const auto r = jq::jvp_jaxpr(*p, p.constants, list({array(0.0), array(0.0)}), list({{}, jq::asarray(2.0)}));
  CHECK(r.tangents[0].is_none());
  CHECK(show(r.tangents[1]) == "f64[] 2");
  const auto q = jq::make_jaxpr([&](const array& x) {
    return jq::jvp_jaxpr(*p, p.constants, list({x, x}), list({{}, {}})).primals;
  })(array(1.0));
  CHECK(q->equations.size() == 2);
}
TEST_CASE("jvp_jaxpr: integers and comparisons have no tangents") {
  const auto f = [](const array& x) {
    return std::tuple{lax::gt(x, 0.0), lax::convert_element_type(x, jq::i32), lax::mul(x, 2.0)};
  };
  const auto p = jq::make_jaxpr(f)(array(1.0));
  const auto r = jq::jvp_jaxpr(*p, p.constants, list({jq::asarray(3.0)}), list({jq::asarray(1.0)}));
  CHECK(r.tangents[0].is_none());
  CHECK(r.tangents[1].is_none());
  CHECK(show(r.tangents[2]) == "f64[] 2");
}
TEST_CASE("jvp_jaxpr: tangents of scalars that were broadcast have the shape of the result") {
  const auto p = jq::make_jaxpr([](const array& x, const array& s) { return lax::add(x, s); })(jq::zeros({3}), array(1.f));
  const auto r = jq::jvp_jaxpr(*p, p.constants, list({jq::ones({3}), jq::asarray(1.f)}), list({{}, jq::asarray(5.f)}));
  CHECK(show(r.tangents) == "f32[3] 5 5 5");
}
TEST_CASE("jvp_jaxpr: a primitive without a rule is one clear error, only where it is differentiated") {
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return lax::add(mystery(x), y); })(array(1.0), array(1.0));
  const auto values = list({jq::asarray(1.0), jq::asarray(2.0)});
  CHECK(show(jq::jvp_jaxpr(*p, {}, values, list({{}, jq::asarray(1.0)})).tangents) == "f64[] 1");
  const auto run = [&] { jq::jvp_jaxpr(*p, {}, values, list({jq::asarray(1.0), {}})); };
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("Differentiation rule for 'mystery' not implemented"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("custom_jvp"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("jvp_test.cpp"), jq::not_implemented);
}
TEST_CASE("jvp_jaxpr: equations of rules carry the user's line") {
  const auto p = jq::make_jaxpr([](const array& x, const array& t) {
    return jq::jvp([](const array& v) { return lax::tanh(v); }, jq::primals(x), jq::tangents(t)).second;
  })(array(1.0), array(1.0));
  for (const jq::equation& e : p->equations) {
    CHECK(std::string(e.where.file).find("jvp_test.cpp") != std::string::npos);
    CHECK(e.where.line == __LINE__ - 4);
  }
}
