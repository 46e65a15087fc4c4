// Eager evaluation: operations on concrete arrays outside every trace are computed at once.
#include "../../show.hpp"

using jq::array;

TEST_CASE("eager: results are concrete, operands stay as they are") {
  const array x = jq::asarray({1.f, 2.f});
  const array y = lax::add(lax::mul(x, x), x);
  CHECK(y.is_concrete());
  CHECK(show(y) == "f32[2] 2 6");
  CHECK(show(x) == "f32[2] 1 2");
}
TEST_CASE("eager: C++ numbers alone are computed too, and stay weak") {
  const array y = lax::add(array(1.0), array(2.0));
  CHECK(show(y) == "f64[] 3");
  CHECK(y.weak_type());
  CHECK_FALSE(lax::add(jq::asarray(1.0), array(2.0)).weak_type());
}
TEST_CASE("eager: errors name operation, operands and the user's line") {
  const auto run = [] { lax::add(jq::zeros({2}), jq::zeros({3})); };
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("add got incompatible shapes for broadcasting: (2,), (3,)."), jq::shape_error);
  CHECK_THROWS_WITH_AS(run(), doctest::Contains("eager_test.cpp:20]"), jq::shape_error);
}
TEST_CASE("eager: empty arrays and primitives without a kernel") {
  CHECK_THROWS_WITH_AS(lax::sin(array()), doctest::Contains("empty jq::array"), jq::type_error);
  static jq::primitive bare;
  bare.name = "bare";
  bare.abstract_eval = [](jq::inference& c) { c.outputs.push_back(c.in[0]); };
  const array in[] = {jq::asarray(1.f)};
  CHECK_THROWS_WITH_AS(jq::bind(bare, in, {}, jq::location::current()), doctest::Contains("Evaluation rule for 'bare' not implemented"),
                       jq::not_implemented);
}
TEST_CASE("eager: inside a trace operations are staged, eager() computes") {
  const auto p = jq::make_jaxpr([](const array& x) {
    const array made = lax::mul(jq::ones({2}), 2.f);
    CHECK(made.is_tracer());
    CHECK(jq::eager([] { return lax::mul(jq::ones({2}), 2.f); }).is_concrete());
    return x;
  })(array(1.0));
  CHECK(p->equations.size() == 2);
}
TEST_CASE("eager: multi-output primitives and calls") {
  const array keys = jq::asarray({0u, 0u});
  CHECK(show(jq::jit([](const array& k) { return std::tuple{k, k}; })(keys)) == "u32[2] 0 0, u32[2] 0 0");
}
