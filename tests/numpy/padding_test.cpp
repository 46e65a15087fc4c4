// pad: every mode, numpy's documented results, long paddings, corners, derivative, errors.
#include <jacquard/numpy/padding.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::pad(x, {1, 2}, "reflect") + jq::pad(x, {2, 1}, "mean"); }, {3}) > 0);
static_assert(traced([](array x) { return jq::pad(x, 1, "mirror"); }, {3}) == -1);

namespace {
const array a = asarray({1, 2, 3, 4, 5});
std::string padded(const char* mode, const jq::pad_options& o = {}) { return show(jq::pad(a, {2, 3}, mode, o)); }
}  // namespace

TEST_CASE("pad: numpy's examples") {
  CHECK(padded("constant", {.constant = {6.0, 9.0}}) == "i32[10] 6 6 1 2 3 4 5 9 9 9");
  CHECK(show(jq::pad(a, {2, 3}, "linear_ramp", {.end = {5.0, -4.0}})) == "i32[10] 5 3 1 2 3 4 5 2 -1 -4");
  CHECK(show(jq::pad(asarray({{1, 2}}), 1, "constant", {.constant = {{3.0, 4.0}, {5.0, 6.0}}})) == "i32[3,4] 5 3 3 6 5 1 2 6 5 4 4 6");
  CHECK(show(jq::pad(asarray({-7, 1}), {3, 0}, "linear_ramp")) == "i32[5] 0 -3 -5 -7 1");  // rounded down
  CHECK(show(jq::pad(jq::zeros({0}), {1, 2}, "constant", {.constant = {1.0, 2.0}})) == "f32[3] 1 2 2");
  CHECK_ERROR(jq::value_error, jq::pad(a, 1, "constant", {.constant = {{1.0, 2.0}, {3.0, 4.0}}}), "pad", "a pair per dimension");
  CHECK(padded("constant", {.constant = 6}) == "i32[10] 6 6 1 2 3 4 5 6 6 6");
  CHECK(padded("edge") == "i32[10] 1 1 1 2 3 4 5 5 5 5");
  CHECK(show(jq::pad(a, {2, 3}, "linear_ramp", {.end = 5})) == "i32[10] 5 3 1 2 3 4 5 5 5 5");
  CHECK(show(jq::pad(a, 2, "maximum")) == "i32[9] 5 5 1 2 3 4 5 5 5");
  CHECK(show(jq::pad(a, 2, "mean")) == "i32[9] 3 3 1 2 3 4 5 3 3");
  CHECK(show(jq::pad(a, 2, "median")) == "i32[9] 3 3 1 2 3 4 5 3 3");
  CHECK(show(jq::pad(asarray({{1, 2}, {3, 4}}), {{3, 2}, {2, 3}}, "minimum")) ==
        "i32[7,7] 1 1 1 2 1 1 1 1 1 1 2 1 1 1 1 1 1 2 1 1 1 1 1 1 2 1 1 1 3 3 3 4 3 3 3 1 1 1 2 1 1 1 1 1 1 2 1 1 1");
  CHECK(padded("reflect") == "i32[10] 3 2 1 2 3 4 5 4 3 2");
  CHECK(padded("reflect", {.odd = true}) == "i32[10] -1 0 1 2 3 4 5 6 7 8");
  CHECK(padded("symmetric") == "i32[10] 2 1 1 2 3 4 5 5 4 3");
  CHECK(padded("symmetric", {.odd = true}) == "i32[10] 0 1 1 2 3 4 5 5 6 7");
  CHECK(padded("wrap") == "i32[10] 4 5 1 2 3 4 5 1 2 3");
  CHECK(padded("empty") == "i32[10] 0 0 1 2 3 4 5 0 0 0");
  CHECK(show(jq::pad(a, 2, "maximum", {.stat_length = 2})) == "i32[9] 2 2 1 2 3 4 5 5 5");
}
TEST_CASE("pad: further than the array is long") {
  const array b = asarray({1, 2, 3});
  CHECK(show(jq::pad(b, {0, 7}, "reflect")) == "i32[10] 1 2 3 2 1 2 3 2 1 2");
  CHECK(show(jq::pad(b, {7, 0}, "symmetric")) == "i32[10] 1 1 2 3 3 2 1 1 2 3");
  CHECK(show(jq::pad(b, {7, 4}, "wrap")) == "i32[14] 3 1 2 3 1 2 3 1 2 3 1 2 3 1");
  CHECK(show(jq::pad(b, {0, 5}, "reflect", {.odd = true})) == "i32[8] 1 2 3 4 5 6 7 8");
  CHECK(show(jq::pad(asarray({7}), {2, 1}, "reflect")) == "i32[4] 7 7 7 7");
}
TEST_CASE("pad: dimensions one after the other") {
  const array m = asarray({{1, 2}, {3, 4}});
  CHECK(show(jq::pad(m, 1, "wrap")) == "i32[4,4] 4 3 4 3 2 1 2 1 4 3 4 3 2 1 2 1");
  CHECK(show(jq::pad(m, {{0, 1}, {0, 0}}, "edge")) == "i32[3,2] 1 2 3 4 3 4");
  CHECK(show(jq::pad(jq::zeros({0}), 2)) == "f32[4] 0 0 0 0");
}
TEST_CASE("pad: derivative") {
  CHECK(show(jq::grad([](const array& x) { return jq::sum(jq::pad(x, {1, 2}, "reflect")); })(asarray({1.0, 2.0, 3.0}))) == "f64[3] 2 3 1");
}
TEST_CASE("pad: errors") {
  CHECK_ERROR(jq::value_error, jq::pad(a, 1, "mirror"), "pad", "\"mirror\"", "reflect");
  CHECK_ERROR(jq::value_error, jq::pad(a, -1), "pad", "(5,)", ">= 0");
  CHECK_ERROR(jq::value_error, jq::pad(a, {{1, 1}, {1, 1}}), "pad", "pair");
  CHECK_THROWS_AS(jq::pad(a, INT64_MAX), jq::shape_error);  // 5 + 2 (2^63 - 1) is 3 modulo 2^64
  CHECK_THROWS_AS(jq::lax::pad(a, jq::array(0).astype(a.dtype()), {0}, {0}, {INT64_MAX}), jq::shape_error);
  CHECK_ERROR(jq::shape_error, jq::pad(jq::zeros({0}), 1, "edge"), "pad", "empty dimension 0");
}
TEST_CASE("ramps of bool hold where they are not zero") {
  CHECK(show(jq::pad(asarray({true, false}), 2, "linear_ramp")) == "bool[6] 0 1 1 0 0 0");
}
