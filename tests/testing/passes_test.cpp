// check_passes accepts programs of right rules and finds ill-typed ones.
#include "wrong_prims.hpp"

#include <jacquard/testing/passes.hpp>

namespace jq = jacquard;
using jq::array;
using jq::asarray;
using jq::testing::check_passes;
using jq::testing::check_program;

TEST_CASE("programs of a function and of its transforms are well typed") {
  const auto f = [](const array& x, const array& i) { return jq::sum(jq::exp(x)(i) * 2.0); };
  CHECK_REPORT(check_passes(f, std::tuple{asarray({1.0, 2.0}), asarray({1, 0, 1})}));
  CHECK_REPORT(check_passes([](const array& x) { return x * x; }, std::tuple{3.0}));  // a weakly typed argument
}
TEST_CASE("an ill-typed tangent is found") {
  // The next operation on it meets two dtypes.
  const auto f = [](const array& x) { return x * wrong::call<wrong::tangent_p>(x); };
  CHECK_THROWS_AS(check_passes(f, std::tuple{asarray(1.0)}), jq::type_error);
}
TEST_CASE("a program whose variables have other types than their equations give is found") {
  jq::closed_jaxpr p = jq::make_jaxpr([](const array& x) { return jq::sin(x); })(asarray(1.0));
  CHECK_REPORT(check_program(p));
  jq::jaxpr body = *p.program;
  body.avals.back().type = jq::f32;
  p.program = jq::jaxpr_ref(body);
  CHECK_FINDS("check_jaxpr: output 0 of sin is f32[], wanted f64[]", check_program(p));
}
TEST_CASE("a program without its constants is found") {
  const array c = asarray({1.0, 2.0});
  jq::closed_jaxpr p = jq::make_jaxpr([&](const array& x) { return x * c; })(asarray({1.0, 2.0}));
  CHECK_REPORT(check_program(p));
  p.constants[0] = asarray({1.f, 2.f});
  CHECK_FINDS("constant 0 has type f32[2], its constvar f64[2]", check_program(p));
  p.constants.clear();
  CHECK_FINDS("the program has 1 constvars and 0 constants", check_program(p));
}
