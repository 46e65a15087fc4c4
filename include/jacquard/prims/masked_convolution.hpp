#pragma once
// The masking rule of convolutions: sizes of batch, features, taps, places and groups may be symbolic. Padding is zero wherever
// windows read it, and paddings that depend on sizes are written out. Not a primitive itself.

#include "jacquard/core/masking.hpp"
#include "jacquard/prims/conv_window.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/slice.hpp"

namespace jacquard::detail {

/// One spatial dimension with symbolic sizes.
struct masked_window {
  dimension size, taps, low, high, out;
  std::int64_t stride = 1, dilation = 1, tap_dilation = 1;

  static constexpr dimension dilated(const dimension& n, std::int64_t by) {
    if (by == 1) return n;
    return dimension::positive_part(n * dimension(by) - dimension(by - 1));
  }
  constexpr dimension dilated_taps() const { return dilated(taps, tap_dilation); }
  /// max(floor(a / stride), 0). Rounding comes first, where it leaves a polynomial.
  constexpr dimension strides_in(const dimension& a) const {
    for (const dimension::term& t : a.terms())
      if (stride != 1 && t.coefficient < 0 && !t.factors.empty()) return dimension::floor_div(dimension::positive_part(a), stride);
    return dimension::positive_part(dimension::floor_div(a, stride));
  }
  constexpr void pad_by_numbers() {
    out = strides_in(dilated(size, dilation) + low + high - dilated_taps() + dimension(stride));
  }
  constexpr void pad_to_same(bool more_at_low) {
    out = strides_in(size + dimension(stride - 1));
    const dimension total = dimension::positive_part((out - 1) * dimension(stride) + dilated_taps() - size);
    low = dimension::floor_div(total + dimension(more_at_low ? 1 : 0), 2);
    high = total - low;
  }
};

/// Masks a convolution.
template <class P>
class convolution_mask {
 public:
  constexpr convolution_mask(mask_call& c, const conv_params& p)
      : c_(c), p_(p), twin_(decode<conv_params>(c.twin)), q_(p), x_dims_(c.dims[0]), k_dims_(c.dims[1]) {}

  constexpr masked run() {
    c_.constants("strides", &conv_params::window_strides);
    c_.constants("dilations", &conv_params::lhs_dilation);
    c_.constants("dilations", &conv_params::rhs_dilation);
    const int n = int(p_.lhs_spec[0]), f = int(p_.lhs_spec[1]), o = int(p_.rhs_spec[0]), i = int(p_.rhs_spec[1]);
    const dimension feature_groups = c_.scope.decode(p_.feature_group_count, twin_.feature_group_count),
                    batch_groups = c_.scope.decode(p_.batch_group_count, twin_.batch_group_count), groups = feature_groups * batch_groups;
    const dimension batch = part(at(x_dims_, n), batch_groups), outs = part(at(k_dims_, o), groups);
    at(k_dims_, i) = part(at(x_dims_, f), feature_groups);
    array x = grouped(c_.zeroed(0, int_list::iota(c_.x[0].ndim())), x_dims_, n, batch_groups, batch);
    x = grouped(x, x_dims_, f, feature_groups, at(k_dims_, i));
    const array given = c_.scope.filled(c_.x[1], c_.dims[1], int_list::iota(c_.x[1].ndim()), zero_of(c_.x[1].aval()));
    array k = grouped(c_.scope.fitted(given, k_dims_), k_dims_, o, groups, outs);
    q_.feature_group_count = c_.scope.padded(feature_groups);
    q_.batch_group_count = c_.scope.padded(batch_groups);
    q_.padding = padding_kind::numbers;
    q_.padding_low = q_.padding_high = {};
    dimension_list dims(std::size_t(x.ndim()), dimension());
    at(dims, int(p_.out_spec[0])) = batch;
    at(dims, int(p_.out_spec[1])) = at(k_dims_, o);
    for (int d = 0; d < p_.spatial(); ++d) x = padded(x, k, d, dims);
    const array y = ungrouped(bind<P>(q_, location{}, x, k), dims, int(p_.out_spec[1]), groups, outs);
    return {c_.scope.guarded(y, dims, int_list::iota(y.ndim())), dims};
  }

 private:
  static constexpr dimension& at(dimension_list& dims, int d) { return dims[std::size_t(d)]; }
  /// A dimension divided by the number of groups.
  constexpr dimension part(const dimension& whole, const dimension& groups) {
    dimension quotient, rest;
    if (whole.divide(groups, quotient, rest) && rest == 0) return quotient;
    c_.scope.fail(make_error(error_kind::not_implemented, "mask: ", P::name, " of ", whole, " features or examples in ", groups,
                             " groups is not implemented; make their number a product of that of the groups and a size"));
    return whole;
  }
  /// Dimension d of `x`, groups * part elements, as padded groups of padded parts.
  constexpr array grouped(const array& x, const dimension_list& dims, int d, const dimension& groups, const dimension& part) {
    if (groups == 1 || part.is_constant()) return x;  // groups are in one piece already
    const dimension_list split = with_groups(dims, d, groups, part);
    const array y = c_.scope.filled(c_.scope.reindexed(x, dims, split), split, int_list::iota(int(split.size())), zero_of(x.aval()));
    shape to = x.shape();
    to[d] = c_.scope.padded(groups) * c_.scope.padded(part);
    return lax::reshape(y, to);
  }
  constexpr array ungrouped(const array& y, const dimension_list& dims, int d, const dimension& groups, const dimension& part) {
    if (groups == 1 || part.is_constant()) return c_.scope.fitted(y, dims);
    const dimension_list split = with_groups(dims, d, groups, part);
    shape to(y.shape().with(d, c_.scope.padded(groups)));
    to[d + 1] = c_.scope.padded(part);
    const array guarded = c_.scope.guarded(lax::reshape(y, to), split, int_list::iota(int(split.size())));
    return c_.scope.reindexed(c_.scope.fitted(guarded, split), split, dims);
  }
  static constexpr dimension_list with_groups(const dimension_list& dims, int d, const dimension& groups, const dimension& part) {
    dimension_list r;
    for (int i = 0; i < int(dims.size()); ++i) {
      if (i == d) r.push_back(groups);
      r.push_back(i == d ? part : dims[std::size_t(i)]);
    }
    return r;
  }

  /// Adds the padding of spatial dimension d to the parameters, such that there are enough places. One of symbolic size at the
  /// beginning is written in front of x.
  constexpr array padded(const array& x, const array& k, int d, dimension_list& dims) {
    const int at_x = int(p_.lhs_spec[d + 2]), at_k = int(p_.rhs_spec[d + 2]);
    masked_window w{at(x_dims_, at_x), at(k_dims_, at_k), {}, {}, {}, p_.window_strides[d], p_.lhs_dilation[d], p_.rhs_dilation[d]};
    if (p_.padding == padding_kind::numbers) {
      w.low = c_.scope.decode(p_.padding_low[d], twin_.padding_low[d]);
      w.high = c_.scope.decode(p_.padding_high[d], twin_.padding_high[d]);
      w.pad_by_numbers();
    } else w.pad_to_same(p_.padding == padding_kind::same_lower);
    at(dims, int(p_.out_spec[d + 2])) = w.out;
    window_dim v{x.shape()[at_x], k.shape()[at_k], w.stride, w.low.constant(), 0, w.dilation, w.tap_dilation, c_.scope.padded(w.out)};
    array y = x;
    if (!w.low.is_constant()) {
      y = behind(x, at_x, w, v);
      v.size = y.shape()[at_x];
      v.low = 0;
      v.dilation = q_.lhs_dilation[d] = 1;
    }
    v.high = v.out == 0 ? -v.low - v.dilated() : (v.out - 1) * v.stride + v.dilated_taps() - v.low - v.dilated();
    q_.padding_low.push_back(v.low);
    q_.padding_high.push_back(v.high);
    return y;
  }
  /// `x`, dilated, behind w.low zeros.
  constexpr array behind(const array& x, int d, const masked_window& w, const window_dim& v) {
    const dimension_bounds b = c_.scope.range(w.low);
    std::int64_t most = b.high;
    if (p_.padding != padding_kind::numbers && most > v.dilated_taps()) most = v.dilated_taps();
    if (most < 0) most = 0;
    int_list low = int_list::filled(x.ndim(), 0), interior = low;
    low[d] = most;
    interior[d] = v.dilation - 1;
    const array y = lax::pad(x, zero_of(x.aval()), low, int_list::filled(x.ndim(), 0), interior);
    return c_.scope.window(y, d, dimension(most) - w.low, v.dilated() + most);
  }

  mask_call& c_;
  conv_params p_, twin_, q_;
  dimension_list x_dims_, k_dims_;
};

}  // namespace jacquard::detail
