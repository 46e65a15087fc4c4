// linear_transpose: transposes of functions the user calls linear, without conjugation.
#include "../show.hpp"

using jq::array;
using jq::complex128;

namespace {

constexpr auto prefix_sum = [](const array& x) { return lax::add(x, lax::mul(x, 2.0)); };
static_assert(jq::to_text(jq::make_jaxpr([](const array& ct) {
                return jq::linear_transpose(prefix_sum, array(0.0))(ct);
              })(array(1.0))) == "{ lambda ; a:f64[]. let b:f64[] = mul a 2.0:f64[]; c:f64[] = add a b in (c,) }");

}  // namespace

TEST_CASE("linear_transpose: the transpose of a matrix") {
  const array m = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  const auto t = jq::linear_transpose([&](const array& x) { return lax::dot(m, x); }, jq::zeros({3}));
  CHECK(show(t(jq::asarray({1.f, 10.f}))) == "f32[3] 41 52 63");
}
TEST_CASE("linear_transpose: no conjugation") {
  const auto f = [](const array& x) { return lax::mul(array(complex128{1, 2}), x); };
  const auto t = jq::linear_transpose(f, jq::zeros({}, jq::c128));
  CHECK(show(t(complex128{3, 4})) == "c128[] -5+10i");
}
TEST_CASE("linear_transpose: only the types of the arguments matter") {
  int calls = 0;
  const auto f = [&](const std::pair<array, array>& p, const array& z) {
    ++calls;
    return std::pair{p.first * 2.0 + z, p.second * 3.0};
  };
  const auto types = jq::eval_shape([] { return std::pair{jq::zeros({2}), jq::zeros({2})}; })();
  const auto t = jq::linear_transpose(f, types, jq::zeros({2}));
  CHECK(calls == 1);
  CHECK(show(t(std::pair{jq::asarray({1.f, 2.f}), jq::asarray({3.f, 4.f})})) == "f32[2] 2 4, f32[2] 9 12, f32[2] 1 2");
  CHECK(calls == 1);
}
TEST_CASE("linear_transpose: of types alone") {
  const auto f = [](const std::pair<array, array>& p) { return p.first * 2.0 + p.second; };
  const jq::aval vector = jq::zeros({2}).aval();
  const auto [ct] = jq::linear_transpose(f, std::pair{vector, vector})(jq::asarray({1.f, 2.f}));
  CHECK(show(ct.first) == "f32[2] 2 4");
  CHECK(show(ct.second) == "f32[2] 1 2");
  const auto message = doctest::Contains("linear_transpose only supports");
  CHECK_THROWS_WITH_AS(jq::linear_transpose([](const array& x) { return x; }, jq::aval(jq::i32, {2})), message, jq::type_error);
}
TEST_CASE("linear_transpose: twice is the function itself") {
  const auto f = [](const array& x) { return lax::cumsum(x, 0); };
  const auto back = [&](const array& ct) { return std::get<0>(jq::linear_transpose(f, jq::zeros({3}))(ct)); };
  CHECK(show(back(jq::asarray({1.f, 10.f, 100.f}))) == "f32[3] 111 110 100");
  const auto again = jq::linear_transpose(back, jq::zeros({3}));
  CHECK(show(again(jq::asarray({1.f, 10.f, 100.f}))) == show(f(jq::asarray({1.f, 10.f, 100.f}))));
}
TEST_CASE("linear_transpose: errors") {
  const auto twice = [](const array& x) { return x + x; };
  CHECK_THROWS_WITH_AS(jq::linear_transpose(twice, jq::asarray(1)), doctest::Contains("linear_transpose only supports"), jq::type_error);
  const auto t = jq::linear_transpose(twice, jq::zeros({2}));
  CHECK_THROWS_WITH_AS(t(std::pair{jq::zeros({2}), jq::zeros({2})}), doctest::Contains("cotangent tree does not match"), jq::type_error);
  CHECK_THROWS_WITH_AS(t(jq::zeros({3})), doctest::Contains("cotangent type does not match"), jq::type_error);
  CHECK_THROWS_WITH_AS(t(jq::zeros({2}, jq::f64)), doctest::Contains("cotangent type does not match"), jq::type_error);
  const auto sine = [](const array& x) { return lax::sin(x); };
  const auto wrong = jq::linear_transpose(sine, jq::zeros({2}));
  CHECK_THROWS_WITH_AS(wrong(jq::zeros({2})), doctest::Contains("'sin'"), jq::not_implemented);
  const auto product = [](const array& x) { return x * x; };
  const auto message = doctest::Contains("transposition: got a function that is not linear in its arguments: 'mul' has operands");
  CHECK_THROWS_WITH_AS(jq::linear_transpose(product, jq::zeros({2}))(jq::ones({2})), message, jq::value_error);
  const auto inverse = [](const array& x) { return 1 / x; };
  CHECK_THROWS_WITH_AS(jq::linear_transpose(inverse, jq::zeros({2}))(jq::ones({2})), doctest::Contains("'div' has operands"), jq::value_error);
}
