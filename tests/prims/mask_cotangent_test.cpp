// mask_cotangent: the identity, whose transpose forgets part of the cotangent.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
const array keep = lax::gt(make({1.0, -1.0, 1.0}), make({0.0, 0.0, 0.0}));
array held(const array& x) { return lax::mask_cotangent(x, keep); }
}  // namespace

TEST_CASE("mask_cotangent: is the identity") {
  CHECK_CLOSE(held(make({1.0, not_a_number, inf})), make({1.0, not_a_number, inf}), 0);
  CHECK(jq::table_of<jq::mask_cotangent_p>().identity);
}
TEST_CASE("mask_cotangent: tangents pass, cotangents only where they are kept, NaN among the others") {
  const array x = make({2.0, 3.0, 4.0}), t = make({1.0, 2.0, 3.0});
  CHECK_CLOSE(derivative(unary(held), {x}, {t}), t, 0);
  CHECK_CLOSE(cotangents(unary(held), {x}, make({5.0, not_a_number, 7.0}))[0], make({5.0, 0.0, 7.0}), 0);
}
TEST_CASE("mask_cotangent: batches of either operand") {
  const auto f = [](const arrays& x) { return lax::mask_cotangent(x[0], lax::gt(x[1], 0.0)); };
  check_batching(f, {make({1.0, 2.0, 3.0, 4.0}, {2, 2}), make({1.0, -1.0, -1.0, 1.0}, {2, 2})});
}
TEST_CASE("mask_cotangent: wrong operands") {
  CHECK_THROWS_WITH_AS(lax::mask_cotangent(make({1.0}), make({1.0})), doctest::Contains("mask_cotangent: got `keep` of dtype float64, wanted bool"),
                       jq::type_error);
  CHECK_THROWS_WITH_AS(lax::mask_cotangent(make({1.0}), keep), doctest::Contains("`keep` of shape (3,) for an operand of shape (1,)"),
                       jq::shape_error);
}
TEST_CASE("mask_cotangent: compiled programs drop it") {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr([](const array& x) { return lax::neg(held(x)); })(make({1.0, 2.0, 3.0})));
  CHECK(p->equations.size() == 1);
}
