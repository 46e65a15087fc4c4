// Taking residuals out of a loop: what depends on constants alone is evaluated outside, elements of operands are not stacked
// again, and equal residuals are stacked once.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;

namespace {

/// A body of one constant, one carry and one element, with residuals after its two outputs.
jq::jaxpr_ref body_of(auto&& residuals) {
  return jq::make_jaxpr([&](const array& k, const array& s, const array& x) {
           std::vector<array> outs{s + k * x, x};
           for (const array& r : residuals(k, s, x)) outs.push_back(r);
           return outs;
         })(asarray(1.f), asarray(1.f), asarray(1.f)).program;
}
jq::detail::invariant_loop split(auto&& residuals) {
  const std::vector<array> operands{asarray(2.f), asarray(0.f), asarray({1.f, 2.f})};
  return jq::detail::take_out_invariants(body_of(residuals), 1, 1, 2, operands, nullptr);
}
using source = jq::detail::loop_residual;

}  // namespace

TEST_CASE("loop invariants: of constants alone, computed at once") {
  const auto loop = split([](const array& k, const array& s, const array&) { return std::vector{lax::exp(k * 0.f), s * 2.f, k}; });
  REQUIRE(loop.residuals.size() == 3);
  CHECK(loop.residuals[0].from == source::constant);
  CHECK(show(loop.residuals[0].value) == "f32[] 1");
  CHECK(loop.residuals[1].from == source::stacked);
  CHECK(loop.residuals[1].at == 2);
  CHECK(loop.residuals[2].from == source::constant);
  CHECK(show(loop.residuals[2].value) == "f32[] 2");
  CHECK(testing::count(jq::cat(jq::to_text({loop.body, {}, {}})).view(), "exp") == 0);
  CHECK_FALSE(jq::check_jaxpr(*loop.body));
}
TEST_CASE("loop invariants: elements come from their operand, equal residuals are stacked once") {
  const auto loop = split([](const array&, const array& s, const array& x) {
    const array y = lax::sin(s);
    return std::vector{x, y, y};
  });
  CHECK(loop.residuals[0].from == source::operand);
  CHECK(loop.residuals[0].at == 2);
  CHECK(loop.residuals[1].at == 2);
  CHECK(loop.residuals[2].at == 2);
  CHECK(loop.body->outvars.size() == 3);
}
TEST_CASE("loop invariants: what the loop reads of the invariant part comes in as a constant") {
  const auto loop = split([](const array& k, const array& s, const array&) {
    const array e = lax::exp(k);
    return std::vector{e, s * e};
  });
  CHECK(loop.constants.size() == 2);  // k and exp k
  CHECK(loop.body->invars.size() == 4);
}
TEST_CASE("loop invariants: taps stay in the loop") {
  const auto loop = split([](const array& k, const array&, const array&) {
    return std::vector{jq::id_tap([](const array&, const jq::tap_context&) {}, k)};
  });
  CHECK(loop.residuals[0].from == source::stacked);
}
