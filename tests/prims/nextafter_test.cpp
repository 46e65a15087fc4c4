// nextafter: neighbours in each format, derivative, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array next_of(const array& x, const array& y) { return lax::nextafter(x, y); }
}  // namespace

static_assert(jq::nextafter_p::apply(0.0, 1.0) == 0x1p-1074 && jq::nextafter_p::apply(1.0f, 2.0f) == 1 + 0x1p-23f);

TEST_CASE("nextafter: neighbours in the format of the dtype") {
  CHECK_CLOSE(next_of(make({1.0, 1.0, 2.0}), make({2.0, 0.0, 2.0})), make({1 + 0x1p-52, 1 - 0x1p-53, 2.0}), 0);
  CHECK_CLOSE(cast(next_of(cast(make({1.0f}), jq::f16), cast(make({2.0f}), jq::f16)), jq::f32), make({1 + 0x1p-10f}), 0);
  CHECK_CLOSE(cast(next_of(cast(make({1.0f}), jq::bf16), cast(make({2.0f}), jq::bf16)), jq::f32), make({1 + 0x1p-7f}), 0);
  CHECK_CLOSE(jq::jit(next_of)(make({inf, not_a_number}), make({0.0, 0.0})), make({0x1.fffffffffffffp1023, not_a_number}), 0);
}
TEST_CASE("nextafter: derivative and batching") {
  check_derivatives(binary(next_of), {make({1.0, 2.0}), make({2.5, -1.0})});
  check_batching(binary(next_of), {make({1.0, 2.0}), make({2.5, -1.0})});
  CHECK_THROWS_WITH_AS(next_of(make({1}), make({2})), doctest::Contains("does not accept dtype"), jq::type_error);
}
