// bessel_i0e and bessel_i1e: values computed in 30-digit arithmetic, derivatives at 0 too, fused in both lanes.
#include "prim_testing.hpp"

using namespace prim_testing;

static_assert(jq::bessel_i0e_p::apply(0.0) == 1 && jq::bessel_i1e_p::apply(0.0) == 0);

TEST_CASE("scaled Bessel functions: values") {
  CHECK(jq::bessel_i0e_p::apply(0.5) == doctest::Approx(0.6450352704491501).epsilon(2e-14));
  CHECK(jq::bessel_i0e_p::apply(-3.0) == doctest::Approx(0.2430003541618254).epsilon(2e-14));
  CHECK(jq::bessel_i0e_p::apply(7.9) == doctest::Approx(0.14436986414104191).epsilon(2e-14));
  CHECK(jq::bessel_i0e_p::apply(8.1) == doctest::Approx(0.14251180948829528).epsilon(2e-14));
  CHECK(jq::bessel_i0e_p::apply(1000.0) == doctest::Approx(0.012617240455891257).epsilon(2e-14));
  CHECK(jq::bessel_i1e_p::apply(1e-08) == doctest::Approx(4.99999995e-09).epsilon(2e-14));
  CHECK(jq::bessel_i1e_p::apply(0.5) == doctest::Approx(0.1564208031848717).epsilon(2e-14));
  CHECK(jq::bessel_i1e_p::apply(-3.0) == doctest::Approx(-0.19682671329730086).epsilon(2e-14));
  CHECK(jq::bessel_i1e_p::apply(7.9) == doctest::Approx(0.13489649943989376).epsilon(2e-14));
  CHECK(jq::bessel_i1e_p::apply(8.1) == doctest::Approx(0.13340068832583662).epsilon(2e-14));
  CHECK(jq::bessel_i1e_p::apply(1000.0) == doctest::Approx(0.012610930256928629).epsilon(2e-14));
  CHECK(std::isnan(jq::bessel_i0e_p::apply(not_a_number)));
  CHECK(jq::bessel_i0e_p::apply(inf) == 0);
  const array x = make({-9.0, -0.5, 0.0, 4.0, 20.0});
  CHECK_CLOSE(jq::jit([](const array& v) { return lax::bessel_i1e(v); })(x), lax::bessel_i1e(x), 1e-15);
}
TEST_CASE("scaled Bessel functions: derivatives, batching, dtypes") {
  const array x = make({-1.5, 0.5, 3.0});
  for (const function& f : {unary([](const array& v) { return lax::bessel_i0e(v); }), unary([](const array& v) { return lax::bessel_i1e(v); })}) {
    check_derivatives(f, {x});
    check_batching(f, {x});
    check_dtypes(f, {x}, jq::floats);
  }
  CHECK_CLOSE(derivative(unary([](const array& v) { return lax::bessel_i1e(v); }), {make({0.0})}, {make({1.0})}), make({0.5}), 0);
  jq::scalar_program p;
  CHECK(jq::bessel_i0e_p::apply(jq::recorded_scalar(p, p.load(0, jq::f32))).number() >= 0);
  CHECK_FALSE(p.refused);
}
