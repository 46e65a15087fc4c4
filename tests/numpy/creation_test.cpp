// Making arrays: dtypes and shapes of C++ values, ranges, identity matrices, conversion; errors.
#include "numpy_testing.hpp"

#include <array>

static_assert(traced([](array x) { return x + jq::ones({3}) * jq::arange(3, jq::f32) + jq::eye(3) + jq::full({3}, 2.0f); }, {3}) > 0);
static_assert(traced([](array x) { return x + jq::linspace(0, 1, 3, jq::f32) + jq::arange(0, 3, 1, jq::f32) + jq::zeros_like(x); },
                     {3}) > 0);
static_assert(traced([](array x) { return x.astype(jq::i32); }, {3}) == 1);
static_assert(traced([](array x) { return x + jq::arange(0, 3, 0, jq::f32); }, {3}) == -1);

TEST_CASE("asarray keeps the C++ type") {
  CHECK(show(asarray({1.f, 2.f})) == "f32[2] 1 2");
  CHECK(show(asarray({1, 2})) == "i32[2] 1 2");
  CHECK(show(asarray({true, false})) == "bool[2] 1 0");
  CHECK(show(asarray({{1.0, 2.0}, {3.0, 4.0}})) == "f64[2,2] 1 2 3 4");
  CHECK(asarray({{{1, 2}}, {{3, 4}}}).shape() == jq::shape{2, 1, 2});
  CHECK(show(asarray(std::vector<std::uint8_t>{1, 255})) == "u8[2] 1 255");
  CHECK(show(asarray(std::array<float, 2>{1, 2})) == "f32[2] 1 2");
  CHECK(show(asarray(2.5)) == "f64[] 2.5");
  CHECK(!asarray(2.5).weak_type());
  CHECK(array(2.5).weak_type());
  const std::vector<double> six{1, 2, 3, 4, 5, 6};
  CHECK(asarray(std::span<const double>(six), {2, 3}).shape() == jq::shape{2, 3});
  float four[] = {1, 2, 3, 4};
  const std::array<jq::float16, 2> halves{jq::float16(1.f), jq::float16(2.f)};
  CHECK(show(asarray(std::span(four), {2, 2})) == "f32[2,2] 1 2 3 4");
  CHECK(show(asarray(std::span(halves), {2})) == "f16[2] 1 2");
  const std::span<const double> two = std::span(six).first(2);
  CHECK(show(asarray(two)) == "f64[2] 1 2");
  CHECK(show(asarray(std::span(four))) == "f32[4] 1 2 3 4");
  CHECK(asarray(six, {3, 2}).shape() == jq::shape{3, 2});
  // Braces that begin with 0, or hold nothing, are dimensions too.
  CHECK(asarray(std::span<const double>(), {0, 3}).shape() == jq::shape{0, 3});
  CHECK(asarray(std::span<double>(), {0}).shape() == jq::shape{0});
  CHECK(show(asarray(std::span(four, 1), {})) == "f32[] 1");
  CHECK(asarray(std::span<float, 0>(), {0, 2, 1}).shape() == jq::shape{0, 2, 1});
  CHECK_ERROR(jq::shape_error, asarray(six, {4}), "asarray", "6 values", "(4,)", "wanted 4");
  CHECK_ERROR(jq::shape_error, asarray({{1, 2}, {3}}), "asarray", "2 and 1", "equal lengths");
}
TEST_CASE("asarray copies, borrow does not") {
  std::vector<double> v{1, 2};
  const array copy = asarray(v), view = jq::borrow(v);
  v[0] = 7;
  CHECK(show(copy) == "f64[2] 1 2");
  CHECK(show(view) == "f64[2] 7 2");
}
TEST_CASE("filled arrays") {
  CHECK(show(jq::zeros({2})) == "f32[2] 0 0");
  CHECK(show(jq::ones({2}, jq::bool_)) == "bool[2] 1 1");
  CHECK(show(jq::full({2}, 7)) == "i32[2] 7 7");
  CHECK(show(jq::full({2}, 7, jq::c64)) == "c64[2] 7+0i 7+0i");
  CHECK(show(jq::full({2, 2}, asarray({1, 2}))) == "i32[2,2] 1 2 1 2");
  CHECK(show(jq::zeros_like(asarray({1, 2}))) == "i32[2] 0 0");
  CHECK(show(jq::ones_like(2.0)) == "f64[] 1");
  CHECK(show(jq::full_like(asarray({1.f}), 3)) == "f32[1] 3");
  CHECK(!jq::zeros({2}).weak_type());
  CHECK_ERROR(jq::shape_error, jq::full({2, -1}, 3.0), "full", "(2, -1)", "non-negative");
  CHECK_ERROR(jq::shape_error, jq::ones({1, 1, 1, 1, 1, 1, 1, 1, 1}), "ones", "at most 8");
}
TEST_CASE("ranges") {
  CHECK(show(jq::arange(3)) == "i64[3] 0 1 2");
  CHECK(show(jq::arange(-3)) == "i64[0]");
  CHECK(show(jq::arange(2.5)) == "f64[3] 0 1 2");
  CHECK(show(jq::arange(2.f)) == "f32[2] 0 1");
  CHECK(show(jq::arange(2, 5)) == "i64[3] 2 3 4");
  CHECK(show(jq::arange(5, 0, -2)) == "i64[3] 5 3 1");
  CHECK(show(jq::arange(3, 0)) == "i64[0]");
  CHECK(show(jq::arange(0, 2, 0.5f)) == "f32[4] 0 0.5 1 1.5");
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  CHECK(show(jq::arange(-largest, largest, largest)) == "i64[2] -9.2234e+18 0");
  CHECK(show(jq::arange(1, 2, 0.25)) == "f64[4] 1 1.25 1.5 1.75");
  CHECK(show(jq::arange(3, 0, -1, jq::i32)) == "i32[3] 3 2 1");
  CHECK(show(jq::linspace(0, 1, 5)) == "f64[5] 0 0.25 0.5 0.75 1");
  CHECK(show(jq::linspace(2, 3, 1)) == "f64[1] 2");
  CHECK(jq::linspace(2, 3, 0).shape() == jq::shape{0});
  CHECK_ERROR(jq::value_error, jq::linspace(0, 1, -1), "linspace", "-1 values");
  CHECK(show(jq::linspace(0, 1, 3, {})) == "f64[3] 0 0.5 1");
  CHECK(show(jq::linspace(0, 1, 3, jq::f32)) == "f32[3] 0 0.5 1");
  CHECK(jq::linspace(0.1, 0.7, 7)[-1].item<double>() == 0.7);
  // Integers are floors, as in numpy, of start + i step; however they are computed.
  const auto agree = [](auto f) { return show(f()) == show(jq::jit(f)()) && show(f()) == show(jq::jit(f, jq::backend("interpreter"))()); };
  for (int n : {2, 11, 50, 1000}) {
    INFO(n);
    CHECK(jq::array_equal(jq::linspace(0, n - 1, n, jq::i64), jq::arange(n)).item<bool>());
    CHECK(jq::array_equal(jq::linspace(n - 1, 0, n, jq::i64), jq::arange(n - 1, -1, -1)).item<bool>());
    CHECK(agree([n] { return jq::linspace(-7, 13, n, jq::i32); }));
  }
  CHECK(show(jq::linspace(-1, 1, 4, jq::i32)) == "i32[4] -1 -1 0 1");
  CHECK(show(jq::linspace(-0.5, 3.7, 1, jq::i64)) == "i64[1] -1");
  CHECK(show(jq::linspace(-0.5, 3.7, 3, jq::i8)) == "i8[3] -1 1 3");
  CHECK(show(jq::linspace(1, 2, 0, jq::i32)) == "i32[0]");
  CHECK_ERROR(jq::value_error, jq::linspace(0, 1, -1, jq::i32), "linspace", "-1 values");
  CHECK_ERROR(jq::value_error, jq::arange(0, 1, 0), "arange", "step 0", "wanted");
  CHECK_ERROR(jq::value_error, jq::arange(0.0, INFINITY), "arange", "more numbers than an array can have", "wanted");
  CHECK_ERROR(jq::value_error, jq::arange(std::nan("")), "arange", "NaN", "wanted");
}
TEST_CASE("eye and astype") {
  CHECK(show(jq::eye(2)) == "f32[2,2] 1 0 0 1");
  CHECK(show(jq::eye(2, 3, 1, jq::i32)) == "i32[2,3] 0 1 0 0 0 1");
  CHECK(show(jq::eye(2, 2, -1)) == "f32[2,2] 0 0 1 0");
  CHECK_ERROR(jq::shape_error, jq::eye(-1), "eye", "(-1, -1)", "non-negative");
  CHECK_ERROR(jq::shape_error, jq::zeros({-1}), "zeros", "(-1,)", "non-negative");
  CHECK_ERROR(jq::shape_error, jq::ones({2, -1}), "ones", "(2, -1)", "non-negative");
  CHECK(show(asarray({1.7, -1.7}).astype(jq::i32)) == "i32[2] 1 -1");
  CHECK(show(asarray({300, -1}).astype(jq::u8)) == "u8[2] 44 255");
  CHECK(show(asarray({1e10, not_a_number}).astype(jq::i32)) == "i32[2] 2.1475e+09 0");
  CHECK(show(jq::astype(2.5, jq::f32)) == "f32[] 2.5");
  CHECK(!jq::astype(2.5, jq::f64).weak_type());
}
TEST_CASE("asarray of std::vector<bool>") {
  const std::vector<bool> flags{true, false, true, true};
  CHECK(show(asarray(flags)) == "bool[4] 1 0 1 1");
  CHECK(show(asarray(flags, {2, 2})) == "bool[2,2] 1 0 1 1");
  CHECK(show(asarray(std::vector<bool>())) == "bool[0]");
  CHECK(show(asarray(std::vector<bool>(), {0, 2})) == "bool[0,2]");
  CHECK(show(asarray(std::vector<bool>{true}, {})) == "bool[] 1");
  CHECK_ERROR(jq::shape_error, asarray(flags, {3}), "asarray", "4 values", "(3,)");
}
namespace {
const array static_number = asarray(0.5), static_numbers = asarray({1.0f, 2.0f});
}  // namespace
TEST_CASE("asarray of variables with static storage copies values to memory") {
  static const array local = asarray(7);
  CHECK(static_number.data<double>()[0] == 0.5);
  CHECK(static_numbers.data<float>()[1] == 2);
  CHECK(local.data<int>()[0] == 7);
  CHECK(local.is_concrete());
}
