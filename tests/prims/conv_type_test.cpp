// The type of a convolution; what it refuses is in conv_test.cpp.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
/// The type of a convolution of these operands with features last and stride 2.
jq::aval type_of(const jq::aval& x, const jq::aval& k, std::int64_t groups, std::string& error) {
  jq::conv_params p{{2, 2}, {}, {}, {1, 1}, {1, 1}, {0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}, groups, 1, jq::padding_kind::same};
  const jq::aval in[] = {x, k};
  jq::inference c{"conv", jq::view<const jq::aval>(in, 2), {}};
  const jq::aval r = jq::detail::conv_type(c, p, jq::numbers);
  error = std::string(c.problem.message.view());
  return r;
}
}  // namespace

TEST_CASE("conv type: shape, dtype and weakness of the result") {
  std::string error;
  const jq::aval y = type_of({jq::f32, {2, 7, 8, 6}}, {jq::f32, {3, 3, 2, 9}}, 3, error);
  CHECK(error == "");
  CHECK(y == jq::aval(jq::f32, {2, 4, 4, 9}));
}
TEST_CASE("conv type: messages show operands and numbers") {
  std::string error;
  type_of({jq::f32, {2, 7, 8, 6}}, {jq::f32, {3, 3, 2, 9}}, 2, error);
  CHECK(error.find("the features of lhs (6) must be those of rhs (2) times feature_group_count (2)") != error.npos);
  CHECK(error.find("lhs of shape (2, 7, 8, 6), rhs of shape (3, 3, 2, 9) and dimension numbers (0, 3, 1, 2), (3, 2, 0, 1) -> (0, 3, 1, 2)") != error.npos);
}
