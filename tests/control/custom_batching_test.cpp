// custom_batching: the rule runs where the function is mapped, and only there; also within other transforms.
#include "control_testing.hpp"

#include <jacquard/control/custom_batching.hpp>

using jq::array;
using jq::asarray;

namespace {

/// A product, whose rule shows itself by a factor of ten for each mapped argument.
const auto f = jq::custom_batching([](const array& a, const array& b) { return a * b; },
                                   [](const jq::mapped_arguments& m, const array& a, const array& b) {
                                     const double factor = (m.is_mapped(0) ? 10.0 : 1.0) * (m.is_mapped(1) ? 10.0 : 1.0);
                                     return a * b * factor;
                                   });
const array v = asarray({1.0, 2.0});

}  // namespace

TEST_CASE("custom_batching: the function itself, evaluated, compiled and differentiated") {
  CHECK(show(f(asarray(2.0), asarray(3.0))) == "f64[] 6");
  CHECK(show(jq::jit(f)(asarray(2.0), asarray(3.0))) == "f64[] 6");
  CHECK(show(jq::grad(f)(asarray(2.0), asarray(3.0))) == "f64[] 3");
  CHECK_REPORT(jq::testing::check_grads(f, std::tuple{asarray(2.0), asarray(3.0)}, {.order = 2}));
}
TEST_CASE("custom_batching: the rule where it is mapped") {
  CHECK(show(jq::vmap(f)(v, v)) == "f64[2] 100 400");
  CHECK(show(jq::vmap(f, jq::in_axes<0, jq::none>)(v, asarray(3.0))) == "f64[2] 30 60");
  CHECK(show(jq::jit(jq::vmap(f))(v, v)) == "f64[2] 100 400");
  CHECK(show(jq::grad([](const array& x) { return total(jq::vmap(f, jq::in_axes<0, jq::none>)(x, asarray(3.0))); })(v)) == "f64[2] 30 30");
  const auto in_a_loop = [](const array& x) { return lax::fori_loop(0, 2, [](const array&, const array& s) { return f(s, asarray(1.0)); }, x); };
  CHECK(show(jq::vmap(in_a_loop)(v)) == "f64[2] 100 200");
}
TEST_CASE("custom_batching: one equation, which compiled programs do without") {
  const auto p = jq::make_jaxpr(f)(asarray(1.0), asarray(1.0));
  CHECK(p->equations[0].op == &jq::table_of<jq::custom_batching_p>());
  CHECK(testing::uses(jq::simplify(p), "custom_batching_call") == 0);
}
TEST_CASE("custom_batching: what is said of wrong rules and of captured values") {
  const auto wrong = jq::custom_batching([](const array& x) { return x; }, [](const jq::mapped_arguments&, const array& x) { return jq::sum(x); });
  CHECK_THROWS_WITH_AS(jq::vmap(wrong)(v), doctest::Contains("must return results for all 2 examples, of type float64[2], but got float64[]"), jq::type_error);
  const auto captures = [](const array& y) {
    return jq::custom_batching([&](const array& x) { return x * y; }, [](const jq::mapped_arguments&, const array& x) { return x; })(y);
  };
  CHECK_THROWS_WITH_AS(jq::vmap(captures)(v), doctest::Contains("captures a value that is mapped"), jq::unexpected_tracer_error);
}
