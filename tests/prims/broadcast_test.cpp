// broadcast_in_dim and reduce_sum: values, empty arrays, accuracy, transposes of each other, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function to(const shape& dims, const jq::int_list& positions) {
  return [=](const arrays& x) { return lax::broadcast_in_dim(x[0], dims, positions); };
}
function sum_over(const jq::int_list& axes) {
  return [axes](const arrays& x) { return lax::reduce_sum(x[0], axes); };
}
const array m = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
const array row = make({1.0, 2.0, 3.0});
}  // namespace

static_assert(kernel_result<jq::reduce_sum_p, 2>(std::array<double, 4>{1, 2, 3, 4}, {2, 2}, {2},
                                                 jq::reduce_sum_p::params{{0}}) == std::array<double, 2>{4, 6});
static_assert(kernel_result<jq::broadcast_in_dim_p, 4>(std::array<int, 2>{1, 2}, {2}, {2, 2},
                                                       jq::broadcast_in_dim_p::params{{2, 2}, {0}}) ==
              std::array<int, 4>{1, 1, 2, 2});

TEST_CASE("broadcast_in_dim: values") {
  CHECK_CLOSE(to({2, 3}, {1})({row}), make({1.0, 2.0, 3.0, 1.0, 2.0, 3.0}, {2, 3}), 0);
  CHECK_CLOSE(to({3, 2}, {0})({row}), make({1.0, 1.0, 2.0, 2.0, 3.0, 3.0}, {3, 2}), 0);
  CHECK_CLOSE(to({2, 2}, {0, 1})({make({7, 8}, {2, 1})}), make({7, 7, 8, 8}, {2, 2}), 0);
  CHECK_CLOSE(to({2}, {})({scalar(true)}), make({true, true}), 0);
  CHECK(to({0, 3}, {1})({row}).shape() == shape{0, 3});
  CHECK(to({3}, {0})({row}).same_as(row));
  for (int i = 0; i < jq::dtype_count; ++i)
    CHECK_CLOSE(to({2, 2}, {1})({cast(make({1, 0}), jq::dtype(i))}), cast(make({1, 0, 1, 0}, {2, 2}), jq::dtype(i)), 0);
}
TEST_CASE("reduce_sum: values") {
  CHECK_CLOSE(sum_over({0})({m}), make({5.0, 7.0, 9.0}), 0);
  CHECK_CLOSE(sum_over({1})({m}), make({6.0, 15.0}), 0);
  CHECK_CLOSE(sum_over({1, 0})({m}), scalar(21.0), 0);
  CHECK_CLOSE(sum_over({0})({make<float>({}, {0, 2})}), make({0.0f, 0.0f}), 0);
  CHECK_CLOSE(sum_over({0})({make<std::int8_t>({100, 100})}), scalar<std::int8_t>(-56), 0);
  CHECK_CLOSE(sum_over({0})({make({1e8f, 1.0f, -1e8f})}), scalar(1.0f), 0);  // accumulated in f64
  CHECK_CLOSE(sum_over({0})({make({inf, -inf})}), scalar(not_a_number), 0);
  CHECK(sum_over({})({m}).same_as(m));
  check_dtypes(sum_over({0}), {make({1.5, 2.0, -3.0})}, jq::numbers);
}
TEST_CASE("broadcast_in_dim, reduce_sum: derivative and batching") {
  CHECK_CLOSE(cotangents(to({2, 3}, {1}), {row}, m)[0], make({5.0, 7.0, 9.0}), 0);
  CHECK_CLOSE(cotangents(sum_over({0}), {m}, row)[0], make({1.0, 2.0, 3.0, 1.0, 2.0, 3.0}, {2, 3}), 0);
  check_derivatives(to({2, 3}, {1}), {row});
  check_derivatives(to({2, 3, 4}, {0, 2}), {make({1.0, 2.0}, {2, 1})});
  check_derivatives(to({1, 3}, {0, 1}), {make({1.0}, {1, 1})});
  check_derivatives(to({2}, {}), {scalar(3.0)});
  check_batching(to({2, 3}, {1}), {row});
  check_batching(to({2, 2}, {}), {scalar(3.0)});
  for (const jq::int_list& axes : {jq::int_list{0}, jq::int_list{1}, jq::int_list{0, 1}}) {
    check_derivatives(sum_over(axes), {m});
    check_batching(sum_over(axes), {m});
  }
}
TEST_CASE("broadcast_in_dim, reduce_sum: errors") {
  using jq::shape_error;
  CHECK_THROWS_WITH_AS(to({2, 4}, {1})({row}),
                       doctest::Contains("operand dimension 0 of shape (3,) cannot become dimension 1 of shape (2, 4)"),
                       shape_error);
  CHECK_THROWS_WITH_AS(to({2, 3}, {})({row}), doctest::Contains("wanted one target dimension per operand dimension"),
                       shape_error);
  CHECK_THROWS_WITH_AS(to({3, 2}, {1, 0})({m}), doctest::Contains("must be increasing positions of the shape (3, 2)"),
                       shape_error);
  CHECK_THROWS_WITH_AS(to({-1}, {})({scalar(1.0)}), doctest::Contains("dimensions must not be negative"), shape_error);
  CHECK_THROWS_WITH_AS(sum_over({2})({m}),
                       doctest::Contains("reduce_sum: got axes (2,) for an operand of shape (2, 3)"), shape_error);
}
TEST_CASE("full and zeros") {
  CHECK_CLOSE(lax::full({2}, jq::literal(1.5f)), make({1.5f, 1.5f}), 0);
  CHECK_CLOSE(lax::zeros(jq::aval(jq::i8, {2})), make<std::int8_t>({0, 0}), 0);
  CHECK(lax::zeros(jq::aval(jq::c64, {})).dtype() == jq::c64);
}
