// check_reading: programs of known primitives can be read back; others are told apart.
#include "wrong_prims.hpp"

#include <jacquard/testing/reading.hpp>

namespace jq = jacquard;
using jq::array;
using jq::asarray;
using jq::testing::check_reading;

TEST_CASE("programs of the library's primitives can be read back") {
  CHECK_REPORT(check_reading([](const array& x, const array& y) { return std::pair{jq::matmul(x, y) * 2.0, jq::sum(x)}; },
                             std::tuple{asarray({{1.0, 2.0}, {3.0, 4.0}}), asarray({1.0, 2.0})}));
  CHECK_REPORT(check_reading(jq::jit([](const array& x) { return jq::grad([](const array& y) { return jq::sin(y); })(x); }),
                             std::tuple{asarray(1.f)}));
}
TEST_CASE("a user's primitive has no name that the reader knows") {
  CHECK_THROWS_WITH_AS(check_reading([](const array& x) { return wrong::call<wrong::slope_p>(x); }, std::tuple{asarray(1.0)}),
                       doctest::Contains("got 'wrong_slope', wanted the name of a known primitive"), jq::value_error);
}
