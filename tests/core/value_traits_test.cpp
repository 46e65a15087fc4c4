// value_traits: numbers and lanes choose, convert and reinterpret alike.
#include <doctest/doctest.h>
#include <jacquard/core/value_traits.hpp>
#include <jacquard/fixed/lanes.hpp>

namespace jq = jacquard;

static_assert(jq::value_traits<double>::select(true, 1.0, 2.0) == 1);
static_assert(jq::value_traits<double>::convert<std::int32_t>(2.9) == 2);
static_assert(jq::value_traits<float>::bit_cast<std::uint32_t>(1.0f) == 0x3f800000u);
static_assert(jq::value_traits<std::int64_t>::bit_cast<double>(0x3ff0000000000000) == 1.0);

TEST_CASE("lanes do lane by lane what numbers do") {
  using doubles = jq::lanes<double, 2>;
  using floats = jq::lanes<float, 2>;
  using whole = jq::lanes<std::int64_t, 2>;
  using traits = jq::value_traits<doubles>;
  doubles x(1.0), y(2.5);
  x.v[1] = 3;
  const doubles larger = traits::select(x > y, x, y);
  CHECK(larger[0] == 2.5);
  CHECK(larger[1] == 3);
  CHECK(traits::convert<floats>(y)[1] == 2.5f);
  CHECK(traits::convert<whole>(y)[0] == 2);
  CHECK(traits::bit_cast<whole>(x)[0] == 0x3ff0000000000000);
  CHECK(jq::value_traits<whole>::bit_cast<doubles>(traits::bit_cast<whole>(x))[1] == 3);
}
