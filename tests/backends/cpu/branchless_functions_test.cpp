// Functions that kernels compute by formulas without conditions, on tiles and compiled, against the interpreter's functions of one number: within
// some ulp, exact where these are infinite or NaN.
#include "same.hpp"

#include <limits>

using jq::array;

namespace {

template <class F>
void check_function(F f, const array& x, double tolerance) {
  for (const bool tiles : {true, false}) {
    const auto compiled = jq::jit(f, jq::backend("cpu"), tiles ? jq::compile_at::never : jq::compile_at::first_call);
    for (const jq::dtype t : {jq::f64, jq::f32, jq::f16}) {
      const array given = x.astype(t), got = compiled(given), want = jq::jit(f, jq::backend("interpreter"))(given);
      const double allowed = t == jq::f64 ? tolerance : t == jq::f32 ? 1.2e-7 : 1e-3;
      const jq::testing::report r = jq::testing::all_close(got, want, allowed, allowed);
      CHECK_MESSAGE(r.ok, r.text);
    }
  }
}
array arguments() {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const array special = jq::asarray({0.0, -0.0, 1.0, 2.0, 1.5, 0.25, 1.25, 2.25, 9.999, 10.0, -1.0, -2.0, -2.5, -0.5, -30.25, 1e-30, -1e-30, 1e8, inf, -inf, nan, 40.0});
  const array key = jq::random::key(4);
  return jq::concatenate({special, jq::random::uniform(key, {500}, jq::f64, 0.01, 30.0), jq::random::uniform(key, {500}, jq::f64, -8.0, 8.0)});
}

}  // namespace

TEST_CASE("cpu: lgamma and digamma without conditions") {
  check_function([](array x) { return jq::special::gammaln(x); }, arguments(), 4e-15);
  check_function([](array x) { return jq::special::digamma(x); }, arguments(), 4e-14);
  check_function([](array x) { return jq::special::polygamma(1, x); }, arguments(), 4e-14);
}
TEST_CASE("cpu: these functions go with what is around them") {
  const auto is_fused = [](auto f, jq::dtype t) {
    return jq::jit(f, jq::backend("cpu")).lower(arguments().astype(t)).compile().as_text("clusters").find("alone") == std::string::npos;
  };
  for (const jq::dtype t : {jq::f64, jq::f32}) {
    CHECK(is_fused([](array x) { return jq::special::gammaln(x * 2.0) + jq::special::digamma(x); }, t));
    CHECK(is_fused([](array x) { return jq::exp(jq::special::polygamma(1, x)); }, t));
    CHECK_FALSE(is_fused([](array x) { return jq::exp(jq::special::polygamma(2, x)); }, t));
  }
}
TEST_CASE("cpu: strict precision keeps the function of one number") {
  CHECK_SAME([](array x) { return jq::special::gammaln(x); }, arguments());
  CHECK_SAME([](array x) { return jq::special::digamma(x); }, arguments());
}
