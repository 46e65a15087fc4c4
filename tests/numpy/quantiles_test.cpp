// Quantiles: numpy's documented results, all methods, NaN, axes, derivative.
#include <jacquard/numpy/quantiles.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::quantile(x, 0.3) + jq::median(x, 0); }, {3}) > 0);

namespace {
const array a = asarray({{10, 7, 4}, {3, 2, 1}});
const array gaps = asarray({{10.0, not_a_number, 4.0}, {3.0, 2.0, 1.0}});
}  // namespace

TEST_CASE("quantile, percentile and median: numpy's examples") {
  CHECK(show(jq::quantile(a, 0.5)) == "f64[] 3.5");
  CHECK(show(jq::quantile(a, 0.5, 0)) == "f64[3] 6.5 4.5 2.5");
  CHECK(show(jq::quantile(a, 0.5, 1, "linear", jq::keepdims)) == "f64[2,1] 7 2");
  CHECK(show(jq::percentile(a, 50, 1)) == "f64[2] 7 2");
  CHECK(show(jq::median(a)) == "f64[] 3.5");
  CHECK(show(jq::median(a, 1)) == "f64[2] 7 2");
  CHECK(show(jq::quantile(a, asarray({0.0, 0.25, 1.0}), 1)) == "f64[3,2] 4 1 5.5 1.5 10 3");
  CHECK(show(jq::quantile(a, asarray({{0.0}, {1.0}}), {0, 1})) == "f64[2,1] 1 10");
  CHECK(show(jq::quantile(asarray({1.f, 2.f}), 0.5)) == "f32[] 1.5");
}
TEST_CASE("quantile: methods, the ends, infinities") {
  const array x = asarray({0.0, 1.0, 2.0, 3.0});
  const auto at = [&](double q, std::string_view method) { return jq::item<double>(jq::quantile(x, q, 0, method)); };
  CHECK(at(0.4, "linear") == doctest::Approx(1.2));
  CHECK(at(0.4, "lower") == 1);
  CHECK(at(0.4, "higher") == 2);
  CHECK(at(0.4, "midpoint") == 1.5);
  CHECK(at(0.4, "nearest") == 1);
  CHECK(at(0.5, "nearest") == 2);  // halves to even
  CHECK(at(1, "higher") == 3);
  CHECK(at(0, "midpoint") == 0);
  CHECK(std::isnan(at(1.5, "linear")));
  CHECK(show(jq::quantile(asarray({-inf, 1.0, inf}), asarray({0.0, 0.5, 1.0}))) == "f64[3] -inf 1 inf");
  CHECK_ERROR(jq::value_error, jq::quantile(x, 0.5, 0, "median"), "quantile", "\"median\"", "midpoint");
  CHECK_ERROR(jq::value_error, jq::median(jq::zeros({0})), "median", "at least one element");
  CHECK_ERROR(jq::value_error, jq::median(x, 1), "median", "axis 1");
  CHECK_ERROR(jq::type_error, jq::median(x.astype(jq::c128)), "median", "complex128");
}
TEST_CASE("the estimators of Hyndman and Fan: numpy.quantile") {
  const array x = asarray({0.1, 0.4, 0.35, 0.8, 1.0, 0.0, 0.55, 0.999, 1.2, -0.3}), q = asarray({0.0, 0.05, 0.25, 0.5, 0.77, 1.0});
  const std::pair<const char*, array> known[] = {
      {"inverted_cdf", asarray({-0.3, -0.3, 0.1, 0.4, 0.999, 1.2})},
      {"averaged_inverted_cdf", asarray({-0.3, -0.3, 0.1, 0.475, 0.999, 1.2})},
      {"closest_observation", asarray({-0.3, -0.3, 0.1, 0.4, 0.999, 1.2})},
      {"interpolated_inverted_cdf", asarray({-0.3, -0.3, 0.05, 0.4, 0.9393, 1.2})},
      {"hazen", asarray({-0.3, -0.3, 0.1, 0.475, 0.9992, 1.2})},
      {"weibull", asarray({-0.3, -0.3, 0.075, 0.475, 0.99947, 1.2})},
      {"median_unbiased", asarray({-0.3, -0.3, 0.09166666666666666, 0.475, 0.99929, 1.2})},
      {"normal_unbiased", asarray({-0.3, -0.3, 0.09375, 0.475, 0.9992675, 1.2})},
  };
  for (const auto& [method, values] : known) {
    INFO(method);
    CHECK(jq::allclose(jq::quantile(x, q, {}, method), values, 1e-14).item<bool>());
    CHECK(jq::allclose(jq::nanquantile(jq::append(x, not_a_number), q, {}, method), values, 1e-14).item<bool>());
    CHECK(jq::quantile(asarray({3.0}), 0.01, {}, method).item<double>() == 3);
  }
}
TEST_CASE("percentiles of whole places are their elements: q / 100, not q times a rounded 0.01") {
  for (int q = 0; q <= 100; q += 5)
    for (const char* method : {"linear", "lower", "higher", "nearest"}) {
      INFO(q, method);
      CHECK(jq::percentile(jq::arange(21.0), double(q), {}, method).item<double>() == q / 5);
      CHECK(jq::nanpercentile(jq::arange(21.0), double(q), {}, method).item<double>() == q / 5);
    }
}
TEST_CASE("places among more elements than 16 bits count") {
  for (jq::dtype t : {jq::f16, jq::bf16}) {
    INFO(jq::long_name(t));
    const array halves = jq::concatenate({jq::zeros({3001}, t), jq::ones({3001}, t)}, 0), gapped = jq::append(halves, jq::full({1}, not_a_number, t));
    CHECK(jq::median(halves).dtype() == t);
    CHECK(jq::median(halves).astype(jq::f64).item<double>() == 0.5);
    CHECK(jq::nanmedian(gapped).astype(jq::f64).item<double>() == 0.5);
    CHECK(jq::quantile(halves, 3000.0 / 6001, {}, "lower").astype(jq::f64).item<double>() == 0);
    CHECK(jq::nanquantile(gapped, 3001.0 / 6001, {}, "lower").astype(jq::f64).item<double>() == 1);
    CHECK(show(jq::percentile(jq::arange(501.0).astype(t) * 0 + 7, 12.5)).ends_with("[] 7"));
  }
  // f32 tells no halves apart from 2^23 on.
  CHECK(jq::detail::dtype_of_places(jq::f32, 1000) == jq::f32);
  CHECK(jq::detail::dtype_of_places(jq::f32, 1 << 23) == jq::f64);
}
TEST_CASE("quantiles and NaN") {
  CHECK(show(jq::median(gaps, 1)) == "f64[2] nan 2");
  CHECK(show(jq::nanmedian(gaps, 1)) == "f64[2] 7 2");
  CHECK(show(jq::nanquantile(gaps, 0.5, 0)) == "f64[3] 6.5 2 2.5");
  CHECK(show(jq::nanpercentile(gaps, asarray({0, 100}), 1)) == "f64[2,2] 4 1 10 3");
  CHECK(show(jq::nanmedian(asarray({not_a_number, not_a_number}))) == "f64[] nan");
}
TEST_CASE("the derivative of a quantile goes to the elements between which it lies") {
  CHECK(show(jq::grad([](const array& x) { return jq::quantile(x, 0.25); })(asarray({5.0, 1.0, 9.0}))) == "f64[3] 0.5 0.5 0");
  CHECK(show(jq::grad([](const array& x) { return jq::median(x); })(asarray({5.0, 1.0, 9.0}))) == "f64[3] 1 0 0");
}
TEST_CASE("the derivative of a quantile in its share: the difference of its neighbours, none on an element") {
  const auto slope = [](double q) { return jq::grad([](const array& v) { return jq::quantile(asarray({1.0, 2.0, 5.0}), v); })(asarray(q)).item<double>(); };
  CHECK(slope(0.25) == 2);
  CHECK(slope(0.75) == 6);
  CHECK(slope(0.5) == 0);
}
