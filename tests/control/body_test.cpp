// Bodies: captured values become leading inputs, fix-points of tangents, linearized bodies, and the texts of messages.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

TEST_CASE("bodies: captured arrays become leading inputs") {
  const array captured = asarray({1.f, 2.f});
  const auto p = jq::make_jaxpr([&](const array& x) { return x * captured; })(captured);
  const jq::jaxpr_ref body = jq::detail::closed_body(p);
  CHECK(body->constvars.empty());
  CHECK(body->invars.size() == 2);
  CHECK_FALSE(jq::check_jaxpr(*body));
}
TEST_CASE("bodies: the tangents of carries go around") {
  const auto p = jq::make_jaxpr([](const array& k, const array& a, const array&, const array& n) {
    return std::vector{k * 1.0, a * 2.0, n};
  })(asarray(1.0), asarray(1.0), asarray(1.0), asarray(1));
  CHECK(jq::detail::tangent_fixpoint(p.program, nullptr, {true, false, false, false}, 1, 3) == std::vector<char>{true, true, true, false});
  CHECK(jq::detail::tangent_fixpoint(p.program, nullptr, {false, false, true, false}, 1, 3) == std::vector<char>{false, false, true, false});
}
TEST_CASE("bodies: a linearized body returns its residuals after its outputs") {
  const auto p = jq::make_jaxpr([](const array& x) { return std::vector{lax::sin(x), x}; })(asarray(1.0));
  const auto lin = jq::detail::linearize_body(p.program, nullptr, {true});
  CHECK(lin.known->outvars.size() == 3);
  CHECK(lin.tangent_of == std::vector<int>{0, 1});
  CHECK(show(lin.tangents(std::vector{asarray(0.5)}, std::vector{asarray(4.0)})) == "f64[] 2, f64[] 4");
}
TEST_CASE("bodies: types as messages show them") {
  const jq::aval a(jq::f32, {2, 3}), b(jq::i32, {});
  CHECK(jq::detail::shaped_text(a).view() == "ShapedArray(float32[2,3])");
  CHECK(jq::detail::differences(std::vector{a, b}, std::vector{a, a}).view() ==
        "(ShapedArray(float32[2,3]), DIFFERENT ShapedArray(int32[]) vs. ShapedArray(float32[2,3]))");
}
TEST_CASE("bodies: weak types give way to those of the body") {
  std::vector<jq::aval> start{jq::aval(jq::f64, {}, true), jq::aval(jq::f64, {}), jq::aval(jq::f64, {}, true)};
  CHECK(jq::detail::promote_weak(start, std::vector{jq::aval(jq::f32, {}), jq::aval(jq::f32, {}), jq::aval(jq::i32, {})}));
  CHECK(start == std::vector{jq::aval(jq::f32, {}), jq::aval(jq::f64, {}), jq::aval(jq::f64, {}, true)});
}
