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
#include "jacquard/prims/pdot.hpp"
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
#include "jacquard/prims/sharding_constraint.hpp"
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
#include "jacquard/prims/tree_collectives.hpp"

namespace jacquard {

/// A list of types.
template <class... T>
struct type_list {};

namespace detail {
/// The types after the first, which stands before the comma that each entry of a list begins with.
template <class First, class... T>
struct listed {
  using types = type_list<T...>;
};
}  // namespace detail

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

// The lists are macros, as two things are made of them: lists of types here, and what compiled.hpp declares of each primitive. That of the
// primitives of arrays is in three parts, which src/ compiles one by one.

/// The primitives that come with the library, alphabetically. Who asks for their tables includes prims/linear_algebra.hpp.
#define JACQUARD_PRIMITIVES_A_TO_E(x) \
  x(abs_p) \
  x(acos_p) \
  x(acosh_p) \
  x(add_p) \
  x(all_gather_p) \
  x(all_to_all_p) \
  x(and_p) \
  x(argmax_p) \
  x(argmin_p) \
  x(asin_p) \
  x(asinh_p) \
  x(atan2_p) \
  x(atan_p) \
  x(atanh_p) \
  x(axis_index_p) \
  x(bessel_i0e_p) \
  x(bessel_i1e_p) \
  x(bitcast_convert_type_p) \
  x(broadcast_in_dim_p) \
  x(cbrt_p) \
  x(ceil_p) \
  x(checkpoint_name_p) \
  x(cholesky_p) \
  x(clamp_p) \
  x(clz_p) \
  x(complex_p) \
  x(concatenate_p) \
  x(conj_p) \
  x(conv_general_dilated_p) \
  x(convert_element_type_p) \
  x(cos_p) \
  x(cosh_p) \
  x(cumlogsumexp_p) \
  x(cummax_p) \
  x(cummin_p) \
  x(cumprod_p) \
  x(cumsum_p) \
  x(digamma_p) \
  x(div_p) \
  x(dot_general_p) \
  x(dynamic_slice_p) \
  x(dynamic_update_slice_p) \
  x(eig_p) \
  x(eigh_p) \
  x(eq_p) \
  x(erf_inv_p) \
  x(erf_p) \
  x(erfc_p) \
  x(exp2_p) \
  x(exp_p) \
  x(expm1_p)
#define JACQUARD_PRIMITIVES_F_TO_O(x) \
  x(fft_p) \
  x(floor_p) \
  x(gather_p) \
  x(ge_p) \
  x(gt_p) \
  x(hessenberg_p) \
  x(igamma_grad_a_p) \
  x(igamma_p) \
  x(igammac_p) \
  x(imag_p) \
  x(integer_pow_p) \
  x(iota_p) \
  x(is_finite_p) \
  x(le_p) \
  x(lgamma_p) \
  x(linear_recurrence_p) \
  x(log1p_p) \
  x(log_p) \
  x(logistic_p) \
  x(lt_p) \
  x(lu_p) \
  x(mask_cotangent_p) \
  x(max_p) \
  x(min_p) \
  x(mul_p) \
  x(ne_p) \
  x(neg_p) \
  x(nextafter_p) \
  x(not_p) \
  x(optimization_barrier_p) \
  x(or_p)
#define JACQUARD_PRIMITIVES_P_TO_Z(x) \
  x(pad_p) \
  x(pdot_p) \
  x(pmax_p) \
  x(pmin_p) \
  x(polygamma_p) \
  x(population_count_p) \
  x(pow_p) \
  x(ppermute_p) \
  x(prefix_mask_p) \
  x(psum_p) \
  x(psum_scatter_p) \
  x(qr_p) \
  x(random_bits_p) \
  x(random_gamma_grad_p) \
  x(real_p) \
  x(reduce_and_p) \
  x(reduce_max_p) \
  x(reduce_min_p) \
  x(reduce_or_p) \
  x(reduce_precision_p) \
  x(reduce_prod_p) \
  x(reduce_sum_p) \
  x(reduce_window_max_p) \
  x(reduce_window_min_p) \
  x(reduce_window_sum_p) \
  x(regularized_incomplete_beta_grad_a_p) \
  x(regularized_incomplete_beta_grad_b_p) \
  x(regularized_incomplete_beta_p) \
  x(rem_p) \
  x(reshape_p) \
  x(rev_p) \
  x(round_p) \
  x(rsqrt_p) \
  x(scatter_add_p) \
  x(scatter_max_p) \
  x(scatter_min_p) \
  x(scatter_mul_p) \
  x(scatter_p) \
  x(schur_p) \
  x(select_and_gather_add_p) \
  x(select_and_scatter_add_p) \
  x(select_n_p) \
  x(sharding_constraint_p) \
  x(shift_left_p) \
  x(shift_right_arithmetic_p) \
  x(shift_right_logical_p) \
  x(sign_p) \
  x(sin_p) \
  x(sinh_p) \
  x(slice_p) \
  x(sort_p) \
  x(sqrt_p) \
  x(squeeze_p) \
  x(stop_gradient_p) \
  x(sub_p) \
  x(svd_p) \
  x(tan_p) \
  x(tanh_p) \
  x(threefry2x32_p) \
  x(top_k_p) \
  x(transpose_p) \
  x(triangular_solve_p) \
  x(tridiagonal_solve_p) \
  x(xor_p) \
  x(zeta_p)
#define JACQUARD_PRIMITIVES(x) \
  JACQUARD_PRIMITIVES_A_TO_E(x) JACQUARD_PRIMITIVES_F_TO_O(x) JACQUARD_PRIMITIVES_P_TO_Z(x)

/// Primitives that hold functions of the host and are lawful all the same.
#define JACQUARD_FUNCTION_PRIMITIVES(x) \
  x(id_tap_p)

/// Primitives that are functions of the host: their laws are the user's.
#define JACQUARD_CALLBACK_PRIMITIVES(x) \
  x(debug_callback_p) \
  x(device_callback_p) \
  x(device_callback_tangent_p) \
  x(host_call_p) \
  x(io_callback_p) \
  x(ordered_debug_callback_p) \
  x(ordered_io_callback_p) \
  x(pure_callback_p)

#define JACQUARD_LISTED(p) , p
using all_prims = detail::listed<void JACQUARD_PRIMITIVES(JACQUARD_LISTED)>::types;
using function_prims = detail::listed<void JACQUARD_FUNCTION_PRIMITIVES(JACQUARD_LISTED)>::types;
using callback_prims = detail::listed<void JACQUARD_CALLBACK_PRIMITIVES(JACQUARD_LISTED)>::types;

}  // namespace jacquard
