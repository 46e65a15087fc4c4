#pragma once
// call: a nested jit. Its body is a closed jaxpr without constvars; every transform of a call is a call of the transformed
// body. Deliberately no recursion and no sharing of bodies between different calls.

#include "jacquard/transforms/batch.hpp"
#include "jacquard/transforms/transpose.hpp"

namespace jacquard {

namespace detail {

/// Builds a body: a staging trace with inputs of the given types, closed over nothing.
template <class F>
constexpr jaxpr_ref build_body(view<const aval> types, const axis_binding* axes, F&& f) {
  trace_scope t(trace::purpose::staging, nullptr);
  t->name = "call";
  t->axes = axes;
  std::vector<array> inputs;
  for (const aval& a : types) inputs.push_back(t->input(a));
  t.enter();
  const std::vector<array> outs = f(view<const array>(inputs));
  return t->finish(outs).program;
}

}  // namespace detail

/// The body applied to the operands.
/// Rules   every rule is the rule of the body.
struct call_p {
  static constexpr std::string_view name = "call";
  struct params {
    jaxpr_ref body;
    name_text name;
    static constexpr std::string_view fields = "jaxpr name";
  };
  static constexpr bool inlinable = true;

  static constexpr void abstract_eval(inference& c, const params& p) {
    const jaxpr& b = *p.body;
    if (c.in.size() != b.invars.size()) {
      c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", b.invars.size());
      return;
    }
    for (std::size_t i = 0; i < c.in.size(); ++i)
      if (!same_type(c.in[i], b.avals[b.invars[i]])) {
        c.fail(error_kind::type, ": operand ", i, " is ", c.in[i], ", wanted ", b.avals[b.invars[i]]);
        return;
      }
    for (atom a : b.outvars) c.outputs.push_back(b.type_of(a));
  }

  static void evaluate(evaluate_call& c, const params& p) {
    const std::vector<array> out = c.run(c.context, p.body, c.in);
    for (std::size_t i = 0; i < out.size(); ++i) c.out[i] = out[i];
  }

  static constexpr void joint_jvp(auto& c, const params& p) {
    std::vector<array> operands(c.x.begin(), c.x.end());
    for (const array& t : c.t)
      if (!t.is_none()) operands.push_back(t);
    std::vector<char> nonzero;
    const jaxpr_ref body = detail::build_body(avals(operands), axes(operands), [&](view<const array> in) {
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
    const array_list out = bind_list<call_p>({body, p.name}, location{}, operands);
    std::size_t next = c.y.size();
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      c.y[i] = out[i];
      if (nonzero[i]) c.ty[i] = out[next++];
    }
  }

  /// Splits the call into one that also returns the residuals and a linear one that takes them.
  static constexpr void linearize(auto& c, const params& p) {
    std::vector<char> differentiate;
    for (const array& t : c.t) differentiate.push_back(!t.is_none());
    linearized lin;
    std::vector<std::size_t> residual_at;  // by constant of the linear program: output of the known call
    const std::size_t outputs = c.y.size();
    const jaxpr_ref known = detail::build_body(avals(c.x), axes(c.x), [&](view<const array> in) {
      lin = linearize_jaxpr(*p.body, {}, in, differentiate);
      std::vector<array> outs = lin.primals;
      for (const array& r : lin.program.constants) {
        residual_at.push_back(outs.size());
        outs.push_back(r);
      }
      lin.primals.clear();
      lin.program.constants.clear();
      return outs;
    });
    const array_list out = bind_list<call_p>({known, p.name}, location{}, c.x);
    for (std::size_t i = 0; i < outputs; ++i) c.y[i] = out[i];
    jaxpr linear = *lin.program.program;
    linear.invars.insert(linear.invars.begin(), linear.constvars.begin(), linear.constvars.end());
    linear.constvars.clear();
    std::vector<array> operands;
    for (std::size_t at : residual_at) operands.push_back(out[at]);
    for (std::size_t i = 0; i < c.t.size(); ++i)
      if (!c.t[i].is_none() && is_inexact(c.x[i].dtype())) operands.push_back(c.t[i]);
    if (linear.outvars.empty()) return;
    const array_list tangents = bind_list<call_p>({jaxpr_ref(std::move(linear)), p.name}, location{}, operands);
    for (std::size_t i = 0; i < outputs; ++i)
      if (lin.tangent_of[i] >= 0) c.ty[i] = tangents[std::size_t(lin.tangent_of[i])];
  }

  static constexpr void transpose(auto& c, const params& p) {
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
    const jaxpr_ref body = detail::build_body(avals(operands), axes(operands), [&](view<const array> in) {
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
    const array_list out = bind_list<call_p>({body, p.name}, location{}, operands);
    for (std::size_t i = 0; i < c.x.size(); ++i)
      if (result_of[i] >= 0) c.ct_in[i] = out[std::size_t(result_of[i])];
  }

  static constexpr void batch(auto& c, const params& p) {
    std::vector<aval> types = avals(c.x);
    std::vector<int> dims;
    const jaxpr_ref body = detail::build_body(types, axes(c.x), [&](view<const array> in) {
      std::vector<array> outs;
      for (const batched& y : batch_jaxpr(*p.body, {}, in, c.dims, c.size, c.axis)) {
        outs.push_back(y.value);
        dims.push_back(y.dim);
      }
      return outs;
    });
    const array_list out = bind_list<call_p>({body, p.name}, location{}, c.x);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], dims[i]});
  }

  /// The sizes are operands of the masked body, before its arguments.
  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    const jaxpr_ref twin = decode<params>(c.twin).body;
    std::vector<array> operands = c.scope.name_values();
    const std::size_t names = operands.size();
    operands.insert(operands.end(), c.x.begin(), c.x.end());
    std::vector<dimension_list> dims;
    const jaxpr_ref body = detail::build_body(avals(operands), axes(operands), [&](view<const array> in) {
      std::vector<array> outs;
      for (const masked& y : c.scope.evaluate(*p.body, *twin, in.first(names), in.subspan(names), c.dims)) {
        outs.push_back(y.value);
        dims.push_back(y.dims);
      }
      return outs;
    });
    const array_list out = bind_list<call_p>({body, p.name}, location{}, operands);
    for (std::size_t i = 0; i < dims.size(); ++i) c.outputs.push_back({out[i], dims[i]});
  }

 private:
  static constexpr std::vector<aval> avals(view<const array> x) {
    std::vector<aval> r;
    for (const array& a : x) r.push_back(a.aval());
    return r;
  }
  /// Mapped axes in scope where the operands live.
  static constexpr const axis_binding* axes(view<const array> x) {
    const trace* t = detail::trace_of(x);
    return t ? t->axes : nullptr;
  }
};

#if defined(__clang__)
// The rules bind call_p within its own class, before they are complete; see add_any in prims/add.
static_assert((static_cast<void>(&call_p::joint_jvp<joint_call>), static_cast<void>(&call_p::linearize<joint_call>),
               static_cast<void>(&call_p::transpose<transpose_call>), static_cast<void>(&call_p::batch<batch_call>), static_cast<void>(&call_p::mask<mask_call>), true));
#endif

}  // namespace jacquard
