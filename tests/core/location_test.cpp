// Source locations: the caller's line, and the user's line for equations that rules emit.
#include <jacquard/core/location.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::location;

namespace {
constexpr location where_called(location l = location::current()) { return l; }
static_assert(where_called().line == __LINE__ && !location{}.known() && where_called().known());
}  // namespace

TEST_CASE("equations know the user's line") {
  std::uint32_t line = 0;
  const auto p = jq::make_jaxpr([&](jq::array x) {
    line = __LINE__ + 1;
    return jq::lax::mul(x, x);
  })(jq::array(1.0));
  REQUIRE(p->equations.size() == 1);
  CHECK(p->equations[0].where.line == line);
  CHECK(std::string(p->equations[0].where.file).find("location_test.cpp") != std::string::npos);
}

TEST_CASE("equations of rules inherit it") {
  const std::uint32_t line = __LINE__ + 1;
  const auto f = [](jq::array x) { return jq::lax::sin(x); };
  const auto p = jq::make_jaxpr(jq::grad(f))(jq::array(1.0));
  for (const jq::equation& e : p->equations)
    if (e.where.known()) CHECK(e.where.line == line);
  CHECK(p->equations.back().where.line == line);
}

TEST_CASE("scopes nest: the outermost known line wins, and is forgotten afterwards") {
  const location outer{"outer.cpp", 1}, inner{"inner.cpp", 2};
  {
    const jq::rule_location_scope a(outer);
    const jq::rule_location_scope b(inner);
    CHECK(jq::detail::rule_location == &outer);
  }
  CHECK(jq::detail::rule_location == nullptr);
}
