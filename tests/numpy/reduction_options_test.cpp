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
