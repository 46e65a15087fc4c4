// Functions of one operand: values against published ones, dtypes, plain numbers, derivatives in closed form.
#include "numpy_testing.hpp"

#include <complex>

static_assert(jq::sin(0.0) == 0 && jq::cos(0) == 1.0 && jq::exp(1.0) == 2.718281828459045 && jq::log(1.0f) == 0.0f);
static_assert(jq::round(0.5) == 0 && jq::round(1.5) == 2 && jq::round(-2.5) == -2 && jq::floor(-0.5) == -1 && jq::ceil(7) == 7);
static_assert(jq::abs(-3) == 3 && jq::sign(-2.5) == -1 && jq::square(3) == 9 && jq::relu(-1.0) == 0 && jq::trunc(-1.5) == -1);
static_assert(jq::isnan(0.0 / 1.0) == false && jq::isinf(1e308) == false && jq::isfinite(1) && jq::logical_not(0.0));
static_assert(std::is_same_v<decltype(jq::sin(2)), double> && std::is_same_v<decltype(jq::sin(2.f)), float>);
static_assert(std::is_same_v<decltype(jq::floor(2)), int> && std::is_same_v<decltype(jq::exp(jq::float16(1))), jq::float16>);
static_assert(traced([](array x) { return jq::tanh(jq::round(x, 2)) + jq::relu(x) + jq::trunc(x); }, {2}) > 0);

namespace {
// With the library's names and those of <cmath> in scope, plain numbers and arrays are both unambiguous.
namespace generic {
using namespace jacquard;
template <class T>
auto wave(T x) {
  return sin(x) + floor(x) + abs(x);
}
}  // namespace generic

double at(const array& x) { return x.item<double>(); }
array slope(array (*f)(const jq::operand&), double x) {
  return jq::grad([f](const array& v) { return f(v); })(asarray(x));
}
}  // namespace

TEST_CASE("elementary functions: known values") {
  CHECK(at(jq::sin(asarray(1.0))) == doctest::Approx(0.8414709848078965));
  CHECK(at(jq::cos(asarray(1.0))) == doctest::Approx(0.5403023058681398));
  CHECK(at(jq::tan(asarray(1.0))) == doctest::Approx(1.5574077246549023));
  CHECK(at(jq::exp(asarray(-1.0))) == doctest::Approx(0.36787944117144233));
  CHECK(at(jq::expm1(asarray(1e-10))) == doctest::Approx(1.00000000005e-10));
  CHECK(at(jq::log(asarray(10.0))) == doctest::Approx(2.302585092994046));
  CHECK(at(jq::log1p(asarray(1e-10))) == doctest::Approx(9.9999999995e-11));
  CHECK(at(jq::tanh(asarray(0.5))) == doctest::Approx(0.46211715726000975));
  CHECK(at(jq::logistic(asarray(-2.0))) == doctest::Approx(0.11920292202211755));
  CHECK(at(jq::sigmoid(asarray(2.0))) == doctest::Approx(0.8807970779778823));
  CHECK(at(jq::sqrt(asarray(2.0))) == doctest::Approx(1.4142135623730951));
  CHECK(at(jq::rsqrt(asarray(4.0))) == 0.5);
  CHECK(at(jq::erf(asarray(0.5))) == doctest::Approx(0.5204998778130465));
  CHECK(at(jq::erf_inv(asarray(0.5204998778130465))) == doctest::Approx(0.5));
}
TEST_CASE("elementary functions: dtypes") {
  CHECK(show(jq::sqrt(asarray({1, 4}))) == "f64[2] 1 2");
  CHECK(show(jq::exp(asarray({false, true}))) == "f64[2] 1 2.7183");
  CHECK(jq::sin(jq::zeros({2}, jq::f16)).dtype() == jq::f16);
  CHECK(jq::sin(jq::zeros({2}, jq::bf16)).dtype() == jq::bf16);
  CHECK(show(jq::exp(asarray({std::complex<double>(0, 1)}))) == "c128[1] 0.5403+0.84147i");
  CHECK(show(jq::sqrt(std::vector<float>{9.0f, 16.0f})) == "f32[2] 3 4");
  CHECK(show(jq::sqrt(array(4))) == "f64[] 2");
  CHECK(jq::sqrt(array(4)).weak_type());
}
TEST_CASE("plain numbers") {
  CHECK(generic::wave(1.5) == doctest::Approx(0.9974949866040544 + 1 + 1.5));
  CHECK(generic::wave(2) == doctest::Approx(0.9092974268256817 + 4));
  CHECK(show(generic::wave(asarray({1.5}))) == "f64[1] 3.4975");
  const std::complex<double> z = jq::exp(std::complex<double>(0, 1));
  CHECK(z.imag() == doctest::Approx(0.8414709848078965));
  CHECK(jq::abs(std::complex<float>(3, 4)) == 5);
  CHECK(jq::real(std::complex<double>(3, 4)) == 3);
  CHECK(jq::imag(2.5) == 0);
  CHECK(jq::isnan(not_a_number));
  CHECK(jq::isinf(-inf));
}
TEST_CASE("rounding") {
  const array x = asarray({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999999999999994, 1e300});
  CHECK(show(jq::round(x)) == "f64[8] -2 -2 -0 0 2 2 0 1e+300");
  CHECK(show(jq::round(asarray({inf, -inf, not_a_number}))) == "f64[3] inf -inf nan");
  CHECK(show(jq::round(asarray({1.25, 2.345, -0.05}), 1)) == "f64[3] 1.2 2.3 -0");
  CHECK(show(jq::round(asarray({1250.0, 1350.0, 12.0}), -2)) == "f64[3] 1200 1400 0");
  CHECK(show(jq::round(asarray({0.5f, 1.5f}))) == "f32[2] 0 2");
  CHECK(show(jq::round(asarray({3, 4}), 2)) == "i32[2] 3 4");
  CHECK(show(jq::floor(asarray({-0.5, 2.7}))) == "f64[2] -1 2");
  CHECK(show(jq::ceil(asarray({-0.5, 2.2}))) == "f64[2] -0 3");
  CHECK(show(jq::trunc(asarray({-1.7, 1.7}))) == "f64[2] -1 1");
  CHECK(show(jq::floor(asarray({7, -7}))) == "i32[2] 7 -7");
  CHECK_ERROR(jq::not_implemented, jq::round(asarray({123}), -1), "round", "decimals -1", "int32", "astype");
}
TEST_CASE("rounding complex numbers rounds both parts") {
  CHECK(show(jq::round(asarray({jq::complex128(1.26, -2.5)}), 1)) == show(asarray({jq::complex128(1.3, -2.5)})));
  CHECK(show(jq::round(asarray({jq::complex128(0.5, 1.5)}))) == show(asarray({jq::complex128(0, 2)})));
}
TEST_CASE("magnitude, sign, square") {
  CHECK(show(jq::abs(asarray({-2, 3}))) == "i32[2] 2 3");
  CHECK(show(jq::absolute(asarray({-2.5, -0.0}))) == "f64[2] 2.5 0");
  CHECK(show(jq::abs(asarray({true, false}))) == "bool[2] 1 0");
  CHECK(show(jq::abs(asarray({jq::complex64(3, 4)}))) == "f32[1] 5");
  CHECK(show(jq::sign(asarray({-2.0, 0.0, 5.0}))) == "f64[3] -1 0 1");
  CHECK(show(jq::square(asarray({-3, 4}))) == "i32[2] 9 16");
  CHECK_ERROR(jq::type_error, jq::floor(asarray({jq::complex128(1, 1)})), "floor", "complex128", "wanted");
  CHECK_ERROR(jq::type_error, jq::sign(asarray({true})), "sign", "bool", "wanted");
}
TEST_CASE("predicates") {
  const array x = asarray({1.0, inf, -inf, not_a_number});
  CHECK(show(jq::isfinite(x)) == "bool[4] 1 0 0 0");
  CHECK(show(jq::isinf(x)) == "bool[4] 0 1 1 0");
  CHECK(show(jq::isnan(x)) == "bool[4] 0 0 0 1");
  CHECK(show(jq::isfinite(asarray({1, 2}))) == "bool[2] 1 1");
  CHECK(show(jq::isnan(asarray({1, 2}))) == "bool[2] 0 0");
  CHECK(show(jq::isinf(asarray({jq::complex128(0, inf), jq::complex128(not_a_number, 1)}))) == "bool[2] 1 0");
  CHECK(show(jq::logical_not(asarray({0.0, -1.5}))) == "bool[2] 1 0");
  CHECK(show(jq::bitwise_not(asarray({0, 5}))) == "i32[2] -1 -6");
  CHECK_ERROR(jq::type_error, jq::bitwise_not(asarray({0.5})), "not", "float64", "wanted");
}
TEST_CASE("parts of complex numbers") {
  const array z = asarray({jq::complex128(1, 2), jq::complex128(-3, 0.5)});
  CHECK(show(jq::real(z)) == "f64[2] 1 -3");
  CHECK(show(jq::imag(z)) == "f64[2] 2 0.5");
  CHECK(show(jq::conj(z)) == "c128[2] 1-2i -3-0.5i");
  CHECK(show(jq::real(asarray({2.0f}))) == "f32[1] 2");
  CHECK(show(jq::imag(asarray({2.0f}))) == "f32[1] 0");
  CHECK(show(jq::conj(asarray({2}))) == "i32[1] 2");
}
TEST_CASE("derivatives in closed form") {
  const double x = 0.4;
  CHECK(at(slope(jq::sin, x)) == doctest::Approx(std::cos(x)));
  CHECK(at(slope(jq::tan, x)) == doctest::Approx(1 / (std::cos(x) * std::cos(x))));
  CHECK(at(slope(jq::expm1, x)) == doctest::Approx(std::exp(x)));
  CHECK(at(slope(jq::log1p, x)) == doctest::Approx(1 / (1 + x)));
  CHECK(at(slope(jq::tanh, x)) == doctest::Approx(1 - std::tanh(x) * std::tanh(x)));
  CHECK(at(slope(jq::sigmoid, x)) == doctest::Approx(1 / (2 + 2 * std::cosh(x))));
  CHECK(at(slope(jq::rsqrt, x)) == doctest::Approx(-0.5 * std::pow(x, -1.5)));
  CHECK(at(slope(jq::erf, x)) == doctest::Approx(2 / std::sqrt(M_PI) * std::exp(-x * x)));
  CHECK(at(slope(jq::square, x)) == doctest::Approx(2 * x));
  CHECK(at(slope(jq::abs, -x)) == -1);
  CHECK(at(slope(jq::floor, x)) == 0);
}
TEST_CASE("relu keeps NaN and has slope 0 at 0; stop_gradient has none") {
  CHECK(show(jq::relu(asarray({-1.0, 0.0, 2.0, not_a_number}))) == "f64[4] 0 0 2 nan");
  CHECK(show(jq::grad([](const array& x) { return jq::sum(jq::relu(x)); })(asarray({-1.0, 0.0, 2.0}))) == "f64[3] 0 0 1");
  CHECK(show(jq::grad([](const array& x) { return x * jq::stop_gradient(x); })(asarray(3.0))) == "f64[] 3");
}
TEST_CASE("empty arrays are errors") {
  CHECK_ERROR(jq::type_error, jq::sin(array()), "sin", "empty jq::array", "assign");
  CHECK_ERROR(jq::type_error, jq::round(array()), "empty jq::array");
  CHECK_ERROR(jq::type_error, jq::isinf(array()), "empty jq::array");
  CHECK_ERROR(jq::type_error, jq::relu(array()), "empty jq::array");
}
