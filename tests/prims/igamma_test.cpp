// igamma, igammac, igamma_grad_a and random_gamma_grad: values computed in 30-digit arithmetic, limits, derivatives.
#include "prim_testing.hpp"

using namespace prim_testing;

static_assert(jq::igamma_p::apply(1.0, 0.0) == 0 && jq::igammac_p::apply(1.0, 0.0) == 1 && jq::igamma_p::apply(2.0, inf) == 1);

TEST_CASE("incomplete gamma functions: values") {
  CHECK(jq::igamma_p::apply(0.5, 0.1) == doctest::Approx(0.345279153981423).epsilon(2e-14));
  CHECK(jq::igamma_p::apply(2.5, 3.0) == doctest::Approx(0.6937810815867216).epsilon(2e-14));
  CHECK(jq::igamma_p::apply(100.0, 90.0) == doctest::Approx(0.15822098918643016).epsilon(2e-14));
  CHECK(jq::igamma_p::apply(3000.0, 3010.0) == doctest::Approx(0.574740352938835).epsilon(2e-14));
  CHECK(jq::igamma_p::apply(0.001, 0.5) == doctest::Approx(0.9994399333435292).epsilon(2e-14));
  CHECK(jq::igammac_p::apply(0.5, 20.0) == doctest::Approx(2.539628589470865e-10).epsilon(2e-14));
  CHECK(jq::igammac_p::apply(2.5, 3.0) == doctest::Approx(0.3062189184132784).epsilon(2e-14));
  CHECK(jq::igammac_p::apply(100.0, 130.0) == doctest::Approx(0.002750408367306526).epsilon(2e-14));
  CHECK(jq::igammac_p::apply(0.01, 0.5) == doctest::Approx(0.0056267561939671844).epsilon(2e-14));
  CHECK(jq::igammac_p::apply(3000.0, 3010.0) == doctest::Approx(0.425259647061165).epsilon(2e-14));
  CHECK(jq::igamma_grad_a_p::apply(0.5, 0.1) == doctest::Approx(-0.8229360969795988).epsilon(2e-14));
  CHECK(jq::igamma_grad_a_p::apply(2.5, 3.0) == doctest::Approx(-0.22754855127826082).epsilon(2e-14));
  CHECK(jq::igamma_grad_a_p::apply(100.0, 90.0) == doctest::Approx(-0.02461191684397991).epsilon(2e-14));
  CHECK(jq::random_gamma_grad_p::apply(0.5, 0.1) == doctest::Approx(0.5097655670826973).epsilon(2e-14));
  CHECK(jq::random_gamma_grad_p::apply(2.5, 3.0) == doctest::Approx(1.1692620067376636).epsilon(2e-14));
  CHECK(jq::random_gamma_grad_p::apply(100.0, 90.0) == doctest::Approx(0.9498259498011414).epsilon(2e-14));
  CHECK(jq::igamma_p::apply(1e8, 1e8 + 1e4) + jq::igammac_p::apply(1e8, 1e8 + 1e4) == doctest::Approx(1).epsilon(1e-15));
  CHECK(jq::igammac_p::apply(1e8, 1e8 + 1e4) == doctest::Approx(0.158659).epsilon(1e-3));
  for (const auto& [a, x] : {std::pair{-1.0, 1.0}, {1.0, -1.0}, {0.0, 0.0}, {not_a_number, 1.0}}) CHECK(std::isnan(jq::igamma_p::apply(a, x)));
}
TEST_CASE("incomplete gamma functions: derivatives, batching, dtypes") {
  const array a = make({0.7, 1.6, 2.5}), x = make({0.5, 2.0, 3.0});
  const function p = binary([](const array& u, const array& v) { return lax::igamma(u, v); }), q = binary([](const array& u, const array& v) { return lax::igammac(u, v); });
  check_derivatives(p, {a, x}, 1);
  check_derivatives(q, {a, x}, 1);
  check_batching(p, {a, x});
  check_dtypes(p, {a, x}, jq::floats);
  CHECK_CLOSE(derivative(unary([](const array& v) { return lax::igamma(1.0, v); }), {make({0.0, 1.0})}, {make({1.0, 1.0})}), make({1.0, std::exp(-1.0)}), 1e-15);
}
