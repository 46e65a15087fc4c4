// lax::associative_scan: against partial results computed one by one, for every length, axis and direction, and differentiated.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

const auto sums = [](const array& x) { return lax::associative_scan([](const array& a, const array& b) { return a + b; }, x); };
/// Compositions of x -> a x + b, which do not commute.
using affine = std::pair<array, array>;
const auto compose = [](const affine& f, const affine& g) { return affine{f.first * g.first, f.second * g.first + g.second}; };

}  // namespace

TEST_CASE("associative_scan: sums of every length") {
  for (std::int64_t n = 0; n <= 9; ++n) {
    CAPTURE(n);
    CHECK_REPORT(jq::testing::all_close(sums(jq::arange(n)), jq::cumsum(jq::arange(n), 0)));
  }
}
TEST_CASE("associative_scan: an operation that does not commute, on trees, in both directions") {
  const array a = asarray({0.5, 2.0, -1.0, 3.0, 0.25}), b = asarray({1.0, -1.0, 2.0, 0.5, 4.0});
  for (bool reverse : {false, true}) {
    CAPTURE(reverse);
    const auto step = [&](const affine& s, const affine& x) {
      const affine next = reverse ? compose(x, s) : compose(s, x);
      return std::pair{next, next};
    };
    const affine want = lax::scan(step, affine{asarray(1.0), asarray(0.0)}, affine{a, b}, {.reverse = reverse}).second;
    CHECK_REPORT(jq::testing::all_close(lax::associative_scan(compose, affine{a, b}, reverse), want));
  }
}
TEST_CASE("associative_scan: another axis, derivatives, vmap") {
  const array x = asarray({{0.5, 2.0, -1.0}, {1.5, 0.25, 3.0}});
  const auto products = [](const array& v) { return lax::associative_scan([](const array& a, const array& b) { return a * b; }, v, false, 1); };
  CHECK(show(products(x)) == "f64[2,3] 0.5 1 -1 1.5 0.375 1.125");
  const auto add = [](const array& a, const array& b) { return a + b; };
  CHECK(show(lax::associative_scan(add, x, true, -1)) == "f64[2,3] 1.5 1 -1 4.75 3.25 3");
  CHECK_THROWS_WITH_AS(lax::associative_scan(add, x, false, -3), doctest::Contains("got axis -3 for an array of shape (2, 3)"), jq::value_error);
  CHECK_REPORT(jq::testing::check_grads(products, std::tuple{x}, {.order = 2}));
  CHECK_REPORT(jq::testing::check_vmap(sums, {1}, std::tuple{x}));
}
TEST_CASE("associative_scan: what is said of wrong arguments") {
  const auto first = [](const affine& a, const affine&) { return a; };
  CHECK_THROWS_WITH_AS(lax::associative_scan(first, affine{jq::zeros({2}), jq::zeros({3})}), doctest::Contains("got arrays of 2 and 3 elements along axis 0"),
                       jq::value_error);
  CHECK_THROWS_WITH_AS(lax::associative_scan(first, affine{jq::zeros({2}), jq::zeros({2})}, false, 1), doctest::Contains("got axis 1 for an array of shape (2,)"),
                       jq::value_error);
}
