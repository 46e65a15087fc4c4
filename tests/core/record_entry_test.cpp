// The record rule that primitives get: from `apply` for real and complex operands, from a rule of their own where that knows of these.
#include <jacquard/core/record_entry.hpp>

#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace jq = jacquard;
using jq::array;

namespace {

struct twice_p : jq::elementwise<twice_p, jq::numbers, 1> {
  static constexpr std::string_view name = "twice";
  template <class T>
  static constexpr T apply(T x) {
    return jq::math::add(x, x);
  }
};
/// With a rule of its own, which knows real numbers only.
struct shifted_p : jq::elementwise<shifted_p, jq::numbers, 1> {
  static constexpr std::string_view name = "shifted";
  template <class T>
  static constexpr T apply(T x) {
    return jq::math::add(x, T(1));
  }
  static constexpr void record(jq::record_call& c) { c.result = c.to.apply(jq::scalar_op::add, c.in[0], c.to.constant(jq::literal(1.0, c.out.type, false))); }
};
/// The steps of the only equation of f's program.
template <class F>
jq::scalar_program steps_of(F f, jq::dtype t) {
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(jq::zeros({3}, t));
  return jq::recorded_alone(*p, p->equations.back());
}
const auto twice = [](const array& x) { return jq::bind<twice_p>({}, jq::location::current(), x); };
const auto shifted = [](const array& x) { return jq::bind<shifted_p>({}, jq::location::current(), x); };

}  // namespace

TEST_CASE("record: apply is run on numbers, and on the two parts of complex ones, in the dtype of these") {
  CHECK(steps_of(twice, jq::f32).steps.size() == 2);
  const jq::scalar_program parts = steps_of(twice, jq::c128);
  REQUIRE(parts.steps.size() == 4);
  for (const jq::scalar_step& s : parts.steps) CHECK(s.type == jq::f64);
}
TEST_CASE("record: a rule that says nothing of complex numbers gets none") {
  CHECK(steps_of(shifted, jq::f32).steps.size() == 3);
  CHECK(steps_of(shifted, jq::c64).steps.empty());
}
TEST_CASE("record: between real and complex numbers") {
  CHECK(steps_of([](const array& z) { return jq::real(z); }, jq::c64).steps.size() == 2);
  CHECK(steps_of([](const array& x) { return jq::lax::complex(x, x); }, jq::f32).steps.size() == 2);
  CHECK(steps_of([](const array& z) { return jq::astype(z, jq::c128); }, jq::c64).steps.size() == 4);
  CHECK(steps_of([](const array& z) { return jq::arcsin(z); }, jq::c64).steps.empty());
}
