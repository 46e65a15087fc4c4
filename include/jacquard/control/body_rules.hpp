#pragma once
// Rules of equations that stand for one body applied to all operands: a transform of the equation is the same equation with the
// transformed body. call_p and checkpoint_p share them.

#include "jacquard/control/masked_body.hpp"
#include "jacquard/core/list.hpp"

namespace jacquard {

/// Base of primitives P whose params have the field `body` and the function with(other body).
template <class P>
struct body_rules : detail::body_values {
  static constexpr void joint_jvp(auto& c, const auto& p) {
    std::vector<array> operands(c.x.begin(), c.x.end());
    for (const array& t : c.t)
      if (!t.is_none()) operands.push_back(t);
    std::vector<char> nonzero;
    const jaxpr_ref body = detail::build_body(detail::types_of(operands), detail::axes_of(operands), [&](view<const array> in) {
      std::vector<array> t;
      std::size_t next = c.x.size();
      for (const array& given : c.t) {
        t.emplace_back();
        if (!given.is_none()) t.back() = in[next++];
      }
      jvp_values r = jvp_jaxpr(*p.body, {}, in.first(c.x.size()), t);
      for (const array& ty : r.tangents) {
        nonzero.push_back(!ty.is_none());
        if (!ty.is_none()) r.primals.push_back(ty);
      }
      return r.primals;
    });
    const array_list out = bind_list<P>(p.with(body), location{}, operands);
    std::size_t next = c.y.size();
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      c.y[i] = out[i];
      if (nonzero[i]) c.ty[i] = out[next++];
    }
  }

  static constexpr void transpose(auto& c, const auto& p) {
    std::vector<array> operands;  // known operands, then the non-zero cotangents
    std::vector<char> linear;
    for (const array& x : c.x) {
      linear.push_back(x.is_none());
      if (!x.is_none()) operands.push_back(x);
    }
    const std::size_t known = operands.size();
    for (const array& ct : c.ct)
      if (!ct.is_none()) operands.push_back(ct);
    std::vector<int> result_of(c.x.size(), -1);
    const jaxpr_ref body = detail::build_body(detail::types_of(operands), detail::axes_of(operands), [&](view<const array> in) {
      std::vector<array> x, ct;
      std::size_t next = 0, next_ct = known;
      for (const array& given : c.x) {
        x.emplace_back();
        if (!given.is_none()) x.back() = in[next++];
      }
      for (const array& given : c.ct) {
        ct.emplace_back();
        if (!given.is_none()) ct.back() = in[next_ct++];
      }
      const std::vector<array> back = transpose_jaxpr(*p.body, {}, x, linear, ct);
      std::vector<array> outs;
      for (std::size_t i = 0; i < back.size(); ++i)
        if (!back[i].is_none()) {
          result_of[i] = int(outs.size());
          outs.push_back(back[i]);
        }
      return outs;
    });
    const array_list out = bind_list<P>(p.with(body), location{}, operands);
    for (std::size_t i = 0; i < c.x.size(); ++i)
      if (result_of[i] >= 0) c.ct_in[i] = out[std::size_t(result_of[i])];
  }

  static constexpr void batch(auto& c, const auto& p) {
    std::vector<aval> types = detail::types_of(c.x);
    std::vector<int> dims;
    const jaxpr_ref body = detail::build_body(types, detail::axes_of(c.x), [&](view<const array> in) {
      std::vector<array> outs;
      for (const batched& y : batch_jaxpr(*p.body, {}, in, c.dims, c.size, c.axis)) {
        outs.push_back(y.value);
        dims.push_back(y.dim);
      }
      return outs;
    });
    const array_list out = bind_list<P>(p.with(body), location{}, c.x);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], dims[i]});
  }

  /// The sizes are operands of the masked body, before its arguments.
  static constexpr void mask(auto& c, const auto& p) {
    c.reads_sizes = true;
    const jaxpr_ref twin = decode<std::remove_cvref_t<decltype(p)>>(c.twin).body;
    const detail::masked_body m = detail::mask_body(c.scope, *p.body, *twin, 0, c.dims, detail::axes_of(c.x));
    if (!m.complete(*p.body)) return;
    const array_list out = bind_list<P>(p.with(m.body), location{}, detail::with_names(c.scope, c.x, 0));
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], m.dims[i]});
  }
};

}  // namespace jacquard
