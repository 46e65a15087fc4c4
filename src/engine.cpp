// What does not depend on the functions that are traced: traces, transforms of programs, printing, compiling, and the heavier half of the
// vocabulary of arrays. Functions are emitted as they are marked; of templates, the instantiations that follow.

#define JACQUARD_COMPILED
#define JACQUARD_ENGINE

#include <jacquard/exec/executable_file.hpp>
#include <jacquard/jacquard.hpp>
#include <jacquard/numpy/floating.hpp>

namespace jacquard {

// The overloaded ones by signature.
template array detail::harmonise<array>(std::string_view, view<array>, element_type, const location&, bool);
template array linspace<array>(double, double, std::int64_t, location);
template array lax::select_n<array>(const array&, view<const array>, location);
template text to_text<array>(const array&, const print_options&);
template array where<operand>(const operand&, const operand&, const operand&);
template array power<operand>(const operand&, const operand&);
template array sum<operand>(const operand&, const reduction_axes&, keepdims_option);

namespace detail {

/// Instantiates functions by needing their addresses.
template <auto... Functions>
struct instances {};

template struct instances<&inconsistent_sizes<array>, &resolve_mapped<array>, &check_tangents<array>, &linearize_jaxpr<array>,
                          &transpose_jaxpr<array>, &batch_jaxpr<array>, &jvp_jaxpr<array>, &place_outputs<array>, &jacobian_forward<array>,
                          &jacobian_reverse<array>, &staged_call<array>, &program_of_body<array>, &body_of<array>, &operand_error<array>,
                          &resolve_axes<operand>, &masked_mean<operand>, &taken<array>>;

template <class... P>
struct unary_functions : instances<&unary<P>...> {};
template <class... P>
struct inexact_functions : instances<&unary_inexact<P>...> {};
template <class... P>
struct binary_functions : instances<&binary<P>...> {};
template <class... P>
struct inexact_binary_functions : instances<&binary_inexact<P>...> {};

template struct unary_functions<abs_p, ceil_p, floor_p, is_finite_p, neg_p, not_p, population_count_p, round_p, sign_p>;
template struct inexact_functions<acos_p, acosh_p, asin_p, asinh_p, atan_p, atanh_p, bessel_i0e_p, bessel_i1e_p, cbrt_p, cos_p, cosh_p,
                                  digamma_p, erf_inv_p, erf_p, erfc_p, exp2_p, exp_p, expm1_p, lgamma_p, log1p_p, log_p, logistic_p, rsqrt_p,
                                  sin_p, sinh_p, sqrt_p, tan_p, tanh_p>;
template struct binary_functions<add_p, and_p, div_p, eq_p, ge_p, gt_p, le_p, lt_p, mul_p, ne_p, or_p, pow_p, rem_p, shift_left_p,
                                 shift_right_arithmetic_p, shift_right_logical_p, sub_p, xor_p>;
template struct inexact_binary_functions<atan2_p, igamma_p, igammac_p, nextafter_p, polygamma_p, pow_p, zeta_p>;
template struct instances<&binary_or_boolean<add_p, or_p>, &binary_or_boolean<mul_p, and_p>, &logical<and_p>, &logical<or_p>, &logical<xor_p>,
                          &bitwise<and_p>, &bitwise<or_p>, &bitwise<xor_p>, &extreme_of<max_p>, &extreme_of<min_p>>;

}  // namespace detail
}  // namespace jacquard
