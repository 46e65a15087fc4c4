// Taking apart and arranging: numpy's documented results, both lanes, derivatives, errors.
#include <jacquard/numpy/arranging.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::split(x, 2)[1] + jq::rot90(jq::rot90(x, -1))(jq::slice(0, 2)); }, {4, 4}) > 0);
static_assert(traced([](array x) { return jq::split(x, 3)[0]; }, {4}) == -1);
static_assert(traced([](array x) { return jq::delete_(x, 1) + jq::insert(x, 0, 1)(jq::slice(0, 3)); }, {4}) > 0);
static_assert(traced([](array x) { return jq::insert(jq::delete_(x, {0, 2}), {2, 0}, x(jq::slice(0, 2))); }, {4}) > 0);

namespace {
const array nine = jq::arange(9), grid = jq::reshape(jq::arange(6), {2, 3});
}

TEST_CASE("split and its relatives") {
  CHECK(show(jq::split(nine, 3)) == "i64[3] 0 1 2, i64[3] 3 4 5, i64[3] 6 7 8");
  CHECK(show(jq::split(jq::arange(8), std::vector<std::int64_t>{3, 5, 6, 10})) == "i64[3] 0 1 2, i64[2] 3 4, i64[1] 5, i64[2] 6 7, i64[0]");
  CHECK(show(jq::split(nine, std::vector<std::int64_t>{-2})) == "i64[7] 0 1 2 3 4 5 6, i64[2] 7 8");
  CHECK(show(jq::array_split(jq::arange(8), 3)) == "i64[3] 0 1 2, i64[3] 3 4 5, i64[2] 6 7");
  CHECK(show(jq::vsplit(grid, 2)) == "i64[1,3] 0 1 2, i64[1,3] 3 4 5");
  CHECK(show(jq::hsplit(grid, 3)) == "i64[2,1] 0 3, i64[2,1] 1 4, i64[2,1] 2 5");
  CHECK(show(jq::hsplit(jq::arange(4), 2)) == "i64[2] 0 1, i64[2] 2 3");
  CHECK(show(jq::dsplit(jq::reshape(jq::arange(4), {1, 2, 2}), 2)) == "i64[1,2,1] 0 2, i64[1,2,1] 1 3");
  CHECK(show(jq::unstack(grid, 1)) == "i64[2] 0 3, i64[2] 1 4, i64[2] 2 5");
  CHECK_ERROR(jq::value_error, jq::split(nine, 2), "split", "2 sections", "size 9", "array_split");
  CHECK_ERROR(jq::value_error, jq::array_split(nine, 0), "array_split", "0 sections");
  CHECK_ERROR(jq::value_error, jq::dsplit(grid, 1), "split", "axis 2");
}
TEST_CASE("dimensions: atleast, broadcast_arrays, rollaxis, rot90, flips") {
  CHECK(show(jq::atleast_1d(3)) == "i32[1] 3");
  CHECK(show(jq::atleast_2d(jq::arange(2))) == "i64[1,2] 0 1");
  CHECK(jq::atleast_3d(jq::arange(2)).shape() == jq::shape{1, 2, 1});
  CHECK(jq::atleast_3d(grid).shape() == jq::shape{2, 3, 1});
  CHECK(show(jq::broadcast_arrays({asarray({{1, 2}}), asarray({{3}, {4}})})) == "i32[2,2] 1 2 1 2, i32[2,2] 3 3 4 4");
  CHECK_ERROR(jq::shape_error, jq::broadcast_arrays({jq::zeros({2}), jq::zeros({3})}), "broadcast_arrays", "(2,)", "(3,)");
  const array x = jq::zeros({3, 4, 5, 6});
  CHECK(jq::rollaxis(x, 3, 1).shape() == jq::shape{3, 6, 4, 5});
  CHECK(jq::rollaxis(x, 2).shape() == jq::shape{5, 3, 4, 6});
  CHECK(jq::rollaxis(x, 1, 4).shape() == jq::shape{3, 5, 6, 4});
  const array m = asarray({{1, 2}, {3, 4}});
  CHECK(show(jq::rot90(m)) == "i32[2,2] 2 4 1 3");
  CHECK(show(jq::rot90(m, 2)) == "i32[2,2] 4 3 2 1");
  CHECK(show(jq::rot90(m, -1)) == "i32[2,2] 3 1 4 2");
  CHECK(show(jq::rot90(m, 4)) == show(m));
  CHECK(show(jq::rot90(jq::reshape(jq::arange(8), {2, 2, 2}), 1, {1, 2})) == "i64[2,2,2] 1 3 0 2 5 7 4 6");
  CHECK(show(jq::fliplr(grid)) == "i64[2,3] 2 1 0 5 4 3");
  CHECK(show(jq::flipud(grid)) == "i64[2,3] 3 4 5 0 1 2");
  CHECK_ERROR(jq::value_error, jq::rot90(m, 1, {0, 0}), "rot90", "repeated");
}
TEST_CASE("joining: column_stack, dstack, append") {
  const array a = asarray({1, 2, 3}), b = asarray({4, 5, 6});
  CHECK(show(jq::column_stack({a, b})) == "i32[3,2] 1 4 2 5 3 6");
  CHECK(show(jq::dstack({a, b})) == "i32[1,3,2] 1 4 2 5 3 6");
  CHECK(show(jq::append(a, asarray({{4, 5}}))) == "i32[5] 1 2 3 4 5");
  CHECK(show(jq::append(asarray({{1, 2}}), asarray({{3, 4}}), 0)) == "i32[2,2] 1 2 3 4");
}
TEST_CASE("repeat by counts, resize, delete and insert") {
  CHECK(show(jq::repeat(asarray({{1, 2}, {3, 4}}), asarray({1, 2}), 0, 3)) == "i32[3,2] 1 2 3 4 3 4");
  CHECK(show(jq::repeat(asarray({1, 2, 3}), asarray({2, 0, 1}), jq::none, 3)) == "i32[3] 1 1 3");
  CHECK(show(jq::repeat(asarray({1, 2}), asarray({1, 2}), 0, 5)) == "i32[5] 1 2 2 2 2");
  CHECK(show(jq::repeat(asarray({1, 2}), asarray({3, 2}), 0, 2)) == "i32[2] 1 1");
  CHECK_ERROR(jq::shape_error, jq::repeat(asarray({1, 2}), asarray({3}), 0, 2), "repeat", "(1,)", "2 elements");
  CHECK(show(jq::resize(asarray({{0, 1}, {2, 3}}), {2, 3})) == "i32[2,3] 0 1 2 3 0 1");
  CHECK(show(jq::resize(asarray({1}), {0})) == "i32[0]");
  const array m = asarray({{1, 2, 3, 4}, {5, 6, 7, 8}});
  CHECK(show(jq::delete_(m, 1, 0)) == "i32[1,4] 1 2 3 4");
  CHECK(show(jq::delete_(m, -1)) == "i32[7] 1 2 3 4 5 6 7");
  CHECK_ERROR(jq::value_error, jq::delete_(m, 2, 0), "delete", "index 2", "size 2");
  const array n = asarray({{1, 1}, {2, 2}, {3, 3}});
  CHECK(show(jq::insert(n, 1, 5)) == "i32[7] 1 5 1 2 2 3 3");
  CHECK(show(jq::insert(n, 1, 5, 1)) == "i32[3,3] 1 5 1 2 5 2 3 5 3");
  CHECK(show(jq::insert(n, 1, asarray({1, 2, 3}), 1)) == "i32[3,3] 1 1 1 2 2 2 3 3 3");
  CHECK(show(jq::insert(jq::arange(3), -1, asarray({7, 8}))) == "i64[5] 0 1 7 8 2");
  CHECK_ERROR(jq::value_error, jq::insert(n, 7, 1, 0), "insert", "place 7");
  CHECK_ERROR(jq::shape_error, jq::insert(n, 0, asarray({1, 2, 3}), 0), "insert", "(3,)");
}
TEST_CASE("delete at several places: numpy.delete") {
  using places = std::vector<std::int64_t>;
  const array m = jq::reshape(jq::arange(12), {3, 4});
  CHECK(show(jq::delete_(m, {1, 3}, 1)) == "i64[3,2] 0 2 4 6 8 10");
  CHECK(show(jq::delete_(m, {-1, 0, 2, 0}, 0)) == "i64[1,4] 4 5 6 7");
  CHECK(show(jq::delete_(m, {0, 2, 4})) == "i64[9] 1 3 5 6 7 8 9 10 11");
  CHECK(show(jq::delete_(m, places(), -1)) == show(m));
  CHECK(show(jq::delete_(m, places{2}, -1)) == show(jq::delete_(m, 2, -1)));
  CHECK(jq::delete_(m, {0, 1, 2}, 0).shape() == jq::shape{0, 4});
  CHECK(show(jq::jit([](const array& x) { return jq::delete_(x, {0, 2}); })(jq::arange(4))) == "i64[2] 1 3");
  CHECK(show(jq::grad([](const array& x) { return jq::sum(jq::delete_(x, {0, 2}) * asarray({5.0, 7.0})); })(jq::ones({4}, jq::f64))) == "f64[4] 0 5 0 7");
  CHECK_ERROR(jq::value_error, jq::delete_(m, {0, -4}, 0), "delete", "index -4", "size 3");
}
TEST_CASE("insert at several places, and what one place means beside a list of one: numpy.insert") {
  using places = std::vector<std::int64_t>;
  const array m = jq::reshape(jq::arange(6), {2, 3}), column = asarray({{7}, {8}});
  CHECK(show(jq::insert(m, {0, 2}, 9, 1)) == "i64[2,5] 9 0 1 9 2 9 3 4 9 5");
  CHECK(show(jq::insert(m, {2, 0}, asarray({7, 8}), 1)) == "i64[2,5] 8 0 1 7 2 8 3 4 7 5");
  CHECK(show(jq::insert(m, {1, 1, -1}, asarray({7, 8, 9}))) == "i64[9] 0 7 8 1 2 3 4 9 5");
  CHECK(show(jq::insert(m, {0, 2}, asarray({{7, 8, 9}, {17, 18, 19}}), 0)) == "i64[4,3] 7 8 9 0 1 2 3 4 5 17 18 19");
  CHECK(show(jq::insert(m, places{1}, column, 1)) == "i64[2,4] 0 7 1 2 3 8 4 5");
  CHECK(show(jq::insert(m, places{1}, asarray({{7, 8}, {17, 18}}), 1)) == "i64[2,5] 0 7 8 1 2 3 17 18 4 5");
  CHECK(show(jq::insert(m, places(), 9, 1)) == show(m));
  // For one place the first dimension of values that have all of them is that along the axis.
  CHECK(show(jq::insert(m, 1, column, 1)) == "i64[2,5] 0 7 8 1 2 3 7 8 4 5");
  CHECK(show(jq::insert(m, 2, asarray({{5, 6}, {7, 8}}), 1)) == "i64[2,5] 0 1 5 7 2 3 4 6 8 5");
  CHECK(show(jq::insert(m, 1, asarray({7, 8}), 1)) == "i64[2,4] 0 7 1 2 3 8 4 5");
  CHECK(show(jq::grad([&](const array& v) { return jq::sum(jq::insert(jq::zeros({2}, jq::f64), {2, 0}, v) * asarray({1.0, 2.0, 3.0, 4.0})); })(asarray({1.0, 1.0}))) ==
        "f64[2] 4 1");
  CHECK_ERROR(jq::value_error, jq::insert(m, {0, 4}, 9, 1), "insert", "place 4", "(2, 3)");
  CHECK_ERROR(jq::shape_error, jq::insert(m, {0, 1}, asarray({1, 2, 3}), 1), "insert", "(3,)");
}
TEST_CASE("select, choose and piecewise") {
  const array x = jq::arange(6);
  CHECK(show(jq::select({x < 3, x > 3}, {x, x * x}, 42)) == "i64[6] 0 1 2 42 16 25");
  CHECK(show(jq::select({x <= 4, x > 3}, {x, x * x}, 55)) == "i64[6] 0 1 2 3 4 25");
  CHECK(show(jq::choose(asarray({2, 3, 1, 0}), {asarray({0, 1, 2, 3}), asarray({10, 11, 12, 13}), asarray({20, 21, 22, 23}), asarray({30, 31, 32, 33})})) ==
        "i32[4] 20 31 12 3");
  CHECK(show(jq::choose(asarray({-1, 9}), {asarray({1}), asarray({2})})) == "i32[2] 1 2");
  CHECK_ERROR(jq::type_error, jq::choose(asarray({1.0}), {asarray({1})}), "choose", "float64");
  const array y = asarray({-2.5, -1.5, 0.5, 2.5});
  CHECK(show(jq::piecewise(y, {y < 0, y >= 0}, [](array v) { return -v; }, [](array v) { return v; })) == "f64[4] 2.5 1.5 0.5 2.5");
  CHECK(show(jq::piecewise(y, {y < 0}, [](array) { return array(0.0); }, [](array v) { return 2 * v; })) == "f64[4] 0 0 1 5");
  CHECK(show(jq::piecewise(y, {y < -2}, [](array v) { return v; })) == "f64[4] -2.5 0 0 0");
}
TEST_CASE("block: numpy's example") {
  const array a = 2.0 * jq::eye(2, jq::f64), b = 3.0 * jq::eye(3, jq::f64);
  const array m = jq::block({{a, jq::zeros({2, 3}, jq::f64)}, {jq::ones({3, 2}, jq::f64), b}});
  CHECK(show(m) == "f64[5,5] 2 0 0 0 0 0 2 0 0 0 1 1 3 0 0 1 1 0 3 0 1 1 0 0 3");
  CHECK(show(jq::block({{asarray({1, 2}), 10}, {asarray({3, 4}), 20}})) == "i32[2,3] 1 2 10 3 4 20");
  CHECK(jq::block({{jq::zeros({4, 2, 2}), jq::zeros({4, 2, 3})}}).shape() == jq::shape{4, 2, 5});
  CHECK_ERROR(jq::shape_error, jq::block({{a, b}}), "concatenate", "(2, 2)", "(3, 3)");
}
