// Places of a mask: counted, or as many as said.
#include "numpy_testing.hpp"

namespace {
const array mask = asarray({{false, true, true}, {true, false, false}});
array column(int d, std::int64_t size, std::int64_t fill = 0) {
  return jq::detail::places_of(mask, size, array(fill), jq::location{})[std::size_t(d)];
}
}  // namespace

TEST_CASE("one vector of indices per dimension, in row-major order") {
  CHECK(show(column(0, jq::none)) == "i64[3] 0 0 1");
  CHECK(show(column(1, jq::none)) == "i64[3] 1 2 0");
}
TEST_CASE("a size that is given cuts, or fills up; it needs no values") {
  CHECK(show(column(1, 2)) == "i64[2] 1 2");
  CHECK(show(column(1, 5, -1)) == "i64[5] 1 2 0 -1 -1");
  CHECK(show(column(1, -3)) == "i64[0]");
  const auto traced = jq::jit([](const array& m) { return jq::detail::places_of(m, 4, array(std::int64_t(9)), jq::location{})[0]; });
  CHECK(show(traced(mask)) == "i64[4] 0 0 1 9");
  CHECK_THROWS_AS(jq::jit([](const array& m) { return jq::detail::places_of(m, jq::none, array(0), jq::location{})[0]; })(mask), jq::concretization_error);
}
