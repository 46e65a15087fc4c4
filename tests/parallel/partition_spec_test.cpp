// Specifications of partitions: their text, and what is a prefix of a tree.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <sstream>

namespace jq = jacquard;
using spec = jq::partition_spec;

TEST_CASE("texts and counts") {
  CHECK(jq::to_string(spec(2, 1)) == "PartitionSpec(2, 1)");
  CHECK(jq::to_string(spec(2)) == "PartitionSpec(2,)");
  std::ostringstream out;
  out << spec(4, 2);
  CHECK(out.str() == "PartitionSpec(4, 2)");
  static_assert(spec(4, 2).partitions() == 8 && spec(2, 1) == spec(2, 1) && !(spec(2, 1) == spec(1, 2)));
}
TEST_CASE("what is no number of pieces") {
  CHECK_THROWS_AS(spec(0), jq::value_error);
  CHECK_THROWS_AS(spec(-2, -2), jq::value_error);
  CHECK_THROWS_AS(jq::detail::wanted_parts(2), jq::value_error);
}
TEST_CASE("one entry for each leaf") {
  std::vector<jq::detail::wanted_parts> r;
  jq::detail::axes_from_prefix(std::tuple(spec(2, 1), jq::none), std::tuple(std::pair(jq::array(1.0), jq::array(2.0)), jq::array(3.0)), r);
  REQUIRE(r.size() == 3);
  CHECK(r[0].pieces == jq::int_list{2, 1});
  CHECK(r[1].pieces == jq::int_list{2, 1});
  CHECK(r[2].is_whole);
  CHECK(r[1].partitions() == 2);
  CHECK(r[2].partitions() == 1);
  r.clear();
  jq::detail::axes_from_prefix(std::vector{spec(2)}, std::vector{jq::array(1.0), jq::array(2.0)}, r);
  CHECK(!r[0].fits);
}
TEST_CASE("a constraint in a program: its text, its derivative, vmap") {
  const auto f = [](const jq::array& x) { return jq::with_sharding_constraint(x * 2.0, spec(2, 1)); };
  const jq::array x = jq::zeros({4, 2}, jq::f32);
  CHECK(std::string(jq::to_string(jq::make_jaxpr(f)(x))).find("sharding_constraint[partitions=(2, 1)]") != std::string::npos);
  const std::string gradient(jq::to_string(jq::make_jaxpr(jq::grad([&](const jq::array& v) { return jq::sum(f(v)); }))(x)));
  CHECK(gradient.find("sharding_constraint", gradient.find("sharding_constraint") + 1) != std::string::npos);
  const std::string mapped(jq::to_string(jq::make_jaxpr(jq::vmap(f))(jq::zeros({3, 4, 2}, jq::f32))));
  CHECK(mapped.find("sharding_constraint[partitions=(1, 2, 1)]") != std::string::npos);
}
