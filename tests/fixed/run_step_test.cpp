// What a step of a run says of itself.
#include <doctest/doctest.h>
#include <jacquard/fixed/run_step.hpp>

using jacquard::detail::arithmetic, jacquard::detail::run_step;

namespace {

constexpr run_step sum{run_step::kind_of(arithmetic::add), 2, {0, 1}}, difference{run_step::kind_of(arithmetic::subtract), 2, {0, 1}};
constexpr run_step product{run_step::kind_of(arithmetic::multiply), 2, {0, 1}}, of_equation{0, 2, {0, 1}}, equation{run_step::whole | 0, 0, {}};
static_assert(sum.is(arithmetic::add) && sum.is_sum() && difference.is_sum() && !difference.is(arithmetic::add));
static_assert(product.is(arithmetic::multiply) && !product.is_sum());
// The number of an equation is no arithmetic, whichever it is.
static_assert(!of_equation.is(arithmetic::add) && !equation.is(arithmetic::add) && !equation.is_sum());

}  // namespace

TEST_CASE("a group of steps is none of its steps") {
  const run_step group{run_step::group | 3, 0, {}};
  CHECK_FALSE(group.is(arithmetic::subtract));
  CHECK((group.kind & (run_step::whole | run_step::plain_arithmetic)) == 0);
}
