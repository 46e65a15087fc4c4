// Reading parts of arrays, against numpy's results; out-of-range places; derivatives and vmap.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return x(0, jq::slice(jq::none, jq::none, -1), jq::newaxis); }, {3, 4}) > 0);
static_assert(traced([](array x) { return x(jq::all, jq::arange(2)) + x(jq::ellipsis, jq::arange(2)); }, {3, 4}) > 0);
static_assert(traced([](array x) { return jq::take(x, jq::arange(2), 1) + jq::take_along_axis(x, jq::zeros({3, 2}, jq::i64), 1); },
                     {3, 4}) > 0);
static_assert(traced([](array x) { return x(3); }, {3, 4}) == -1);
static_assert(traced([](array x) { return x + jq::zeros({4})(4); }, {4}) == -1);

namespace {
array counted(const jq::shape& dims) { return jq::reshape(jq::arange(dims.elements()), dims); }
const array x = counted({3, 4}), z = counted({2, 3, 4});
const array pair = asarray({0, 2});
}  // namespace

// Numbers and slices know nothing of gathers, which their programs then do not compile.
static_assert(!jq::detail::index_entry(3).by_arrays && !jq::detail::index_entry(jq::slice(1, 2)).by_arrays && !jq::detail::index_entry(jq::newaxis).by_arrays);
static_assert(jq::detail::index_entry(array(std::int64_t(3))).by_arrays);

TEST_CASE("numbers and slices") {
  CHECK(show(x(0)) == "i64[4] 0 1 2 3");
  CHECK(show(x[-1]) == "i64[4] 8 9 10 11");
  CHECK(show(x(1, 2)) == "i64[] 6");
  CHECK(show(x[1][2]) == "i64[] 6");
  CHECK(show(x(array(1), -1)) == "i64[] 7");
  CHECK(show(x(jq::all, 1)) == "i64[3] 1 5 9");
  CHECK(show(x(jq::slice(), 1)) == "i64[3] 1 5 9");
  CHECK(show(x(jq::slice(1, jq::none))) == "i64[2,4] 4 5 6 7 8 9 10 11");
  CHECK(show(x(jq::slice(-1, jq::none), jq::slice(0, -2))) == "i64[1,2] 8 9");
  CHECK(show(x(0, jq::slice(0, jq::none, 2))) == "i64[2] 0 2");
  CHECK(show(x(0, jq::slice(3, 0))) == "i64[0]");
  CHECK(show(x(0, jq::slice(-100, 100))) == "i64[4] 0 1 2 3");
  CHECK(show(x()) == show(x));
}
TEST_CASE("arrays of one number are moved inside, also where they are made while tracing") {
  const auto read = [](array v) { return v(asarray(7)) + v(asarray(-9)) * 10; };
  const auto write = [](array v) { return v.at(asarray(7)).set(1.0) + v.at(asarray(1)).add(1.0); };
  const array v = asarray({1.0, 2.0, 3.0});
  CHECK(show(read(v)) == "f64[] 13");
  CHECK(show(jq::jit(read)(v)) == show(read(v)));
  CHECK(show(jq::grad(read)(v)) == "f64[3] 10 0 1");
  CHECK(show(jq::jit(write)(v)) == show(write(v)));
}
TEST_CASE("slices with negative steps, as in Python") {
  const array v = jq::arange(10);
  CHECK(show(v(jq::slice(jq::none, jq::none, -1))) == "i64[10] 9 8 7 6 5 4 3 2 1 0");
  CHECK(show(v(jq::slice(7, 2, -2))) == "i64[3] 7 5 3");
  CHECK(show(v(jq::slice(7, jq::none, INT64_MIN))) == "i64[1] 7");
  CHECK(show(v(jq::slice(INT64_MIN, INT64_MAX, INT64_MAX))) == "i64[1] 0");
  CHECK(show(v(jq::slice(jq::none, 6, -3))) == "i64[1] 9");
  CHECK(show(v(jq::slice(2, jq::none, -2))) == "i64[2] 2 0");
  CHECK(show(v(jq::slice(100, -100, -4))) == "i64[3] 9 5 1");
  CHECK(show(v(jq::slice(2, 7, -1))) == "i64[0]");
}
TEST_CASE("new axes and ellipsis") {
  CHECK(x(jq::newaxis).shape() == jq::shape{1, 3, 4});
  CHECK(x(jq::all, jq::newaxis, 0).shape() == jq::shape{3, 1});
  CHECK(show(z(jq::ellipsis, 1)) == "i64[2,3] 1 5 9 13 17 21");
  CHECK(show(z(0, jq::ellipsis, 1)) == "i64[3] 1 5 9");
  CHECK(show(z(0, 1, 2, jq::ellipsis)) == "i64[] 6");
  CHECK(z(jq::ellipsis, jq::newaxis).shape() == jq::shape{2, 3, 4, 1});
}
TEST_CASE("scalar arrays: dynamic places, moved inside") {
  CHECK(show(x(asarray(-1))) == "i64[4] 8 9 10 11");
  CHECK(show(x(asarray(2u), asarray(1))) == "i64[] 9");
  CHECK(show(x(jq::slice(0, 2), asarray(3))) == "i64[2] 3 7");
  CHECK(show(x(asarray(100))) == "i64[4] 8 9 10 11");
  CHECK(show(x(asarray(-100))) == "i64[4] 0 1 2 3");
  const auto row = jq::jit([](const array& a, const array& i) { return a[i]; });
  CHECK(show(row(x, asarray(1))) == "i64[4] 4 5 6 7");
}
TEST_CASE("integer arrays") {
  CHECK(show(x(pair)) == "i64[2,4] 0 1 2 3 8 9 10 11");
  CHECK(show(x(pair, pair)) == "i64[2] 0 10");
  CHECK(show(x(jq::all, pair)) == "i64[3,2] 0 2 4 6 8 10");
  CHECK(show(x(std::vector<int>{2, -3})) == "i64[2,4] 8 9 10 11 0 1 2 3");
  CHECK(show(x(jq::reshape(pair, {2, 1}), pair)) == "i64[2,2] 0 2 8 10");
  CHECK(show(x(1, pair)) == "i64[2] 4 6");
  CHECK(show(x(asarray(1), pair)) == "i64[2] 4 6");
  CHECK(show(x(jq::slice(jq::none, jq::none, -2), pair)) == "i64[2,2] 8 10 0 2");
  CHECK(show(x(asarray({7, -9}))) == "i64[2,4] 8 9 10 11 0 1 2 3");  // moved inside
  CHECK(show(x(jq::zeros({0}, jq::i32))) == "i64[0,4]");
  CHECK(show(jq::arange(300)(asarray({std::int8_t(-100)}))) == "i64[1] 200");
  CHECK(show(jq::arange(300)(asarray({std::uint8_t(255)}))) == "i64[1] 255");
}
TEST_CASE("integer arrays that are separated go to the front, as in numpy") {
  CHECK(z(0, jq::all, pair).shape() == jq::shape{2, 3});
  CHECK(show(z(0, jq::all, pair)) == "i64[2,3] 0 4 8 2 6 10");
  CHECK(z(jq::all, pair, 0).shape() == jq::shape{2, 2});
  CHECK(z(pair - 1, jq::newaxis, pair).shape() == jq::shape{2, 1, 4});
  CHECK(z(jq::newaxis, jq::all, pair).shape() == jq::shape{1, 2, 2, 4});
  CHECK(z(jq::all, jq::reshape(pair, {2, 1}), pair).shape() == jq::shape{2, 2, 2});
  CHECK(show(z(jq::all, jq::reshape(pair, {2, 1}), pair)) == "i64[2,2,2] 0 2 8 10 12 14 20 22");
}
TEST_CASE("take and take_along_axis") {
  CHECK(show(jq::take(x, pair, 1)) == "i64[3,2] 0 2 4 6 8 10");
  CHECK(show(jq::take(x, asarray({{0, 11}}))) == "i64[1,2] 0 11");
  CHECK(show(jq::take(x, 1, 0)) == "i64[4] 4 5 6 7");
  const array a = asarray({{3, 1, 2}, {9, 7, 8}});
  CHECK(show(jq::take_along_axis(a, jq::argsort(a), -1)) == "i32[2,3] 1 2 3 7 8 9");
  CHECK(show(jq::take_along_axis(a, asarray({{0, -1}}), 1)) == "i32[2,2] 3 2 9 8");
  CHECK(show(jq::take_along_axis(a, asarray({{1, 0, 1}}), 0)) == "i32[1,3] 9 1 8");
  // The largest unsigned numbers are no negative ones.
  const array far = asarray({~std::uint64_t(0), std::uint64_t(1) << 63, std::uint64_t(1)}), row = asarray({10, 20, 30});
  CHECK(show(jq::take(row, far)) == "i32[3] 30 30 20");
  CHECK(show(row(far)) == "i32[3] 30 30 20");
  CHECK(show(row(far(0))) == "i32[] 30");
  CHECK(show(jq::take(row, asarray(~std::uint64_t(0)))) == "i32[] 30");
  CHECK(show(jq::take_along_axis(row, far, 0)) == "i32[3] 30 30 20");
  CHECK(show(row.at(far).set(0)) == "i32[3] 10 0 30");
  CHECK(show(row.at(far(0)).set(0)) == "i32[3] 10 20 30");
  CHECK_ERROR(jq::value_error, jq::take(x, pair, 2), "take", "axis 2", "dimension 2");
  CHECK_ERROR(jq::type_error, jq::take(x, asarray({0.5}), 0), "take", "float64", "wanted integers");
  CHECK_ERROR(jq::shape_error, jq::take_along_axis(a, pair, 1), "take_along_axis", "(2, 3)", "(2,)", "equal ranks");
  CHECK_ERROR(jq::type_error, jq::take_along_axis(a, a * 0.5, 1), "take_along_axis", "float64", "wanted integers");
}
TEST_CASE("masks stand for the places at which they hold, where these are known") {
  CHECK(show(x(x > 8)) == "i64[3] 9 10 11");
  CHECK(show(x(asarray({true, false, true}))) == "i64[2,4] 0 1 2 3 8 9 10 11");
  CHECK(show(x(jq::all, asarray({false, true, true, false}))) == "i64[3,2] 1 2 5 6 9 10");
  CHECK(show(x(asarray({true, false, true}), asarray({3, 0}))) == "i64[2] 3 8");
  CHECK(show(x(jq::ellipsis, asarray({true, false, false, true}), jq::newaxis)) == "i64[3,2,1] 0 3 4 7 8 11");
  CHECK(show(x(x > 99)) == "i64[0]");
  CHECK(show(x.at(asarray({true, false, true}), 1).set(-1)) == "i64[3,4] 0 -1 2 3 4 5 6 7 8 -1 10 11");
  const auto large = [](const array& a) { return jq::sum(a(a > 5.0) * a(a > 5.0)); };
  CHECK(show(jq::grad(large)(x.astype(jq::f64))) == "f64[3,4] 0 0 0 0 0 0 12 14 16 18 20 22");
}
TEST_CASE("indexing: errors") {
  CHECK_ERROR_ANYWHERE(jq::value_error, x(3), "indexing", "index 3 is out of bounds for axis 0 with size 3", "[-3, 3)");
  CHECK_ERROR_ANYWHERE(jq::value_error, x(0, -5), "index -5", "axis 1 with size 4");
  CHECK_ERROR_ANYWHERE(jq::value_error, x(0, 1, 2), "too many indices", "2-dimensional", "3 were indexed");
  CHECK_ERROR_ANYWHERE(jq::value_error, x(jq::ellipsis, jq::ellipsis), "single ellipsis", "got 2");
  CHECK_ERROR(jq::value_error, x(jq::slice(0, 1, 0)), "slice step cannot be zero", "wanted");
  CHECK_ERROR(jq::value_error, x(jq::slice(0, 1), 9), "index 9");
  CHECK_ERROR(jq::type_error, jq::jit([](const array& a) { return a(a > 2); })(x), "bool", "axis 0", "wanted integers", "jq::where", "at(mask).set");
  CHECK_ERROR(jq::type_error, jq::vmap([](const array& a) { return a(a > 2); })(x), "values are not known here", "jq::extract");
  CHECK_ERROR(jq::shape_error, x(asarray({true, false})), "mask of shape (2,)", "(3, 4)", "axis 0");
  CHECK_ERROR(jq::type_error, x(array(true)), "mask without dimensions", "axis 0", "jq::where");
  CHECK_ERROR(jq::shape_error, x(0, asarray({true, false})), "mask of shape (2,)", "axis 1");
  CHECK_ERROR(jq::value_error, x(x > 2, 0), "too many indices", "3 were indexed");
  CHECK_ERROR_ANYWHERE(jq::type_error, x(asarray({1.0})), "float64", "wanted integers", "astype");
  CHECK_ERROR_ANYWHERE(jq::type_error, x(jq::any), "function", "jq::all");
  CHECK_ERROR_ANYWHERE(jq::shape_error, x(pair, asarray({0, 1, 2})), "(2,) and (3,)", "broadcast");
}
TEST_CASE("derivatives scatter, vmap maps the index too") {
  const array f = x.astype(jq::f64);
  const auto squares = [](const array& a) { return jq::sum(a(asarray({0, 0, 2}), 1) * a(asarray({0, 0, 2}), 1)); };
  CHECK(show(jq::grad(squares)(f)) == "f64[3,4] 0 4 0 0 0 0 0 0 0 18 0 0");
  CHECK(show(jq::grad([](const array& a) { return jq::sum(a(jq::slice(2, jq::none, -2), 0) * asarray({5.0, 7.0})); })(f)) ==
        "f64[3,4] 7 0 0 0 0 0 0 0 5 0 0 0");
  CHECK(show(jq::grad([](const array& a) { return a(asarray(-1), asarray(0)); })(f)) == "f64[3,4] 0 0 0 0 0 0 0 0 1 0 0 0");
  const auto entry = [](const array& row, const array& i) { return row(i); };
  CHECK(show(jq::vmap(entry)(x, asarray({0, 1, -1}))) == "i64[3] 0 5 11");
  CHECK(show(jq::vmap(entry, jq::in_axes<jq::none, 0>)(x, asarray({0, 2}))) == "i64[2,4] 0 1 2 3 8 9 10 11");
  CHECK(show(jq::vmap(entry)(x, asarray({{0}, {1}, {2}}))) == "i64[3,1] 0 5 10");
}
