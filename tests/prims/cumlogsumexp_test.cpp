// cumlogsumexp: against the logarithm of running sums, where those overflow, infinities, derivatives, batching, dtypes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function along(std::int64_t axis, bool reverse) {
  return [=](const arrays& x) { return lax::cumlogsumexp(x[0], axis, reverse); };
}
const array m = make({1.0, 3.0, 2.0, -4.0, -5.0, 6.0}, {2, 3});
}  // namespace

static_assert(kernel_result<jq::cumlogsumexp_p, 2>(std::array<double, 2>{0, 0}, {2}, {2}, jq::cumlogsumexp_p::params{0, false})[0] == 0);

TEST_CASE("cumlogsumexp: values") {
  for (const std::int64_t axis : {0, 1})
    for (const bool reverse : {false, true}) CHECK_CLOSE(along(axis, reverse)({m}), lax::log(lax::cumsum(lax::exp(m), axis, reverse)), 1e-14);
  const double ln2 = std::log(2.0), ln3 = std::log(3.0);
  CHECK_CLOSE(along(0, false)({make({1000.0, 1000.0, 1000.0})}), make({1000.0, 1000 + ln2, 1000 + ln3}), 1e-15);
  CHECK_CLOSE(along(0, false)({make({-1000.0, 0.0, 1000.0})}), make({-1000.0, 0.0, 1000.0}), 1e-15);
  CHECK_CLOSE(along(0, false)({make({-inf, -inf, 1.0, inf, 2.0})}), make({-inf, -inf, 1.0, inf, inf}), 0);
  CHECK_CLOSE(along(0, false)({make({1.0, not_a_number, 2.0})}), make({1.0, not_a_number, not_a_number}), 0);
  check_dtypes(along(0, false), {make({1.5, 2.0, -3.0})}, jq::floats);
}
TEST_CASE("cumlogsumexp: the derivative is a softmax, far from zero and beside -inf too") {
  const auto gradient = [](const array& x) { return cotangents(along(0, false), {x}, make({0.0, 0.0, 1.0}))[0]; };
  const double e = std::exp(1.0), total = 1 + e + e * e;
  CHECK_CLOSE(gradient(make({1000.0, 1001.0, 1002.0})), make({1 / total, e / total, e * e / total}), 1e-12);  // 1000 has an ulp of 1e-13
  CHECK_CLOSE(gradient(make({-inf, 0.0, -inf})), make({0.0, 1.0, 0.0}), 0);
  for (const std::int64_t axis : {0, 1})
    for (const bool reverse : {false, true}) {
      check_derivatives(along(axis, reverse), {m});
      check_batching(along(axis, reverse), {m});
    }
}
