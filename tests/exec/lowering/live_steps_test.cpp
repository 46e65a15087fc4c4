// Steps of kernels that nothing reads: which are dropped, and that the others mean what they did. Oracle: the loops a person would write.
#include <jacquard/exec/lowering/live_steps.hpp>
#include <jacquard/exec/lowering/lowering.hpp>

#include "../../show.hpp"

using jq::array, jq::scalar_op;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }

template <class F, class... A>
std::string lowered(jq::lowering::rounding r, F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  return std::string(jq::lowering::to_text(*p, jq::lowering::lower(*p, &everything, r)).view());
}

}  // namespace

TEST_CASE("dead steps: what a square's derivative is made of twice is one product") {
  const array x = jq::ones({100});
  const auto slope = jq::grad([](array a) { return jq::sum(3.0 * a * a); });
  CHECK(lowered(jq::lowering::rounding::fast, slope, x) ==
        "kernel 0: loops 100\n"
        "  %0:f32 = v0[0 + i0]\n"
        "  %1:f32 = 6.0:f32[]\n"
        "  %2:f32 = mul %0 %1\n"
        "  v2[0 + i0] = %2\n");
  CHECK(lowered(jq::lowering::rounding::strict, slope, x).find("add") != std::string::npos);
}
TEST_CASE("dead steps: stages, outputs, places and conditions are numbered anew") {
  jq::lowering::loop_kernel k;
  k.loops.push_back({10, true});
  jq::scalar_program& p = k.body;
  const auto dead = [&](float v) { p.constant(jq::literal(v)); };
  dead(1);
  const std::int32_t x = p.load(0, jq::f32);
  dead(2);
  const std::int32_t y = p.apply(scalar_op::multiply, x, x);
  dead(3);
  const std::int32_t sum = p.load(jq::lowering::stage_access(0), jq::f32), place = p.index(0);
  dead(4);
  const std::int32_t inside = p.apply(scalar_op::less, x, sum);
  k.stages.push_back({y, scalar_op::add, jq::literal(0.0f)});
  k.outputs.push_back({{}, sum, place, inside});
  k.outputs.push_back({{}, y});
  jq::lowering::drop_dead_steps(k);
  REQUIRE(p.steps.size() == 5);
  CHECK(p.steps[1].op == scalar_op::multiply);
  CHECK(p.steps[1].in[0] == 0);
  CHECK(p.steps[1].in[1] == 0);
  CHECK(k.stages[0].step == 1);
  CHECK(jq::lowering::is_stage_result(p.steps[2]));
  CHECK(k.outputs[0].step == 2);
  CHECK(k.outputs[0].place == 3);
  CHECK(k.outputs[0].inside == 4);
  CHECK(p.steps[4].in[1] == 2);
  CHECK(k.outputs[1].step == 1);
  CHECK(k.outputs[1].place == -1);
  const auto steps = p.steps.size();
  jq::lowering::drop_dead_steps(k);
  CHECK(p.steps.size() == steps);
}
