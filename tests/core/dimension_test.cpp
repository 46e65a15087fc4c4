// Symbolic dimensions: canonical form and text, arithmetic, division, evaluation.
#include <jacquard/core/dimension.hpp>

#include <doctest/doctest.h>

using jacquard::cat;
using jacquard::dimension;
using jacquard::name_text;

namespace {
constexpr dimension k = dimension(0);
constexpr dimension named(const char* s) { return dimension::named(s); }
constexpr dimension d(std::int64_t v) { return dimension(v); }
constexpr std::int64_t sizes(const name_text& n) { return n.view() == "n" ? 7 : n.view() == "m" ? 3 : 2; }
}  // namespace

static_assert(k == d(0) && k.is_constant() && k.terms().empty());

// Canonical text as in the fact sheet.
static_assert(cat(named("m") + named("n") * named("k")) == "k n + m");
static_assert(cat(d(-3) + named("k") + named("k") * named("k")) == "k^2 + k + -3");
static_assert(cat(named("n") + d(-1) * named("n")) == "0");
static_assert(cat(named("n") - d(1)) == "n + -1" && cat(d(2) * named("n")) == "2 n" && cat(d(5)) == "5");

static_assert(named("n") * named("m") == named("m") * named("n") && !(named("n") == named("m")));
static_assert((named("n") + d(1)) * (named("n") - d(1)) == named("n") * named("n") - d(1));
static_assert((d(2) * named("n") + d(3)).evaluate(sizes) == 17 && (named("n") * named("m") * named("m")).evaluate(sizes) == 63);

static_assert(dimension::floor_div(d(10) * named("n") + d(23), 5) == d(2) * named("n") + d(4));
static_assert(cat(dimension::floor_div(named("n") + d(1), 2)) == "floor((n + 1) / 2)");
static_assert(dimension::floor_div(named("n") + d(1), 2).evaluate(sizes) == 4);
static_assert(dimension::floor_div(d(2) * named("n") + named("m") + d(5), 2) == named("n") + d(2) + dimension::floor_div(named("m") + d(1), 2));
static_assert(dimension::floor_div(d(-7), 2) == d(-4) && dimension::floor_div(d(7), 2) == d(3));
static_assert(dimension::floor_div(named("m") - named("n"), 2).evaluate(sizes) == -2);

static_assert(dimension::positive_part(named("n")) == named("n") && dimension::positive_part(d(-2)) == d(0));
static_assert(cat(dimension::positive_part(named("n") - d(1))) == "max(n + -1, 0)");
static_assert(dimension::positive_part(named("m") - named("n")).evaluate(sizes) == 0);
static_assert(dimension::positive_part(named("n") - named("m")).evaluate(sizes) == 4);

namespace {
constexpr bool divides(const dimension& a, const dimension& b, const dimension& quotient, const dimension& remainder) {
  dimension q, r;
  return a.divide(b, q, r) && q == quotient && r == remainder;
}
constexpr bool divides(const dimension& a, const dimension& b) {
  dimension q, r;
  return a.divide(b, q, r);
}
}  // namespace

// The example of the fact sheet: (10n + 23) divmod 5 = (2n + 4, 3).
static_assert(divides(d(10) * named("n") + d(23), d(5), d(2) * named("n") + d(4), d(3)));
static_assert(divides(named("n") * named("m"), named("m"), named("n"), d(0)));
static_assert(divides(named("n") * named("n") - d(1), named("n") + d(1), named("n") - d(1), d(0)));
static_assert(!divides(named("n"), named("m")) && !divides(named("n"), d(2)) && !divides(d(3), named("n")) && !divides(named("n"), d(0)));
static_assert(divides(d(7), d(2), d(3), d(1)) && divides(d(-7), d(2), d(-4), d(1)));

TEST_CASE("dimensions of many terms stay ordered, in whatever order they are added") {
  const dimension n = named("n"), m = named("m"), one(1);
  CHECK(cat(one + n + m * n + m + n * n) == "m n + n^2 + m + n + 1");
  CHECK(n * n + m + one + n + m * n == one + n + m * n + m + n * n);
  CHECK((n + m + one).constant() == 1);
  CHECK((n + m).constant() == 0);
  CHECK_FALSE((n + one).is_constant());
}
TEST_CASE("lists of dimensions as text") {
  CHECK(cat(jacquard::dimension_list{named("n"), d(3)}) == "(n, 3)");
  CHECK(cat(jacquard::dimension_list{named("n")}) == "(n,)");
  CHECK(cat(jacquard::dimension_list{}) == "()");
}
