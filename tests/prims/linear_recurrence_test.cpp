// linear_recurrence: values against a loop, both derivatives and the transpose, batching, dtypes, both lanes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function along(std::int64_t axis, bool reverse) {
  return [=](const arrays& x) { return lax::linear_recurrence(x[0], x[1], axis, reverse); };
}
const array a = make({0.5, -1.0, 0.0, 2.0, 0.25, 3.0}, {2, 3}), b = make({1.0, 2.0, 3.0, -4.0, 5.0, -6.0}, {2, 3});

constexpr auto decay = [](auto x, auto y) { return lax::linear_recurrence(x, y, 0); };
constexpr auto last = [](auto x, auto y) { return lax::linear_recurrence(x, y, 0)(2); };
constexpr jq::tensor<double, 3> rate{2, 0.5, 3}, gain{1, 2, 4};
static_assert(jq::jit(decay)(rate, gain) == jq::tensor<double, 3>{1, 2.5, 11.5});
static_assert(jq::grad(last)(rate, gain) == jq::tensor<double, 3>{0, 3, 2.5});
static_assert(jq::grad(last, jq::argnums<1>)(rate, gain) == jq::tensor<double, 3>{1.5, 3, 1});
}  // namespace

TEST_CASE("linear_recurrence: values") {
  CHECK_CLOSE(along(1, false)({a, b}), make({1.0, 1.0, 3.0, -4.0, 4.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(along(1, true)({a, b}), make({0.5, -1.0, 3.0, 3.0, 3.5, -6.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0, false)({a, b}), make({1.0, 2.0, 3.0, -2.0, 5.5, 3.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0, false)({make({not_a_number, 0.0}), make({1.0, 2.0})}), make({1.0, 2.0}), 0);  // the first factor has no effect
  CHECK_CLOSE(along(0, false)({make<float>({}, {0}), make<float>({}, {0})}), make<float>({}, {0}), 0);
  check_dtypes(along(0, false), {make({1.0, 2.0, -3.0}), make({2.0, 1.0, 1.5})}, jq::numbers);
}
TEST_CASE("linear_recurrence: a discounted sum is its closed form") {
  const array y = lax::linear_recurrence(lax::full(shape{10}, jq::literal(0.5)), lax::full(shape{10}, jq::literal(1.0)), 0);
  double want = 0;
  for (int i = 0; i < 10; ++i) {
    want = 2 - std::pow(0.5, i);
    CHECK(values<double>(y)[std::size_t(i)] == want);
  }
}
TEST_CASE("linear_recurrence: derivatives and batching") {
  for (const std::int64_t axis : {0, 1})
    for (const bool reverse : {false, true}) {
      check_derivatives(along(axis, reverse), {a, b});
      check_batching(along(axis, reverse), {a, b});
    }
}
TEST_CASE("linear_recurrence: errors") {
  CHECK_THROWS_WITH_AS(along(2, false)({a, b}), doctest::Contains("linear_recurrence: axis 2 is out of bounds for array of shape (2, 3)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(along(0, false)({a, make({1.0})}), doctest::Contains("got arguments of shapes (2, 3) and (1,), wanted equal ones"), jq::shape_error);
  CHECK_THROWS_WITH_AS(along(0, false)({a, cast(b, jq::f32)}), doctest::Contains("requires arguments to have the same dtypes, got float64, float32"),
                       jq::type_error);
}
