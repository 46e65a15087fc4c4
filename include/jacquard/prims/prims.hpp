#pragma once
// Every primitive, and the one list of them. A new primitive adds its header and its name here; nothing else lists them. Those of linear
// algebra and Fourier transforms are in the list by their names only: prims/linear_algebra.hpp has them, so that <jacquard/fixed.hpp>, most of
// whose readers do without, need not read it.

#include "jacquard/prims/abs_sign.hpp"
#include "jacquard/prims/add.hpp"
#include "jacquard/prims/all_gather.hpp"
#include "jacquard/prims/arg_max_min.hpp"
#include "jacquard/prims/atan2.hpp"
#include "jacquard/prims/bessel.hpp"
#include "jacquard/prims/bit_counts.hpp"
#include "jacquard/prims/bitcast_convert_type.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/callback.hpp"
#include "jacquard/prims/cbrt.hpp"
#include "jacquard/prims/checkpoint_name.hpp"
#include "jacquard/prims/clamp.hpp"
#include "jacquard/prims/collectives.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/complex_parts.hpp"
#include "jacquard/prims/concatenate.hpp"
#include "jacquard/prims/conv.hpp"
#include "jacquard/prims/convert_element_type.hpp"
#include "jacquard/prims/cumlogsumexp.hpp"
#include "jacquard/prims/cummax_cummin.hpp"
#include "jacquard/prims/cumprod.hpp"
#include "jacquard/prims/cumsum.hpp"
#include "jacquard/prims/div.hpp"
#include "jacquard/prims/dot_general.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
#include "jacquard/prims/erf.hpp"
#include "jacquard/prims/erf_inv.hpp"
#include "jacquard/prims/erfc.hpp"
#include "jacquard/prims/exp.hpp"
#include "jacquard/prims/exp2.hpp"
#include "jacquard/prims/expm1.hpp"
#include "jacquard/prims/gather_scatter.hpp"
#include "jacquard/prims/hyperbolic.hpp"
#include "jacquard/prims/id_tap.hpp"
#include "jacquard/prims/igamma.hpp"
#include "jacquard/prims/integer_pow.hpp"
#include "jacquard/prims/inverse_hyperbolic.hpp"
#include "jacquard/prims/inverse_trigonometric.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/is_finite.hpp"
#include "jacquard/prims/lgamma.hpp"
#include "jacquard/prims/linear_recurrence.hpp"
#include "jacquard/prims/log.hpp"
#include "jacquard/prims/log1p.hpp"
#include "jacquard/prims/logistic.hpp"
#include "jacquard/prims/mask_cotangent.hpp"
#include "jacquard/prims/max_min.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/nextafter.hpp"
#include "jacquard/prims/optimization_barrier.hpp"
#include "jacquard/prims/pow.hpp"
#include "jacquard/prims/prefix_mask.hpp"
#include "jacquard/prims/random_bits.hpp"
#include "jacquard/prims/reduce_logical.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/reduce_precision.hpp"
#include "jacquard/prims/reduce_prod.hpp"
#include "jacquard/prims/reduce_window.hpp"
#include "jacquard/prims/regularized_incomplete_beta.hpp"
#include "jacquard/prims/rem.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/rev.hpp"
#include "jacquard/prims/rounding.hpp"
#include "jacquard/prims/rsqrt.hpp"
#include "jacquard/prims/scatter_reductions.hpp"
#include "jacquard/prims/select_and_gather_add.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/shift.hpp"
#include "jacquard/prims/sin_cos.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/sort.hpp"
#include "jacquard/prims/sqrt.hpp"
#include "jacquard/prims/squeeze.hpp"
#include "jacquard/prims/stop_gradient.hpp"
#include "jacquard/prims/sub.hpp"
#include "jacquard/prims/tan.hpp"
#include "jacquard/prims/tanh.hpp"
#include "jacquard/prims/threefry2x32.hpp"
#include "jacquard/prims/top_k.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

/// A list of types.
template <class... T>
struct type_list {};

// Defined in prims/linear_algebra.hpp.
struct cholesky_p;
struct eig_p;
struct eigh_p;
struct fft_p;
struct hessenberg_p;
struct lu_p;
struct qr_p;
struct schur_p;
struct svd_p;
struct triangular_solve_p;
struct tridiagonal_solve_p;

/// The primitives that come with the library, alphabetically. Who asks for their tables includes prims/linear_algebra.hpp.
using all_prims = type_list<
    abs_p,
    acos_p,
    acosh_p,
    add_p,
    all_gather_p,
    all_to_all_p,
    and_p,
    argmax_p,
    argmin_p,
    asin_p,
    asinh_p,
    atan2_p,
    atan_p,
    atanh_p,
    axis_index_p,
    bessel_i0e_p,
    bessel_i1e_p,
    bitcast_convert_type_p,
    broadcast_in_dim_p,
    cbrt_p,
    ceil_p,
    checkpoint_name_p,
    cholesky_p,
    clamp_p,
    clz_p,
    complex_p,
    concatenate_p,
    conj_p,
    conv_general_dilated_p,
    convert_element_type_p,
    cos_p,
    cosh_p,
    cumlogsumexp_p,
    cummax_p,
    cummin_p,
    cumprod_p,
    cumsum_p,
    digamma_p,
    div_p,
    dot_general_p,
    dynamic_slice_p,
    dynamic_update_slice_p,
    eig_p,
    eigh_p,
    eq_p,
    erf_inv_p,
    erf_p,
    erfc_p,
    exp2_p,
    exp_p,
    expm1_p,
    fft_p,
    floor_p,
    gather_p,
    ge_p,
    gt_p,
    hessenberg_p,
    igamma_grad_a_p,
    igamma_p,
    igammac_p,
    imag_p,
    integer_pow_p,
    iota_p,
    is_finite_p,
    le_p,
    lgamma_p,
    linear_recurrence_p,
    log1p_p,
    log_p,
    logistic_p,
    lt_p,
    lu_p,
    mask_cotangent_p,
    max_p,
    min_p,
    mul_p,
    ne_p,
    neg_p,
    nextafter_p,
    not_p,
    optimization_barrier_p,
    or_p,
    pad_p,
    pmax_p,
    pmin_p,
    polygamma_p,
    population_count_p,
    pow_p,
    ppermute_p,
    prefix_mask_p,
    psum_p,
    psum_scatter_p,
    qr_p,
    random_bits_p,
    random_gamma_grad_p,
    real_p,
    reduce_and_p,
    reduce_max_p,
    reduce_min_p,
    reduce_or_p,
    reduce_precision_p,
    reduce_prod_p,
    reduce_sum_p,
    reduce_window_max_p,
    reduce_window_min_p,
    reduce_window_sum_p,
    regularized_incomplete_beta_grad_a_p,
    regularized_incomplete_beta_grad_b_p,
    regularized_incomplete_beta_p,
    rem_p,
    reshape_p,
    rev_p,
    round_p,
    rsqrt_p,
    scatter_add_p,
    scatter_max_p,
    scatter_min_p,
    scatter_mul_p,
    scatter_p,
    schur_p,
    select_and_gather_add_p,
    select_and_scatter_add_p,
    select_n_p,
    shift_left_p,
    shift_right_arithmetic_p,
    shift_right_logical_p,
    sign_p,
    sin_p,
    sinh_p,
    slice_p,
    sort_p,
    sqrt_p,
    squeeze_p,
    stop_gradient_p,
    sub_p,
    svd_p,
    tan_p,
    tanh_p,
    threefry2x32_p,
    top_k_p,
    transpose_p,
    triangular_solve_p,
    tridiagonal_solve_p,
    xor_p,
    zeta_p>;

/// Primitives that hold functions of the host and are lawful all the same.
using function_prims = type_list<id_tap_p>;
/// Primitives that are functions of the host: their laws are the user's.
using callback_prims = type_list<
    debug_callback_p,
    device_callback_p,
    device_callback_tangent_p,
    host_call_p,
    io_callback_p,
    ordered_debug_callback_p,
    ordered_io_callback_p,
    pure_callback_p>;

}  // namespace jacquard
