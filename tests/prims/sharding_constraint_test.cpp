// sharding_constraint: a value with a wish; types, derivatives, vmap, errors. What becomes of the wish is in tests/parallel.
#include "reference.hpp"

using namespace prim_testing;

namespace {
array constrained(const array& x, const jq::int_list& pieces) { return jq::bind<jq::sharding_constraint_p>({pieces}, jq::location{}, x); }
}  // namespace

static_assert(jq::table_of<jq::sharding_constraint_p>().identity && jq::table_of<jq::sharding_constraint_p>().linear == 1);

TEST_CASE("sharding_constraint: the value itself") {
  const array x = sample({2, 3});
  CHECK_CLOSE(constrained(x, {2, 1}), x, 0);
  CHECK_CLOSE(constrained(x, {}), x, 0);
  CHECK_CLOSE(jq::grad([](const array& v) { return lax::reduce_sum(lax::mul(constrained(v, {1, 3}), v), {0, 1}); })(x), lax::mul(x, array(2.0)), 1e-15);
}
TEST_CASE("sharding_constraint: vmap leaves the mapped dimension whole") {
  const auto text = [](auto... axes) {
    return std::string(jq::to_string(jq::make_jaxpr(jq::vmap([](const array& v) { return constrained(v, {2, 1}); }, axes...))(sample({2, 3, 4}))));
  };
  CHECK(text().find("partitions=(1, 2, 1)") != std::string::npos);
  CHECK(text(jq::in_axes<1>).find("partitions=(2, 1, 1)") != std::string::npos);
}
TEST_CASE("sharding_constraint: errors") {
  CHECK_THROWS_AS(constrained(sample({2, 3}), {2}), jq::shape_error);
  CHECK_THROWS_AS(constrained(sample({}), {2}), jq::shape_error);
}
