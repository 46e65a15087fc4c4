// What reductions share: the type of the result, its errors, the loop over any set of axes, batching in place.
#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
jq::inference inferred(const jq::aval& x, const jq::int_list& axes) {
  jq::inference c{"sum", jq::view<const jq::aval>(&x, 1), {}};
  c.outputs.push_back(jq::detail::reduced_type(c, axes));
  return c;
}
}  // namespace

TEST_CASE("reduction: types and errors") {
  CHECK(inferred(jq::aval(jq::f32, {2, 3, 4}), {0, 2}).outputs[0] == jq::aval(jq::f32, {3}));
  CHECK(inferred(jq::aval(jq::i8, {2}, true), {}).outputs[0] == jq::aval(jq::i8, {2}, true));
  for (const jq::int_list& axes : {jq::int_list{2}, jq::int_list{-1}, jq::int_list{0, 0}}) {
    const jq::inference c = inferred(jq::aval(jq::f32, {2, 3}), axes);
    CHECK(c.problem.kind == jq::error_kind::shape);
    CHECK(c.problem.message.view().find("wanted distinct axes in [0, 2)") != std::string_view::npos);
  }
}
TEST_CASE("reduction: every set of axes visits every element once") {
  const array x = lax::reshape(lax::iota(jq::i64, 24), {2, 3, 4});
  for (unsigned set = 0; set < 8; ++set) {
    jq::int_list axes;
    for (int d = 0; d < 3; ++d)
      if ((set >> d) & 1u) axes.push_back(d);
    array y = x;  // one axis at a time, by slices
    for (int i = axes.size(); i-- > 0;) {
      array sum = example(y, int(axes[i]), 0);
      for (std::int64_t k = 1; k < y.shape()[int(axes[i])]; ++k) sum = lax::add(sum, example(y, int(axes[i]), k));
      y = sum;
    }
    CHECK_CLOSE(lax::reduce_sum(x, axes), y, 0);
  }
}
