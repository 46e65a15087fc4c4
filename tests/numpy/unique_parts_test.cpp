// Distinct rows, columns and pages: numpy's results, with sizes, under jit and vmap.
#include <jacquard/numpy/unique_parts.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::unique(x, {.axis = 0, .size = 2}); }, {3, 2}) > 0);
static_assert(traced([](array x) { return jq::unique(x, {.axis = 2, .size = 2}); }, {3, 2}) == -1);

namespace {
const array x = asarray({{1, 0, 0}, {2, 3, 4}, {1, 0, 0}, {0, 9, 9}, {1, 0, -1}});
}

TEST_CASE("distinct rows and columns, with places, inverse and counts") {
  const jq::unique_result u = jq::unique_all(x, {.axis = 0});
  CHECK(show(u.values) == "i32[4,3] 0 9 9 1 0 -1 1 0 0 2 3 4");
  CHECK(show(u.index) == "i64[4] 3 4 0 1");
  CHECK(show(u.inverse) == "i64[5] 2 3 2 0 1");
  CHECK(show(u.counts) == "i64[4] 1 1 2 1");
  const array columns = asarray({{1, 0, 1}, {2, 5, 2}});
  CHECK(show(jq::unique(columns, {.axis = 1})) == "i32[2,2] 0 1 5 2");
  CHECK(show(jq::unique_all(columns, {.axis = -1}).inverse) == "i64[3] 1 0 1");
  CHECK(show(jq::unique(asarray({2, 1, 2}), {.axis = 0})) == "i32[2] 1 2");
  CHECK(show(jq::unique(asarray({2, 1, 2}), {})) == "i32[2] 1 2");
  CHECK(show(jq::unique(columns, {.axis = jq::none})) == "i32[4] 0 1 2 5");
  const array pages = jq::stack({columns, columns, columns + 1}, 2);
  CHECK(jq::unique(pages, {.axis = 2}).shape() == jq::shape{2, 3, 2});
}
TEST_CASE("distinct parts of a given size are filled up with the first, or a number") {
  CHECK(show(jq::unique(x, {.axis = 0, .size = 2})) == "i32[2,3] 0 9 9 1 0 -1");
  CHECK(show(jq::unique(x, {.axis = 0, .size = 5})) == "i32[5,3] 0 9 9 1 0 -1 1 0 0 2 3 4 0 9 9");
  CHECK(show(jq::unique(x, {.axis = 0, .size = 5, .fill = -1})) == "i32[5,3] 0 9 9 1 0 -1 1 0 0 2 3 4 -1 -1 -1");
  CHECK(show(jq::unique(asarray({1.0, 1.0}), {.size = 2, .fill = 7})) == "f64[2] 1 7");
  const auto f = [](const array& v) { return jq::unique(v, {.axis = 0, .size = 3}); };
  CHECK(show(jq::jit(f)(x)) == "i32[3,3] 0 9 9 1 0 -1 1 0 0");
  const array both = jq::vmap(f)(jq::stack({x, -x}));
  CHECK(distance(both(0), f(x)) == 0);
  CHECK(distance(both(1), f(-x)) == 0);
}
TEST_CASE("distinct parts: NaN, signs of zero, nothing, errors") {
  CHECK(jq::unique_all(jq::zeros({0, 3}), {.axis = 0, .size = -5}).values.shape() == jq::shape{0, 3});
  const array v = asarray({{not_a_number, 1.0}, {0.0, 2.0}, {not_a_number, 1.0}, {-0.0, 2.0}});
  const jq::unique_result u = jq::unique_all(v, {.axis = 0});
  CHECK(show(u.values) == "f64[2,2] 0 2 nan 1");
  CHECK(show(u.counts) == "i64[2] 2 2");
  CHECK(jq::unique(jq::zeros({0, 3}), {.axis = 0}).shape() == jq::shape{0, 3});
  CHECK(jq::unique(jq::zeros({2, 0}), {.axis = 0}).shape() == jq::shape{1, 0});
  CHECK(show(jq::unique(asarray({{true, false}, {true, false}}), {.axis = 0})) == "bool[1,2] 1 0");
  CHECK(show(jq::unique(asarray({{jq::complex64(1, 2)}, {jq::complex64(1, 1)}}), {.axis = 0})) == "c64[2,1] 1+1i 1+2i");
  CHECK_ERROR(jq::value_error, jq::unique(x, {.axis = 2}), "unique", "axis 2");
  CHECK_ERROR(jq::shape_error, jq::unique(x, {.axis = 0, .fill = jq::zeros({2})}), "unique", "fill", "(2,)");
  CHECK_ERROR_ANYWHERE(jq::concretization_error, jq::jit([](const array& w) { return jq::unique(w, {.axis = 0}); })(x), "jit");
}
TEST_CASE("unique and unique_all: {} stands for no options, not for a size of 0") {
  const array x = asarray({2, 1, 2});
  CHECK(show(jq::unique_all(x, {}).values) == "i32[2] 1 2");
  CHECK(show(jq::unique(x, {})) == "i32[2] 1 2");
  CHECK(show(jq::unique_all(x, 3).counts) == "i64[3] 1 2 0");
}
