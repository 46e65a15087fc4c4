// reduce_window_sum, reduce_window_max and reduce_window_min: derivatives, batching, dtypes, both lanes. Values are in
// window_combination_test.cpp.
#include "reference.hpp"

using namespace prim_testing;

namespace {

const array x = lax::mul(0.1, sample({4, 5}));

constexpr auto peaks = [](auto v) { return lax::reduce_window_max(v, {2}, {2}); };
constexpr auto weighted = [](auto v) { return jq::sum(lax::reduce_window_max(v, {2}, {2}) * (jq::arange(2.0) + 1)); };
constexpr auto sums = [](auto v) { return jq::sum(lax::reduce_window_sum(v, {2}) * (jq::arange(3.0) + 1)); };
constexpr jq::tensor<double, 4> line{1, 3, 7, 5};
static_assert(jq::jit(peaks)(line) == jq::tensor<double, 2>{3, 7});
static_assert(jq::grad(weighted)(line) == jq::tensor<double, 4>{0, 1, 2, 0});
static_assert(jq::grad(sums)(line) == jq::tensor<double, 4>{1, 3, 5, 3});

}  // namespace

TEST_CASE("reductions over windows: derivatives, transposes and batching for all kinds of windows") {
  for (const jq::conv_padding& padding : {jq::conv_padding("SAME"), jq::conv_padding{{1, 0}, {2, 1}}, jq::conv_padding{{-1, 1}, {0, -1}}})
    for (const jq::int_list& strides : {jq::int_list{1, 1}, jq::int_list{2, 3}}) {
      const function sum = [=](const arrays& a) { return lax::reduce_window_sum(a[0], {2, 3}, strides, padding); };
      const function most = [=](const arrays& a) { return lax::reduce_window_max(a[0], {2, 3}, strides, padding); };
      check_derivatives(sum, {x});
      check_derivatives(most, {x});
      check_batching(sum, {x});
      check_batching(most, {x});
    }
  const function dilated = [](const arrays& a) { return lax::reduce_window_sum(a[0], {2, 2}, {1, 2}, {{1, 1}, {2, 0}}, {2, 1}, {1, 2}); };
  const function least = [](const arrays& a) { return lax::reduce_window_min(a[0], {2, 2}, {1, 2}, {{0, 1}, {1, 0}}, {2, 1}, {1, 2}); };
  check_derivatives(dilated, {x});
  check_derivatives(least, {x});
  check_batching(least, {x});
}
TEST_CASE("reductions over windows: NaN, windows of padding only, every dtype") {
  CHECK_CLOSE(lax::reduce_window_max(make({1.0, not_a_number, 2.0, 3.0}), {2}), make({not_a_number, not_a_number, 3.0}), 0);
  CHECK_CLOSE(lax::reduce_window_max(make({1.0}), {1}, {}, {{1, 0}}), make({-inf, 1.0}), 0);
  CHECK_CLOSE(lax::reduce_window_max(make<std::int8_t>({1}), {1}, {}, {{1, 0}}), make<std::int8_t>({-128, 1}), 0);
  CHECK_CLOSE(lax::reduce_window_min(make<std::uint8_t>({1}), {1}, {}, {{1, 0}}), make<std::uint8_t>({255, 1}), 0);
  const array v = make({1.5, 2.0, -3.0});
  check_dtypes([](const arrays& a) { return lax::reduce_window_sum(a[0], {2}); }, {v}, jq::numbers);
  check_dtypes([](const arrays& a) { return lax::reduce_window_max(a[0], {2}); }, {v}, jq::reals);
  check_dtypes([](const arrays& a) { return lax::reduce_window_min(a[0], {2}); }, {v}, jq::reals);
}
