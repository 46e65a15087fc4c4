// Operators: values, dtypes, what they refuse, derivatives, mixing with numbers on both sides.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return -(x + 1) * (2 - x) / (x * x + 1); }, {3}) == 7);
static_assert(traced([](array x) { return x & 1; }, {3}) == -1);
static_assert(jq::item<int>(2.7) == 2);

TEST_CASE("arithmetic") {
  const array x = asarray({6.0, 8.0});
  CHECK(show(x + 1) == "f64[2] 7 9");
  CHECK(show(1 - x) == "f64[2] -5 -7");
  CHECK(show(2.0f * x) == "f64[2] 12 16");
  CHECK(show(12 / x) == "f64[2] 2 1.5");
  CHECK(show(x % 4) == "f64[2] 2 0");
  CHECK(show(-x) == "f64[2] -6 -8");
  CHECK(show(+x) == show(x));
  CHECK(show(asarray({7, -7}) / 2) == "f64[2] 3.5 -3.5");
  CHECK(show(asarray({true}) / asarray({true})) == "f64[1] 1");
  CHECK(show(asarray({7, -7}) % 4) == "i32[2] 3 -3");
}
TEST_CASE("assignment") {
  array x = asarray({1.f, 2.f});
  const array before = x;
  x += 1;
  x *= asarray({2.f, 3.f});
  x -= 0.5;
  x /= 2;
  CHECK(show(x) == "f32[2] 1.75 4.25");
  CHECK(show(before) == "f32[2] 1 2");
  x += asarray({1.0, 1.0});
  CHECK(x.dtype() == jq::f64);
}
TEST_CASE("the sum of booleans is whether one holds, the product whether both do") {
  const array a = asarray({true, true, false}), b = asarray({true, false, false});
  CHECK(show(a + b) == "bool[3] 1 1 0");
  CHECK(show(a * b) == "bool[3] 1 0 0");
  CHECK(show(a + true) == "bool[3] 1 1 1");
  CHECK(show(a + 1) == "i32[3] 2 2 1");
  CHECK(show(a * 2.5) == "f64[3] 2.5 2.5 0");
  CHECK_ERROR(jq::type_error, a - b, "sub", "bool");
}
TEST_CASE("comparisons give bool") {
  const array x = asarray({1.0, not_a_number});
  CHECK(show(x == 1) == "bool[2] 1 0");
  CHECK(show(x != x) == "bool[2] 0 1");
  CHECK(show(x < 2) == "bool[2] 1 0");
  CHECK(show(2 <= asarray({1, 2, 3})) == "bool[3] 0 1 1");
  CHECK(show(asarray({1, 2, 3}) > 2.5) == "bool[3] 0 0 1");
  CHECK(show(asarray({1, 2, 3}) >= 2) == "bool[3] 0 1 1");
  CHECK_ERROR(jq::type_error, asarray({jq::complex64(1, 1)}) < 1, "lt", "complex64", "wanted");
}
TEST_CASE("bits and logic") {
  CHECK(show(asarray({12, 10}) & 6) == "i32[2] 4 2");
  CHECK(show(asarray({12u}) | 3) == "u32[1] 15");
  CHECK(show(asarray({true}) ^ asarray({false})) == "bool[1] 1");
  CHECK(show(~asarray({0, -1})) == "i32[2] -1 0");
  CHECK(show(!asarray({0.0, 2.0})) == "bool[2] 1 0");
  CHECK(show(asarray({true, true, false}) && asarray({0.0, 2.0, 2.0})) == "bool[3] 0 1 0");
  CHECK(show(asarray({{true}, {false}}) || asarray({0, 2})) == "bool[2,2] 1 1 0 1");
  CHECK_THROWS_WITH_AS((void)(asarray({true, true}) && asarray({true, true, true})), doctest::Contains("(2,), (3,)"), jq::shape_error);
  CHECK_ERROR(jq::type_error, asarray({1.0}) & 1, "and", "float64", "wanted", "bool, integers");
  CHECK_ERROR(jq::type_error, -asarray({true}), "neg", "bool", "wanted");
}
TEST_CASE("conditions of several arrays") {
  const array x = asarray(2.0), y = asarray(3.0);
  CHECK(bool(x < y && y < 4));
  CHECK_FALSE(bool(y < x || y > 4));
  CHECK((x.is_none() || x < y));  // beside a bool: that of C++, which leaves out what is not asked for
  const auto both = [](const array& a, const array& b) { return jq::where(a > 0 && b > 0, a * b, 0); };
  CHECK(show(jq::jit(both)(asarray({1.0, -1.0}), asarray({2.0, 2.0}))) == "f64[2] 2 0");
}
TEST_CASE("items") {
  CHECK(double(asarray(2.5) * 2) == 5);
  CHECK(jq::item<float>(asarray({1.5f})) == 1.5f);
  if (asarray(3) > 2) CHECK(true);
  else CHECK(false);
  CHECK_THROWS_AS((void)asarray({1, 2}).item<int>(), jq::value_error);
  CHECK_THROWS_WITH_AS((void)bool(asarray({1, 2}) > 1), doctest::Contains("jq::all or jq::any"), jq::value_error);
}
TEST_CASE("derivatives") {
  const auto f = [](const array& x, const array& y) { return x * y / (x - y) - x % 2; };
  const auto [fx, fy] = jq::grad(f, jq::argnums<0, 1>)(asarray(3.0), asarray(1.0));
  CHECK(fx.item<double>() == doctest::Approx(-1 / 4.0 - 1));  // -y^2 / (x - y)^2 - 1
  CHECK(fy.item<double>() == doctest::Approx(9 / 4.0));
}
