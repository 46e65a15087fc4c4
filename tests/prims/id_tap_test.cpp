// id_tap_p as a primitive: the identity with an effect. What users see of it is tested in tests/taps.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {
/// A tap of f's first operand with one untapped operand, as a jaxpr.
jq::closed_jaxpr tapped() {
  return jq::make_jaxpr([](const jq::array& x, const jq::array& r) {
    return jq::id_tap([](const jq::array&) {}, x, jq::result(r));
  })(jq::asarray(1.0f), jq::asarray({1, 2}));
}
}  // namespace

TEST_CASE("id_tap_p keeps the types of all operands and carries the tap effect") {
  const jq::closed_jaxpr p = tapped();
  REQUIRE(p->equations.size() == 1);
  const jq::equation& e = p->equations[0];
  CHECK(e.op == &jq::table_of<jq::id_tap_p>());
  CHECK(e.effects == jq::tap_effect);
  CHECK(p->effects == jq::tap_effect);
  CHECK(e.in.count == 2);
  CHECK(p->avals[p->outputs(e)[1]] == jq::aval(jq::i32, {2}));
  const jq::error_record problem = jq::check_jaxpr(*p);
  CHECK_FALSE(bool(problem));
}

TEST_CASE("more tapped operands than operands is an error") {
  const jq::array x = jq::asarray(1.0f);
  CHECK_THROWS_AS(jq::bind<jq::id_tap_p>({{}, 2, {}}, {}, x), jq::value_error);
}

TEST_CASE("equal taps are not merged, and a dead one is dropped only on request") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](const jq::array& x) {
    const auto show = [](const jq::array&) {};
    jq::id_tap(show, x);
    jq::id_tap(show, x);
    return x;
  })(jq::asarray(1.0f));
  CHECK(jq::simplify(p)->equations.size() == 2);
  CHECK(jq::simplify(p, jq::tap_effect)->equations.empty());
}
