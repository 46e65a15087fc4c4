// top_k: against sorting for every k, ties, NaN, derivative, batching, dtypes, both lanes, errors.
#include <algorithm>

#include "reference.hpp"

using namespace prim_testing;

namespace {
function largest(std::int64_t k) {
  return [=](const arrays& x) { return lax::top_k(x[0], k)[0]; };
}
array places(const array& x, std::int64_t k) { return lax::top_k(x, k)[1]; }
const array m = make({1.0, 3.0, 2.0, -4.0, -5.0, 6.0}, {2, 3});

constexpr auto best = [](auto x) { return jq::sum(lax::top_k(x, 2)[0] * jq::asarray(jq::arange(2.0) + 1)); };
static_assert(jq::jit(best)(jq::tensor<double, 4>{1, 3, 2, 5}) == 5 + 2 * 3);
static_assert(jq::grad(best)(jq::tensor<double, 4>{1, 3, 2, 5}) == jq::tensor<double, 4>{0, 2, 0, 1});
constexpr auto where_best = [](auto x) { return lax::top_k(x, 2)[1]; };
static_assert(jq::jit(where_best)(jq::tensor<float, 4>{1, 3, 2, 5}) == jq::tensor<std::int64_t, 2>{3, 1});
}  // namespace

TEST_CASE("top_k: values and places") {
  CHECK_CLOSE(largest(2)({m}), make({3.0, 2.0, 6.0, -4.0}, {2, 2}), 0);
  CHECK_CLOSE(places(m, 2), make<std::int64_t>({1, 2, 2, 0}, {2, 2}), 0);
  CHECK_CLOSE(places(make({2.0, 3.0, 3.0, 2.0, 3.0}), 4), make<std::int64_t>({1, 2, 4, 0}), 0);
  CHECK_CLOSE(places(make({1.0, not_a_number, inf, -0.0, 0.0}), 5), make<std::int64_t>({1, 2, 0, 3, 4}), 0);
  CHECK_CLOSE(largest(1)({make({false, true})}), make({true}), 0);
  CHECK_CLOSE(largest(0)({m}), make<double>({}, {2, 0}), 0);
  check_dtypes(largest(2), {make({1.5, 2.0, -3.0})}, jq::ordered);
}
TEST_CASE("top_k: every k gives what sorting gives") {
  const array x = sample({3, 41});
  const array ascending = lax::sort(x, 1);
  for (std::int64_t k = 0; k <= 41; ++k) CHECK_CLOSE(largest(k)({x}), lax::rev(lax::slice(ascending, {0, 41 - k}, {3, 41}), {1}), 0);
}
TEST_CASE("top_k: of equal elements the first ones, among NaN and infinities, for few and for many") {
  std::vector<double> row;
  for (int i = 0; i < 90; ++i) row.push_back(i % 13 == 5 ? not_a_number : i % 17 == 3 ? inf : i % 19 == 2 ? -inf : i % 7 == 0 ? -0.0 : double(i * 29 % 11));
  const auto before = [&](std::int64_t a, std::int64_t b) {
    const double x = row[std::size_t(a)], y = row[std::size_t(b)];
    return std::isnan(x) ? !std::isnan(y) : !std::isnan(y) && x > y;
  };
  std::vector<std::int64_t> order(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) order[i] = std::int64_t(i);
  std::stable_sort(order.begin(), order.end(), before);
  for (const std::int64_t k : {1, 7, 8, 15, 16, 17, 40, 90})
    CHECK_CLOSE(places(jq::asarray(row), k), jq::asarray(std::vector<std::int64_t>(order.begin(), order.begin() + k)), 0);
}
TEST_CASE("top_k: derivative and batching") {
  CHECK_CLOSE(cotangents(largest(2), {m}, make({1.0, 2.0, 3.0, 4.0}, {2, 2}))[0], make({0.0, 1.0, 2.0, 4.0, 0.0, 3.0}, {2, 3}), 0);
  check_derivatives(largest(2), {m});
  check_batching([](const arrays& x) {
    const jq::array_list y = lax::top_k(x[0], 2);
    return arrays(y.begin(), y.end());
  }, {m});
}
TEST_CASE("top_k: errors") {
  CHECK_THROWS_WITH_AS(largest(4)({m}), doctest::Contains("top_k: got k 4 for an operand of shape (2, 3); wanted one in [0, 3]"), jq::value_error);
  CHECK_THROWS_WITH_AS(largest(-1)({m}), doctest::Contains("got k -1"), jq::value_error);
  CHECK_THROWS_WITH_AS(largest(0)({scalar(1.0)}), doctest::Contains("got a scalar"), jq::shape_error);
}
