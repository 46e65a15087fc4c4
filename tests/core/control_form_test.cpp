// What primitives that hold programs say of themselves: loops, choices and calls. Oracle: the order of operands in their documentation.
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/control/branches.hpp>
#include <jacquard/control/loops.hpp>
#include <jacquard/numpy/operators.hpp>
#include <jacquard/transforms/transforms.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::array;
using kind = jq::control_form::kind;

namespace {

template <class F, class... A>
jq::control_form form_of(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x...);
  for (const jq::equation& e : p->equations)
    if (e.op->place) return e.op->control(p->params(e));
  FAIL("no equation holds programs");
  return {};
}

}  // namespace

TEST_CASE("a scan is a counted loop of its constants, carries and trips") {
  const jq::control_form f = form_of([](const array& k, const array& c, const array& x) {
    return jq::lax::scan([&](const array& s, const array& e) { return std::pair{s * k + e, s}; }, c, x, {.reverse = true});
  }, array(2.0), array(1.0), jq::zeros({7}, jq::f64));
  CHECK(f.is == kind::counted_loop);
  CHECK(f.of_body == 1);
  CHECK(f.carries == 1);
  CHECK(f.trips == 7);
  CHECK(f.reverse);
  CHECK(f.scratch == 0);  // carries have room beside it
  CHECK((!f.stacks_operand(1) && f.stacks_operand(2)));
  CHECK((!f.stacks_result(0) && f.stacks_result(1)));
  CHECK(f.runs(0));
}
TEST_CASE("a while loop is a conditional loop, with room for what the condition says") {
  const jq::control_form f = form_of([](const array& a, const array& b, const array& c) {
    return jq::lax::while_loop([&](const array& s) { return s < a; }, [&](const array& s) { return s * b; }, c);
  }, array(100.0), array(2.0), array(1.0));
  CHECK(f.is == kind::conditional_loop);
  CHECK(f.of_condition == 1);
  CHECK(f.of_body == 1);
  CHECK(f.carries == 1);
  CHECK(f.scratch == 64);
  CHECK((!f.stacks_operand(3) && !f.stacks_result(0)));
}
TEST_CASE("a cond is a choice") {
  const jq::control_form f = form_of([](const array& a) {
    return jq::lax::cond(a > 0, [](const array& s) { return s + 1.0; }, [](const array& s) { return s * 2.0; }, a);
  }, array(1.0));
  CHECK(f.is == kind::choice);
  CHECK(f.scratch == 0);
}
