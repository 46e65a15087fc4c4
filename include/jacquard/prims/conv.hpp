#pragma once
// conv_general_dilated: convolutions (in the sense of neural networks, without reversed filters) of any number of dimensions, with
// strides, paddings, dilations and groups. Its transposes are convolutions, too. Large ones run as matrix products of patches;
// deliberately without transforms (Fourier, Winograd), whose rounding errors depend on what else is in the operand.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/conv_groups.hpp"
#include "jacquard/prims/conv_loops.hpp"
#include "jacquard/prims/conv_patches.hpp"
#include "jacquard/prims/masked_convolution.hpp"
#include "jacquard/prims/rev.hpp"

namespace jacquard {

/// Element (n, o, place) is the sum over input features i and taps t of lhs(n, i, place * stride + t * rhs_dilation - low) *
/// rhs(o, i, t), where lhs has lhs_dilation - 1 holes between its elements and zeros around them. See conv_dimension_numbers.
/// Shapes  lhs [N, C, sizes...], rhs [O, C / feature groups, taps...] -> [N / batch groups, O, places...], dimensions as numbered.
///         Feature group g is the convolution of the g-th part of C and gives the g-th part of O; batch groups take parts of N.
/// Errors  type_error: different dtypes, bool. shape_error: sizes and groups that do not fit, a wrong number of strides, paddings or
///         dilations, or such below 1; dimensions cut below 0. value_error: dimension numbers that are no permutations.
/// Rules   linear in each operand; transposes = convolutions of the cotangent, with the filter reversed, or with the operand.
/// Cost    one multiplication and addition for each element of the result, input feature and tap; f16 and bf16 accumulate in f32.
///         Whether an infinite tap that meets padding gives NaN is not specified.
struct conv_general_dilated_p {
  static constexpr std::string_view name = "conv_general_dilated";
  using params = conv_params;
  static constexpr type_set domain = numbers;
  static constexpr std::uint32_t linear = 0b11;
  static constexpr bool only_arithmetic = true;
  static constexpr bool allocates = true;  // blocks of patches

  static constexpr aval abstract_eval(auto& c, const params& p) { return detail::conv_type(c, p, domain); }
  static constexpr void cost(auto& c, const params& p) {
    for (int d = 1; d < p.rhs_spec.size(); ++d) c.cost.flops *= double(c.in[1].dims[int(p.rhs_spec[d])]);
    c.cost.flops *= 2;
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    if (ct.size() == 0 || c.in[0].elements() == 0 || c.in[1].elements() == 0) return lax::zeros(c.in[std::size_t(k)]);
    using own_p = own<conv_general_dilated_p, decltype(c)>;
    if (k == 1) {
      // The features of lhs become the batch, and the batch what is summed over.
      const params q = detail::params_of_rhs_transpose(p, c.x[0].shape(), c.in[1].dims);
      return bind<own_p>(q, location{}, c.x[0], ct);
    }
    const int_list &l = p.lhs_spec, &r = p.rhs_spec;
    const std::int64_t groups = p.feature_group_count * p.batch_group_count;
    const params q = detail::params_of_lhs_transpose(p, c.in[0].dims, c.x[1].shape());
    int_list spatial;
    for (int d = 2; d < r.size(); ++d) spatial.push_back(r[d]);
    const array taps = lax::rev(detail::regroup(c.x[1], {int(r[0]), 1}, {int(r[1]), 1}, groups), spatial);
    const array sum = bind<own_p>(q, location{}, ct, taps);
    return detail::regroup(sum, {int(l[1]), 1}, {int(l[0]), 1}, p.batch_group_count);
  }
  static constexpr batched batch(auto& c, const params& p) {
    return detail::batch_convolution<own<conv_general_dilated_p, decltype(c)>>(c, p);
  }
  static constexpr masked mask(auto& c, const params& p) {
    return detail::convolution_mask<own<conv_general_dilated_p, decltype(c)>>(c, p).run();
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape &x = a.in_types[0].dims, &k = a.in_types[1].dims, &out = a.out_types[0].dims;
    detail::convolve_elements(detail::plan_convolution(p, x, k, out), a.in[0], a.in[1], a.out[0]);
  }
  static void run(const auto& c, const params&) {
    detail::run_computing(c, 0, 0, detail::frame_kernels_of<own<detail::patch_convolution, decltype(c)>>::value.data());
  }
};

/// What a convolution may be told beside strides and padding. Dilations are 1 where they are not given.
struct conv_options {
  int_list lhs_dilation{}, rhs_dilation{};
  conv_dimension_numbers dimension_numbers{};
  std::int64_t feature_group_count = 1, batch_group_count = 1;
};
/// What a transposed convolution may be told. Without dimension numbers operands are (N, sizes..., C) and (taps..., I, O).
struct conv_transpose_options {
  int_list rhs_dilation{};
  conv_dimension_numbers dimension_numbers{};
  bool transpose_kernel = false;  ///< the filter is that of the convolution which is transposed: reversed, I and O exchanged
};

namespace detail {
constexpr conv_params conv_params_of(int rank, const int_list& strides, const conv_padding& padding, const conv_options& o) {
  const int spatial = rank > 2 ? rank - 2 : 0;
  const auto or_filled = [&](const int_list& given, std::int64_t value) { return given.empty() ? int_list::filled(spatial, value) : given; };
  const conv_dimension_numbers n = o.dimension_numbers.or_default(rank);
  conv_params p{or_filled(strides, 1), padding.low, padding.high, or_filled(o.lhs_dilation, 1), or_filled(o.rhs_dilation, 1), n.lhs, n.rhs,
                n.out, o.feature_group_count, o.batch_group_count, padding.kind};
  if (padding.is_valid) p.padding_low = p.padding_high = int_list::filled(spatial, 0);
  return p;
}
}  // namespace detail

namespace lax {

/// See conv_general_dilated_p: conv_general_dilated(x, w, {2, 2}, "SAME", {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}}). Without
/// dimension numbers operands are (N, C, sizes...) and (O, I, taps...); no strides are strides of 1.
template <class Array = array>
constexpr array conv_general_dilated(const lazy<Array>& lhs, const lazy<Array>& rhs, const int_list& window_strides,
                                     const conv_padding& padding, const conv_options& options = {},
                                     location where = location::current()) {
  return bind<conv_general_dilated_p>(detail::conv_params_of(lhs.ndim(), window_strides, padding, options), where, lhs, rhs);
}
/// The convolution of (N, C, sizes...) with (O, C, taps...).
template <class Array = array>
constexpr array conv(const lazy<Array>& lhs, const lazy<Array>& rhs, const int_list& window_strides, const conv_padding& padding,
                     location where = location::current()) {
  return conv_general_dilated(lhs, rhs, window_strides, padding, {}, where);
}
/// The same with dilations.
template <class Array = array>
constexpr array conv_with_general_padding(const lazy<Array>& lhs, const lazy<Array>& rhs, const int_list& window_strides,
                                          const conv_padding& padding, const int_list& lhs_dilation, const int_list& rhs_dilation,
                                          location where = location::current()) {
  return conv_general_dilated(lhs, rhs, window_strides, padding, {lhs_dilation, rhs_dilation}, where);
}
/// A convolution with an operand dilated by `strides`, which enlarges it as a convolution with these strides makes it smaller. Padding
/// "SAME" gives strides times as many places as elements, "VALID" all places that meet an element; numbers are those of the dilated
/// operand. Errors: as conv_general_dilated.
template <class Array = array>
constexpr array conv_transpose(const lazy<Array>& lhs, const lazy<Array>& rhs, const int_list& strides, const conv_padding& padding,
                               const conv_transpose_options& options = {}, location where = location::current()) {
  const int rank = lhs.ndim();
  conv_dimension_numbers n = options.dimension_numbers;
  if (n.lhs.empty() && n.rhs.empty() && n.out.empty() && rank >= 2) {
    n = {{0, rank - 1}, {rank - 1, rank - 2}, {}};
    for (int d = 1; d < rank - 1; ++d) n.lhs.push_back(d), n.rhs.push_back(d - 1);
    n.out = n.lhs;
  }
  conv_params p = detail::conv_params_of(rank, {}, padding, {strides, options.rhs_dilation, n});
  detail::pad_transposed(p, rhs.shape(), padding);
  array filter = rhs;
  if (options.transpose_kernel) {
    p.rhs_spec = detail::exchanged(p.rhs_spec);
    int_list spatial;
    for (int d = 2; d < p.rhs_spec.size(); ++d)
      if (p.rhs_spec[d] >= 0 && p.rhs_spec[d] < rhs.ndim()) spatial.push_back(p.rhs_spec[d]);
    filter = rev(rhs, spatial, where);
  }
  return bind<conv_general_dilated_p>(p, where, lhs, filter);
}

}  // namespace lax

}  // namespace jacquard
