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
  for (const jq::dtype t : {jq::f64, jq::f32, jq::i64, jq::u64, jq::i32, jq::u32, jq::i16}) {
    const array a = cast(jq::asarray(x, shape{40, 75}), t), turned = jq::transpose(a);
    for (const bool reverse : {false, true}) {
      CHECK_CLOSE(largest(0, reverse)({a}), jq::transpose(largest(1, reverse)({turned})), 0);
      CHECK_CLOSE(smallest(0, reverse)({a}), jq::transpose(smallest(1, reverse)({turned})), 0);
    }
  }
}
TEST_CASE("cummax and cummin: matrices one after the other, too large to be kept near, and columns that are no whole vectors") {
  for (const shape& dims : {shape{3, 20, 17}, shape{2, 300, 1000}, shape{5, 1, 33}, shape{1, 7, 5}, shape{0, 4, 40}}) {
    std::vector<float> x(std::size_t(dims.elements()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i * 7919 % 1009);
    const array a = jq::asarray(std::span<const float>(x), dims), up = largest(1, false)({a}), down = smallest(1, true)({a});
    const std::int64_t n = dims[1], columns = dims[2];
    for (std::int64_t i = 0; i < dims.elements(); ++i) {
      const std::int64_t row = i / columns % n;
      const float before = row == 0 ? x[std::size_t(i)] : up.data<float>()[std::size_t(i - columns)];
      const float behind = row == n - 1 ? x[std::size_t(i)] : down.data<float>()[std::size_t(i + columns)];
      if (up.data<float>()[std::size_t(i)] != std::max(before, x[std::size_t(i)])) FAIL_CHECK("largest so far, element ", i);
      if (down.data<float>()[std::size_t(i)] != std::min(behind, x[std::size_t(i)])) FAIL_CHECK("smallest from the end, element ", i);
    }
  }
}
#if defined(__x86_64__)
TEST_CASE("cummax and cummin: vectors of every size give the same, in place too") {
  if (!jq::detail::has_widest_vectors()) return;
  constexpr std::int64_t n = 9, step = 16;
  std::vector<float> x(n * step), narrow(x.size()), wide(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 13 == 5 ? float(not_a_number) : i % 11 == 3 ? -0.0f : i % 11 == 7 ? 0.0f : float(i * 37 % 19) - 9;
  jq::detail::running_extremes<false, 2>(std::integral_constant<int, 32>(), x.data(), n, step, narrow.data());
  jq::detail::running_extremes<false, 1>(std::integral_constant<int, 64>(), x.data(), n, step, wide.data());
  CHECK(std::memcmp(narrow.data(), wide.data(), x.size() * sizeof(float)) == 0);
  jq::detail::running_extremes<false, 1>(std::integral_constant<int, 64>(), x.data(), n, step, x.data());
  CHECK(std::memcmp(x.data(), wide.data(), x.size() * sizeof(float)) == 0);
}
#endif
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
