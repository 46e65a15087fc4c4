// population_count and clz: each width, errors, batching.
#include "prim_testing.hpp"

using namespace prim_testing;

static_assert(jq::population_count_p::apply(std::int8_t(-1)) == 8 && jq::clz_p::apply(std::uint16_t(1)) == 15 && jq::clz_p::apply(0) == 32);

TEST_CASE("counts depend on the width of the dtype") {
  CHECK_CLOSE(lax::population_count(make({-1, 0, 7})), make({32, 0, 3}), 0);
  CHECK_CLOSE(lax::population_count(make<std::int64_t>({-1})), make<std::int64_t>({64}), 0);
  CHECK_CLOSE(lax::clz(make({1, 0, -1})), make({31, 32, 0}), 0);
  CHECK_CLOSE(lax::clz(make<std::uint8_t>({1, 128})), make<std::uint8_t>({7, 0}), 0);
  CHECK_CLOSE(jq::jit([](const array& x) { return lax::add(lax::clz(x), lax::population_count(x)); })(make({1, -1})), make({32, 32}), 0);
}
TEST_CASE("counts: batching and errors") {
  check_batching(unary([](const array& x) { return lax::population_count(x); }), {make({1, 2, 3})});
  check_batching(unary([](const array& x) { return lax::clz(x); }), {make({1, 2, 3})});
  CHECK_THROWS_WITH_AS(lax::clz(make({1.0})), doctest::Contains("does not accept dtype"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::population_count(make({true})), doctest::Contains("does not accept dtype"), jq::type_error);
}
