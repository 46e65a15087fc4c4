// Frozen programs: trivially copyable, read like closed_jaxprs, and text at compile time.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
using jq::tensor;

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto program = jq::make_jaxpr(cube)(1.0);
static_assert(std::is_trivially_copyable_v<decltype(program)>);
static_assert(jq::to_text(program) == "{ lambda ; a:f64[]. let b:f64[] = mul a a; c:f64[] = mul b a in (c,) }");
static_assert(jq::to_string(jq::make_jaxpr(jq::grad(cube))(2.f)) ==
              "{ lambda ; a:f32[]. let\n    b:f32[] = mul a a\n    _:f32[] = mul b a\n    c:f32[] = mul b 1.0:f32[]\n    "
              "d:f32[] = mul 1.0:f32[] a\n    e:f32[] = mul a d\n    f:f32[] = add c e\n    g:f32[] = mul d a\n    h:f32[] = add "
              "f g\n  in (h,) }");
static_assert(program.in_avals()[0] == jq::aval(jq::f64, {}, true) && program.out_avals().size() == 1);
static_assert(program->equations.size() == 2 && !jq::check_jaxpr(*program));
static_assert(jq::make_jaxpr([](auto x) { return jq::reshape(x, {2, 2}); })(tensor<float, 4>{}).out_avals()[0] == jq::aval(jq::f32, {2, 2}));

// Nested programs lie in the same pools.
constexpr auto nested = jq::make_jaxpr([](auto x) { return jq::jit([](auto y) { return jq::jit(cube)(y) + 1.0; })(x); })(1.0);
static_assert(nested.used.programs == 3);
static_assert(!jq::check_jaxpr(*nested));

TEST_CASE("frozen programs are jaxprs again at run time") {
  const jq::closed_jaxpr p = program;
  CHECK(float(jq::eval_jaxpr(p, std::vector<jq::array>{jq::asarray(2.0)})[0]) == 8);
  CHECK(p.in_avals().size() == 1);
  CHECK(jq::to_string(p) == jq::to_string(program));
}
