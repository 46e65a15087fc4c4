// Rows whose elements meet each other, and what is made of them where there are few: running sums and extremes, places of extremes, sorts, a small
// factorisation. Oracle: the kernels of these primitives, and values by hand.
#include <jacquard/prims/row_pairs.hpp>

#include <jacquard/testing/comparison.hpp>

#include <cmath>
#include <limits>

#include "../show.hpp"

using jq::array;
namespace lax = jq::lax;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The results of the one equation of a function, by the rule for few elements; none where it gives none.
template <class F>
std::vector<array> of_few(F f, const array& x) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x);
  REQUIRE(p->equations.size() == 1);
  const jq::equation& e = p->equations[0];
  REQUIRE(bool(e.op->of_few));
  const array operands[] = {x};
  jq::few_call c{jq::view<const array>(operands, 1), p->params(e)};
  e.op->of_few(c);
  return {c.results.begin(), c.results.end()};
}
template <class F>
void check_same(F f, const array& x) {
  const std::vector<array> got = of_few(f, x);
  REQUIRE(got.size() == 1);
  const auto r = jq::testing::all_close(got[0], f(x), 1e-6, 1e-6);
  CHECK_MESSAGE(r.ok, r.text);
}
const array numbers = jq::asarray({0.5, -1.0, 2.0, 2.0, -3.0, 0.25, -1.0}), matrix = jq::asarray({{3.0, 1.0, 2.0}, {-1.0, 5.0, 0.0}});
const array special = jq::asarray({1.0, double(NAN), infinite, -infinite, -0.0, 0.0, double(NAN)});

}  // namespace

TEST_CASE("row_pairs: own and other elements and places") {
  const jq::detail::row_pairs<> pairs(matrix, 1);
  CHECK(pairs.own(matrix).shape() == jq::shape{2, 3, 3});
  CHECK(jq::testing::identical(pairs.own(matrix)[1], jq::asarray({{-1.0, -1.0, -1.0}, {5.0, 5.0, 5.0}, {0.0, 0.0, 0.0}})).ok);
  CHECK(jq::testing::identical(pairs.other(matrix)[1], jq::asarray({{-1.0, 5.0, 0.0}, {-1.0, 5.0, 0.0}, {-1.0, 5.0, 0.0}})).ok);
  CHECK(jq::testing::identical(pairs.own_place()[0], jq::asarray({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}})).ok);
  CHECK(jq::testing::identical(pairs.other_place()[0], jq::asarray({{0, 1, 2}, {0, 1, 2}, {0, 1, 2}})).ok);
  CHECK(jq::detail::row_pairs<>::are_few({jq::f32, {11}}, 0));
  CHECK_FALSE(jq::detail::row_pairs<>::are_few({jq::f32, {12}}, 0));
  CHECK_FALSE(jq::detail::row_pairs<>::are_few({jq::f32, {0}}, 0));
}
TEST_CASE("row_pairs: running sums and extremes, in both directions and along each axis") {
  for (const bool reverse : {false, true}) {
    for (const array& x : {numbers, special, numbers.astype(jq::f32), numbers.astype(jq::i32)}) {
      check_same([&](array a) { return lax::cumsum(a, 0, reverse); }, x);
      check_same([&](array a) { return lax::cummax(a, 0, reverse); }, x);
      check_same([&](array a) { return lax::cummin(a, 0, reverse); }, x);
    }
    for (const std::int64_t axis : {0, 1}) check_same([&](array a) { return lax::cumsum(a, axis, reverse); }, matrix);
  }
  CHECK(of_few([](array a) { return lax::cumsum(a, 0); }, jq::zeros({40})).empty());
}
TEST_CASE("row_pairs: places of extremes are the first ones, of NaN if there is one") {
  for (const array& x : {numbers, special, jq::zeros({5}), numbers.astype(jq::i64)}) {
    check_same([](array a) { return lax::argmax(a, 0, jq::i32); }, x);
    check_same([](array a) { return lax::argmin(a, 0, jq::i64); }, x);
  }
  check_same([](array a) { return lax::argmax(a, 0, jq::u8); }, matrix);
}
TEST_CASE("row_pairs: sorts keep the bits of what they move") {
  const auto sort = [](array a) { return jq::sort(a); };
  for (const array& x : {numbers, special, jq::zeros({6}), numbers.astype(jq::f32), numbers.astype(jq::i32), matrix}) check_same(sort, x);
  const array zeros = of_few(sort, jq::asarray({0.0, -0.0, 1.0, -0.0}))[0];
  CHECK(std::signbit(zeros[1].item<double>()));  // equal ones keep their order
  CHECK_FALSE(std::signbit(zeros[0].item<double>()));
  CHECK(of_few(sort, numbers.astype(jq::f16)).empty());
}
TEST_CASE("row_pairs: a small factorisation, and of what is not positive definite") {
  const auto factor = [](array a) { return lax::cholesky(a); };
  check_same(factor, jq::asarray({{4.0, 9.0, 9.0}, {2.0, 5.0, 9.0}, {0.6, -1.0, 3.0}}));
  check_same(factor, jq::asarray({{4.0}}));
  check_same(factor, jq::eye(4));
  check_same(factor, jq::asarray({{1.0, 0.0}, {2.0, 1.0}}));
  CHECK(of_few(factor, jq::eye(5)).empty());
}
