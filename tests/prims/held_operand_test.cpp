// Operands without derivatives: the error names the operation, the operand and the remedy, in a trace too.
#include "prim_testing.hpp"

using namespace prim_testing;

TEST_CASE("a tangent of a held operand is one clear error") {
  const auto f = [](const array& s) { return lax::zeta(s, 1.5); };
  CHECK_THROWS_WITH_AS(jq::grad(f)(scalar(2.0)), doctest::Contains("got a tangent of it; wanted none, pass it through jq::stop_gradient"), jq::not_implemented);
  CHECK_THROWS_AS(jq::jit(jq::grad(f))(scalar(2.0)), jq::not_implemented);
  CHECK_NOTHROW(jq::grad([](const array& s) { return lax::zeta(lax::stop_gradient(s), 1.5); })(scalar(2.0)));
}
