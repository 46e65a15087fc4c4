// The types of a kernel's operands as one list: theirs where they lie in a row, else a copy.
#include <jacquard/core/call_types.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::aval, jq::tensor_ref, jq::view;
using jq::detail::call_types;

TEST_CASE("call_types: types that lie one after another are not copied") {
  const aval types[] = {{jq::f32, {2, 3}}, {jq::i32, {}}, {jq::f64, {5}}};
  const tensor_ref refs[] = {{nullptr, &types[0]}, {nullptr, &types[1]}, {nullptr, &types[2]}};
  const call_types all(refs);
  CHECK(view<const aval>(all).data() == types);
  CHECK(view<const aval>(all).size() == 3);
  CHECK(all[2].type == jq::f64);
}
TEST_CASE("call_types: types that are apart, in another order, or one twice, are copied") {
  const aval types[] = {{jq::f32, {2, 3}}, {jq::i32, {}}, {jq::f64, {5}}};
  for (const auto& [first, second] : {std::pair{0, 2}, std::pair{1, 0}, std::pair{1, 1}}) {
    const tensor_ref refs[] = {{nullptr, &types[first]}, {nullptr, &types[second]}};
    const call_types all(refs);
    REQUIRE(view<const aval>(all).size() == 2);
    CHECK(view<const aval>(all)[0] == types[first]);
    CHECK(view<const aval>(all)[1] == types[second]);
  }
  std::vector<tensor_ref> many(9, {nullptr, &types[0]});
  const call_types all(many);
  CHECK(view<const aval>(all).size() == 9);
  CHECK(all[8].dims == jq::shape{2, 3});
}
TEST_CASE("call_types: none") {
  const call_types none(view<const tensor_ref>{});
  CHECK(view<const aval>(none).size() == 0);
}
