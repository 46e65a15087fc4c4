// Composite functions: traced once for each combination of types and options where they compute at once, and laid out everywhere else.
#include <jacquard/control/composite.hpp>

#include "../show.hpp"

using jq::array;
using jq::asarray;

namespace {

int calls = 0;

/// n x + the sum of x.
constexpr array scaled(const array& x, int n) {
  const auto f = [](jq::view<const array> in, const jq::location&, int times) {
    if (!__builtin_is_constant_evaluated()) ++calls;
    const array scaled_up = lax::mul(in[0], array(double(times))), sum = lax::reduce_sum(in[0], {0});
    return lax::add(scaled_up, sum);
  };
  const array operands[] = {x};
  return jq::detail::composite("scaled", f, operands, {}, n);
}
constexpr auto twice = [](const array& x) { return scaled(x, 2); };
constexpr std::string_view laid_out = "{ lambda ; a:f32[2]. let\n"
                                      "    b:f32[2] = mul a 2.0:f32[]\n"
                                      "    c:f32[] = reduce_sum[axes=(0,)] a\n"
                                      "    d:f32[2] = add b c\n"
                                      "  in (d,) }";
static_assert(jq::to_text(jq::make_jaxpr(twice)(jq::zeros({2}))) == laid_out);

}  // namespace

TEST_CASE("composite: in a trace its equations stand where it was called") {
  CHECK(jq::to_string(jq::make_jaxpr(twice)(jq::zeros({2}))) == laid_out);
  CHECK(show(jq::jit(twice)(asarray({1.f, 2.f}))) == "f32[2] 5 7");
  CHECK(show(jq::vmap(twice)(asarray({{1.f, 2.f}, {0.f, 1.f}}))) == "f32[2,2] 5 7 1 3");
  CHECK(show(jq::grad([](const array& x) { return jq::sum(twice(x)); })(asarray({1.f, 2.f}))) == "f32[2] 4 4");
}
TEST_CASE("composite: traced once for each combination of types and options") {
  calls = 0;
  for (int i = 0; i < 3; ++i) CHECK(show(scaled(asarray({1.f, float(i)}), 3)) == show(asarray({1.f + 3 + float(i), 4.f * float(i) + 1})));
  CHECK(calls == 1);
  CHECK(show(scaled(asarray({1.f, 1.f}), 4)) == "f32[2] 6 6");
  CHECK(show(scaled(asarray({1.0, 1.0}), 4)) == "f64[2] 6 6");
  CHECK(show(scaled(asarray({1.f, 1.f, 1.f}), 4)) == "f32[3] 7 7 7");
  CHECK(calls == 4);
  for (int n = 0; n < 100; ++n) CHECK(scaled(asarray({1.f, 1.f}), n)(0).item<int>() == n + 2);  // of which the last are kept
  calls = 0;
  CHECK(show(scaled(asarray({1.f, 1.f}), 99)) == "f32[2] 101 101");
  CHECK(calls == 0);
}
TEST_CASE("composite: arrays that a function makes are kept with its program") {
  const auto f = [](jq::view<const array> in, const jq::location&) { return lax::add(in[0], jq::eager([] { return asarray({10.f, 20.f}); })); };
  for (float x : {1.f, 2.f}) {
    const array operands[] = {asarray({x, x})};
    CHECK(show(jq::detail::composite("shifted", f, operands, {})) == show(asarray({x + 10, x + 20})));
  }
}
TEST_CASE("composite: errors name the user's line, and the operation that made the first NaN") {
  const auto root = [](jq::view<const array> in, const jq::location&) { return lax::sqrt(lax::neg(in[0])); };
  const array operands[] = {asarray({1.f})};
  jq::detail::composite("root", root, operands, {});
  const jq::debug_nans here;
  CHECK_THROWS_WITH_AS(jq::detail::composite("root", root, operands, {}), doctest::Contains("encountered in sqrt"), jq::value_error);
}
