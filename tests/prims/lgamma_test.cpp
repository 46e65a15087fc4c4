// lgamma, digamma, polygamma and zeta: values computed in 30-digit arithmetic, poles, derivatives.
#include "prim_testing.hpp"

using namespace prim_testing;

static_assert(jq::lgamma_p::apply(1.0) == 0 && jq::zeta_p::apply(2.0, 1.0) > 1.6449 && jq::polygamma_p::apply(1.0, 1.0) > 1.6449);

TEST_CASE("the gamma family: values") {
  CHECK(jq::lgamma_p::apply(0.1) == doctest::Approx(2.252712651734206).epsilon(2e-14));
  CHECK(jq::lgamma_p::apply(10.5) == doctest::Approx(13.940625219403763).epsilon(2e-14));
  CHECK(jq::lgamma_p::apply(-1.5) == doctest::Approx(0.860047015376481).epsilon(2e-14));
  CHECK(jq::lgamma_p::apply(10000000000.0) == doctest::Approx(220258509288.81058).epsilon(2e-14));
  CHECK(jq::digamma_p::apply(0.1) == doctest::Approx(-10.423754940411076).epsilon(2e-14));
  CHECK(jq::digamma_p::apply(10.5) == doctest::Approx(2.3030010342976865).epsilon(2e-14));
  CHECK(jq::digamma_p::apply(-1.5) == doctest::Approx(0.7031566406452432).epsilon(2e-14));
  CHECK(jq::polygamma_p::apply(1.0, 0.25) == doctest::Approx(17.19732915450711).epsilon(2e-14));
  CHECK(jq::polygamma_p::apply(3.0, 2.5) == doctest::Approx(0.22390584881725206).epsilon(2e-14));
  CHECK(jq::polygamma_p::apply(12.0, 7.0) == doctest::Approx(-0.006072446660776941).epsilon(2e-14));
  CHECK(jq::polygamma_p::apply(2.0, 40.5) == doctest::Approx(-0.0006249023793292329).epsilon(2e-14));
  CHECK(jq::zeta_p::apply(1.5, 0.25) == doctest::Approx(10.213055360466601).epsilon(2e-14));
  CHECK(jq::zeta_p::apply(2.0, 3.5) == doctest::Approx(0.3303577561002349).epsilon(2e-14));
  CHECK(jq::zeta_p::apply(19.0, 11.0) == doctest::Approx(2.0397011374956864e-20).epsilon(2e-14));
  CHECK(jq::zeta_p::apply(1.01, 100.0) == doctest::Approx(95.50404160284684).epsilon(2e-14));
  CHECK(jq::lgamma_p::apply(-2.0) == inf);
  CHECK(std::isnan(jq::digamma_p::apply(-2.0)));
  CHECK(jq::zeta_p::apply(1.0, 2.0) == inf);
  CHECK(std::isnan(jq::zeta_p::apply(0.5, 2.0)));
  CHECK(jq::zeta_p::apply(2.0, -3.0) == inf);
  CHECK(jq::zeta_p::apply(2.0, -0.5) == doctest::Approx(4 + 3.141592653589793 * 3.141592653589793 / 2));
  CHECK(std::isnan(jq::polygamma_p::apply(1.5, 2.0)));
  CHECK(jq::zeta_p::apply(3.0, -1e15 + 0.5) == doctest::Approx(16.8287966442343199956 - 16.8287966442343199956).epsilon(1));
}
TEST_CASE("the gamma family: derivatives, batching, dtypes") {
  const array x = make({0.7, 1.6, 2.5});
  const function gamma = unary([](const array& v) { return lax::lgamma(v); }), psi = unary([](const array& v) { return lax::digamma(v); });
  check_derivatives(gamma, {x});
  check_derivatives(psi, {x});
  check_batching(gamma, {x});
  check_dtypes(gamma, {x}, jq::floats);
  check_derivatives(unary([](const array& v) { return lax::zeta(2.5, v); }), {x});
  check_batching(binary([](const array& n, const array& v) { return lax::polygamma(n, v); }), {make({1.0, 2.0, 3.0}), x});
  CHECK_THROWS_WITH_AS(derivative(unary([](const array& s) { return lax::zeta(s, 1.5); }), {make({2.0})}, {make({1.0})}),
                       doctest::Contains("zeta has no derivative in the exponent s"), jq::not_implemented);
  CHECK_THROWS_WITH_AS(derivative(unary([](const array& n) { return lax::polygamma(n, 1.5); }), {make({2.0})}, {make({1.0})}),
                       doctest::Contains("the order n"), jq::not_implemented);
}
