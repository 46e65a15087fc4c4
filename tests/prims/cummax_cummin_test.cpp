// cummax and cummin: values with NaN and infinities, derivatives with ties, batching, dtypes, both lanes.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function largest(std::int64_t axis, bool reverse) {
  return [=](const arrays& x) { return lax::cummax(x[0], axis, reverse); };
}
function smallest(std::int64_t axis, bool reverse) {
  return [=](const arrays& x) { return lax::cummin(x[0], axis, reverse); };
}
const array m = make({1.0, 3.0, 2.0, -4.0, -5.0, 6.0}, {2, 3});

constexpr auto peaks = [](auto x) { return jq::sum(lax::cummax(x, 0)); };
static_assert(jq::jit(peaks)(jq::tensor<double, 4>{1, 3, 2, 5}) == 12);
static_assert(jq::grad(peaks)(jq::tensor<double, 4>{1, 3, 2, 5}) == jq::tensor<double, 4>{1, 2, 0, 1});
}  // namespace

TEST_CASE("cummax and cummin: values") {
  CHECK_CLOSE(largest(1, false)({m}), make({1.0, 3.0, 3.0, -4.0, -4.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(largest(1, true)({m}), make({3.0, 3.0, 2.0, 6.0, 6.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(smallest(1, false)({m}), make({1.0, 1.0, 1.0, -4.0, -5.0, -5.0}, {2, 3}), 0);
  CHECK_CLOSE(smallest(0, true)({m}), make({-4.0, -5.0, 2.0, -4.0, -5.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(largest(0, false)({make({-inf, 1.0, not_a_number, 2.0})}), make({-inf, 1.0, not_a_number, not_a_number}), 0);
  CHECK_CLOSE(largest(0, false)({make({false, true, false})}), make({false, true, true}), 0);
  check_dtypes(largest(0, false), {make({1.5, 2.0, -3.0})}, jq::ordered);
  check_dtypes(smallest(0, true), {make({1.5, 2.0, -3.0})}, jq::ordered);
}
TEST_CASE("cummax and cummin: columns beside each other are what rows are") {
  std::vector<double> x;
  for (int i = 0; i < 40 * 75; ++i) x.push_back(i % 101 == 0 ? not_a_number : i % 7 == 0 ? -0.0 : i % 5 == 0 ? 0.0 : i % 211 == 0 ? inf : double(i * 7919 % 1000) - 500 + i % 40);
  for (const jq::dtype t : {jq::f64, jq::f32, jq::i64, jq::i16}) {
    const array a = cast(jq::asarray(x, shape{40, 75}), t), turned = jq::transpose(a);
    for (const bool reverse : {false, true}) {
      CHECK_CLOSE(largest(0, reverse)({a}), jq::transpose(largest(1, reverse)({turned})), 0);
      CHECK_CLOSE(smallest(0, reverse)({a}), jq::transpose(smallest(1, reverse)({turned})), 0);
    }
  }
}
TEST_CASE("cummax and cummin: derivatives, equal elements share") {
  const array ones = make({1.0, 1.0, 1.0});
  CHECK_CLOSE(cotangents(largest(0, false), {make({2.0, 2.0, 1.0})}, ones)[0], make({2.0, 1.0, 0.0}), 0);
  CHECK_CLOSE(cotangents(smallest(0, false), {make({2.0, 3.0, 1.0})}, ones)[0], make({2.0, 0.0, 1.0}), 0);
  CHECK_CLOSE(cotangents(largest(0, false), {make({-inf, -inf, 0.0})}, ones)[0], make({1.5, 0.5, 1.0}), 0);
  for (const std::int64_t axis : {0, 1})
    for (const bool reverse : {false, true}) {
      check_derivatives(largest(axis, reverse), {m});
      check_derivatives(smallest(axis, reverse), {m});
      check_batching(largest(axis, reverse), {m});
      check_batching(smallest(axis, reverse), {m});
    }
}
