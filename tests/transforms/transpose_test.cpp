// The backward interpreter of linear programs: cotangents, accumulation, symbolic zeros.
#include "../show.hpp"

using jq::array;

namespace {

constexpr jq::text pulled_back() {
  return jq::to_text(jq::make_jaxpr([](const array& ct, const array& k) {
    return jq::linear_transpose([&](const array& x) { return lax::add(lax::mul(x, k), x); }, array(1.0))(ct);
  })(array(1.0), array(2.0)));
}
static_assert(pulled_back() ==
              "{ lambda ; a:f64[] b:f64[]. let c:f64[] = mul a b; d:f64[] = add a c in (d,) }");

struct one_way_p : jq::elementwise<one_way_p, jq::floats, 1> {  // linear, but does not say how to go back
  static constexpr std::string_view name = "one_way";
  template <class T>
  static constexpr T apply(T x) {
    return x + x;
  }
  static array jvp(const array& t, const array&, const array&) { return jq::bind<one_way_p>({}, {}, t); }
};
array one_way(const array& x, jq::location where = jq::location::current()) { return jq::bind<one_way_p>({}, where, x); }

std::vector<array> transposed(const jq::closed_jaxpr& p, std::vector<array> x, std::vector<char> linear, std::vector<array> ct) {
  return jq::transpose_jaxpr(*p, p.constants, x, linear, ct);
}

}  // namespace

TEST_CASE("transpose_jaxpr: cotangents of a value used twice are added") {
  const auto p = jq::make_jaxpr([](const array& x) { return lax::add(lax::mul(x, 3.0), lax::mul(x, 4.0)); })(array(1.0));
  CHECK(show(transposed(p, {}, {true}, {jq::asarray(2.0)})) == "f64[] 14");
}
TEST_CASE("transpose_jaxpr: a zero cotangent stays a symbolic zero") {
  const auto p = jq::make_jaxpr([](const array& x, const array& y) { return std::pair{lax::mul(x, 3.0), y}; })(array(1.0), array(1.0));
  const auto r = transposed(p, {}, {true, true}, {{}, jq::asarray(2.0)});
  CHECK(r[0].is_none());
  CHECK(show(r[1]) == "f64[] 2");
}
TEST_CASE("transpose_jaxpr: inputs that are not linear are given as values") {
  const auto p = jq::make_jaxpr([](const array& k, const array& x) { return lax::mul(lax::sin(k), x); })(array(1.0), array(1.0));
  const auto r = transposed(p, {jq::asarray(0.0)}, {false, true}, {jq::asarray(2.0)});
  CHECK(r[0].is_none());
  CHECK(show(r[1]) == "f64[] 0");
}
TEST_CASE("transpose_jaxpr: the same output twice adds both cotangents") {
  const auto p = jq::make_jaxpr([](const array& x) { return std::pair{x, x}; })(array(1.0));
  CHECK(show(transposed(p, {}, {true}, {jq::asarray(2.0), jq::asarray(5.0)})) == "f64[] 7");
}
TEST_CASE("transpose_jaxpr: scalars that were broadcast sum their cotangents") {
  const auto p = jq::make_jaxpr([](const array& s) { return lax::add(jq::zeros({3}), s); })(array(1.f));
  CHECK(show(transposed(p, {}, {true}, {jq::asarray({1.f, 2.f, 4.f})})) == "f32[] 7");
}
TEST_CASE("transpose_jaxpr: a primitive without a rule is one clear error") {
  const auto run = [] { jq::grad([](const array& x) { return one_way(x); })(array(1.0)); };
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("Transpose rule (for reverse-mode differentiation) for 'one_way' not implemented"),
                       jq::not_implemented);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("custom_vjp"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("transpose_test.cpp"), jq::not_implemented);
}
