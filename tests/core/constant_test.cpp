// Symbolic constants: made in constant evaluation, placed once into the trace that uses them.
#include <jacquard/core/constant.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jacquard::lax;

namespace {

constexpr auto uses_constant_twice = [](jq::array x) {
  const jq::array c = lax::add(lax::iota(jq::f32, {3}, 0), 1.0f);
  return lax::mul(lax::mul(x, c), c);
};
// The constant's two equations appear once, after the point of first use.
static_assert(jq::make_jaxpr(uses_constant_twice)(1.0f)->equations.size() == 4);
static_assert(!jq::check_jaxpr(*jq::make_jaxpr(uses_constant_twice)(1.0f)));

constexpr auto shares_between_traces = [](jq::array x) {
  const jq::array c = lax::add(jq::array(2.0), 3.0);
  return lax::add(jq::grad([&](jq::array y) { return lax::mul(y, c); })(x), lax::mul(x, c));
};
static_assert(!jq::check_jaxpr(*jq::make_jaxpr(shares_between_traces)(1.0)));

constexpr bool counts_references() {
  const jq::array a = lax::iota(jq::i32, {2}, 0);
  const jq::array b = a;
  jq::array c = lax::add(a, b);
  const int shared = a.as_constant()->references;  // a, b and two operands of c
  c = jq::array();
  return shared == 4 && a.as_constant()->references == 2;
}
static_assert(counts_references());

// A constant may outlive the trace that placed it, and go on to the next one.
static_assert([] {
  const jq::array c = lax::add(jq::array(2.0), 3.0);
  const auto f = [&](jq::array x) { return lax::mul(x, c); };
  const std::size_t first = jq::make_jaxpr(f)(jq::array(1.0))->equations.size();
  return first == 2 && jq::make_jaxpr(f)(jq::array(1.0))->equations.size() == 2 && jq::make_jaxpr(jq::grad(f))(jq::array(1.0))->equations.size() >= 2;
}());

// An error in a constant surfaces in the trace that uses it.
static_assert(jq::make_jaxpr([](jq::array x) {
                return lax::mul(x, lax::add(lax::iota(jq::f32, {2}, 0), lax::iota(jq::f32, {3}, 0)));
              })(jq::array(1.0f))
                  .problem.kind == jq::error_kind::shape);

}  // namespace

TEST_CASE("at run time the same operations are computed or staged") {
  CHECK(lax::iota(jq::f32, {3}, 0).kind() == jq::array_kind::buffer);
  CHECK(jq::make_jaxpr(uses_constant_twice)(1.0f)->equations.size() == 4);
}
