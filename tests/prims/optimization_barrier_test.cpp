// optimization_barrier: an identity that is neither merged nor fused; derivative, batching, every dtype.
#include "prim_testing.hpp"

using namespace prim_testing;


namespace {
array barrier(const array& x) { return lax::optimization_barrier(x); }
}  // namespace

static_assert(jq::optimization_barrier_p::apply(2.5) == 2.5 && jq::optimization_barrier_p::apply(true));

TEST_CASE("optimization_barrier: identity") {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const array x = cast(make({0, 1, 3}), jq::dtype(i));
    CHECK_CLOSE(barrier(x), x, 0);
    CHECK_CLOSE(jq::jit(barrier)(x), x, 0);
  }
  check_derivatives(unary(barrier), {make({1.0, 2.0})});
  check_batching(unary(barrier), {make({1.0, 2.0})});
}
TEST_CASE("optimization_barrier: passes do not see through") {
  const auto twice = jq::make_jaxpr([](const array& x) { return lax::add(barrier(lax::sin(x)), barrier(lax::sin(x))); })(make({1.0}));
  int barriers = 0;
  const jq::closed_jaxpr simple = jq::simplify(twice);
  for (const jq::equation& e : simple->equations) barriers += e.op == &jq::table_of<jq::optimization_barrier_p>();
  CHECK(barriers == 2);
  jq::scalar_program p;
  CHECK(jq::optimization_barrier_p::apply(jq::recorded_scalar(p, p.load(0, jq::f32))).number() == -1);
  CHECK(p.refused);
}
