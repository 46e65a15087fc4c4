#pragma once
// The transpose of a scan whose body is linear in some of its inputs: a scan that runs the other way, carries cotangents along and sums those of
// constants. Carries that are known, such as a counter, run forwards before. Deliberately not the linear scan itself, which control/scan makes.

#include "jacquard/control/unread_results.hpp"
#include "jacquard/transforms/transpose.hpp"

namespace jacquard::detail {

/// A template, as the primitive it binds is declared after it.
template <class Scan>
struct backward_scan {
  using params = typename Scan::params;

  static constexpr void transpose(auto& c, const params& p) {
    const axis_binding* axes = axes_of(c.ct);
    backward b;
    for (const array& x : c.x) b.linear.push_back(x.is_none());
    for (const array& ct : c.ct) b.seeds.push_back(!ct.is_none());
    mark_linear_carries(p, b.linear);
    for (std::size_t i = p.consts(); i < p.stacked(); ++i)
      if (!b.linear[i]) return transpose_linear_part(c, p, b.linear, axes);
    b.sums.resize(p.consts(), false);
    // Cotangents of carries go around until no further one becomes non-zero.
    for (bool changed = true; changed;) {
      changed = false;
      trace_backward(b, p, axes);
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (b.found[p.consts() + i] && !b.seeds[i]) b.seeds[i] = changed = true;
    }
    for (std::size_t i = 0; i < p.consts(); ++i) b.sums[i] = b.found[i];
    bind_backward(c, b, p, axes);
  }

 private:
  /// A linear scan's way back. By operand: is linear, gets a cotangent; by constant: its cotangents are summed; by output:
  /// has a cotangent.
  struct backward {
    std::vector<char> linear, found, sums, seeds;
    jaxpr_ref body;
  };
  /// Inputs of the backward body: known constants, sums and cotangents of carries, known elements, cotangents of outputs.
  static constexpr void each_backward(const backward& b, const params& p, auto&& known, auto&& sum, auto&& cotangent) {
    for (std::size_t i = 0; i < p.consts(); ++i)
      if (!b.linear[i]) known(i);
    for (std::size_t i = 0; i < p.consts(); ++i)
      if (b.sums[i]) sum(i);
    for (std::size_t i = 0; i < p.carries(); ++i)
      if (b.seeds[i]) cotangent(i);
    for (std::size_t i = p.stacked(); i < b.linear.size(); ++i)
      if (!b.linear[i]) known(i);
    for (std::size_t i = p.carries(); i < b.seeds.size(); ++i)
      if (b.seeds[i]) cotangent(i);
  }
  static constexpr void trace_backward(auto& b, const params& p, const axis_binding* axes) {
    b = remembered("transpose of scan", [&] { return traced_backward(b, p, axes); }, p.body, axes, p.consts(), p.carries(), b.linear, b.sums, b.seeds);
  }
  static constexpr backward traced_backward(auto b, const params& p, const axis_binding* axes) {
    std::vector<aval> types;
    const auto type_of_operand = [&](std::size_t i) { types.push_back(p.type_in_body(i)); };
    each_backward(b, p, type_of_operand, type_of_operand,
                  [&](std::size_t i) { types.push_back(p.body->type_of(p.body->outvars[i])); });
    b.body = build_tidy_body(types, axes, [&](view<const array> in) {
      std::vector<array> x(b.linear.size()), sums(b.linear.size()), ct(b.seeds.size()), outs;
      std::size_t next = 0;
      each_backward(b, p, [&](std::size_t i) { x[i] = in[next++]; }, [&](std::size_t i) { sums[i] = in[next++]; },
                    [&](std::size_t i) { ct[i] = in[next++]; });
      const std::vector<array> back = transpose_jaxpr(*p.body, {}, x, b.linear, ct, view<array>(sums));
      b.found.clear();
      for (const array& y : back) b.found.push_back(!y.is_none());
      for (std::size_t i = 0; i < p.consts(); ++i)
        if (b.sums[i]) outs.push_back(add_tangents(sums[i], back[i]));
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (b.seeds[i]) outs.push_back(instantiate(back[p.consts() + i], p.type_in_body(p.consts() + i)));
      for (std::size_t i = p.stacked(); i < back.size(); ++i)
        if (b.found[i]) outs.push_back(back[i]);
      return outs;
    });
    return b;
  }
  static constexpr void bind_backward(auto& c, backward& b, const params& p, const axis_binding* axes) {
    trace_backward(b, p, axes);
    std::vector<array> operands;
    each_backward(b, p, [&](std::size_t i) { operands.push_back(c.x[i]); },
                  [&](std::size_t i) {
                    operands.push_back(c.take_sum(i));
                    if (operands.back().is_none()) operands.back() = lax::zeros(p.type_in_body(i));
                  },
                  [&](std::size_t i) {
                    operands.push_back(c.ct[i]);
                    if (i < p.carries()) operands.back() = instantiate(c.ct[i], p.type_in_body(p.consts() + i));
                  });
    std::size_t constants = 0;
    for (std::size_t i = 0; i < p.consts(); ++i) constants += b.linear[i] ? 0 : 1;
    params q = p.with(b.body, constants, marked(b.sums, 0, p.consts()) + marked(b.seeds, 0, p.carries()));
    q.reverse = !p.reverse;
    const array_list out = bind_list<Scan>(q, location{}, operands);
    std::size_t next = 0;
    const auto give = [&](std::size_t i) {
      if (c.x[i].is_none()) c.ct_in[i] = out[next];
      ++next;
    };
    for (std::size_t i = 0; i < p.consts(); ++i)
      if (b.sums[i]) give(i);
    for (std::size_t i = 0; i < p.carries(); ++i)
      if (b.seeds[i]) give(p.consts() + i);
    for (std::size_t i = p.stacked(); i < b.found.size(); ++i)
      if (b.found[i]) give(i);
  }

  /// Adds the carries that depend on linear operands in some trip.
  static constexpr void mark_linear_carries(const params& p, std::vector<char>& linear) {
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<char> depends = dependents(*p.body, linear);
      for (std::size_t i = 0; i < p.carries(); ++i) {
        const atom a = p.body->outvars[i];
        if (!a.is_literal() && depends[a.index()] && !linear[p.consts() + i]) linear[p.consts() + i] = changed = true;
      }
    }
  }
  /// What of a body depends on linear inputs: equations, and the results that matter; and the variables between the others and
  /// these.
  struct linear_part {
    std::vector<char> equations, others;
    std::vector<std::size_t> results;
    std::vector<variable> between;
  };
  static constexpr linear_part find_linear_part(const params& p, const std::vector<char>& linear) {
    const jaxpr& b = *p.body;
    const std::vector<char> depends = dependents(b, linear);
    std::vector<char> read(b.avals.size(), false);
    linear_part r;
    for (const equation& e : b.equations) {
      bool any = false;
      for (variable v : b.outputs(e)) any = any || depends[v];
      r.equations.push_back(any);
      r.others.push_back(!any);
      for (atom a : b.inputs(e))
        if (any && !a.is_literal() && !depends[a.index()]) read[a.index()] = true;
    }
    for (std::size_t i = 0; i < b.outvars.size(); ++i) {
      const atom a = b.outvars[i];
      if (i < p.carries() ? !linear[p.consts() + i] : a.is_literal() || !depends[a.index()]) continue;
      r.results.push_back(i);
      if (!a.is_literal() && !depends[a.index()]) read[a.index()] = true;
    }
    for (std::size_t i = 0; i < b.invars.size(); ++i)
      if (i < p.consts() || i >= p.stacked()) read[b.invars[i]] = false;  // operands are there already
    for (variable v = 0; v < read.size(); ++v)
      if (read[v]) r.between.push_back(v);
    return r;
  }
  /// A scan of which some carries are known, such as a counter: those run first, and what the others read of them is
  /// stacked; then the linear rest is transposed.
  static constexpr void transpose_linear_part(auto& c, const params& p, const std::vector<char>& linear, const axis_binding* axes) {
    const jaxpr& b = *p.body;
    const linear_part part = find_linear_part(p, linear);
    const array_list known = run_known_part(c, p, linear, part.others, part.between, axes);
    std::vector<std::size_t> kept;
    std::vector<aval> types, in_types;
    std::vector<array> x, ct, sums;
    for (std::size_t i = 0; i < b.invars.size(); ++i) {
      const bool carry = i >= p.consts() && i < p.stacked();
      if (carry && !linear[i]) continue;
      kept.push_back(i), types.push_back(p.type_in_body(i)), in_types.push_back(c.in[i]), x.push_back(c.x[i]), sums.push_back(c.sum(i));
      if (carry) x.back() = {};  // those that become linear after their start are transposed like the others
    }
    for (std::size_t k = 0; k < part.between.size(); ++k) {
      types.push_back(b.avals[part.between[k]]), x.push_back(known[known.size() - part.between.size() + k]);
      in_types.push_back(x.back().aval()), sums.emplace_back();
    }
    for (std::size_t i : part.results) ct.push_back(c.ct[i]);
    const jaxpr_ref body = remembered("linear part of scan", [&] {
      return build_body(types, axes, [&](view<const array> in) {
        environment env(b, {}, {});
        std::size_t next = 0;
        for (std::size_t i : kept) env.write(b.invars[i], in[next++]);
        for (variable v : part.between) env.write(v, in[next++]);
        eval_equations(b, env, part.equations);
        std::vector<array> outs;
        for (std::size_t i : part.results) outs.push_back(env.read(b.outvars[i]));
        return outs;
      });
    }, p.body, axes, p.consts(), p.carries(), linear);
    const params q = p.with(body, p.consts(), marked(linear, p.consts(), p.stacked()));
    std::vector<array> ct_in(x.size());
    const param_pack words = encode(q);
    transpose_call inner{x, in_types, ct, ct_in, words, sums};
    transpose(inner, q);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (sums[i].is_none()) c.take_sum(kept[i]);
      if (c.x[kept[i]].is_none()) c.ct_in[kept[i]] = ct_in[i];
    }
  }
  static constexpr array_list run_known_part(auto& c, const params& p, const std::vector<char>& linear, const std::vector<char>& equations,
                                             const std::vector<variable>& between, const axis_binding* axes) {
    const jaxpr& b = *p.body;
    std::vector<array> operands;
    std::vector<aval> types;
    std::vector<variable> inputs;
    for (std::size_t i = 0; i < b.invars.size(); ++i) {
      if (linear[i]) continue;
      operands.push_back(c.x[i]);
      types.push_back(p.type_in_body(i));
      inputs.push_back(b.invars[i]);
    }
    const std::size_t constants = p.consts() - marked(linear, 0, p.consts());
    const std::size_t carried = p.carries() - marked(linear, p.consts(), p.stacked());
    const jaxpr_ref body = build_tidy_body(types, axes, [&](view<const array> in) {
      environment env(b, {}, {});
      for (std::size_t i = 0; i < inputs.size(); ++i) env.write(inputs[i], in[i]);
      eval_equations(b, env, equations);
      std::vector<array> outs;
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (!linear[p.consts() + i]) outs.push_back(env.read(b.outvars[i]));
      for (variable v : between) outs.push_back(env.read(atom::of_variable(v)));
      return outs;
    });
    return bind_list<Scan>(p.with(body, constants, carried), location{}, operands);
  }
};

}  // namespace jacquard::detail
