// floor, ceil and round: values, signed zeros, halfway cases, no derivative, batching, all dtypes.
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array floor_of(const array& x) { return lax::floor(x); }
array ceil_of(const array& x) { return lax::ceil(x); }
array round_of(const array& x) { return lax::round(x); }
}  // namespace

static_assert(jq::floor_p::apply(-0.5) == -1 && jq::ceil_p::apply(0.5) == 1 && jq::round_p::apply(2.5) == 3);

TEST_CASE("floor, ceil, round: values") {
  const array x = make(
      {-2.5, -1.5, -0.5, -0.0, 0.49999999999999994, 0.5, 1.5, 2.5, 4503599627370497.5, 1e300, inf, -inf, not_a_number});
  CHECK_CLOSE(floor_of(x), map_real(x, [](double v) { return std::floor(v); }), 0);
  CHECK_CLOSE(ceil_of(x), map_real(x, [](double v) { return std::ceil(v); }), 0);
  CHECK_CLOSE(round_of(x), map_real(x, [](double v) { return std::round(v); }), 0);
  CHECK_CLOSE(round_of(make({2.5f, -2.5f, 3.5f})), make({3.0f, -3.0f, 4.0f}), 0);
  CHECK(std::signbit(ceil_of(scalar(-0.5)).item<double>()));
  CHECK(round_of(make<double>({}, {2, 0})).shape() == shape{2, 0});
  for (const auto& f : {floor_of, ceil_of, round_of}) check_dtypes(unary(f), {make({-1.75, 0.5, 2.25})}, jq::floats);
}
TEST_CASE("floor, ceil, round: derivative and batching") {
  const array x = make({-1.5, 0.25, 2.0});
  for (const auto& f : {floor_of, ceil_of, round_of}) {
    CHECK_CLOSE(derivative(unary(f), {x}, {x}), make({0.0, 0.0, 0.0}), 0);
    CHECK_CLOSE(cotangents(unary(f), {x}, x)[0], make({0.0, 0.0, 0.0}), 0);
    check_batching(unary(f), {make({0.5, 1.5, 2.5, -3.5}, {2, 2})});
  }
}
