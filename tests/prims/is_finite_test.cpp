// is_finite: values, the dtype of the result, batching, all dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array is_finite_of(const array& x) { return lax::is_finite(x); }
}  // namespace

static_assert(jq::is_finite_p::apply(1e308) && !jq::is_finite_p::apply(jq::complex128(0, inf)));

TEST_CASE("is_finite: values") {
  const array x = make({-0.0, 1e308, inf, -inf, not_a_number});
  CHECK(values<bool>(is_finite_of(x)) == std::vector<bool>{true, true, false, false, false});
  const array z = make<jq::complex128>({{1, 2}, {1, inf}, {not_a_number, 0}});
  CHECK(values<bool>(is_finite_of(z)) == std::vector<bool>{true, false, false});
  CHECK(values<bool>(is_finite_of(make({jq::float16(65504.0f), jq::float16(70000.0f)}))) ==
        std::vector<bool>{true, false});
}
TEST_CASE("is_finite: dtypes, batching, no derivative") {
  check_dtypes(unary(is_finite_of), {make({1.0, 2.0})}, jq::inexact, [](jq::dtype) { return jq::bool_; });
  check_batching(unary(is_finite_of), {make({1.0, inf, 3.0})});
  const auto masked = [](const arrays& x) {
    return lax::mul(x[0], lax::convert_element_type(lax::is_finite(x[0]), jq::f64));
  };
  CHECK_CLOSE(derivative(masked, {make({2.0, 3.0})}, {make({1.0, 1.0})}), make({1.0, 1.0}), 0);
}
