// reduce_max and reduce_min: values, NaN, empty reductions, the derivative at ties, batching, all dtypes, errors.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
function max_over(const jq::int_list& axes) {
  return [axes](const arrays& x) { return lax::reduce_max(x[0], axes); };
}
function min_over(const jq::int_list& axes) {
  return [axes](const arrays& x) { return lax::reduce_min(x[0], axes); };
}
const array m = make({1.0, 5.0, 3.0, 4.0, 2.0, 6.0}, {2, 3});
}  // namespace

static_assert(kernel_result<jq::reduce_max_p, 2>(std::array<double, 4>{1, 3, 2, 4}, {2, 2}, {2},
                                                 jq::reduce_max_p::params{{0}}) == std::array<double, 2>{2, 4});
static_assert(kernel_result<jq::reduce_min_p, 1>(std::array<int, 3>{7, 4, 6}, {3}, {},
                                                 jq::reduce_min_p::params{{0}})[0] == 4);

TEST_CASE("reduce_max, reduce_min: values") {
  CHECK_CLOSE(max_over({0})({m}), make({4.0, 5.0, 6.0}), 0);
  CHECK_CLOSE(min_over({1})({m}), make({1.0, 2.0}), 0);
  CHECK_CLOSE(max_over({0, 1})({m}), scalar(6.0), 0);
  CHECK_CLOSE(max_over({0})({make({1.0, not_a_number, 3.0})}), scalar(not_a_number), 0);
  CHECK_CLOSE(min_over({0})({make({1.0, not_a_number, 3.0})}), scalar(not_a_number), 0);
  CHECK_CLOSE(max_over({0})({make({-inf, -inf})}), scalar(-inf), 0);
  CHECK_CLOSE(max_over({0})({make<std::uint64_t>({1, ~0ull, 2})}), scalar<std::uint64_t>(~0ull), 0);
  check_dtypes(max_over({0}), {make({1.0, -2.0, 3.0})}, jq::ordered);
  check_dtypes(min_over({0}), {make({1.0, -2.0, 3.0})}, jq::ordered);
}
TEST_CASE("reduce_max, reduce_min: empty reductions give the neutral element") {
  CHECK_CLOSE(max_over({0})({make<double>({}, {0, 1})}), make({-inf}), 0);
  CHECK_CLOSE(min_over({0})({make<float>({}, {0})}), scalar(float(inf)), 0);
  CHECK_CLOSE(max_over({0})({make<jq::float16>({}, {0})}), scalar(jq::float16(-inf)), 0);
  CHECK_CLOSE(max_over({0})({make<bool>({}, {0})}), scalar(false), 0);
  CHECK_CLOSE(max_over({0})({make<std::int64_t>({}, {0})}), scalar<std::int64_t>(INT64_MIN), 0);
  CHECK_CLOSE(max_over({0})({make<std::int8_t>({}, {0})}), scalar<std::int8_t>(-128), 0);
  CHECK_CLOSE(min_over({0})({make<std::uint16_t>({}, {0})}), scalar<std::uint16_t>(65535), 0);
}
TEST_CASE("reduce_max, reduce_min: the derivative is the mean over equal extremes") {
  const array x = make({3.0, 1.0, 3.0, 3.0});
  CHECK_CLOSE(cotangents(max_over({0}), {x}, scalar(6.0))[0], make({2.0, 0.0, 2.0, 2.0}), 1e-15);
  CHECK_CLOSE(derivative(max_over({0}), {x}, {make({1.0, 10.0, 2.0, 3.0})}), scalar(2.0), 1e-15);
  CHECK_CLOSE(cotangents(min_over({0}), {x}, scalar(6.0))[0], make({0.0, 6.0, 0.0, 0.0}), 0);
  for (const jq::int_list& axes : {jq::int_list{0}, jq::int_list{1}, jq::int_list{0, 1}}) {
    check_derivatives(max_over(axes), {m});
    check_derivatives(min_over(axes), {m});
    check_batching(max_over(axes), {m});
    check_batching(min_over(axes), {m});
  }
}
TEST_CASE("reduce_max, reduce_min: errors") {
  CHECK_THROWS_WITH_AS(max_over({-1})({m}), doctest::Contains("reduce_max: got axes (-1,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(min_over({0})({make<jq::complex64>({{1, 2}})}),
                       doctest::Contains("reduce_min does not accept dtype complex64"), jq::type_error);
}
