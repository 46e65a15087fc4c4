// Bounds of symbolic dimensions and comparisons that only they decide.
#include <jacquard/core/dimension_bounds.hpp>

#include <doctest/doctest.h>

using namespace jacquard;

namespace {
constexpr dimension n = dimension(0);
constexpr dimension named(const char* s) { return dimension::named(s); }
constexpr dimension d(std::int64_t v) { return dimension(v); }
constexpr dimension_bounds up_to_ten(const name_text&) { return {0, 10}; }
constexpr bool between(const dimension_bounds& b, std::int64_t low, std::int64_t high) { return b.low == low && b.high == high; }
}  // namespace

// The examples of the fact sheet.
static_assert(at_least(d(4) * named("n") + d(3), d(3)) == verdict::yes);
static_assert(at_least(d(4) * named("n") + d(3), d(4)) == verdict::inconclusive);
static_assert(at_least(n, d(1)) == verdict::no);
static_assert(at_least(named("n"), named("m")) == verdict::inconclusive && at_least(named("n") + named("m"), named("m")) == verdict::yes);
static_assert(at_least(d(2), d(3) + named("n")) == verdict::no);

static_assert(equal(named("n"), named("n")) == verdict::yes && equal(named("n"), named("n") + d(1)) == verdict::no);
static_assert(equal(named("n"), named("m")) == verdict::inconclusive && equal(named("n") + d(2), d(1)) == verdict::no);

static_assert(between(bounds(named("n")), 0, dimension_bounds::none_above));
static_assert(between(bounds(d(3) - named("n")), dimension_bounds::none_below, 3));
static_assert(between(bounds(named("n") - named("m"), up_to_ten), -10, 10));
static_assert(between(bounds(d(2) * named("n") * named("m") + d(1), up_to_ten), 1, 201));
static_assert(between(bounds(dimension::floor_div(named("n") + d(1), 2), up_to_ten), 0, 5));
static_assert(between(bounds(dimension::floor_div(named("n") - named("m"), 2), up_to_ten), -5, 5));
static_assert(between(bounds(dimension::positive_part(named("n") - d(3)), up_to_ten), 0, 7));
static_assert(between(bounds(named("n") * dimension::floor_div(named("m") - named("n"), 3), up_to_ten), -40, 30));
static_assert(at_least(named("n"), d(11), up_to_ten) == verdict::no && at_least(d(10), named("n"), up_to_ten) == verdict::yes);

TEST_CASE("bounds that cannot be counted are none") {
  const dimension big(std::int64_t(1) << 62);
  CHECK(between(bounds(big * named("n"), up_to_ten), 0, dimension_bounds::none_above));
  CHECK(between(bounds(dimension(0) - big * named("n"), up_to_ten), dimension_bounds::none_below, 0));
  CHECK(between(bounds(big * dimension(1) * (named("n") - named("m")), up_to_ten), dimension_bounds::none_below, dimension_bounds::none_above));
}
TEST_CASE("the error of a comparison that is not decided") {
  const error_record e = inconclusive(d(4) * named("n") + d(3), ">=", d(4));
  CHECK(e.kind == error_kind::value);
  CHECK(e.message == "Polynomial comparison 4 n + 3 >= 4 is inconclusive; it depends on the sizes");
}
