// Shapes and order of elements, against numpy's results.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::moveaxis(jq::reshape(x, {2, -1}), 0, 1) + jq::zeros({3, 2}); }, {6}) > 0);
static_assert(traced([](array x) { return jq::concatenate({x, jq::flip(x), jq::roll(x, 1)}) + jq::tile(x, 3); }, {2}) > 0);
static_assert(traced([](array x) { return jq::stack({x, jq::zeros({3})}); }, {2}) == -1);

namespace {
array counted(const jq::shape& dims) { return jq::reshape(jq::arange(dims.elements()), dims); }
const array v = asarray({1.0, 2.0, 4.0});
}  // namespace

TEST_CASE("reshape and ravel") {
  CHECK(show(jq::reshape(jq::arange(6), {2, 3})) == "i64[2,3] 0 1 2 3 4 5");
  CHECK(jq::reshape(jq::arange(6), {-1, 2}).shape() == jq::shape{3, 2});
  CHECK(jq::reshape(jq::zeros({0, 4}), {2, -1}).shape() == jq::shape{2, 0});
  CHECK(jq::ravel(counted({2, 3, 2})).shape() == jq::shape{12});
  CHECK(jq::ravel(2.0).shape() == jq::shape{1});
  CHECK_ERROR(jq::shape_error, jq::reshape(jq::arange(6), {4, -1}), "reshape", "(6,)", "(4, -1)", "wanted");
  CHECK_ERROR(jq::shape_error, jq::reshape(jq::arange(6), {-1, -1}), "reshape", "at most one -1");
  CHECK_ERROR(jq::shape_error, jq::reshape(jq::arange(6), {5}), "reshape", "(5,)", "(6,)", "number of elements");
}
TEST_CASE("axes in another order") {
  const array x = counted({2, 3, 4});
  CHECK(show(jq::transpose(counted({2, 3}))) == "i64[3,2] 0 3 1 4 2 5");
  CHECK(jq::transpose(x).shape() == jq::shape{4, 3, 2});
  CHECK(jq::transpose(x, {1, 0, -1}).shape() == jq::shape{3, 2, 4});
  CHECK(jq::moveaxis(x, 0, -1).shape() == jq::shape{3, 4, 2});
  CHECK(jq::moveaxis(x, {0, 1}, {-1, 0}).shape() == jq::shape{3, 4, 2});
  CHECK(jq::swapaxes(x, 0, 2).shape() == jq::shape{4, 3, 2});
  CHECK_ERROR(jq::value_error, jq::transpose(x, {0, 1}), "transpose", "(0, 1)", "dimension 3", "each axis exactly once");
  CHECK_ERROR(jq::value_error, jq::transpose(x, {0, 1, 1}), "transpose", "repeated");
  CHECK_ERROR(jq::value_error, jq::moveaxis(x, {0, 1}, 2), "moveaxis", "2 axes to move and 1 places");
  CHECK_ERROR(jq::value_error, jq::swapaxes(x, 0, 3), "swapaxes", "axis 3", "dimension 3");
}
TEST_CASE("dimensions of size 1") {
  const array x = jq::ones({1, 3, 1});
  CHECK(jq::squeeze(x).shape() == jq::shape{3});
  CHECK(jq::squeeze(x, -1).shape() == jq::shape{1, 3});
  CHECK(jq::squeeze(x, {0, 2}).shape() == jq::shape{3});
  CHECK(jq::expand_dims(v, 0).shape() == jq::shape{1, 3});
  CHECK(jq::expand_dims(v, {0, -1}).shape() == jq::shape{1, 3, 1});
  CHECK_ERROR(jq::shape_error, jq::squeeze(x, 1), "squeeze", "(1, 3, 1)", "not equal to one");
  CHECK_ERROR(jq::value_error, jq::expand_dims(v, 2), "expand_dims", "axis 2", "dimension 2");
}
TEST_CASE("broadcast_to") {
  CHECK(show(jq::broadcast_to(v, {2, 3})) == "f64[2,3] 1 2 4 1 2 4");
  CHECK(show(jq::broadcast_to(7, {2})) == "i32[2] 7 7");
  CHECK_ERROR(jq::shape_error, jq::broadcast_to(v, {3, 2}), "broadcast_to", "(3,), (3, 2)", "Wanted");
  CHECK_ERROR(jq::shape_error, jq::broadcast_to(jq::ones({2, 3}), {3}), "broadcast_to", "(2, 3), (3,)");
}
TEST_CASE("joining") {
  const array x = counted({2, 2});
  CHECK(show(jq::concatenate({x, x}, 1)) == "i64[2,4] 0 1 0 1 2 3 2 3");
  CHECK(show(jq::concatenate({asarray({1, 2}), asarray({0.5f})})) == "f32[3] 1 2 0.5");
  CHECK(show(jq::concatenate({x, asarray({9})}, jq::none)) == "i64[5] 0 1 2 3 9");
  CHECK(show(jq::stack({v, v * 2, jq::zeros({3})}, -1)) == "f64[3,3] 1 2 0 2 4 0 4 8 0");
  CHECK(show(jq::stack({asarray({1, 2}), std::vector<int>{3, 4}})) == "i32[2,2] 1 2 3 4");
  CHECK(show(jq::stack({array(1), array(2.5)})) == "f64[2] 1 2.5");
  CHECK(show(jq::vstack({asarray({1, 2}), asarray({{3, 4}, {5, 6}})})) == "i32[3,2] 1 2 3 4 5 6");
  CHECK(show(jq::hstack({asarray({1, 2}), asarray({3})})) == "i32[3] 1 2 3");
  CHECK(show(jq::hstack({x, x})) == "i64[2,4] 0 1 0 1 2 3 2 3");
  std::vector<array> rows;
  for (int i = 0; i < 20; ++i) rows.push_back(asarray({i}));
  CHECK(jq::concatenate(rows).shape() == jq::shape{20});
  CHECK(jq::stack(rows).shape() == jq::shape{20, 1});
  CHECK(jq::vstack(rows).shape() == jq::shape{20, 1});
  CHECK_ERROR(jq::shape_error, jq::concatenate({x, v}), "concatenate", "(2, 2), (3,)", "equal in every other dimension");
  CHECK_ERROR(jq::shape_error, jq::concatenate({array(1), array(2)}), "concatenate", "zero-dimensional", "stack");
  CHECK_ERROR(jq::value_error, jq::concatenate(std::span<const array>()), "concatenate", "need at least one array");
  CHECK_ERROR(jq::value_error, jq::concatenate({v, v}, 1), "concatenate", "axis 1", "dimension 1");
  CHECK_ERROR(jq::shape_error, jq::stack({v, x}), "stack", "(3,)", "(2, 2)", "same shape");
}
TEST_CASE("repeating and reordering") {
  const array x = counted({2, 3});
  CHECK(show(jq::flip(x)) == "i64[2,3] 5 4 3 2 1 0");
  CHECK(show(jq::flip(x, 1)) == "i64[2,3] 2 1 0 5 4 3");
  CHECK(show(jq::tile(asarray({1, 2}), 2)) == "i32[4] 1 2 1 2");
  CHECK(show(jq::tile(asarray({{1, 2}}), {2, 2})) == "i32[2,4] 1 2 1 2 1 2 1 2");
  CHECK(jq::tile(x, {2, 1, 1}).shape() == jq::shape{2, 2, 3});
  CHECK(show(jq::repeat(asarray({1, 2}), 2)) == "i32[4] 1 1 2 2");
  CHECK(show(jq::repeat(x, 2, 1)) == "i64[2,6] 0 0 1 1 2 2 3 3 4 4 5 5");
  CHECK(jq::repeat(x, 0, 0).shape() == jq::shape{0, 3});
  CHECK(show(jq::roll(x, 1)) == "i64[2,3] 5 0 1 2 3 4");
  CHECK(show(jq::roll(jq::arange(3), INT64_MIN)) == "i64[3] 2 0 1");  // -2^63 = 1 modulo 3
  CHECK_THROWS_AS(jq::repeat(x, INT64_MAX), jq::shape_error);
  CHECK_THROWS_AS(jq::tile(x, INT64_MAX), jq::shape_error);
  CHECK(show(jq::roll(x, -1, 1)) == "i64[2,3] 1 2 0 4 5 3");
  CHECK(show(jq::roll(x, {1, 7}, {0, 1})) == "i64[2,3] 5 3 4 2 0 1");
  CHECK(show(jq::roll(x, 1, {0, 1})) == "i64[2,3] 5 3 4 2 0 1");  // one shift for all axes
  CHECK(show(jq::roll(jq::zeros({0}), 1)) == "f32[0]");
  CHECK_ERROR(jq::value_error, jq::repeat(x, -1), "repeat", "-1", "wanted");
  CHECK_ERROR(jq::value_error, jq::tile(x, -2), "tile", "-2", "wanted");
  CHECK_ERROR(jq::value_error, jq::roll(x, {1, 2}, 0), "roll", "2 shifts and 1 axes");
  CHECK_ERROR(jq::value_error, jq::flip(x, 2), "flip", "axis 2");
}
TEST_CASE("one_hot") {
  CHECK(show(jq::one_hot(asarray({0, 2, 3, -1}), 3)) == "f32[4,3] 1 0 0 0 0 1 0 0 0 0 0 0");
  CHECK(show(jq::one_hot(asarray(1), 2, jq::i32)) == "i32[2] 0 1");
  CHECK(jq::one_hot(jq::zeros({2, 3}, jq::i64), 4).shape() == jq::shape{2, 3, 4});
  // More classes than the dtype of the labels has numbers.
  CHECK(jq::sum(jq::one_hot(asarray({3}).astype(jq::u8), 300)).item<float>() == 1);
  CHECK(jq::argmax(jq::one_hot(asarray({200}).astype(jq::u8), 300, jq::i32)).item<std::int64_t>() == 200);
  CHECK(jq::sum(jq::one_hot(asarray({-1, 5}).astype(jq::i8), 300), 1)(0).item<float>() == 0);
  CHECK(jq::sum(jq::one_hot(asarray({-1, 5}).astype(jq::i8), 300), 1)(1).item<float>() == 1);
  CHECK_ERROR(jq::type_error, jq::one_hot(v, 3), "one_hot", "float64", "wanted integers", "astype");
}
TEST_CASE("triangles and diagonals") {
  const array x = counted({3, 3});
  CHECK(show(jq::tril(x)) == "i64[3,3] 0 0 0 3 4 0 6 7 8");
  CHECK(show(jq::triu(x, 1)) == "i64[3,3] 0 1 2 0 0 5 0 0 0");
  CHECK(show(jq::tril(jq::ones({2, 3}), -1)) == "f32[2,3] 0 0 0 1 0 0");
  CHECK(show(jq::diag(v, 1)) == "f64[4,4] 0 1 0 0 0 0 2 0 0 0 0 4 0 0 0 0");
  CHECK(show(jq::diag(v, -1)) == "f64[4,4] 0 0 0 0 1 0 0 0 0 2 0 0 0 0 4 0");
  CHECK(show(jq::diag(counted({2, 3}))) == "i64[2] 0 4");
  CHECK(show(jq::diag(counted({2, 3}), 1)) == "i64[2] 1 5");
  CHECK(show(jq::diag(counted({2, 3}), -1)) == "i64[1] 3");
  CHECK(show(jq::diag(counted({2, 3}), 7)) == "i64[0]");
  CHECK(show(jq::diagonal(counted({2, 2, 2}), 0, 1, 2)) == "i64[2,2] 0 3 4 7");
  CHECK(show(jq::diagonal(counted({2, 2, 2}))) == "i64[2,2] 0 6 1 7");
  CHECK_ERROR(jq::shape_error, jq::tril(v), "tril", "(3,)", "at least 2 dimensions");
  CHECK_ERROR(jq::shape_error, jq::diag(counted({1, 1, 1})), "diag", "(1, 1, 1)", "rank 1 or 2");
  CHECK_ERROR(jq::value_error, jq::diagonal(x, 0, 1, 1), "diagonal", "repeated");
}
TEST_CASE("derivatives move with the elements") {
  const array w = counted({3, 3}).astype(jq::f64);
  const auto weighed = [&](auto f) { return jq::grad([&](array a) { return jq::sum(w * f(a)); })(jq::zeros({3, 3}, jq::f64)); };
  CHECK(show(weighed([](array a) { return jq::transpose(a); })) == "f64[3,3] 0 3 6 1 4 7 2 5 8");
  CHECK(show(weighed([](array a) { return jq::roll(a, 1, 0); })) == "f64[3,3] 3 4 5 6 7 8 0 1 2");
  CHECK(show(weighed([](array a) { return jq::triu(a); })) == "f64[3,3] 0 1 2 0 4 5 0 0 8");
  CHECK(show(weighed([](array a) { return jq::diag(jq::diag(a)); })) == "f64[3,3] 0 0 0 0 4 0 0 0 8");
  CHECK(show(jq::grad([](array a) { return jq::sum(jq::tile(a, 3) * asarray({1.0, 2.0, 3.0, 4.0, 5.0, 6.0})); })(
            asarray({0.0, 0.0}))) == "f64[2] 9 12");
  CHECK(show(jq::grad([](array a) { return jq::sum(jq::repeat(a, 2) * asarray({1.0, 2.0, 3.0, 4.0})); })(
            asarray({0.0, 0.0}))) == "f64[2] 3 7");
}
