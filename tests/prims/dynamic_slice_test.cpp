// dynamic_slice and dynamic_update_slice: values at places in, across and beyond the bounds, derivatives, batching of any
// operands, all dtypes, the forms along one dimension, errors.
#include "reference.hpp"

#include <algorithm>

using namespace prim_testing;
using jq::int_list;

namespace {

/// Where a window starts: from the end if negative, then moved inside.
std::int64_t place(std::int64_t i, std::int64_t n, std::int64_t size) {
  if (i < 0) i += n;
  return std::max<std::int64_t>(0, std::min(i, n - size));
}
const std::pair<int, int> starts[] = {{0, 0}, {1, 2}, {3, 4}, {9, -1}, {-2, -9}, {-4, 100}};

}  // namespace

static_assert(constant_kernel<jq::dynamic_slice_p>({{2}}, {2}, {{3}, {1, 2, 3}}, {{}, {}, {-1}}) ==
              std::vector<double>{2, 3});
static_assert(constant_kernel<jq::dynamic_update_slice_p>({}, {3}, {{3}, {1, 2, 3}}, {{1}, {9}},
                                                          {{}, {}, {1}}) == std::vector<double>{1, 9, 3});

TEST_CASE("dynamic_slice: values, derivatives, batching") {
  const array x = sample({4, 5});
  table from(x);
  for (const auto& [i, j] : starts) {
    table want({2, 3});
    each(want.dims, [&, a = place(i, 4, 2), b = place(j, 5, 3)](const position& w) {
      want(w) = from({a + w[0], b + w[1]});
    });
    CHECK_CLOSE(lax::dynamic_slice(x, {i, j}, {2, 3}), want.get(), 0);
    CHECK_CLOSE(lax::dynamic_slice(x, {scalar(std::int8_t(i)), scalar(std::int64_t(j))}, {2, 3}), want.get(),
                0);
    const function f = [&](const arrays& z) { return lax::dynamic_slice(z[0], {z[1], z[2]}, {2, 3}); };
    check_derivatives(f, {x, scalar(i), scalar(j)});
    check_batching(f, {x, scalar(i), scalar(j)});
    check_moves(f, {x, scalar(i), scalar(j)});
  }
  CHECK_CLOSE(lax::dynamic_slice(x, {scalar(7u), 0}, {1, 5}), lax::slice(x, {3, 0}, {4, 5}), 0);
  CHECK(lax::dynamic_slice(x, {1, 1}, {0, 2}).shape() == shape{0, 2});
  CHECK_CLOSE(lax::dynamic_slice(scalar(2.0), {}, {}), scalar(2.0), 0);
  CHECK(lax::dynamic_slice(sample({0, 3}), {2, 1}, {0, 2}).shape() == shape{0, 2});
}
TEST_CASE("dynamic_update_slice: values, derivatives, batching") {
  const array x = sample({4, 5}), u = make({101., 102., 103., 104., 105., 106.}, {2, 3});
  for (const auto& [i, j] : starts) {
    table want(x), from(u);
    each(from.dims, [&, a = place(i, 4, 2), b = place(j, 5, 3)](const position& w) {
      want({a + w[0], b + w[1]}) = from(w);
    });
    CHECK_CLOSE(lax::dynamic_update_slice(x, u, {i, j}), want.get(), 0);
    const function f = [&](const arrays& z) { return lax::dynamic_update_slice(z[0], z[1], {z[2], z[3]}); };
    check_derivatives(f, {x, u, scalar(i), scalar(j)});
    check_batching(f, {x, u, scalar(i), scalar(j)});
    check_moves(f, {x, u, scalar(i), scalar(j)});
  }
  CHECK_CLOSE(lax::dynamic_update_slice(make<int>({1, 2, 3}), make<int>({9}), {1}), make<int>({1, 9, 3}), 0);
  CHECK_CLOSE(lax::dynamic_update_slice(scalar(2.f), 5.0, {}), scalar(5.f), 0);
}
TEST_CASE("dynamic_slice: gradient with respect to what is sliced") {
  const auto f = [](const array& x, const array& i) {
    return lax::reduce_sum(lax::mul(lax::dynamic_slice(x, {i}, {2}), lax::dynamic_slice(x, {i}, {2})), {0});
  };
  CHECK_CLOSE(jq::grad(f)(make({1., 2., 3., 4.}), scalar(1)), make({0., 4., 6., 0.}), 0);
}
TEST_CASE("dynamic slices along one dimension") {
  const array x = sample({4, 5});
  CHECK_CLOSE(lax::dynamic_slice_in_dim(x, 2, 2, 1), lax::slice(x, {0, 2}, {4, 4}), 0);
  CHECK_CLOSE(lax::dynamic_index_in_dim(x, scalar(3), 0), lax::reshape(lax::slice(x, {3, 0}, {4, 5}), {5}),
              0);
  const array row = make({1., 2., 3., 4., 5.});
  const array y = lax::dynamic_update_index_in_dim(x, row, scalar(1), 0);
  CHECK_CLOSE(lax::dynamic_index_in_dim(y, 1, 0), row, 0);
  CHECK_CLOSE(lax::dynamic_index_in_dim(y, 2, 0), lax::dynamic_index_in_dim(x, 2, 0), 0);
  CHECK_CLOSE(lax::dynamic_update_index_in_dim(make({1., 2.}), 7.0, 1, 0), make({1., 7.}), 0);
  CHECK_CLOSE(lax::dynamic_update_slice_in_dim(make({1., 2., 3.}), make({8., 9.}), 1, 0), make({1., 8., 9.}),
              0);
}
TEST_CASE("dynamic_slice: errors") {
  const array x = sample({4, 5});
  CHECK_THROWS_WITH_AS(
      lax::dynamic_slice(x, {0, 0}, {2, 6}),
      doctest::Contains(
          "dynamic_slice: got 2 indices and a window of shape (2, 6) for an operand of shape (4, 5)"),
      jq::shape_error);
  CHECK_THROWS_AS(lax::dynamic_slice(x, {0}, {2, 2}), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::dynamic_slice(x, {0.5, 0}, {2, 2}),
                       doctest::Contains("index arguments must be integers, got"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::dynamic_slice(x, {make<int>({1, 2}), 0}, {2, 2}),
                       doctest::Contains("index arguments must be scalars, got shape (2,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(lax::dynamic_update_slice(x, sample({2, 2}, jq::f32), {0, 0}),
                       doctest::Contains("an operand of dtype float64 and an update of dtype float32"),
                       jq::type_error);
  CHECK_THROWS_AS(lax::dynamic_update_slice(x, sample({5, 5}), {0, 0}), jq::shape_error);
}
