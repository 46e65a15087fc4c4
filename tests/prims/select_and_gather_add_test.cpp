// select_and_gather_add and select_and_scatter_add: ties, NaN, each other's transposes, batching, errors. Values are in
// window_combination_test.cpp.
#include "reference.hpp"

using namespace prim_testing;

namespace {
const array x = sample({4, 5}), t = lax::mul(0.5, sample({4, 5})), s = make({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {2, 3});
const function gathered = [](const arrays& a) { return lax::select_and_gather_add(a[0], a[1], {2, 2}, {2, 2}, "SAME"); };
const function scattered = [](const arrays& a) { return lax::select_and_scatter_add(a[0], a[1], {2, 2}, {2, 2}, "SAME"); };
}  // namespace

TEST_CASE("selection: of equal elements the first one, the first NaN") {
  const array v = make({1.0, 2.0, 3.0, 4.0});
  CHECK_CLOSE(lax::select_and_gather_add(v, make({5.0, 5.0, 4.0, 4.0}), {2}), make({1.0, 2.0, 3.0}), 0);
  CHECK_CLOSE(lax::select_and_gather_add(v, make({5.0, not_a_number, not_a_number, 4.0}), {3}), make({2.0, 2.0}), 0);
  CHECK_CLOSE(lax::select_and_gather_add(v, make({5.0, 6.0, 4.0, 4.0}), {2}, {}, "VALID", true), make({1.0, 3.0, 3.0}), 0);
  CHECK_CLOSE(lax::select_and_gather_add(v, v, {1}, {}, {{1, 0}}), make({0.0, 1.0, 2.0, 3.0, 4.0}), 0);
  CHECK_CLOSE(lax::select_and_scatter_add(make({1.0, 10.0, 100.0}), make({5.0, 6.0, 6.0, 4.0}), {2}), make({0.0, 11.0, 100.0, 0.0}), 0);
}
TEST_CASE("selection: windows side by side are those of each channel") {
  // Small whole numbers: many are equal. Some are NaN. 19 channels are some vectors and a rest.
  const array places = lax::iota(jq::i64, jq::shape{2, 7, 6, 19}, 3);
  array v = jq::random::randint(jq::random::key(3), {2, 7, 6, 19}, 0, 4).astype(jq::f64);
  v = jq::where(jq::random::uniform(jq::random::key(4), {2, 7, 6, 19}) < 0.2, not_a_number, v);
  for (const jq::dtype t : {jq::f64, jq::f32, jq::f16, jq::i32})
    for (const bool smallest : {false, true}) {
      const array x = (t == jq::i32 ? places : v).astype(t), last = jq::moveaxis(x, -1, 1);
      const jq::conv_padding sides{{0, 1, 2, 0}, {0, 2, 1, 0}}, first{{0, 0, 1, 2}, {0, 0, 2, 1}};
      const array numbers = jq::reshape(jq::arange(x.size()), x.shape()).astype(t);
      const array got = lax::select_and_gather_add(numbers, x, {1, 3, 2, 1}, {1, 2, 1, 1}, sides, smallest);
      const array one_by_one = lax::select_and_gather_add(jq::moveaxis(numbers, -1, 1), last, {1, 1, 3, 2},
                                                          {1, 1, 2, 1}, first, smallest);
      CHECK_CLOSE(jq::moveaxis(got, -1, 1), one_by_one, 0);
      const array sums = lax::select_and_scatter_add(got, x, {1, 3, 2, 1}, {1, 2, 1, 1}, sides, smallest);
      CHECK_CLOSE(jq::moveaxis(sums, -1, 1), lax::select_and_scatter_add(one_by_one, last, {1, 1, 3, 2}, {1, 1, 2, 1}, first, smallest), 0);
    }
}
TEST_CASE("selection: derivatives and batching") {
  check_derivatives([](const arrays& a) { return gathered({a[0], x}); }, {t});
  check_derivatives([](const arrays& a) { return scattered({a[0], x}); }, {s});
  check_batching(gathered, {t, x});
  check_batching(scattered, {s, x});
}
TEST_CASE("selection: errors") {
  CHECK_THROWS_WITH_AS(scattered({t, x}), doctest::Contains("got operands of shapes (4, 5) and (4, 5), wanted the first of shape (2, 3)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(gathered({s, x}), doctest::Contains("wanted the first of shape (4, 5)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(gathered({cast(t, jq::f32), x}), doctest::Contains("requires arguments to have the same dtypes, got float32, float64"),
                       jq::type_error);
}
