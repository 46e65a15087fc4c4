// stop_gradient: the identity with derivative 0 in both modes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array held(const array& x) { return lax::stop_gradient(x); }
}  // namespace

TEST_CASE("stop_gradient: is the identity") {
  check_dtypes(unary(held), {make({-1.0, 0.0, 2.0})}, jq::any_type);
  CHECK_CLOSE(held(make({-0.0, inf, not_a_number})), make({-0.0, inf, not_a_number}), 0);
  CHECK(held(make<int>({}, {0, 2})).shape() == shape{0, 2});
  CHECK(jq::table_of<jq::stop_gradient_p>().identity);
  check_batching(unary(held), {make({1.0, 2.0, 3.0, 4.0}, {2, 2})});
}
TEST_CASE("stop_gradient: hides its operand from differentiation") {
  const auto f = [](const arrays& x) { return lax::mul(x[0], lax::stop_gradient(lax::mul(x[0], x[0]))); };
  const array x = make({2.0, -3.0}), one = make({1.0, 1.0});
  CHECK_CLOSE(derivative(f, {x}, {one}), make({4.0, 9.0}), 0);
  CHECK_CLOSE(cotangents(f, {x}, one)[0], make({4.0, 9.0}), 0);
  CHECK_CLOSE(cotangents(unary(held), {x}, one)[0], make({0.0, 0.0}), 0);
}
