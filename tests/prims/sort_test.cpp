// sort: order of every dtype, several operands and keys, stability, derivatives, batching, errors.
#include <algorithm>
#include <cmath>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function along(std::int64_t dimension) {
  return [=](const arrays& x) { return lax::sort(x[0], dimension); };
}
arrays sorted(const arrays& x, std::int64_t dimension, std::int64_t keys) {
  const jq::array_list y = lax::sort(x, dimension, keys);
  return arrays(y.begin(), y.end());
}
const array m = make({3.0, 1.0, 2.0, -4.0, 6.0, 5.0}, {2, 3});
}  // namespace

static_assert(kernel_result<jq::sort_p, 4>(std::array<double, 4>{1, 3, 2, 4}, {2, 2}, {2, 2},
                                           jq::sort_p::params{1, true, 1}) == std::array<double, 4>{1, 3, 2, 4});

TEST_CASE("sort: values") {
  CHECK_CLOSE(along(1)({m}), make({1.0, 2.0, 3.0, -4.0, 5.0, 6.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0)({m}), make({-4.0, 1.0, 2.0, 3.0, 6.0, 5.0}, {2, 3}), 0);
  CHECK_CLOSE(along(0)({make({not_a_number, inf, -1.0, -inf, 1e-310})}), make({-inf, -1.0, 1e-310, inf, not_a_number}),
              0);
  CHECK_CLOSE(along(0)({make<std::uint64_t>({~0ull, 0, 1ull << 63})}), make<std::uint64_t>({0, 1ull << 63, ~0ull}), 0);
  CHECK_CLOSE(along(0)({make<std::int64_t>({INT64_MAX, INT64_MIN, -1, 0})}),
              make<std::int64_t>({INT64_MIN, -1, 0, INT64_MAX}), 0);
  CHECK_CLOSE(along(0)({make({true, false, true})}), make({false, true, true}), 0);
  CHECK_CLOSE(along(0)({make<jq::complex64>({{1, 2}, {1, -2}, {0, 5}})}),
              make<jq::complex64>({{0, 5}, {1, -2}, {1, 2}}), 0);
  CHECK_CLOSE(along(1)({make<int>({}, {2, 0})}), make<int>({}, {2, 0}), 0);
  for (int i = 1; i < jq::dtype_count; ++i)
    CHECK_CLOSE(along(0)({cast(make({3.0, 1.0, 2.0}), jq::dtype(i))}), cast(make({1.0, 2.0, 3.0}), jq::dtype(i)), 0);
}
TEST_CASE("sort: zeros of both signs are equal and keep their order") {
  const arrays y = sorted({make({0.0, -0.0, -1.0}), make({0, 1, 2})}, 0, 1);
  CHECK_CLOSE(y[1], make({2, 0, 1}), 0);
  CHECK(std::signbit(values<double>(y[0])[2]));
}
TEST_CASE("sort: rows of every short length keep the order of equal elements") {
  for (int n = 1; n < 20; ++n) {
    std::vector<int> x, places;
    for (int i = 0; i < 3 * n; ++i) x.push_back(i * 7919 % 104729 % 5 - 2), places.push_back(i % n);
    const auto rows = [&](const std::vector<int>& v) {
      const array r(jq::make_buffer(jq::aval(jq::i32, {3, n})));
      std::copy(v.begin(), v.end(), static_cast<int*>(r.as_buffer()->data));
      return r;
    };
    const arrays y = sorted({rows(x), rows(places)}, 1, 1);
    const auto order = values<int>(y[1]);
    for (int r = 0; r < 3; ++r) {
      std::vector<int> want(places.begin(), places.begin() + n);
      std::stable_sort(want.begin(), want.end(), [&](int a, int b) { return x[std::size_t(r * n + a)] < x[std::size_t(r * n + b)]; });
      for (int i = 0; i < n; ++i) CHECK(order[std::size_t(r * n + i)] == want[std::size_t(i)]);
    }
  }
}
TEST_CASE("sort: several operands, several keys") {
  arrays y = sorted({make({2, 1, 2, 1}), make({10.0, 20.0, 5.0, 30.0}), make({true, false, false, true})}, 0, 1);
  CHECK_CLOSE(y[0], make({1, 1, 2, 2}), 0);
  CHECK_CLOSE(y[1], make({20.0, 30.0, 10.0, 5.0}), 0);
  CHECK_CLOSE(y[2], make({false, true, true, false}), 0);
  y = sorted({make({2, 1, 2, 1}), make({10.0, 20.0, 5.0, 30.0})}, 0, 2);
  CHECK_CLOSE(y[1], make({20.0, 30.0, 5.0, 10.0}), 0);
}
TEST_CASE("sort: derivative") {
  const array x = make({3.0, 1.0, 2.0}), t = make({10.0, 20.0, 30.0});
  CHECK_CLOSE(derivative(along(0), {x}, {t}), make({20.0, 30.0, 10.0}), 0);
  CHECK_CLOSE(cotangents(along(0), {x}, t)[0], make({30.0, 10.0, 20.0}), 0);
  check_derivatives(along(0), {m});
  check_derivatives(along(1), {m});
  check_derivatives(along(1), {make({3.0, 1.0, 2.0, -4.0, 6.0, 5.0, 0.5, 0.25}, {2, 2, 2})});
  const auto carried = [](const arrays& z) { return lax::mul(sorted(z, 0, 1)[1], sorted(z, 0, 1)[0]); };
  check_derivatives(carried, {x, make({1.0, 5.0, 7.0})});
}
TEST_CASE("sort: batching") {
  check_batching(along(0), {m});
  check_batching(along(1), {m});
  check_batching([](const arrays& x) { return sorted(x, 0, 1); }, {make({2, 1, 2, 1}), make({10.0, 20.0, 5.0, 30.0})});
}
TEST_CASE("sort: errors") {
  CHECK_THROWS_WITH_AS(along(2)({m}), doctest::Contains("sort: dimension 2 is out of bounds for array of shape (2, 3)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(along(0)({scalar(1.0)}), doctest::Contains("sort: dimension 0 is out of bounds"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(sorted({m, make({1.0})}, 0, 1),
                       doctest::Contains("Arguments to sort must have equal shapes, got: (2, 3), (1,)"),
                       jq::shape_error);
  CHECK_THROWS_WITH_AS(sorted({m}, 0, 2),
                       doctest::Contains("num_keys=2 must be between 1 and the number of operands, 1"),
                       jq::value_error);
  CHECK_THROWS_WITH_AS(sorted({}, 0, 1), doctest::Contains("Sort requires at least one operand"), jq::type_error);
}
