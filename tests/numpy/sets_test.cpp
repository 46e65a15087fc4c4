// Results whose size depends on values: with a size, counted, under jit; against numpy's documented results.
#include <jacquard/numpy/sets.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::unique(x, 3) + jq::flatnonzero(x, 3); }, {5}) > 0);

TEST_CASE("nonzero, flatnonzero and argwhere") {
  const array x = asarray({{3, 0, 0}, {0, 4, 0}, {5, 6, 0}});
  CHECK(show(jq::nonzero(x)) == "i64[4] 0 1 2 2, i64[4] 0 1 0 1");
  CHECK(show(jq::flatnonzero(x)) == "i64[4] 0 4 6 7");
  CHECK(show(jq::flatnonzero(x, 2)) == "i64[2] 0 4");
  CHECK(show(jq::flatnonzero(x, 6, -1)) == "i64[6] 0 4 6 7 -1 -1");
  CHECK(show(jq::argwhere(x, 3)) == "i64[3,2] 0 0 1 1 2 0");
  CHECK(show(jq::flatnonzero(jq::zeros({0}))) == "i64[0]");
  CHECK(show(jq::jit([](const array& v) { return jq::flatnonzero(v, 5); })(x)) == "i64[5] 0 4 6 7 0");
  CHECK_ERROR_ANYWHERE(jq::concretization_error, jq::jit([](const array& v) { return jq::flatnonzero(v); })(x), "jit");
  CHECK_ERROR(jq::shape_error, jq::nonzero(asarray(1)), "nonzero", "scalar");
}
TEST_CASE("where with the condition alone: its places") {
  const array x = asarray({{3, 0, 0}, {0, 4, 0}, {5, 6, 0}});
  CHECK(show(jq::where(x > 3)) == "i64[3] 1 2 2, i64[3] 1 0 1");
  CHECK(show(x(jq::where(x > 3)[0], jq::where(x > 3)[1])) == "i32[3] 4 5 6");
  CHECK(show(jq::where(x, {.size = 5, .fill = -1})) == "i64[5] 0 1 2 2 -1, i64[5] 0 1 0 1 -1");
  CHECK(show(jq::where(x, {.size = 1})) == "i64[1] 0, i64[1] 0");
  CHECK(show(jq::jit([](const array& v) { return jq::where(v > 3, {.size = 4})[1]; })(x)) == "i64[4] 1 0 1 0");
  CHECK(show(jq::where(x > 3, 1, 0)) == "i32[3,3] 0 0 0 0 1 0 1 1 0");
  CHECK_ERROR_ANYWHERE(jq::concretization_error, jq::jit([](const array& v) { return jq::where(v)[0]; })(x), "jit");
  CHECK_ERROR(jq::shape_error, jq::where(asarray(true)), "where", "scalar");
}
TEST_CASE("extract and compress") {
  const array x = asarray({{1, 2}, {3, 4}, {5, 6}});
  CHECK(show(jq::extract(x % 2 == 0, x)) == "i32[3] 2 4 6");
  CHECK(show(jq::extract(x > 3, x, 4, -1)) == "i32[4] 4 5 6 -1");
  CHECK(show(jq::compress(asarray({false, true}), x, 0)) == "i32[1,2] 3 4");
  CHECK(show(jq::compress(asarray({false, true, true}), x, 0)) == "i32[2,2] 3 4 5 6");
  CHECK(show(jq::compress(asarray({false, true}), x, 1)) == "i32[3,1] 2 4 6");
  CHECK(show(jq::compress(asarray({false, true}), x)) == "i32[1] 2");
  CHECK_ERROR(jq::shape_error, jq::compress(asarray({true, true, true}), x, 1), "compress", "3 elements for 2");
  CHECK_ERROR(jq::shape_error, jq::extract(asarray({true}), x), "extract", "(1,)");
}
TEST_CASE("unique: values, places, inverse and counts; NaN counts as one") {
  const array x = asarray({{2, 2, 3}, {1, 3, 3}});
  const jq::unique_result u = jq::unique_all(x);
  CHECK(show(u.values) == "i32[3] 1 2 3");
  CHECK(show(u.index) == "i64[3] 3 0 2");
  CHECK(show(u.inverse) == "i64[2,3] 1 1 2 0 2 2");
  CHECK(show(u.counts) == "i64[3] 1 2 3");
  CHECK(show(jq::unique(x, 5)) == "i32[5] 1 2 3 1 1");
  CHECK(show(jq::unique(x, 5, -7)) == "i32[5] 1 2 3 -7 -7");
  CHECK(show(jq::unique(x, 2)) == "i32[2] 1 2");
  CHECK(show(jq::unique_all(x, 4).counts) == "i64[4] 1 2 3 0");
  CHECK(show(jq::unique(asarray({not_a_number, 1.0, not_a_number}))) == "f64[2] 1 nan");
  CHECK(show(jq::unique(jq::zeros({0}))) == "f32[0]");
}
TEST_CASE("sets: numpy's examples") {
  CHECK(show(jq::isin(asarray({{0, 2}, {4, 6}}), asarray({1, 2, 4, 8}))) == "bool[2,2] 0 1 1 0");
  CHECK(show(jq::isin(asarray({1, 2}), asarray({2}), true)) == "bool[2] 1 0");
  CHECK(show(jq::isin(asarray({1, 2}), jq::zeros({0}, jq::i32))) == "bool[2] 0 0");
  CHECK(show(jq::isin(asarray({not_a_number}), asarray({not_a_number}))) == "bool[1] 0");
  CHECK(show(jq::intersect1d(asarray({1, 3, 4, 3}), asarray({3, 1, 2, 1}))) == "i32[2] 1 3");
  CHECK(show(jq::setdiff1d(asarray({1, 2, 3, 2, 4, 1}), asarray({3, 4, 5, 6}))) == "i32[2] 1 2");
  CHECK(show(jq::union1d(asarray({-1, 0, 1}), asarray({-2, 0, 2}))) == "i32[5] -2 -1 0 1 2");
  CHECK(show(jq::union1d(asarray({-1, 0}), asarray({0}), 3)) == "i32[3] -1 0 -1");
  CHECK(show(jq::setdiff1d(asarray({1, 2}), asarray({1, 2}), 2)) == "i32[2] 1 1");
}
TEST_CASE("symmetric differences and the parts of unique") {
  CHECK(show(jq::setxor1d(asarray({1, 2, 3, 2, 4}), asarray({2, 3, 5, 7, 5}))) == "i32[4] 1 4 5 7");
  CHECK(show(jq::setxor1d(asarray({1, 2}), asarray({2, 3}), 4)) == "i32[4] 1 3 1 1");
  const array x = asarray({3, 1, 3});
  CHECK(show(jq::unique_values(x)) == "i32[2] 1 3");
  CHECK(show(jq::unique_counts(x).counts) == "i64[2] 1 2");
  CHECK(show(jq::unique_inverse(x).inverse) == "i64[3] 1 0 1");
}
TEST_CASE("trim_zeros") {
  const array x = asarray({0, 0, 0, 1, 2, 3, 0, 2, 1, 0});
  CHECK(show(jq::trim_zeros(x)) == "i32[6] 1 2 3 0 2 1");
  CHECK(show(jq::trim_zeros(x, "b")) == "i32[9] 0 0 0 1 2 3 0 2 1");
  CHECK(show(jq::trim_zeros(x, "f")) == "i32[7] 1 2 3 0 2 1 0");
  CHECK(show(jq::jit([](const array& v) { return jq::trim_zeros(v, "fb", 8); })(x)) == "i32[8] 1 2 3 0 2 1 0 0");
  CHECK(jq::trim_zeros(jq::zeros({3})).shape() == jq::shape{0});
  CHECK_ERROR(jq::value_error, jq::trim_zeros(x, "left"), "trim_zeros", "left", "f, b or fb");
  CHECK_ERROR(jq::shape_error, jq::trim_zeros(jq::eye(2)), "trim_zeros", "(2, 2)");
}
TEST_CASE("intersect1d: the elements are of the common dtype") {
  CHECK(show(jq::intersect1d(asarray({3, 1, 2}), asarray({2.f, 3.f, 0.5f}))) == "f32[2] 2 3");
}
