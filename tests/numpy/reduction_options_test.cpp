// Reductions with options against numpy's values (1.24): masks of the same and of fewer dimensions, initial values, dtypes, NaN; derivatives,
// batching, both lanes, errors.
#include <jacquard/testing/testing.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::sum(x, 0, {.where = x > 0, .initial = 2.0, .dtype = jq::f64}); }, {3}) > 0);
static_assert(traced([](array x) { return jq::std(x, jq::none, {.ddof = 1, .where = x > 0}, jq::keepdims); }, {3}) > 0);
static_assert(traced([](array x) { return jq::max(x, 0, {.where = x > 0}); }, {3}) == -1);
constexpr auto positive = [](auto x) { return jq::mean(x, 0, {.where = x > 0}); };
static_assert(jq::jit(positive)(jq::tensor<double, 4>{1, -3, 2, 6}) == 3);
static_assert(jq::grad(positive)(jq::tensor<double, 4>{1, -3, 2, 5}) == jq::tensor<double, 4>{1.0 / 3, 0, 1.0 / 3, 1.0 / 3});

namespace {
const array x = asarray({{1.0, 5.0, 2.0, -3.0}, {4.0, 0.5, 7.0, 8.0}});
const array m = asarray({{true, false, true, true}, {false, false, true, false}}), columns = asarray({true, false, true, false});
array known(const array& v) { return jq::where(jq::isnan(v), 99.0, v); }
const array with_nan = jq::where(asarray({false, false, true, false}), not_a_number, x);
}  // namespace

TEST_CASE("a mask selects elements") {
  CHECK(show(jq::sum(x, 1, {.where = m})) == "f64[2] 0 7");
  CHECK(show(jq::sum(x, 0, {.where = columns}, jq::keepdims)) == "f64[1,4] 5 0 9 0");
  CHECK(show(jq::prod(x, 1, {.where = m})) == "f64[2] -6 7");
  CHECK(show(jq::prod(x, 0, {.where = columns})) == "f64[4] 4 1 14 1");
  CHECK(show(jq::mean(x, 1, {.where = m})) == "f64[2] 0 7");
  CHECK(show(jq::mean(x, jq::none, {.where = m})) == "f64[] 1.75");
  CHECK(show(known(jq::mean(x, 0, {.where = columns}))) == "f64[4] 2.5 99 4.5 99");
  CHECK(show(jq::var(x, 1, {.where = m})) == "f64[2] 4.6667 0");
  CHECK(show(known(jq::var(x, 1, {.ddof = 1, .where = m}))) == "f64[2] 7 99");
  CHECK(show(jq::std(x, 1, {.where = m})) == "f64[2] 2.1602 0");
  CHECK(show(jq::max(x, 1, {.where = m, .initial = 6})) == "f64[2] 6 7");
  CHECK(show(jq::min(x, 0, {.where = m, .initial = 0.25})) == "f64[4] 0.25 0.25 0.25 -3");
  CHECK(show(jq::any(x > 4, 1, {.where = m})) == "bool[2] 0 1");
  CHECK(show(jq::all(x > 0, 1, {.where = m})) == "bool[2] 0 1");
  CHECK(show(jq::sum(x, jq::none, {.where = false})) == "f64[] 0");
  CHECK(show(jq::sum(with_nan, 1, {.where = jq::logical_not(columns)})) == "f64[2] 2 8.5");  // what is left out may be NaN
}
TEST_CASE("initial values and dtypes") {
  CHECK(show(jq::sum(x, 1, {.where = m, .initial = 10, .dtype = jq::f32})) == "f32[2] 10 17");
  CHECK(show(jq::prod(x, 1, {.initial = 2})) == "f64[2] -60 224");
  CHECK(show(jq::max(jq::zeros({0, 2}), 0, {.initial = 3})) == "f32[2] 3 3");
  CHECK(show(jq::min(asarray({3, 4}), 0, {.initial = 5})) == "i32[] 3");
  CHECK(show(jq::max(asarray({3, 4}), 0, jq::extreme_options{})) == "i32[] 4");
  const array small = asarray({200, 100}).astype(jq::u8);
  CHECK(show(jq::sum(small, 0, {.dtype = jq::u8})) == "u8[] 44");
  CHECK(show(jq::prod(small, 0, {.dtype = jq::u8})) == "u8[] 32");
  CHECK(show(jq::mean(small, 0, {.dtype = jq::f32})) == "f32[] 150");
  CHECK(show(jq::var(small, 0, {.dtype = jq::f32})) == "f32[] 2500");
  CHECK(show(jq::mean(jq::full({70000}, 2.0, jq::f16), 0, {.where = true})) == "f16[] 2");
  CHECK(show(jq::mean(asarray({jq::complex128(1, 1), jq::complex128(3, 5)}), 0, {.where = asarray({false, true})})) == "c128[] 3+5i");
  CHECK(show(jq::var(asarray({jq::complex128(1, 1), jq::complex128(-1, -1), jq::complex128(9, 9)}), 0, {.where = asarray({true, true, false})})) == "f64[] 2");
}
TEST_CASE("without NaN") {
  CHECK(show(jq::nansum(with_nan, 1, {.where = m})) == "f64[2] -2 0");
  CHECK(show(jq::nanprod(with_nan, 1, {.where = m})) == "f64[2] -3 1");
  CHECK(show(known(jq::nanmean(with_nan, 1, {.where = m}))) == "f64[2] -1 99");
  CHECK(show(known(jq::nanvar(with_nan, 1, {.where = m}))) == "f64[2] 4 99");
  CHECK(show(known(jq::nanvar(with_nan, 1, {.ddof = 1, .where = m}, jq::keepdims))) == "f64[2,1] 8 99");
  CHECK(show(known(jq::nanstd(with_nan, 1, {.where = m}))) == "f64[2] 2 99");
  CHECK(show(jq::nanmax(with_nan, 1, {.where = m, .initial = -9})) == "f64[2] 1 -9");
  CHECK(show(jq::nanmin(with_nan, 1, {.where = m, .initial = 9})) == "f64[2] -3 9");
  CHECK(show(jq::nanmean(with_nan, 1, {.dtype = jq::f32})) == "f32[2] 1 4.1667");
  CHECK(show(jq::nanmean(asarray({1, 2, 6}), 0, {.where = asarray({true, false, true})})) == "f64[] 3.5");
}
TEST_CASE("derivatives and batching") {
  const auto all = [](const array& v, const array& first) {
    const array mask = v > -1.0;
    return jq::stack({jq::sum(v, 1, {.where = mask, .initial = first}), jq::prod(v, 1, {.where = mask, .initial = first}), jq::mean(v, 1, {.where = mask}),
                      jq::var(v, 1, {.where = mask}), jq::std(v, 1, {.ddof = 0.5, .where = jq::expand_dims(mask[0], 0)}),
                      jq::max(v, 1, {.where = mask, .initial = first}), jq::min(v, 1, {.where = mask, .initial = first}), jq::nanmean(v, 1, {.where = mask})});
  };
  const jq::testing::report r = jq::testing::check_grads(all, std::tuple{x, asarray(3.0)});
  CHECK_MESSAGE(r.ok, r.text);
  const array three = jq::stack({x, -x, x * 0.5 + 1.0});
  const jq::testing::report v = jq::testing::check_vmap(all, {0, 0}, std::tuple{three, asarray({1.0, 2.0, 3.0})}, 1e-12, 1e-12);
  CHECK_MESSAGE(v.ok, v.text);
  const array hole = asarray({1.0, inf, 4.0, not_a_number});  // neither NaN nor infinity comes back from what is left out
  for (auto f : {+[](const array& a) { return jq::var(a, 0, {.where = asarray({true, false, true, false})}); },
                 +[](const array& a) { return jq::prod(a, 0, {.where = asarray({true, false, true, false})}); }})
    CHECK(bool(jq::all(jq::isfinite(jq::grad(f)(hole)))));
  CHECK(show(jq::grad([](const array& a) { return jq::max(a, 0, {.where = a < 4, .initial = -inf}); })(asarray({1.0, 3.0, 4.0}))) == "f64[3] 0 1 0");
}
TEST_CASE("errors") {
  CHECK_ERROR(jq::value_error, jq::max(x, 0, {.where = m}), "max: got the option where without initial", "wanted initial");
  CHECK_ERROR(jq::value_error, jq::max(jq::zeros({0}), 0, jq::extreme_options{}), "max", "zero-size");
  CHECK_ERROR(jq::value_error, jq::nanmin(x, 0, {.where = m}), "min: got the option where without initial");
  CHECK_ERROR(jq::type_error, jq::sum(x, 0, {.where = x}), "sum: got the option where of dtype float64", "wanted bool");
  CHECK_ERROR(jq::shape_error, jq::sum(x, 0, {.where = jq::ones({3}, jq::bool_)}), "sum: got the option where of shape (3,) for an array of shape (2, 4)");
  CHECK_ERROR(jq::shape_error, jq::any(x, 0, {.where = jq::ones({5, 2, 4}, jq::bool_)}), "any", "(5, 2, 4)");
  CHECK_ERROR(jq::shape_error, jq::prod(x, 0, {.initial = jq::ones({2})}), "prod: got the option initial of shape (2,), wanted a scalar");
  CHECK_ERROR(jq::type_error, jq::mean(x, 0, {.dtype = jq::i32}), "mean: got the option dtype int32");
  CHECK_ERROR(jq::value_error, jq::sum(x, 2, {.where = m}), "axis 2");
  CHECK_ERROR(jq::type_error, jq::max(asarray({jq::complex128(1, 1)}), 0, {.where = true, .initial = 0}), "complex128");
}
TEST_CASE("logsumexp with weights and a mask: sums of exponentials") {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  CHECK(jq::logsumexp(jq::asarray({hole, 1.0}), {}, {.b = jq::asarray({0.0, 1.0})}).item<double>() == 1);
  const array v = asarray({{0.5, -1.0, 2.0}, {3.0, 1000.0, -inf}}), w = asarray({1.0, 0.0, 2.0});
  const double want = std::log(std::exp(0.5) + 2 * std::exp(2.0));
  CHECK(distance(jq::logsumexp(v, 1, {.b = w}), asarray({want, 3.0})) < 1e-15);  // what has the weight 0 does not overflow
  CHECK(distance(jq::logsumexp(v(0), jq::none, {.where = asarray({true, false, true})}), asarray(std::log(std::exp(0.5) + std::exp(2.0)))) < 1e-15);
  CHECK(distance(jq::logsumexp(v(0), jq::none, {.b = w, .where = asarray({false, true, true})}, jq::keepdims), asarray({std::log(2.0) + 2})) < 1e-15);
  CHECK(show(jq::logsumexp(v, 1, {.where = false})) == "f64[2] -inf -inf");
  CHECK(std::isnan(jq::logsumexp(v(0), jq::none, {.b = -1}).item<double>()));
  const jq::signed_logsumexp_result s = jq::signed_logsumexp(v(0), jq::none, {.b = asarray({1, 1, -1})});
  CHECK(s.sign.item<double>() == -1);
  CHECK(s.value.item<double>() == doctest::Approx(std::log(std::exp(2.0) - std::exp(0.5) - std::exp(-1.0))).epsilon(1e-14));
  CHECK(show(jq::signed_logsumexp(asarray({1.0, 1.0}), jq::none, {.b = asarray({1, -1})}).sign) == "f64[] 0");
  CHECK(show(jq::logsumexp(asarray({1, 2}), 0, {.b = asarray({0.0f, 1.0f})})) == "f64[] 2");
  CHECK_ERROR(jq::shape_error, jq::logsumexp(v, 1, {.b = jq::ones({2})}), "logsumexp", "option b", "(2,)");
  CHECK_ERROR(jq::type_error, jq::logsumexp(v, 1, {.b = asarray(jq::complex128(1, 1))}), "logsumexp", "complex128", "real");
  CHECK_ERROR(jq::type_error, jq::logsumexp(v, 1, {.where = w}), "logsumexp", "option where", "bool");
  CHECK_ERROR(jq::value_error, jq::logsumexp(v, 2, {.b = 1.0}), "logsumexp", "axis 2");
}
TEST_CASE("logsumexp with weights: derivatives are shares, also in weights that are 0") {
  const auto f = [](const array& a, const array& b) { return jq::logsumexp(a, jq::none, {.b = b}); };
  const array v = asarray({0.5, -1.0, 2.0}), w = asarray({1.0, 0.0, 2.0});
  const double total = std::exp(0.5) + 2 * std::exp(2.0);
  const auto [of_v, of_w] = jq::grad(f, jq::argnums<0, 1>)(v, w);
  CHECK(distance(of_v, asarray({std::exp(0.5) / total, 0.0, 2 * std::exp(2.0) / total})) < 1e-15);
  CHECK(distance(of_w, asarray({std::exp(0.5) / total, std::exp(-1.0) / total, std::exp(2.0) / total})) < 1e-15);
  const array gone = jq::grad([](const array& a) { return jq::logsumexp(a, jq::none, {.where = false}); })(v);
  CHECK(show(gone) == "f64[3] 0 0 0");
  const auto rows = [](const array& a) { return jq::logsumexp(a, jq::none, {.b = 2.0, .where = a > 0}); };
  CHECK(distance(jq::vmap(rows)(jq::stack({v, -v})), asarray({std::log(2 * (std::exp(0.5) + std::exp(2.0))), std::log(2 * std::exp(1.0))})) < 1e-15);
  CHECK(distance(jq::jit(f)(v, w), f(v, w)) < 1e-15);
}
constexpr auto chosen = [](auto a) { return jq::softmax(a, 0, {.where = a > 0}); };
static_assert(jq::jit(chosen)(jq::tensor<double, 3>{2, -5, 2}) == jq::tensor<double, 3>{0.5, 0, 0.5});
TEST_CASE("softmax and log_softmax of a selection") {
  const array v = asarray({{1.0, 1.0, 7.0}, {-inf, 2.0, 3.0}}), mask = asarray({true, true, false});
  CHECK(show(jq::softmax(v, -1, {.where = mask})) == "f64[2,3] 0.5 0.5 0 0 1 0");
  CHECK(show(jq::log_softmax(v, -1, {.where = mask})) == "f64[2,3] -0.69315 -0.69315 -inf -inf 0 -inf");
  CHECK(show(jq::softmax(v, 0, {.where = asarray({{true, false, true}, {true, false, false}})})) == "f64[2,3] 1 0 1 0 0 0");
  CHECK(distance(jq::softmax(v, {0, 1}, {.where = true}), jq::softmax(v, {0, 1})) == 0);
  const auto part = [&](const array& a) { return jq::sum(jq::softmax(a, -1, {.where = mask}) * asarray({1.0, 0.0, 5.0})); };
  CHECK(show(jq::grad(part)(v(0))) == "f64[3] 0.25 -0.25 0");
  const auto none = [](const array& a) { return jq::sum(jq::softmax(a, -1, {.where = false})); };
  CHECK(show(jq::grad(none)(v(0))) == "f64[3] 0 0 0");
  const auto logs = [&](const array& a) { return jq::log_softmax(a, -1, {.where = mask})(0); };
  CHECK(show(jq::jit(jq::grad(logs))(v(0))) == "f64[3] 0.5 -0.5 0");
  CHECK_ERROR(jq::type_error, jq::softmax(v, -1, {.where = v}), "softmax", "bool");
  CHECK_ERROR(jq::shape_error, jq::log_softmax(v, -1, {.where = jq::ones({2}, jq::bool_)}), "log_softmax", "(2,)");
  CHECK_ERROR(jq::value_error, jq::softmax(v, 2, {.where = mask}), "softmax", "axis 2");
}
