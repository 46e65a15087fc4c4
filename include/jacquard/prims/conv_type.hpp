#pragma once
// The type of a convolution: what its parameters and operands must be, and the shape of the result. Not a primitive itself.

#include "jacquard/core/kernel.hpp"
#include "jacquard/prims/conv_window.hpp"
#include "jacquard/prims/operand_types.hpp"

namespace jacquard::detail {

/// Collects what is wrong with a convolution. A template, so that files which use no convolution do not compile its messages.
template <class Inference>
struct conv_check {
  Inference& c;
  const conv_params& p;
  const aval &x, &k;

  template <class... Parts>
  constexpr bool fail(error_kind kind, const Parts&... what) {
    c.fail(kind, ": ", what..., "; got lhs of shape ", x.dims, ", rhs of shape ", k.dims, " and dimension numbers ", p.lhs_spec, ", ",
           p.rhs_spec, " -> ", p.out_spec);
    return false;
  }
  constexpr bool dtypes(type_set domain) {
    if (x.type == k.type && contains(domain, x.type)) return true;
    if (x.type != k.type)
      c.fail(error_kind::type, " requires arguments to have the same dtypes, got ", long_name(x.type), ", ", long_name(k.type),
             "; convert one of them with x.astype(...)");
    else
      c.fail(error_kind::type, " does not accept dtype ", long_name(x.type), ", wanted one of: ", accepted(domain),
             "; convert the operands first, e.g. x.astype(jq::f32)");
    return false;
  }
  /// Places of all dimensions, each once.
  constexpr bool numbers() {
    if (x.rank() != k.rank() || x.rank() < 2)
      return fail(error_kind::shape, "operands must have the same number of dimensions, at least a batch and a feature one; reshape one of them");
    return places("lhs", p.lhs_spec, "N and C") && places("rhs", p.rhs_spec, "O and I") && places("out", p.out_spec, "N and C");
  }
  constexpr bool places(std::string_view name, const int_list& spec, std::string_view letters) {
    for (std::int64_t d : spec)
      if (d < -' ')
        return fail(error_kind::value, "the letters of ", name, " must be ", letters, " and those of the spatial dimensions of rhs, each once; ",
                    char(-d), " is missing, repeated or none of them");
    bool ok = spec.size() == x.rank();
    for (int d = 0; ok && d < x.rank(); ++d) ok = spec.contains(d);
    return ok || fail(error_kind::value, "the dimension numbers of ", name, " must be a place for each of ", x.rank(),
                      " dimensions, each once, e.g. those of {\"NCHW\", \"OIHW\", \"NCHW\"}");
  }
  /// Numbers of one kind, one per spatial dimension. Sizes stay far below what integers hold.
  constexpr bool list(std::string_view name, const int_list& values, std::int64_t least) {
    constexpr std::int64_t most = std::int64_t(1) << 31;
    bool ok = values.size() == p.spatial() && !values.overflowed();
    for (std::int64_t v : values) ok = ok && v >= least && v < most;
    return ok || fail(error_kind::shape, "got ", name, " ", values, ", wanted ", p.spatial(), " numbers",
                      least > 0 ? " of at least 1, one per spatial dimension" : ", one per spatial dimension");
  }
  constexpr bool padding() {
    if (p.padding == padding_kind::unknown) {
      text word;
      for (std::int64_t ch : p.padding_low) word << char(ch);
      return fail(error_kind::value, "got the padding \"", word, "\", wanted \"VALID\", \"SAME\", \"SAME_LOWER\" or a pair of numbers per "
                  "spatial dimension");
    }
    if (p.padding == padding_kind::numbers)
      return list("low paddings", p.padding_low, -(std::int64_t(1) << 31)) && list("high paddings", p.padding_high, -(std::int64_t(1) << 31));
    for (std::int64_t d : p.lhs_dilation)
      if (d != 1)
        return fail(error_kind::value, "padding \"SAME\" is not defined with lhs_dilation ", p.lhs_dilation,
                    "; give the paddings as numbers, or use lax::conv_transpose");
    return true;
  }
  constexpr bool groups() {
    const std::int64_t f = p.feature_group_count, b = p.batch_group_count;
    const std::int64_t n = x.dims[int(p.lhs_spec[0])], features = x.dims[int(p.lhs_spec[1])], outs = k.dims[int(p.rhs_spec[0])],
                       ins = k.dims[int(p.rhs_spec[1])];
    if (f < 1 || b < 1 || (f > 1 && b > 1))
      return fail(error_kind::shape, "got feature_group_count ", f, " and batch_group_count ", b, ", wanted both at least 1, one of them 1");
    if (features != counted_product(ins, f))
      return fail(error_kind::shape, "the features of lhs (", features, ") must be those of rhs (", ins, ") times feature_group_count (", f,
                  "); transpose an operand or give dimension numbers");
    if (outs % f != 0 || outs % b != 0)
      return fail(error_kind::shape, "the output features of rhs (", outs, ") must be a multiple of the number of groups (", f > b ? f : b, ")");
    if (n % b != 0) return fail(error_kind::shape, "the batch size of lhs (", n, ") must be a multiple of batch_group_count (", b, ")");
    return true;
  }
  constexpr bool sizes(shape& out) {
    out = shape(int_list::filled(x.rank(), 0));
    out[int(p.out_spec[0])] = x.dims[int(p.lhs_spec[0])] / p.batch_group_count;
    out[int(p.out_spec[1])] = k.dims[int(p.rhs_spec[0])];
    for (int d = 0; d < p.spatial(); ++d) {
      const window_dim w = window_of(p, x.dims, k.dims, d);
      if (w.padded() < 0 && p.padding == padding_kind::numbers)
        return fail(error_kind::shape, "paddings (", w.low, ", ", w.high, ") take more elements than spatial dimension ", d, " has (",
                    w.dilated(), ")");
      out[int(p.out_spec[d + 2])] = w.out;
    }
    return true;
  }
};

/// The type of the result.
constexpr aval conv_type(auto& c, const conv_params& p, type_set domain) {
  const aval &x = c.in[0], &k = c.in[1];
  conv_check<std::remove_reference_t<decltype(c)>> check{c, p, x, k};
  shape out;
  if (!check.dtypes(domain) || !check.numbers() || !check.list("window_strides", p.window_strides, 1) ||
      !check.list("lhs_dilation", p.lhs_dilation, 1) || !check.list("rhs_dilation", p.rhs_dilation, 1) || !check.padding() ||
      !check.groups() || !check.sizes(out))
    return {};
  return {x.type, out, x.weak && k.weak};
}

}  // namespace jacquard::detail
