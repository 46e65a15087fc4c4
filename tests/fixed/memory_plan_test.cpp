// Memory of large arrays: used again when it is given back, joined with its neighbours, separate by dtype.
#include <doctest/doctest.h>
#include <jacquard/fixed/memory_plan.hpp>

namespace jq = jacquard;

TEST_CASE("memory plans use what is free") {
  jq::detail::memory_plan m;
  CHECK(m.take(jq::f64, 10) == 0);
  CHECK(m.take(jq::f64, 20) == 10);
  CHECK(m.take(jq::f32, 5) == 0);
  m.give_back(jq::f64, 0, 10);
  CHECK(m.take(jq::f64, 12) == 30);
  CHECK(m.take(jq::f64, 4) == 0);
  CHECK(m.take(jq::f64, 6) == 4);
  m.give_back(jq::f64, 10, 20);
  m.give_back(jq::f64, 30, 12);
  CHECK(m.take(jq::f64, 32) == 10);
  CHECK(m.top(std::size_t(jq::f64)) == 42);
  CHECK(m.top(std::size_t(jq::f32)) == 5);
}
