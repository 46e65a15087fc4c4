// Places in sorted arrays and bins: against std::lower_bound and numpy's documented results.
#include <algorithm>
#include <random>

#include <jacquard/jacquard.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::searchsorted(jq::arange(5), x) + jq::digitize(x, jq::arange(3)); }, {3}) > 0);
static_assert(traced([](array x) { return jq::searchsorted(x, 1); }, {3, 2}) == -1);

TEST_CASE("searchsorted with a sorter is the search in the sorted vector") {
  const array a = asarray({5.0, -1.0, not_a_number, 3.0, 3.0}), v = asarray({{3.0, 4.0}, {-7.0, not_a_number}});
  for (const char* side : {"left", "right"})
    CHECK(show(jq::searchsorted(a, v, side, jq::argsort(a))) == show(jq::searchsorted(jq::sort(a), v, side)));
  CHECK(show(jq::searchsorted(asarray({40, 10, 20, 30}), asarray({20, 25, 45}), "right", asarray({1, 2, 3, 0}))) == "i64[3] 2 2 4");
  CHECK_ERROR(jq::shape_error, jq::searchsorted(a, v, "left", asarray({0, 1})), "searchsorted: got a sorter of dtype int32 and shape (2,)", "(5,)");
  CHECK_ERROR(jq::type_error, jq::searchsorted(a, v, "left", a), "searchsorted: got a sorter of dtype float64", "wanted integers");
}
TEST_CASE("searchsorted: numpy's examples, NaN, every size against std::lower_bound") {
  const array a = asarray({11, 12, 13, 14, 15});
  CHECK(show(jq::searchsorted(a, 13)) == "i64[] 2");
  CHECK(show(jq::searchsorted(a, 13, "right")) == "i64[] 3");
  CHECK(show(jq::searchsorted(a, asarray({-10, 20, 12, 13}))) == "i64[4] 0 5 1 2");
  CHECK(show(jq::searchsorted(asarray({1.0, 2.0, not_a_number, not_a_number}), asarray({not_a_number, 3.0}))) == "i64[2] 2 2");
  CHECK(show(jq::searchsorted(asarray({1.0, not_a_number}), not_a_number, "right")) == "i64[] 2");
  CHECK(show(jq::searchsorted(jq::zeros({0}), 1.0)) == "i64[] 0");
  CHECK(show(jq::searchsorted(asarray({1, 2}), asarray({{1.5}, {2.5}}))) == "i64[2,1] 1 2");
  std::mt19937 random(1);
  for (int n = 1; n < 20; ++n) {
    std::vector<int> s;
    for (int i = 0; i < n; ++i) s.push_back(int(random() % 12));
    std::sort(s.begin(), s.end());
    for (int v = -1; v < 13; ++v) {
      CHECK(jq::searchsorted(asarray(s), v).item<std::int64_t>() == std::lower_bound(s.begin(), s.end(), v) - s.begin());
      CHECK(jq::searchsorted(asarray(s), v, "right").item<std::int64_t>() == std::upper_bound(s.begin(), s.end(), v) - s.begin());
    }
  }
  CHECK_ERROR(jq::shape_error, jq::searchsorted(jq::zeros({2, 2}), 1.0), "searchsorted", "(2, 2)");
  CHECK_ERROR(jq::value_error, jq::searchsorted(a, 1, "middle"), "side \"middle\"");
}
TEST_CASE("searchsorted: complex numbers are ordered by their real parts first") {
  using number = jq::complex128;
  const array a = asarray({number(0, 0), number(1, 9), number(2, -1), number(2, 1), number(2, 1)}), v = asarray({number(2, 1), number(1, 10), number(-1, 0), number(9, 9)});
  CHECK(show(jq::searchsorted(a, v)) == "i64[4] 3 2 0 5");
  CHECK(show(jq::searchsorted(a, v, "right")) == "i64[4] 5 2 0 5");
}
TEST_CASE("digitize: increasing and decreasing bins, numpy's examples") {
  CHECK(show(jq::digitize(asarray({0.2, 6.4, 3.0, 1.6}), asarray({0.0, 1.0, 2.5, 4.0, 10.0}))) == "i64[4] 1 4 3 2");
  const array x = asarray({1.2, 10.0, 12.4, 15.5, 20.0}), bins = asarray({0, 5, 10, 15, 20});
  CHECK(show(jq::digitize(x, bins, true)) == "i64[5] 1 2 3 4 4");
  CHECK(show(jq::digitize(x, bins)) == "i64[5] 1 3 3 4 5");
  CHECK(show(jq::digitize(x, asarray({20, 15, 10, 5, 0}))) == "i64[5] 4 2 2 1 0");
}
TEST_CASE("bincount") {
  CHECK(show(jq::bincount(asarray({0, 1, 1, 3, 2, 1, 7}), 8)) == "i64[8] 1 3 1 1 0 0 0 1");
  CHECK(show(jq::bincount(asarray({0, -1, 5}), 2)) == "i64[2] 1 0");
  CHECK(show(jq::bincount(asarray({0, 1, 1, 3}))) == "i64[4] 1 2 0 1");
  CHECK(show(jq::bincount(jq::zeros({0}, jq::i32))) == "i64[0]");
  CHECK(show(jq::bincount(asarray({2, 0}), asarray({0.5, 1.5}), jq::none)) == "f64[3] 1.5 0 0.5");
  CHECK_ERROR_ANYWHERE(jq::concretization_error, jq::jit([](const array& v) { return jq::bincount(v); })(asarray({1})), "jit");
  CHECK(show(jq::bincount(asarray({0, 1, 1, 2, 2, 2}), asarray({0.3, 0.5, 0.2, 0.7, 1.0, -0.6}), 3)) == "f64[3] 0.3 0.7 1.1");
  CHECK_ERROR(jq::type_error, jq::bincount(asarray({1.0}), 2), "bincount", "float64");
  CHECK_ERROR(jq::value_error, jq::bincount(asarray({1}), -2), "bincount", "length -2");
}
TEST_CASE("histogram: numpy's examples, edges, weights, density") {
  const auto [counts, edges] = jq::histogram(asarray({1, 2, 1}), asarray({0, 1, 2, 3}));
  CHECK(show(counts) == "i64[3] 0 2 1");
  CHECK(show(edges) == "f64[4] 0 1 2 3");
  CHECK(show(jq::histogram(asarray({0.0, 3.0, 3.0, -1.0, 4.0}), asarray({0.0, 1.0, 3.0})).counts) == "i64[2] 1 2");
  CHECK(show(jq::histogram(asarray({1.0, 2.0, 3.0, 4.0, 5.0}), 5).counts) == "i64[5] 1 1 1 1 1");
  CHECK(show(jq::histogram(asarray({2.0, 2.0}), 2).edges) == "f64[3] 1.5 2 2.5");
  const auto [none, unit] = jq::histogram(jq::zeros({0}), 2);  // numpy: edges between 0 and 1
  CHECK(show(none) == "i64[2] 0 0");
  CHECK(show(unit) == "f32[3] 0 0.5 1");
  CHECK(show(jq::histogramdd(jq::zeros({0, 1}), 2).counts) == "i64[2] 0 0");
  CHECK_ERROR(jq::type_error, jq::histogram(asarray({jq::complex128(1, 2)}), 2), "histogram", "complex128", "real numbers");
  CHECK(show(jq::histogram(asarray({0, 1, 1}), asarray({0, 1, 4}), asarray({0.5, 1.0, 2.0})).counts) == "f64[2] 0.5 3");
  const array area = jq::histogram(asarray({0.0, 1.0, 1.5, 3.0}), asarray({0.0, 1.0, 4.0}), 1, true).counts;
  CHECK(show(area) == "f64[2] 0.25 0.25");
  CHECK_ERROR(jq::shape_error, jq::histogram(asarray({1.0}), asarray({1.0})), "histogram", "(1,)");
  CHECK_ERROR(jq::value_error, jq::histogram(asarray({1.0}), 0), "0 bins");
}
TEST_CASE("histogram: many numbers in equal bins are counted as between the same edges") {
  const array key = jq::random::key(8);
  const array x = jq::random::normal(key, {3000}, jq::f64);
  for (const jq::dtype t : {jq::f64, jq::f32})
    for (const int bins : {1, 7, 100, 5000})
      for (const double offset : {0.0, 1e3, 1e8, 1e17})  // so far away that many edges are one number
        for (const double size : {1.0, 1e-320, 1e300, 1e-40}) {
          CAPTURE(bins);
          CAPTURE(offset);
          CAPTURE(size);
          const array v = (x * size + offset).astype(t);
          const auto [counts, edges] = jq::histogram(v, bins);
          CHECK(show(jq::all(counts == jq::histogram(v, edges).counts)) == "bool[] 1");
        }
  const array whole = jq::arange(2000), grid = whole.astype(jq::f64) / 100.0;  // on edges
  CHECK(show(jq::all(jq::histogram(grid, 1999).counts == jq::histogram(grid, jq::histogram_bin_edges(grid, 1999)).counts)) == "bool[] 1");
  CHECK(show(jq::histogram(whole, 4).counts) == "i64[4] 500 500 500 500");
  const array odd = jq::concatenate({x, jq::asarray({std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})});
  CHECK(show(jq::all(jq::histogram(odd, 9).counts == jq::histogram(odd, jq::histogram_bin_edges(odd, 9)).counts)) == "bool[] 1");
  const array rows = jq::reshape(x, {2, 1500}), both = jq::vmap([](const array& row) { return jq::histogram(row, 6).counts; })(rows);
  CHECK(show(jq::all(both(1) == jq::histogram(rows(1), 6).counts)) == "bool[] 1");
}
TEST_CASE("histograms of several coordinates") {
  const array x = asarray({0.0, 0.5, 1.0, 1.5, 2.0, 9.0}), y = asarray({0.0, 2.5, 0.5, 0.5, 3.0, 0.0});
  const auto h = jq::histogram2d(x, y, asarray({0.0, 1.0, 2.0}), asarray({0.0, 1.0, 3.0}));
  CHECK(show(h.counts) == "i64[2,2] 1 1 2 1");  // (9, 0) is outside, (2, 3) at the last edges
  CHECK(show(jq::histogram2d(x, y, asarray({0.0, 1.0, 2.0}), asarray({0.0, 1.0, 3.0}), 2.0 * x).counts) == "f64[2,2] 0 1 5 4");
  const auto density = jq::histogram2d(x, y, asarray({0.0, 1.0, 2.0}), asarray({0.0, 1.0, 3.0}), 1, true).counts;
  CHECK(jq::sum(density * asarray({1.0, 2.0})).item<double>() == doctest::Approx(1));
  const auto even = jq::histogram2d(x, y, 3);
  CHECK(show(even.x_edges) == "f64[4] 0 3 6 9");
  CHECK(show(even.counts) == "i64[3,3] 3 0 2 0 0 0 1 0 0");
  const array points = jq::stack({x, y, x}, 1);
  const auto box = jq::histogramdd(points, std::vector<array>{asarray({0.0, 1.0, 2.0}), asarray({0.0, 1.0, 3.0}), asarray({0.0, 10.0})});
  CHECK(show(jq::reshape(box.counts, {2, 2})) == show(h.counts));
  CHECK(jq::histogramdd(points, 4).counts.shape() == jq::shape{4, 4, 4});
  CHECK_ERROR(jq::shape_error, jq::histogram2d(x, asarray({1.0}), 3).counts, "histogram2d", "(6,)", "(1,)");
  CHECK_ERROR(jq::shape_error, jq::histogramdd(points, std::vector<array>{asarray({0.0, 1.0})}).counts, "histogramdd", "(6, 3)");
}
TEST_CASE("histogram: whole numbers between edges of floating point") {
  CHECK(show(jq::histogram(asarray({1, 2, 3}), asarray({0.f, 2.f, 3.f})).edges) == "f32[3] 0 2 3");
}
