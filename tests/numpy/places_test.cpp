// Places: numpy's documented results, derivatives where places lie outside, errors.
#include <jacquard/numpy/places.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::take(x, 5, 0, "fill"); }, {3}) > 0);
static_assert(traced([](array x) { return jq::take(x, 0, 0, "other"); }, {3}) == -1);

TEST_CASE("take with modes") {
  const array x = asarray({10.0, 20.0, 30.0}), i = asarray({-1, 0, 3, -5});
  CHECK(show(jq::take(x, i, 0, "fill")) == "f64[4] 30 10 nan nan");
  CHECK(show(jq::take(x, i, 0, "fill", -7)) == "f64[4] 30 10 -7 -7");
  CHECK(show(jq::take(x, i, 0, "clip")) == "f64[4] 10 10 30 10");
  CHECK(show(jq::take(x, i, 0, "wrap")) == "f64[4] 30 10 10 20");
  const array m = asarray({{1, 2, 3}, {4, 5, 6}});
  CHECK(show(jq::take(m, asarray({{2, 3}}), 1, "fill")) == "i32[2,1,2] 3 -2.1475e+09 6 -2.1475e+09");
  CHECK(show(jq::take(m.astype(jq::u8), 9, 0, "fill")) == "u8[3] 255 255 255");
  CHECK(show(jq::take(m, 7, jq::none, "wrap")) == "i32[] 2");
  CHECK(show(jq::take(m > 2, 7, jq::none, "fill")) == "bool[] 1");
  // A place outside has no derivative, and no NaN.
  const auto read = [&](const array& v) { return jq::sum(jq::take(v, i, 0, "fill", 0.0) * asarray({1.0, 2.0, 3.0, 4.0})); };
  CHECK(show(jq::grad(read)(x)) == "f64[3] 2 0 1");
  CHECK(show(jq::vmap([&](const array& v) { return jq::take(v, i, 0, "wrap"); })(jq::stack({x, 2.0 * x}))) == "f64[2,4] 30 10 10 20 60 20 20 40");
  CHECK_ERROR(jq::value_error, jq::take(x, i, 0, "raise"), "take", "raise", "fill, clip or wrap");
  CHECK_ERROR(jq::type_error, jq::take(x, 1.5, 0, "wrap"), "take", "f64[]", "integers");
  CHECK_ERROR(jq::value_error, jq::take(jq::zeros({0}), i, 0, "clip"), "take", "axis of size 0");
  CHECK_ERROR(jq::value_error, jq::take(x, i, 1, "clip"), "take", "axis 1");
}
TEST_CASE("take_along_axis with modes") {
  const array m = asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}), i = asarray({{-1, 3}, {4, 0}});
  CHECK(show(jq::take_along_axis(m, i, 1, "fill")) == "f64[2,2] 3 nan nan 4");
  CHECK(show(jq::take_along_axis(m, i, 1, "fill", 0)) == "f64[2,2] 3 0 0 4");
  CHECK(show(jq::take_along_axis(m, i, 1, "clip")) == "f64[2,2] 1 3 6 4");
  CHECK(show(jq::take_along_axis(m, i, 1, "wrap")) == "f64[2,2] 3 1 5 4");
  CHECK(show(jq::take_along_axis(m, asarray({{9}}), 1, "fill", -1)) == "f64[2,1] -1 -1");
  CHECK_ERROR(jq::value_error, jq::take_along_axis(m, i, 1, "other"), "take_along_axis", "fill, clip or wrap");
}
TEST_CASE("flat indices and back, as in numpy's documentation") {
  const std::vector<array> at = jq::unravel_index(asarray({22, 41, 37}), {7, 6});
  CHECK(show(at) == "i64[3] 3 6 6, i64[3] 4 5 1");
  CHECK(show(jq::unravel_index(asarray(1621), {6, 7, 8, 9})) == "i64[] 3, i64[] 1, i64[] 4, i64[] 1");
  CHECK(show(jq::unravel_index(asarray(-1), {2, 3})) == "i64[] 1, i64[] 2");
  const array rows = asarray({3, 6, 6}), columns = asarray({4, 5, 1});
  CHECK(show(jq::ravel_multi_index({rows, columns}, {7, 6})) == "i64[3] 22 41 37");
  CHECK(show(jq::ravel_multi_index({rows, columns}, {4, 6}, "clip")) == "i64[3] 22 23 19");
  CHECK(show(jq::ravel_multi_index({rows, columns}, {4, 4}, "wrap")) == "i64[3] 12 9 9");
  CHECK(show(jq::ravel_multi_index({rows, columns}, {4, 6}, "fill")) == "i64[3] 22 -1 -1");
  CHECK_ERROR(jq::value_error, jq::unravel_index(asarray(1), {0, 2}), "unravel_index", "(0, 2)");
  CHECK_ERROR(jq::value_error, jq::ravel_multi_index({rows}, {4, 6}), "ravel_multi_index", "1 arrays", "(4, 6)");
}
TEST_CASE("diagonals, triangles, blocks") {
  CHECK(show(jq::diag_indices(3)) == "i64[3] 0 1 2, i64[3] 0 1 2");
  CHECK(jq::diag_indices_from(jq::zeros({2, 2, 2})).size() == 3);
  CHECK(show(jq::tril_indices_from(jq::zeros({2, 3}))) == show(jq::tril_indices(2, 0, 3)));
  CHECK(show(jq::triu_indices_from(jq::zeros({3, 2}), 1)) == show(jq::triu_indices(3, 1, 2)));
  const array a = jq::reshape(jq::arange(10), {2, 5});
  const std::vector<array> block = jq::ix_({asarray({0, 1}), asarray({2, 4})});
  CHECK(show(a(block[0], block[1])) == "i64[2,2] 2 4 7 9");
  CHECK_ERROR(jq::shape_error, jq::diag_indices_from(jq::zeros({2, 3})), "diag_indices_from", "(2, 3)");
  CHECK_ERROR(jq::shape_error, jq::tril_indices_from(jq::zeros({2})), "tril_indices_from", "(2,)");
  CHECK_ERROR(jq::shape_error, jq::ix_({jq::zeros({2, 3})}), "ix_", "(2, 3)");
}
TEST_CASE("fill_diagonal and place") {
  CHECK(show(jq::fill_diagonal(jq::zeros({3, 3}, jq::i32), 5)) == "i32[3,3] 5 0 0 0 5 0 0 0 5");
  CHECK(show(jq::fill_diagonal(jq::zeros({2, 3}), asarray({1.f, 2.f}))) == "f32[2,3] 1 0 0 0 2 0");
  const array cube = jq::fill_diagonal(jq::zeros({2, 2, 2}), 1);
  CHECK(show(cube) == "f32[2,2,2] 1 0 0 0 0 0 0 1");
  const auto loss = [](const array& x) { return jq::sum(jq::square(jq::fill_diagonal(x, 3))); };
  CHECK(show(jq::grad(loss)(jq::ones({2, 2}))) == "f32[2,2] 0 2 2 0");
  CHECK_ERROR(jq::shape_error, jq::fill_diagonal(jq::zeros({2, 3, 2}), 1), "fill_diagonal", "(2, 3, 2)");
  CHECK_ERROR(jq::shape_error, jq::fill_diagonal(jq::zeros({2, 3}), asarray({1.f, 2.f, 3.f})), "fill_diagonal", "(3,)", "(2, 3)");
  const array x = jq::reshape(jq::arange(6), {2, 3});
  CHECK(show(jq::place(x, x > 2, asarray({44, 55}))) == "i64[2,3] 0 1 2 44 55 44");
  CHECK_ERROR(jq::shape_error, jq::place(x, asarray({true}), 1), "place", "(1,)", "(2, 3)");
  CHECK_ERROR(jq::type_error, jq::place(x, x > 2, 1.5), "float64", "int64");
}
TEST_CASE("mask_indices") {
  const auto upper = [](const array& x, std::int64_t k) { return jq::triu(x, int(k)); };
  CHECK(show(jq::mask_indices(3, upper)) == show(jq::triu_indices(3)));
  CHECK(show(jq::mask_indices(3, upper, 1)) == "i64[3] 0 0 1, i64[3] 1 2 2");
  CHECK(show(jq::jit([&] { return jq::mask_indices(3, upper, 1, 4); })()) == "i64[4] 0 0 1 0, i64[4] 1 2 2 0");
}
