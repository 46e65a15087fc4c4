// Rows: special functions.
#include "row.hpp"

namespace laws {

namespace {

using namespace jacquard;

const operand positive = between(0.4, 3), shape_parameter = between(0.6, 2.5);

const family rows{
    unary<bessel_i0e_p>(floats, between(0.3, 3)),
    unary<bessel_i1e_p>(floats, between(0.3, 3)),
    unary<digamma_p>(floats, between(0.8, 3)),
    unary<lgamma_p>(floats, between(0.4, 3)),
    unary_after<igamma_p>({1.5}, floats, positive),
    unary_after<igammac_p>({1.5}, floats, positive),
    unary_after<polygamma_p>({2}, floats, between(0.8, 3)),
    unary_after<regularized_incomplete_beta_grad_a_p>({1.5, 2}, floats, between(0.2, 0.8)),
    unary_after<regularized_incomplete_beta_grad_b_p>({1.5, 2}, floats, between(0.2, 0.8)),
    unary_after<regularized_incomplete_beta_p>({1.5, 2}, floats, between(0.2, 0.8)),
    unary_after<zeta_p>({2.5}, floats, between(0.8, 3)),
    binary<igamma_grad_a_p>(floats, shape_parameter, positive),
    binary<random_gamma_grad_p>(floats, shape_parameter, positive),
};

}  // namespace

TEST_CASE("special functions: every dtype") { check_dtypes(rows); }

}  // namespace laws
