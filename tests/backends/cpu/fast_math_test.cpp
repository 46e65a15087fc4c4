// precision::fast_math: what is computed stays near, NaN stays NaN where nothing is rearranged, and the liberties are those that the option
// names: common factors, inverses, plain formulas of complex numbers. Without it none of them is taken.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/exec/executable_file.hpp>
#include <jacquard/testing/comparison.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include "../../show.hpp"

using jq::array;
using jq::compile_at;
using jq::precision;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();
const bool has_compiler = jq::cpu::code_generator::get() != nullptr;
const compile_at ways[] = {compile_at::never, compile_at::first_call};

array data(const jq::shape& s, jq::dtype t) { return jq::random::normal(jq::random::key(3), s, t); }
template <class F>
auto loose(F f, compile_at when = compile_at::first_call) {
  return jq::jit(f, jq::backend("cpu"), precision::fast_math, when);
}
template <class F, class... A>
void check_near(F f, double tolerance, const A&... x) {
  const array want = jq::jit(f, jq::backend("interpreter"))(x...);
  for (const compile_at when : ways) {
    const auto r = jq::testing::all_close(loose(f, when)(x...), want, tolerance, tolerance);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
array polynomial(const array& x) { return jq::maximum((x * x + 0.5) * x - 0.25 * x + 1, 0.0) * x; }
array normalised(const array& x) {
  const array d = x - jq::mean(x, 1, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, 1, jq::keepdims) + 1e-5);
}
array sizes(const array& z) { return jq::abs(z); }
jq::complex64 plain_inverse(float re, float im) {
  const float below = 1 / (re * re + im * im);
  return {re * below, -im * below};
}

}  // namespace

TEST_CASE("fast_math: results are near those of the interpreter on both tiers") {
  for (const jq::dtype t : {jq::f32, jq::f64}) {
    const double unit = t == jq::f32 ? 4e-6 : 1e-14;
    check_near(polynomial, unit, data({1003}, t));
    check_near(normalised, 8 * unit, data({37, 100}, t));
    check_near([](array x) { return x / jq::sqrt(jq::sum(x * x, 1, jq::keepdims)); }, unit, data({301, 3}, t));
    check_near([](array x) { return jq::grad([](array v) { return jq::sum(polynomial(v) * jq::tanh(v)); })(x); }, 16 * unit, data({1003}, t));
    check_near([](array x) { return jq::logsumexp(3.0 * x, 1) - jq::min(-x, 1); }, unit, data({20, 70}, t));
    check_near([](array x) { return jq::lax::fori_loop(0, 20, [](array, array s) { return polynomial(0.5 * s) - s * s * s * 0.1; }, 0.1 * x); }, 64 * unit, data({4}, t));
  }
  for (const jq::dtype t : {jq::f16, jq::bf16}) check_near(polynomial, t == jq::f16 ? 4e-3 : 3e-2, data({203}, t));
  for (const jq::dtype t : {jq::c64, jq::c128}) {
    const double unit = t == jq::c64 ? 1e-5 : 1e-13;
    const array z = data({501}, t);
    check_near([](array x) { return x / (x * x + 3.0) + x * jq::exp(x); }, unit, z);
    check_near([](array x) { return jq::abs(x) + jq::real(jq::sign(x)) - jq::imag(2.0 / x); }, 16 * unit, z);
  }
  check_near([](array x) { return jq::floor_divide(x, 3) + x % 7; }, 0, (100.0 * data({64}, jq::f32)).astype(jq::i32));
}
TEST_CASE("fast_math: NaN is seen, compared and handed on as ever") {
  const array x = jq::asarray({0.5, not_a_number, -infinite, 2.0, not_a_number, -0.0, infinite, 1.0, not_a_number});
  for (const compile_at when : ways) {
    CHECK(jq::testing::identical(loose([](array a) { return jq::isnan(a); }, when)(x), jq::isnan(x)).ok);
    CHECK(jq::testing::identical(loose([](array a) { return jq::isfinite(a); }, when)(x), jq::isfinite(x)).ok);
    CHECK(jq::testing::identical(loose([](array a) { return a == a; }, when)(x), x == x).ok);
    CHECK(jq::testing::all_close(loose([](array a) { return jq::maximum(a, 0.25); }, when)(x), jq::maximum(x, 0.25), 0, 0).ok);
    CHECK(jq::testing::all_close(loose([](array a) { return jq::minimum(a, jq::flip(a)); }, when)(x), jq::minimum(x, jq::flip(x)), 0, 0).ok);
    CHECK(std::isnan(loose([](array a) { return jq::max(a); }, when)(x).item<double>()));
    CHECK(std::isnan(loose([](array a) { return jq::sum(a); }, when)(x).item<double>()));
  }
}
TEST_CASE("fast_math: a common factor leaves the sum, which the default does not do" * doctest::skip(!has_compiler)) {
  const auto f = [](array x) { return (x * x + 0.5) * x - 0.25 * x; };
  const array x = jq::full({16}, infinite);  // infinity - infinity, where the factors are not taken apart
  CHECK(loose(f)(x)[3].item<double>() == infinite);
  CHECK(std::isnan(jq::jit(f, jq::backend("cpu"), compile_at::first_call)(x)[3].item<double>()));
}
TEST_CASE("fast_math: rows are divided by products with inverses, and by default exactly" * doctest::skip(!has_compiler)) {
  const auto f = [](array x, array by) { return x / jq::expand_dims(by, 1); };
  const array by = jq::arange(1, 200).astype(jq::f32), x = jq::tile(jq::expand_dims(by, 1), {1, 50});
  const auto is_one = [](const array& r) { return jq::sum((r == 1.0f).astype(jq::i32)).item<std::int32_t>(); };
  CHECK(is_one(jq::jit(f, jq::backend("cpu"), compile_at::first_call)(x, by)) == 199 * 50);
  const array r = loose(f)(x, by);
  CHECK(is_one(r) < 199 * 50);  // 41 * (1 / 41) is not 1 in f32
  CHECK(jq::testing::all_close(r, jq::ones_like(r), 1e-6, 0).ok);
}
TEST_CASE("fast_math: complex numbers are the plain formulas, which overflow where squares do") {
  const array z = jq::full({9}, jq::complex64{3e30f, 4e30f});
  for (const compile_at when : ways) {
    CHECK(loose(sizes, when)(z)[0].item<float>() == std::numeric_limits<float>::infinity());
    const float exact = jq::jit(sizes, jq::backend("cpu"), when)(z)[0].item<float>();
    CHECK(exact == doctest::Approx(5e30));
    CHECK(jq::jit(sizes, jq::backend("cpu"), precision::strict, when)(z)[0].item<float>() == doctest::Approx(5e30));
    const auto quotient = loose([](array a) { return 1.0 / a; }, when)(z)[0].item<jq::complex64>();
    CHECK(quotient.re == plain_inverse(3e30f, 4e30f).re);
  }
}
TEST_CASE("fast_math: an executable keeps it") {
  const array z = jq::full({9}, jq::complex64{3e30f, 4e30f});
  const auto kept = [&](const precision& p) { return jq::load_executable(jq::jit(sizes, jq::backend("cpu"), p).lower(z).compile().serialize()); };
  CHECK(std::isinf(kept(precision::fast_math)(z)[0].item<float>()));
  CHECK(std::isfinite(kept(precision::fast)(z)[0].item<float>()));
  CHECK(std::isfinite(kept(precision::strict)(z)[0].item<float>()));
}
TEST_CASE("fast_math: the interpreter computes as ever") {
  const array z = jq::full({9}, jq::complex64{3e30f, 4e30f});
  CHECK(jq::testing::identical(jq::jit(sizes, jq::backend("interpreter"), precision::fast_math)(z), sizes(z)).ok);
}
