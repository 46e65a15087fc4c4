// What may be an operand, how operands are promoted and broadcast, and whose line an error names.
#include "numpy_testing.hpp"

#include <array>

namespace {
array twice(const jq::operand& x) { return x + x; }
}  // namespace

TEST_CASE("arrays, C++ scalars and foreign arrays are operands") {
  const array x = asarray({1.f, 2.f});
  CHECK(show(twice(x)) == "f32[2] 2 4");
  CHECK(show(twice(2)) == "i32[] 4");
  CHECK(show(twice(std::vector<double>{1, 2})) == "f64[2] 2 4");
  CHECK(show(x + std::vector<float>{1, 1}) == "f32[2] 2 3");
  CHECK(show(std::array<double, 2>{1, 1} * x) == "f64[2] 1 2");
  CHECK(show(x * jq::complex64(0, 1)) == "c64[2] 0+1i 0+2i");
}
TEST_CASE("scalars are weak, arrays are not") {
  CHECK((asarray({1.f}) * 2.0).dtype() == jq::f32);
  CHECK((asarray({jq::float16(1)}) + 1).dtype() == jq::f16);
  CHECK((asarray({1}) + 1.5).dtype() == jq::f64);
  CHECK((asarray({std::int8_t(1)}) + 1000).dtype() == jq::i8);
  CHECK((asarray({1.f}) + asarray({1.0})).dtype() == jq::f64);
  CHECK((asarray({1}) + asarray({1.f})).dtype() == jq::f32);
  CHECK((asarray({true}) + 1).dtype() == jq::i32);
  CHECK((array(1) + 2.5).weak_type());
  CHECK(!(asarray({1.f}) + 2.5).weak_type());
  CHECK((asarray({std::uint64_t(1)}) + asarray({std::int8_t(1)})).weak_type());
}
TEST_CASE("broadcasting") {
  const array column = asarray({{1}, {2}}), row = asarray({10, 20, 30});
  CHECK(show(column + row) == "i32[2,3] 11 21 31 12 22 32");
  CHECK((jq::ones({4, 1, 3}) + jq::ones({2, 1})).shape() == jq::shape{4, 2, 3});
  CHECK((jq::ones({0, 3}) + jq::ones({3})).shape() == jq::shape{0, 3});
  CHECK_ERROR(jq::shape_error, column + asarray({1, 2, 3}) + asarray({1, 2}), "add", "(2, 3), (2,)", "equal or 1", "reshape");
  CHECK_ERROR(jq::type_error, column + array(), "add", "empty jq::array", "assign");
}
TEST_CASE("an error names the line of the user's call, through every function in between") {
  const array x = jq::ones({2}), y = jq::ones({3});
  CHECK_ERROR(jq::shape_error, jq::where(x > 0, y, 0), "where");
  CHECK_ERROR(jq::shape_error, jq::isclose(x, y), "isclose");
  CHECK_ERROR(jq::shape_error, jq::clip(x, y, 1), "max");
  CHECK_ERROR(jq::value_error, jq::softmax(x, 3), "softmax");
  const std::string inside = testing::wrong_error<jq::shape_error>(
      [&] { jq::jit([](const array& a, const array& b) { return a + b; })(x, y); }, {"add", "operand_test.cpp:46"});
  CHECK(inside == "");
}
TEST_CASE("a number that is written gives way to a C++ float that is passed, traced or not; two that are passed meet") {
  const array x = 1.5f, y = 0.5;
  CHECK((x * 2.0).aval() == jq::aval(jq::f32, {}, true));
  CHECK((1.0 / x).dtype() == jq::f32);
  CHECK((jq::sin(x) + 2.5).dtype() == jq::f32);
  CHECK(jq::where(x > 1.0, 2.0, x).dtype() == jq::f32);
  CHECK((x * jq::complex128(0, 1)).dtype() == jq::c64);
  CHECK((array(jq::complex64(0, 1)) * 2.0).dtype() == jq::c64);
  CHECK((x * y).dtype() == jq::f64);
  CHECK((jq::float16(1.f) + x).dtype() == jq::f32);
  CHECK((y * 2.f).dtype() == jq::f64);
  CHECK((array(1) * std::int64_t(3000000000)).item<std::int64_t>() == 3000000000);
  CHECK((array(1) * 0.5).dtype() == jq::f64);
  const auto traced = [](auto f, const auto&... a) { return jq::make_jaxpr(f)(a...).out_avals()[0].type; };
  CHECK(traced([](const array& v) { return v * 2.0 + 0.5; }, x) == jq::f32);
  CHECK(traced([](const array& v) { return v * array(2.0); }, x) == jq::f32);
  CHECK(traced([](const array& v) { return jq::stack({v, 1.0, 2.0 * v}); }, x) == jq::f32);
  CHECK(traced([](const array& v, const array& w) { return v * w * 2.0; }, x, y) == jq::f64);
}
