#pragma once
// cond: runs one of several bodies, chosen by an index. Every transform of a cond is a cond of transformed bodies, unless
// the index itself is mapped: then all bodies run and each example takes the results of its own. control/branches has the
// functions users call.

#include "jacquard/control/masked_body.hpp"
#include "jacquard/control/meant_examples.hpp"
#include "jacquard/control/unread_results.hpp"
#include "jacquard/core/control_form.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/core/pack.hpp"
#include "jacquard/prims/reduce_logical.hpp"
#include "jacquard/prims/stop_gradient.hpp"

namespace jacquard {

/// Body number index, clamped, applied to the other operands.
/// Shapes  index: i32 []; all bodies take the other operands and return the same types.
/// Rules   each is a cond of the bodies'; tangents, residuals and cotangents that one body has and another lacks are zeros in
///         the latter. A mapped index selects among the results of all bodies, whose operands are cut off from the
///         derivative where they were not chosen, so that no NaN comes from there; a body that may not end gets, for examples that
///         did not choose it, the operands of one that did. mask: the bodies', which must return the
///         same sizes; trim: results that nobody reads go, and operands that are for these alone.
/// Cost    that of the body taken; of all bodies where the index is mapped.
struct cond_p {
  static constexpr std::string_view name = "cond";
  struct params {
    list<jaxpr_ref> branches;
    static constexpr std::string_view fields = "branches";
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    if (p.branches.empty()) return void(c.fail(error_kind::value, ": Empty branch sequence; pass at least one branch"));
    if (c.in[0].type != i32 || c.in[0].rank() != 0)
      return void(c.fail(error_kind::type, ": got an index of type ", c.in[0], ", wanted i32[]"));
    const jaxpr& first = *p.branches[0];
    for (const jaxpr_ref& b : p.branches) {
      if (b->invars.size() + 1 != c.in.size() || b->outvars.size() != first.outvars.size())
        return void(c.fail(error_kind::type, ": got ", c.in.size() - 1, " operands and ", first.outvars.size(), " results for a branch of ",
                           b->invars.size(), " operands and ", b->outvars.size(), " results"));
      for (std::size_t i = 0; i < b->invars.size(); ++i)
        if (!same_type(c.in[i + 1], b->avals[b->invars[i]]))
          return void(c.fail(error_kind::type, ": operand ", i, " is ", c.in[i + 1], ", wanted ", b->avals[b->invars[i]]));
      for (std::size_t i = 0; i < b->outvars.size(); ++i)
        if (!same_type(b->type_of(b->outvars[i]), first.type_of(first.outvars[i])))
          return void(c.fail(error_kind::type, ": result ", i, " is ", b->type_of(b->outvars[i]), " of one branch and ",
                             first.type_of(first.outvars[i]), " of another"));
    }
    for (atom a : first.outvars) c.outputs.push_back(first.type_of(a));
  }

  /// That of the dearest branch.
  static constexpr void cost(auto& c, const params& p) {
    c.cost = {};
    for (std::size_t i = 0; i < p.branches.size(); ++i) {
      const program_cost branch = c.body(i);
      c.cost.flops = branch.flops > c.cost.flops ? branch.flops : c.cost.flops;
      c.cost.bytes_accessed = branch.bytes_accessed > c.cost.bytes_accessed ? branch.bytes_accessed : c.cost.bytes_accessed;
      c.cost.counted = c.cost.counted && branch.counted;
    }
  }
  static void evaluate(auto& c, const params& p) {
    std::vector<array> out = c.run(c.context, p.branches[chosen_body(static_cast<std::int32_t>(c.in[0]), p.branches.size())], {c.in.begin() + 1, c.in.end()});
    for (std::size_t i = 0; i < out.size(); ++i) c.out[i] = std::move(out[i]);
  }

  static control_form control(const params&) { return {control_form::kind::choice}; }
  static void place(placed_call& c) {
    c.run(c.context, chosen_body(*static_cast<const std::int32_t*>(c.in[0]), c.params.sub_count), c.in.begin() + 1, c.out.begin());
  }

  /// The branch of the compile-time lane. Across vector lanes, the branches that any lane takes.
  template <class Frame>
  static constexpr void run_static(const Frame& f) {
    const auto index = get<0>(f.operands)[0];
    [&]<std::size_t... B, std::size_t... K>(std::index_sequence<B...> branches, std::index_sequence<K...>) {
      const auto in = detail::packed(get<K + 1>(f.operands)...);
      constexpr std::size_t last = sizeof...(B) - 1;
      if constexpr (std::is_integral_v<std::remove_const_t<decltype(index)>>) {
        const auto taken = [&](std::size_t b) { return b == last || index <= std::int32_t(b); };  // asked in order
        static_cast<void>(((taken(B) && (Frame::template run<B>(in, f.results), true)) || ...));
      } else run_in_lanes(f, index, in, branches, std::make_index_sequence<Frame::outputs>{});
    }(std::make_index_sequence<Frame::bodies>{}, std::make_index_sequence<Frame::inputs - 1>{});
  }

  static constexpr void joint_jvp(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.x);
    std::vector<array> operands(c.x.begin(), c.x.end());
    std::vector<char> nonzero(c.x.size(), false);
    for (std::size_t i = 1; i < c.x.size(); ++i)
      if (!c.t[i].is_none() && is_inexact(c.x[i].dtype())) {
        nonzero[i] = true;
        operands.push_back(c.t[i]);
      }
    const std::vector<aval> types = in_body(operands);
    const transformed_branches t = detail::remembered("jvp of cond", [&] { return with_tangents(p, types, axes, nonzero, c.y.size()); }, p.branches, axes, types, nonzero);
    const array_list out = bind_list<cond_p>(params{t.branches}, location{}, operands);
    std::size_t next = c.y.size();
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      c.y[i] = out[i];
      if (t.found[i]) c.ty[i] = out[next++];
    }
  }

  /// Splits the cond into one that also returns the residuals and a linear one that takes them. Branches share the places of
  /// residuals of one type.
  static constexpr void linearize(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.x);
    const std::vector<char> nonzero = detail::tangent_flags(c.x, c.t), in_branch(nonzero.begin() + 1, nonzero.end());
    std::vector<detail::linearized_body> lin;
    residual_places places;
    for (const jaxpr_ref& b : p.branches) {
      lin.push_back(detail::linearize_body(b, axes, in_branch));
      places.add(lin.back(), c.y.size());
    }
    params known;
    for (std::size_t b = 0; b < lin.size(); ++b) known.branches.push_back(places.known_branch(lin[b], b, c.y.size(), axes));
    const array_list out = bind_list<cond_p>(known, location{}, c.x);
    std::vector<array> operands{c.x[0]};
    for (std::size_t i = 0; i < c.y.size(); ++i) c.y[i] = out[i];
    for (std::size_t i = 0; i < places.types.size(); ++i) operands.push_back(out[c.y.size() + i]);
    for (std::size_t k : places.operands) operands.push_back(c.x[k + 1]);
    for (std::size_t i = 1; i < c.x.size(); ++i)
      if (nonzero[i]) operands.push_back(c.t[i]);
    std::vector<char> results(c.y.size(), false);
    bool any = false;
    for (const detail::linearized_body& l : lin)
      for (std::size_t i = 0; i < results.size(); ++i)
        if (l.tangent_of[i] >= 0) results[i] = any = true;
    if (!any) return;
    params linear;
    const std::vector<aval> types = in_body(operands);
    const std::size_t residuals = places.types.size() + places.operands.size();
    for (std::size_t b = 0; b < lin.size(); ++b)
      linear.branches.push_back(detail::build_tidy_body(types, axes, [&](view<const array> in) {
        const std::vector<array> ty = lin[b].tangents(places.residuals(b, in), in.subspan(residuals));
        std::vector<array> outs;
        for (std::size_t i = 0; i < results.size(); ++i)
          if (results[i]) outs.push_back(detail::instantiate(ty[i], p.branches[b]->type_of(p.branches[b]->outvars[i])));
        return outs;
      }));
    const array_list tangents = bind_list<cond_p>(linear, location{}, operands);
    std::size_t next = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]) c.ty[i] = tangents[next++];
  }

  static constexpr void transpose(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.ct);
    std::vector<array> operands{c.x[0]};  // the index, known operands, cotangents
    std::vector<char> linear;
    for (std::size_t i = 1; i < c.x.size(); ++i) {
      linear.push_back(c.x[i].is_none());
      if (!linear.back()) operands.push_back(c.x[i]);
    }
    for (const array& ct : c.ct)
      if (!ct.is_none()) operands.push_back(ct);
    std::vector<char> seeds;
    for (const array& ct : c.ct) seeds.push_back(!ct.is_none());
    const std::vector<aval> types = in_body(operands);
    const transformed_branches t = detail::remembered("transpose of cond", [&] { return turned_back(p, types, axes, linear, seeds); }, p.branches, axes, types, linear, seeds);
    const array_list out = bind_list<cond_p>(params{t.branches}, location{}, operands);
    std::size_t next = 0;
    for (std::size_t i = 0; i < linear.size(); ++i)
      if (t.found[i]) c.ct_in[i + 1] = out[next++];
  }

  static constexpr void batch(auto& c, const params& p) {
    if (c.dims[0] != not_mapped) return batch_all_branches(c, p);
    const axis_binding* axes = detail::axes_of(c.x);
    const std::vector<aval> types = in_body(c.x);
    const transformed_branches t = detail::remembered("batch of cond", [&] { return for_examples(c, p, types, axes); }, p.branches, axes, types, c.dims, c.size, c.axis);
    const array_list out = bind_list<cond_p>(params{t.branches}, location{}, c.x);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], t.found[i] ? 0 : not_mapped});
  }

  static constexpr void trim(auto& c, const params& p) { detail::trim_cond(c, p); }
  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    const params twin = decode<params>(c.twin);
    params q;
    list<dimension_list> dims;
    for (std::size_t b = 0; b < p.branches.size(); ++b) {
      const jaxpr& branch = *p.branches[b];
      const detail::masked_body m = detail::mask_body(c.scope, branch, *twin.branches[b], 0, c.dims.subspan(1), detail::axes_of(c.x));
      if (!m.complete(branch)) return;
      if (b == 0) dims = m.dims;
      if (const error_record e = detail::dims_problem("result", m.dims, dims, cat("in branch ", b, " of a cond").view(), "in the first"))
        return c.scope.fail(e);
      q.branches.push_back(m.body);
    }
    const array_list out = bind_list<cond_p>(q, location{}, detail::with_names(c.scope, c.x, 1));
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], dims[i]});
  }

 private:
  /// The types of operands after the index.
  static constexpr std::vector<aval> in_body(view<const array> operands) { return detail::types_of(operands.subspan(1)); }

  /// Bodies, and by result or operand whether it has a tangent, a cotangent or a mapped dimension in any of them.
  struct transformed_branches {
    list<jaxpr_ref> branches;
    std::vector<char> found;
  };
  /// trace(branch, inputs, found) for each branch; it adds to what is found and returns outputs for that. Branches that were traced before another one
  /// found more are traced again.
  template <class Trace>
  static constexpr transformed_branches traced_alike(const params& p, view<const aval> types, const axis_binding* axes, std::size_t count, const Trace& trace) {
    transformed_branches r{{}, std::vector<char>(count, false)};
    const auto traced = [&](const jaxpr_ref& b) {
      return detail::build_tidy_body(types, axes, [&](view<const array> in) { return trace(*b, in, r.found); });
    };
    std::vector<std::vector<char>> found_then;
    for (const jaxpr_ref& b : p.branches) {
      r.branches.push_back(traced(b));
      found_then.push_back(r.found);
    }
    for (std::size_t b = 0; b < found_then.size(); ++b)
      if (found_then[b] != r.found) r.branches[b] = traced(p.branches[b]);
    return r;
  }
  template <class Array = array>
  static constexpr transformed_branches with_tangents(const params& p, view<const aval> types, const axis_binding* axes, const std::vector<char>& nonzero,
                                                      std::size_t results) {
    return traced_alike(p, types, axes, results, [&](const jaxpr& b, view<const array> in, std::vector<char>& found) {
      std::vector<array> t(nonzero.size() - 1);
      std::size_t next = t.size();
      for (std::size_t i = 0; i < t.size(); ++i)
        if (nonzero[i + 1]) t[i] = in[next++];
      const jvp_values y = jvp_jaxpr<Array>(b, {}, in.first(t.size()), t);
      std::vector<array> outs = y.primals;
      for (std::size_t i = 0; i < results; ++i) {
        found[i] = found[i] || !y.tangents[i].is_none();
        if (found[i]) outs.push_back(detail::instantiate(y.tangents[i], b.type_of(b.outvars[i])));
      }
      return outs;
    });
  }
  template <class Array = array>
  static constexpr transformed_branches turned_back(const params& p, view<const aval> types, const axis_binding* axes, const std::vector<char>& linear,
                                                    const std::vector<char>& seeds) {
    return traced_alike(p, types, axes, linear.size(), [&](const jaxpr& b, view<const array> in, std::vector<char>& found) {
      std::vector<array> x(linear.size()), ct(seeds.size()), outs;
      std::size_t next = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!linear[i]) x[i] = in[next++];
      for (std::size_t i = 0; i < ct.size(); ++i)
        if (seeds[i]) ct[i] = in[next++];
      const std::vector<array> back = transpose_jaxpr<Array>(b, {}, x, linear, ct);
      for (std::size_t i = 0; i < back.size(); ++i) {
        found[i] = found[i] || !back[i].is_none();
        if (found[i]) outs.push_back(detail::instantiate(back[i], b.avals[b.invars[i]]));
      }
      return outs;
    });
  }
  static constexpr transformed_branches for_examples(const auto& c, const params& p, view<const aval> types, const axis_binding* axes) {
    return traced_alike(p, types, axes, p.branches[0]->outvars.size(), [&](const jaxpr& b, view<const array> in, std::vector<char>& found) {
      std::vector<array> outs;
      for (const batched& y : batch_jaxpr(b, {}, in, c.dims.subspan(1), c.size, c.axis)) {
        const std::size_t i = outs.size();
        found[i] = found[i] || y.dim != not_mapped;
        outs.push_back(y.value);
        if (found[i]) outs.back() = detail::batch_materialise(y.value, y.dim, c.size);
      }
      return outs;
    });
  }

  /// Where the residuals of branches lie: in places that branches share, or among the operands.
  struct residual_places {
    std::vector<aval> types;
    std::vector<std::size_t> operands;             ///< those that are residuals of some branch
    std::vector<std::vector<std::size_t>> places;  ///< by branch and residual: a place, or types.size() + n for operands[n]
    std::vector<std::vector<int>> operand_of;      ///< by branch and residual: the operand it is, or -1

    constexpr void add(const auto& l, std::size_t outputs) {
      const jaxpr& known = *l.known;
      std::vector<char> taken_by_this(types.size(), false);
      places.emplace_back();
      operand_of.emplace_back();
      for (std::size_t r = outputs; r < known.outvars.size(); ++r) {
        const atom a = known.outvars[r];
        int operand = -1;
        for (std::size_t k = 0; k < known.invars.size() && !a.is_literal(); ++k)
          if (known.invars[k] == a.index()) operand = int(k);
        operand_of.back().push_back(operand);
        std::size_t at = 0;
        if (operand >= 0) {
          while (at < operands.size() && operands[at] != std::size_t(operand)) ++at;
          if (at == operands.size()) operands.push_back(std::size_t(operand));
        } else {
          while (at < types.size() && (taken_by_this[at] || !(types[at] == known.type_of(a)))) ++at;
          if (at == types.size()) types.push_back(known.type_of(a)), taken_by_this.push_back(false);
          taken_by_this[at] = true;
        }
        places.back().push_back(at);
      }
    }
    /// The known body of a branch, with zeros in the places it does not use.
    constexpr jaxpr_ref known_branch(const auto& l, std::size_t branch, std::size_t outputs,
                                     const axis_binding* axes) const {
      return detail::build_tidy_body(detail::invar_types(*l.known), axes, [&](view<const array> in) {
        const std::vector<array> y = eval_jaxpr(*l.known, {}, in);
        std::vector<array> outs(y.begin(), y.begin() + std::ptrdiff_t(outputs));
        for (const aval& a : types) outs.push_back(lax::zeros(a));
        for (std::size_t r = 0; r < places[branch].size(); ++r)
          if (operand_of[branch][r] < 0) outs[outputs + places[branch][r]] = y[outputs + r];
        return outs;
      });
    }
    /// The residuals of a branch among the inputs of a linear body.
    constexpr std::vector<array> residuals(std::size_t branch, const auto& in) const {
      std::vector<array> r;
      for (std::size_t k = 0; k < places[branch].size(); ++k)
        r.push_back(in[places[branch][k] + (operand_of[branch][k] < 0 ? 0 : types.size())]);
      return r;
    }
  };

  /// Each lane takes the results of its own branch.
  template <class Frame, class Index, class In, std::size_t... B, std::size_t... K>
  static void run_in_lanes(const Frame& f, const Index& index, const In& in, std::index_sequence<B...>, std::index_sequence<K...>) {
    const Index taken = Index::max(Index(0), Index::min(index, Index(std::int32_t(sizeof...(B)) - 1)));  // as chosen_body
    detail::pack<typename Frame::template room<0, K>...> chosen{};
    ([&] {
      const auto where = taken == Index(std::int32_t(B));
      if (!Frame::any(where)) return;
      detail::pack<typename Frame::template room<0, K>...> own;
      Frame::template run_where<B>(where, in, detail::packed(get<K>(own).data()...));
      (Frame::copy_where(where, get<K>(own), get<K>(chosen)), ...);
    }(), ...);
    (detail::copy_from(get<K>(chosen), get<K>(f.results)), ...);
  }
  /// Each example takes the results of its own branch.
  static constexpr void batch_all_branches(auto& c, const params& p) {
    for (const jaxpr_ref& b : p.branches)
      if (detail::acts(*b))
        return detail::fail_in_rule(c.x, make_error(error_kind::not_implemented, "IO effect not supported in vmap-of-cond. All branches would run for "
                                                    "all examples; call the function outside the branches, or show values with jq::debug::callback"));
    const array index = detail::batch_to_front(c.x[0], c.dims[0]);
    std::vector<array> x;
    for (std::size_t i = 1; i < c.x.size(); ++i) x.push_back(detail::batch_materialise(c.x[i], c.dims[i], c.size));
    const std::vector<int> dims(x.size(), 0);
    std::vector<std::vector<array>> results(p.branches[0]->outvars.size());
    const std::int32_t last = std::int32_t(p.branches.size()) - 1;
    for (std::int32_t b = 0; b <= last; ++b) {
      array chosen = lax::eq(index, array(b));
      if (b == 0) chosen = lax::le(index, array(b));
      if (b == last) chosen = lax::ge(index, array(b));
      const jaxpr& branch = *p.branches[std::size_t(b)];
      const bool only_meant = detail::may_not_end(branch);
      std::vector<array> safe;
      for (const array& operand : x) {
        safe.push_back(operand);
        if (only_meant) safe.back() = detail::of_meant_examples(operand, 0, chosen);
        if (is_inexact(operand.dtype())) safe.back() = lax::select(spread(chosen, operand.shape()), operand, lax::stop_gradient(safe.back()));
      }
      const auto run = [&](view<const array> in) {
        std::vector<array> outs;
        for (const batched& y : batch_jaxpr(branch, {}, in, dims, c.size, c.axis)) outs.push_back(detail::batch_materialise(y.value, y.dim, c.size));
        return outs;
      };
      std::vector<array> own;
      if (only_meant) own = run_if_any(chosen, safe, run);
      else own = run(safe);
      for (std::size_t i = 0; i < own.size(); ++i) results[i].push_back(own[i]);
    }
    for (const std::vector<array>& cases : results)
      c.outputs.push_back({lax::select_n(spread(index, cases[0].shape()), cases), 0});
  }
  /// The results of `run` if any example chose it, else zeros: then there is no example that it is meant for.
  static constexpr std::vector<array> run_if_any(const auto& chosen, const std::vector<array>& operands, const auto& run) {
    const axis_binding* axes = detail::axes_of(view<const array>(operands.data(), operands.size()));
    const std::vector<aval> types = detail::types_of(view<const array>(operands.data(), operands.size()));
    params q;
    q.branches.push_back({});
    q.branches.push_back(detail::build_tidy_body(types, axes, run));
    q.branches[0] = detail::build_tidy_body(types, axes, [&](view<const array>) {
      std::vector<array> zeros;
      for (atom a : q.branches[1]->outvars) zeros.push_back(lax::zeros(q.branches[1]->type_of(a)));
      return zeros;
    });
    std::vector<array> in{lax::convert_element_type(lax::reduce_or(chosen, {0}), i32)};
    in.insert(in.end(), operands.begin(), operands.end());
    const array_list out = bind_list<cond_p>(q, location{}, in);
    return {out.begin(), out.end()};
  }
  /// One value per example, along all other dimensions.
  static constexpr array spread(const auto& x, const shape& dims) { return lax::broadcast_in_dim(x, dims, {0}); }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&cond_p::joint_jvp<joint_call>), static_cast<void>(&cond_p::linearize<joint_call>),
               static_cast<void>(&cond_p::transpose<transpose_call>), static_cast<void>(&cond_p::batch<batch_call>),
               static_cast<void>(&cond_p::mask<mask_call>), static_cast<void>(&cond_p::trim<trim_call>), true));
#endif

}  // namespace jacquard
