// Reductions: numpy's values and dtypes, safe exponentials, derivatives in closed form.
#include <cmath>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::softmax(x) * jq::logsumexp(x, 0, jq::keepdims); }, {3}) > 0);
static_assert(traced([](array x) { return jq::std(x, 0, jq::ddof(1)) + jq::mean(x) + jq::cumsum(x); }, {3}) > 0);
static_assert(traced([](array x) { return jq::sum(x, 1); }, {3}) == -1);

namespace {
const array table() { return asarray({{1, 2, 3}, {4, 5, 6}}); }
}  // namespace

TEST_CASE("sum and prod: values and dtypes") {
  CHECK(show(jq::sum(table())) == "i64[] 21");
  CHECK(show(jq::sum(table(), 0)) == "i64[3] 5 7 9");
  CHECK(show(jq::sum(table(), 1, jq::keepdims)) == "i64[2,1] 6 15");
  CHECK(show(jq::prod(table(), 1)) == "i64[2] 6 120");
  CHECK(show(jq::sum(jq::zeros({0, 2}), 0)) == "f32[2] 0 0");
  CHECK(show(jq::prod(jq::zeros({0, 2}), 0)) == "f32[2] 1 1");
  CHECK(show(jq::sum(asarray({true, true, false}))) == "i64[] 2");
  for (jq::dtype t : {jq::i8, jq::i16, jq::i32, jq::i64}) CHECK(jq::sum(jq::ones({2}, t)).dtype() == jq::i64);
  for (jq::dtype t : {jq::u8, jq::u16, jq::u32, jq::u64}) CHECK(jq::prod(jq::ones({2}, t)).dtype() == jq::u64);
  for (jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64, jq::c64, jq::c128}) CHECK(jq::sum(jq::ones({2}, t)).dtype() == t);
  CHECK(show(jq::sum(std::vector<double>{1, 2, 3.5})) == "f64[] 6.5");
  CHECK(show(jq::sum(jq::full({300}, 1, jq::u8))) == "u64[] 300");
}
TEST_CASE("mean, var, std") {
  CHECK(show(jq::mean(table())) == "f64[] 3.5");
  CHECK(show(jq::mean(table(), 0)) == "f64[3] 2.5 3.5 4.5");
  CHECK(show(jq::var(table())) == "f64[] 2.9167");
  CHECK(show(jq::var(table(), 1, jq::ddof(1))) == "f64[2] 1 1");
  CHECK(show(jq::var(table(), jq::ddof(1))) == "f64[] 3.5");
  CHECK(show(jq::var(table(), {0})) == "f64[3] 2.25 2.25 2.25");
  CHECK(show(jq::std(table(), {0}, jq::keepdims)) == "f64[1,3] 1.5 1.5 1.5");
  CHECK(show(jq::std(table(), {0, 1}, jq::ddof(1))) == show(jq::std(table(), jq::ddof(1))));
  CHECK(show(jq::std(table(), 0, jq::keepdims)) == "f64[1,3] 1.5 1.5 1.5");
  CHECK(show(jq::std(table(), 1, jq::ddof(1), jq::keepdims)) == "f64[2,1] 1 1");
  CHECK(show(jq::std(asarray({2.0f, 4.0f}), jq::ddof(1))) == "f32[] 1.4142");
  CHECK(show(jq::var(asarray({jq::complex128(1, 1), jq::complex128(-1, -1)}))) == "f64[] 2");
  CHECK(std::isnan(jq::mean(jq::zeros({0})).item<float>()));
  CHECK(show(jq::mean(jq::full({70000}, 2.0, jq::f16))) == "f16[] 2");  // the sum overflows f16, the mean does not
  // numpy divides by 0 where nothing is left.
  CHECK(show(jq::var(asarray({1.0, 2.0}), jq::ddof(2))) == "f64[] inf");
  CHECK(show(jq::var(asarray({1.0, 2.0}), jq::ddof(3))) == "f64[] inf");
  CHECK(show(jq::std(asarray({1.0, 2.0}), jq::ddof(3))) == "f64[] inf");
  CHECK(std::isnan(jq::var(asarray({1.0, 1.0}), jq::ddof(3)).item<double>()));
  // Two passes: large numbers with a small spread lose nothing.
  CHECK(show(jq::var(asarray({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}), jq::ddof(1))) == "f64[] 30");
}
TEST_CASE("max, min, argmax, argmin") {
  const array x = asarray({{3.0, 9.0, 2.0}, {8.0, 1.0, 9.0}});
  CHECK(show(jq::max(x)) == "f64[] 9");
  CHECK(show(jq::min(x, 0)) == "f64[3] 3 1 2");
  CHECK(show(jq::max(x, 1, jq::keepdims)) == "f64[2,1] 9 9");
  CHECK(show(jq::argmax(x)) == "i64[] 1");
  CHECK(show(jq::argmin(x, 1)) == "i64[2] 2 1");
  CHECK(show(jq::argmax(x, 0, jq::keepdims)) == "i64[1,3] 1 0 1");
  CHECK(show(jq::argmax(x, jq::none, jq::keepdims)) == "i64[1,1] 1");
  CHECK(show(jq::max(asarray({1.0, not_a_number}))) == "f64[] nan");
  CHECK(show(jq::max(asarray({true, false}))) == "bool[] 1");
  CHECK(show(jq::grad([](array v) { return jq::max(v); })(asarray({1.0, 4.0, 4.0}))) == "f64[3] 0 0.5 0.5");
  CHECK_ERROR(jq::value_error, jq::max(jq::zeros({0, 3}), 0), "max", "zero-size", "no identity", "(0, 3)", "wanted");
  CHECK_ERROR(jq::value_error, jq::min(jq::zeros({0})), "min", "zero-size");
  CHECK_ERROR(jq::value_error, jq::argmax(jq::zeros({0})), "argmax", "non-empty");
  CHECK_ERROR(jq::value_error, jq::argmax(x, 2), "argmax", "axis 2", "dimension 2");
}
TEST_CASE("any, all, allclose") {
  const array x = asarray({{0.0, 2.0}, {0.0, 0.0}});
  CHECK(show(jq::any(x)) == "bool[] 1");
  CHECK(show(jq::any(x, 1)) == "bool[2] 1 0");
  CHECK(show(jq::all(x, 0, jq::keepdims)) == "bool[1,2] 0 0");
  CHECK(show(jq::all(jq::zeros({0}))) == "bool[] 1");
  CHECK(bool(jq::allclose(x, x + 1e-9)));
  CHECK(!bool(jq::allclose(x, x + 0.1)));
}
TEST_CASE("cumsum") {
  CHECK(show(jq::cumsum(table())) == "i32[6] 1 3 6 10 15 21");
  CHECK(show(jq::cumsum(table(), 0)) == "i32[2,3] 1 2 3 5 7 9");
  CHECK(show(jq::cumsum(table(), -1)) == "i32[2,3] 1 3 6 4 9 15");
  CHECK(show(jq::cumsum(asarray({true, true}))) == "i64[2] 1 2");
  CHECK(show(jq::grad([](array v) { return jq::sum(jq::cumsum(v)); })(asarray({1.0, 1.0, 1.0}))) == "f64[3] 3 2 1");
  CHECK_ERROR(jq::value_error, jq::cumsum(table(), 2), "cumsum", "axis 2");
}
TEST_CASE("logsumexp neither overflows nor loses -inf rows") {
  const array x = asarray({{-inf, -inf}, {1000.0, 1000.0}, {0.0, -inf}, {inf, 0.0}, {-1000.0, -1001.0}});
  CHECK(show(jq::logsumexp(x, 1)) == "f64[5] -inf 1000.7 0 inf -999.69");
  CHECK(show(jq::logsumexp(x, 1, jq::keepdims)) == "f64[5,1] -inf 1000.7 0 inf -999.69");
  CHECK(show(jq::logsumexp(asarray({0, 0}))) == "f64[] 0.69315");
  CHECK(show(jq::logsumexp(asarray({1.0, not_a_number}))) == "f64[] nan");
  const array g = jq::grad([](array v) { return jq::logsumexp(v); })(asarray({0.0, 1000.0, -inf}));
  CHECK(show(g) == "f64[3] 0 1 0");  // softmax
  CHECK(show(jq::grad([](array v) { return jq::logsumexp(v); })(asarray({-inf, -inf}))) == "f64[2] 0 0");
}
TEST_CASE("softmax and log_softmax") {
  const array x = asarray({1.0, 2.0, 3.0});
  CHECK(show(jq::softmax(x)) == "f64[3] 0.090031 0.24473 0.66524");
  CHECK(show(jq::log_softmax(x)) == "f64[3] -2.4076 -1.4076 -0.40761");
  CHECK(show(jq::softmax(asarray({1000.0, 1000.0, -inf}))) == "f64[3] 0.5 0.5 0");
  CHECK(show(jq::log_softmax(asarray({0.0, -1000.0}))) == "f64[2] 0 -1000");
  CHECK(show(jq::softmax(jq::zeros({2, 2}), {0, 1})) == "f32[2,2] 0.25 0.25 0.25 0.25");
  CHECK(show(jq::softmax(jq::zeros({2, 4}), 0)) == "f32[2,4] 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5");
  CHECK(show(jq::softmax(asarray({0, 0}))) == "f64[2] 0.5 0.5");
  CHECK_ERROR(jq::value_error, jq::softmax(x, 1), "softmax", "axis 1");
}
TEST_CASE("exponentials of 16-bit floats are summed in f32") {
  for (jq::dtype t : {jq::f16, jq::bf16}) {
    INFO(jq::long_name(t));
    const array x = jq::zeros({70000}, t), all = jq::ones({70000}, jq::bool_);
    const auto at = [&](const array& y) { return (CHECK(y.dtype() == t), y.astype(jq::f64).item<double>()); };
    const double log = std::log(70000.0), rounding = t == jq::f16 ? 0x1p-10 : 0x1p-7;
    CHECK(at(jq::logsumexp(x)) == doctest::Approx(log).epsilon(rounding));
    CHECK(at(jq::log_softmax(x)[0]) == doctest::Approx(-log).epsilon(rounding));
    CHECK(std::abs(at(jq::softmax(x)[0]) - 1 / 70000.0) < 0x1p-24);
    CHECK(at(jq::logsumexp(x, {}, {.where = all})) == doctest::Approx(log).epsilon(rounding));
    CHECK(at(jq::log_softmax(x, -1, {.where = all})[0]) == doctest::Approx(-log).epsilon(rounding));
    CHECK(std::abs(at(jq::softmax(x, -1, {.where = all})[0]) - 1 / 70000.0) < 0x1p-24);
    CHECK(at(jq::signed_logsumexp(x).value) == doctest::Approx(log).epsilon(rounding));
  }
}
TEST_CASE("the derivative of std is 0 where it is 0") {
  const auto f = [](array v) { return jq::std(v); };
  CHECK(show(jq::grad(f)(asarray({2.0, 2.0, 2.0}))) == "f64[3] 0 0 0");
  CHECK(show(jq::jit(jq::grad(f))(asarray({2.0}))) == "f64[1] 0");
  CHECK(show(jq::grad([](array v) { return jq::sum(jq::std(v, 1)); })(asarray({{1.0, 1.0}, {1.0, 3.0}}))) == "f64[2,2] 0 0 -0.5 0.5");
}
TEST_CASE("derivatives in closed form") {
  const array x = asarray({1.0, 2.0, 4.0});
  CHECK(show(jq::grad([](array v) { return jq::mean(v * v); })(x)) == "f64[3] 0.66667 1.3333 2.6667");
  // d var / d x_i = 2 (x_i - mean) / (n - ddof), mean = 7/3
  CHECK(show(jq::grad([](array v) { return jq::var(v, jq::ddof(1)); })(x)) == "f64[3] -1.3333 -0.33333 1.6667");
  CHECK(show(jq::grad([](array v) { return jq::std(v); })(x)) == "f64[3] -0.35635 -0.089087 0.44544");
  CHECK(show(jq::grad([](array v) { return jq::prod(v); })(asarray({0.0, 2.0, 4.0}))) == "f64[3] 8 0 0");
  const array p = jq::softmax(x);
  const array jacobian = jq::jacrev([](array v) { return jq::softmax(v); })(x);
  const array wanted = jq::where(jq::eye(3, jq::f64) > 0, p, 0.0) - jq::reshape(p, {3, 1}) * p;
  CHECK(distance(jacobian, wanted) < 1e-15);
  const array loss = jq::grad([](array v) { return -jq::log_softmax(v)[0]; })(x);
  CHECK(distance(loss, p - asarray({1.0, 0.0, 0.0})) < 1e-15);
}
