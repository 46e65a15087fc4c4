// Functions of several operands: promotion, broadcasting, numpy's values, plain numbers, derivatives.
#include "numpy_testing.hpp"

static_assert(jq::power(2, 10) == 1024 && jq::power(2.0, -1) == 0.5 && jq::pow(4.0, 0.5) == 2.0 && jq::pow(2.0f, 3) == 8.0f);
static_assert(jq::mod(-7, 3) == 2 && jq::mod(7, -3) == -2 && jq::mod(-7.5, 2.0) == 0.5 && jq::fmod(-7, 3) == -1);
static_assert(jq::floor_divide(-7, 2) == -4 && jq::floor_divide(7.0, -2.0) == -4.0 && jq::floor_divide(1.0, 0.1) == 9.0);
static_assert(jq::maximum(1, 2.5) == 2.5 && jq::minimum(1u, 2) == 1 && jq::clip(5, 0, 3) == 3 && jq::where(true, 1, 2.5) == 1.0);
static_assert(jq::logical_and(1, 0.0) == false && jq::logical_or(1, 0) && jq::logical_xor(1, 2) == false);
static_assert(jq::bitwise_and(12, 10) == 8 && jq::bitwise_or(12, 10) == 14 && jq::bitwise_xor(12, 10) == 6);
static_assert(std::is_same_v<decltype(jq::maximum(1, 2.5)), double> && std::is_same_v<decltype(jq::power(2.f, 2)), float>);
static_assert(std::is_same_v<decltype(jq::maximum(1.f, 2)), float> && std::is_same_v<decltype(jq::where(true, 1, 2L)), long>);
static_assert(traced([](array x) { return jq::where(x > 0, jq::clip(x, 0, 1), jq::mod(x, 2)) + jq::power(x, 3); }, {3}) > 0);
static_assert(traced([](array x) { return jq::where(x > 0, x, jq::zeros({2})); }, {3}) == -1);

TEST_CASE("power: integer exponents multiply, others do not") {
  const array x = asarray({-2.0, 0.0, 3.0});
  CHECK(show(jq::power(x, 3)) == "f64[3] -8 0 27");
  CHECK(show(jq::power(x, -1)) == "f64[3] -0.5 inf 0.33333");
  CHECK(show(jq::pow(asarray({4.0f, 9.0f}), 0.5)) == "f32[2] 2 3");
  CHECK(show(jq::power(asarray({2, 3}), asarray({3, 2}))) == "i32[2] 8 9");
  CHECK(show(jq::power(2.0, asarray({1.0, 3.0}))) == "f64[2] 2 8");
  CHECK(show(jq::power(asarray({2, 3}), 0.5)) == "f64[2] 1.4142 1.7321");
  CHECK(testing::text_of(jq::make_jaxpr([](array v) { return jq::power(v, 3); })(x)).find("integer_pow") != std::string::npos);
  CHECK(show(jq::grad([](array v) { return jq::sum(jq::power(v, 3)); })(x)) == "f64[3] 12 0 27");
  CHECK_ERROR(jq::type_error, jq::power(asarray({2}), -1), "Integers cannot be raised to negative powers", "-1", "convert");
  CHECK_THROWS_AS(jq::power(2, -1), jq::type_error);
}
TEST_CASE("maximum and minimum propagate NaN and share the derivative of ties") {
  const array x = asarray({1.0, not_a_number, 3.0});
  CHECK(show(jq::maximum(x, 2)) == "f64[3] 2 nan 3");
  CHECK(show(jq::minimum(x, asarray({0.0, 0.0, not_a_number}))) == "f64[3] 0 nan nan");
  CHECK(show(jq::maximum(asarray({1, 5}), asarray({2.5f, 2.5f}))) == "f32[2] 2.5 5");
  CHECK(show(jq::grad([](array v) { return jq::sum(jq::maximum(v, 2)); })(asarray({1.0, 2.0, 3.0}))) == "f64[3] 0 0.5 1");
  CHECK_ERROR(jq::shape_error, jq::maximum(x, asarray({1.0, 2.0})), "max", "(3,), (2,)", "equal or 1", "reshape");
}
TEST_CASE("arctan2") {
  CHECK(show(jq::arctan2(asarray({1.0, -1.0}), asarray({-1.0, -1.0}))) == "f64[2] 2.3562 -2.3562");
  CHECK(show(jq::atan2(1, asarray({1, 0}))) == "f64[2] 0.7854 1.5708");
  CHECK(jq::arctan2(1, 1) == doctest::Approx(0.7853981633974483));
}
TEST_CASE("remainders follow numpy's signs") {
  const array a = asarray({-7, 7, -6, 6}), b = asarray({3, -3, 3, -3});
  CHECK(show(jq::mod(a, b)) == "i32[4] 2 -2 0 0");
  CHECK(show(jq::remainder(a, b)) == "i32[4] 2 -2 0 0");
  CHECK(show(jq::fmod(a, b)) == "i32[4] -1 1 0 0");
  CHECK(show(jq::floor_divide(a, b)) == "i32[4] -3 -3 -2 -2");
  CHECK(show(jq::floor_divide(asarray({3.0, -3.0}), 0.0)) == "f64[2] inf -inf");
  CHECK(show(jq::floor_divide(asarray({3.0, -3.0, 0.5}), inf)) == "f64[3] 0 -1 0");
  CHECK(show(jq::floor_divide(asarray({3.0, -3.0, 0.5}), -inf)) == "f64[3] -1 -0 -1");
  CHECK(jq::floor_divide(3.0, -inf) == -1);
  CHECK(show(jq::mod(asarray({-7.5, 5.5}), 2)) == "f64[2] 0.5 1.5");
  CHECK(show(jq::floor_divide(asarray({1.0, -1.0, 7.0}), asarray({0.1, 0.3, 2.0}))) == "f64[3] 9 -4 3");
  // 19.875 = -90.86 * -0.21875; the 91 of them have more digits than bf16 before they are divided again.
  CHECK(show(jq::floor_divide(asarray({19.875}).astype(jq::bf16), asarray({-0.21875}).astype(jq::bf16)).astype(jq::f64)) == "f64[1] -91");
  CHECK(double(jq::floor_divide(jq::bfloat16(19.875f), jq::bfloat16(-0.21875f))) == -91);
  CHECK(jq::floor_divide(asarray({7.0}).astype(jq::f16), 2).dtype() == jq::f16);
  CHECK(show(jq::mod(asarray({7u, 9u}), 4)) == "u32[2] 3 1");
  CHECK(show(jq::grad([](array x) { return jq::sum(jq::mod(x, 2)); })(asarray({-7.5, 5.5}))) == "f64[2] 1 1");
  CHECK_ERROR(jq::shape_error, jq::mod(a, asarray({1, 2})), "mod", "(4,), (2,)", "reshape");
  CHECK_ERROR(jq::type_error, jq::mod(asarray({true}), true), "rem", "bool", "wanted");
}
TEST_CASE("logic") {
  const array a = asarray({0, 1, 2, 0}), b = asarray({0.0, 0.0, 1.5, not_a_number});
  CHECK(show(jq::logical_and(a, b)) == "bool[4] 0 0 1 0");
  CHECK(show(jq::logical_or(a, b)) == "bool[4] 0 1 1 1");
  CHECK(show(jq::logical_xor(a, b)) == "bool[4] 0 1 0 1");
  CHECK(show(jq::bitwise_and(asarray({12}), 10)) == "i32[1] 8");
  CHECK(show(jq::bitwise_or(asarray({12}), asarray({10}))) == "i32[1] 14");
  CHECK(show(jq::bitwise_xor(asarray({true}), asarray({true}))) == "bool[1] 0");
  CHECK_ERROR(jq::type_error, jq::bitwise_and(2.0, 3.0), "bitwise_and: got float64 and float64, wanted bools or integers");
  CHECK_ERROR(jq::type_error, jq::bitwise_or(asarray({1}), asarray(2.0f)), "bitwise_or", "int32 and float32");
}
TEST_CASE("where broadcasts all three operands") {
  const array x = asarray({{1.0, -2.0}, {-3.0, 4.0}});
  CHECK(show(jq::where(x > 0, x, 0)) == "f64[2,2] 1 0 0 4");
  CHECK(show(jq::where(asarray({true, false}), x, asarray({{9.0f}, {8.0f}}))) == "f64[2,2] 1 9 -3 8");
  CHECK(show(jq::where(x > 0, 1, 0)) == "i32[2,2] 1 0 0 1");
  CHECK(show(jq::where(true, x, 0)) == show(x));
  CHECK(show(jq::where(asarray(false), asarray({1, 2}), asarray({{3}, {4}}))) == "i32[2,2] 3 3 4 4");
  CHECK(show(jq::where(asarray({0, 5}), 1.5, 2.5)) == "f64[2] 2.5 1.5");
  CHECK(show(jq::where(asarray({{true}, {false}}), asarray({1, 2}), 7)) == "i32[2,2] 1 2 7 7");
  const auto pick = [](array v) { return jq::sum(jq::where(v > 0, v * v, 2 * v)); };
  CHECK(show(jq::grad(pick)(x)) == "f64[2,2] 2 2 2 8");
  CHECK_ERROR(jq::shape_error, jq::where(x > 0, x, asarray({1.0, 2.0, 3.0})), "where", "(2, 2), (2, 2), (3,)", "equal or 1");
}
TEST_CASE("clip and isclose") {
  CHECK(show(jq::clip(asarray({-5, 0, 5}), -1, 1)) == "i32[3] -1 0 1");
  CHECK(show(jq::clip(asarray({-5.0, 0.5}), asarray({0.0, 1.0}), 2)) == "f64[2] 0 1");
  CHECK(show(jq::isclose(asarray({1.0, 1.0, inf, not_a_number}), asarray({1.0 + 1e-9, 1.1, inf, not_a_number}))) == "bool[4] 1 0 1 0");
  CHECK(show(jq::isclose(asarray({1, 2}), asarray({1.0f, 2.5f}))) == "bool[2] 1 0");
  const array odd = asarray({1.0, not_a_number, inf, not_a_number}), other = asarray({1.0, not_a_number, not_a_number, 2.0});
  CHECK(show(jq::isclose(odd, other, 1e-5, 1e-8, true)) == "bool[4] 1 1 0 0");
  CHECK(jq::allclose(odd, odd, 1e-5, 1e-8, true).item<bool>());
  CHECK_FALSE(jq::allclose(odd, odd).item<bool>());
}
