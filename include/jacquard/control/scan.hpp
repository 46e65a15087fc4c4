#pragma once
// scan: a loop with a known number of trips that carries values along, reads one element of each stacked operand a trip and
// stacks what it computes. Every transform of a scan is a scan of the transformed body; what the derivative needs of the
// loop is stacked, or taken out of it where it is the same in every trip. control/loops has the functions users call.

#include "jacquard/control/fewest_residuals.hpp"
#include "jacquard/control/loop_invariants.hpp"
#include "jacquard/control/masked_loop.hpp"
#include "jacquard/control/placed_loop.hpp"
#include "jacquard/control/unread_results.hpp"
#include "jacquard/core/pack.hpp"

namespace jacquard {

/// Runs `body` length times on constants, carried values and one element of each stacked operand.
/// Shapes  operands: constants, carries, stacked [length, ...]; results: carries, stacked [length, ...]; the body maps
///         constants, carries and elements to carries and elements.
/// Rules   each is a scan of the body's: jvp carries tangents for those carries that get one; linearize stacks the fewest residuals
///         and computes what is the same in every trip outside; transpose runs backwards and sums the cotangents of constants;
///         batch maps the carries that become mapped; mask freezes the carries in the padding, see ragged_loop; trim: carries and
///         stacked results that nobody needs go.
/// Cost    length times that of the body. The derivative's memory: length times its residuals.
struct scan_p {
  static constexpr std::string_view name = "scan";
  struct params {
    jaxpr_ref body;
    std::int64_t length = 0, num_consts = 0, num_carry = 0;
    bool reverse = false;
    std::int64_t unroll = 1;  ///< a hint for backends: trips laid out one after the other
    static constexpr std::string_view fields = "jaxpr length num_consts num_carry reverse unroll";

    constexpr std::size_t consts() const { return std::size_t(num_consts); }
    constexpr std::size_t carries() const { return std::size_t(num_carry); }
    /// Position of the first stacked operand.
    constexpr std::size_t stacked() const { return consts() + carries(); }
    constexpr aval type_in_body(std::size_t operand) const { return body->avals[body->invars[operand]]; }
    constexpr params with(jaxpr_ref other, std::size_t constants, std::size_t carried) const {
      return {std::move(other), length, std::int64_t(constants), std::int64_t(carried), reverse, unroll};
    }
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    const jaxpr& b = *p.body;
    if (c.in.size() != b.invars.size() || c.in.size() < p.stacked() || b.outvars.size() < p.carries()) {
      c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", b.invars.size());
      return;
    }
    for (std::size_t i = 0; i < c.in.size(); ++i) {
      const aval wanted = i < p.stacked() ? p.type_in_body(i) : detail::stacked_type_of(p.type_in_body(i), p.length);
      if (!same_type(c.in[i], wanted)) return void(c.fail(error_kind::type, ": operand ", i, " is ", c.in[i], ", wanted ", wanted));
    }
    for (std::size_t i = 0; i < b.outvars.size(); ++i) {
      const aval out = b.type_of(b.outvars[i]);
      if (i >= p.carries()) {
        c.outputs.push_back(detail::stacked_type_of(out, p.length));
        continue;
      }
      const aval in = p.type_in_body(p.consts() + i);
      if (!same_type(in, out)) return void(c.fail(error_kind::type, ": carry ", i, " is ", in, " before a trip and ", out, " after it"));
      c.outputs.push_back(in);
    }
  }

  static constexpr void cost(auto& c, const params& p) { c.cost = double(p.length) * c.body(0); }
  static void evaluate(auto& c, const params& p) {
    const jaxpr& b = *p.body;
    const bool copy = b.effects != 0;  // the host may keep what it is shown
    const array* first = c.in.begin();
    std::vector<array> carry(first + p.consts(), first + p.stacked());
    for (std::size_t i = p.carries(); i < c.out.size(); ++i)
      c.out[i] = array(make_buffer(detail::stacked_type_of(b.type_of(b.outvars[i]), p.length)));
    for (std::int64_t n = 0; n < p.length; ++n) {
      const std::int64_t at = p.reverse ? p.length - 1 - n : n;
      std::vector<array> in;
      in.reserve(c.in.size());
      in.insert(in.end(), first, first + p.consts());
      for (array& x : carry) in.push_back(std::move(x));
      for (std::size_t i = p.stacked(); i < c.in.size(); ++i) in.push_back(detail::element_at(c.in[i], at, copy));
      std::vector<array> out = c.run(c.context, p.body, std::move(in));
      for (std::size_t i = 0; i < p.carries(); ++i) carry[i] = std::move(out[i]);
      for (std::size_t i = p.carries(); i < out.size(); ++i) {
        const buffer& to = *c.out[i].as_buffer();
        const std::int64_t size = detail::element_type_of(to.type).bytes();
        detail::write_elements(out[i], static_cast<char*>(to.data) + at * size);
      }
    }
    for (std::size_t i = 0; i < p.carries(); ++i) c.out[i] = detail::kept(std::move(carry[i]));
  }

  static control_form control(const params& p) {
    return {control_form::kind::counted_loop, 0, 0, p.consts(), p.carries(), p.length, p.reverse};
  }
  static void place(auto& c, const params& p) { detail::place_scan(c, p); }

  /// The loop of the compile-time lane: over typed elements, with one instance of the body.
  template <class Frame>
  static constexpr void run_static(const Frame& f) {
    constexpr std::int64_t length = Frame::parameters().length;
    constexpr bool backwards = Frame::parameters().reverse;
    constexpr std::size_t consts = Frame::parameters().consts(), carries = Frame::parameters().carries(), first = consts + carries;
    [&]<std::size_t... C, std::size_t... K, std::size_t... X, std::size_t... Y>(
        std::index_sequence<C...>, std::index_sequence<K...>, std::index_sequence<X...>, std::index_sequence<Y...>) {
      detail::pack<typename Frame::template room<0, K>...> carry{}, next{};
      (detail::copy_to(get<consts + K>(f.operands), get<K>(carry)), ...);
      for (std::int64_t n = 0; n < length; ++n) {
        [[maybe_unused]] const std::size_t at = std::size_t(backwards ? length - 1 - n : n);
        Frame::template run<0>(detail::packed(get<C>(f.operands)..., get<K>(carry).data()...,
                                               (get<first + X>(f.operands) + at * Frame::template operand_size<0, first + X>)...),
                               detail::packed(get<K>(next).data()...,
                                               (get<carries + Y>(f.results) + at * Frame::template result_size<0, carries + Y>)...));
        carry = next;
      }
      (detail::copy_from(get<K>(carry), get<K>(f.results)), ...);
    }(std::make_index_sequence<consts>{}, std::make_index_sequence<carries>{}, std::make_index_sequence<Frame::inputs - first>{},
      std::make_index_sequence<Frame::outputs - carries>{});
  }

  static constexpr void joint_jvp(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.x);
    const std::vector<char> nonzero =
        detail::tangent_fixpoint(*p.body, axes, detail::tangent_flags(c.x, c.t), p.consts(), p.carries());
    std::vector<array> operands;
    std::vector<aval> types;
    each_section(p, nonzero, [&](std::size_t i, bool tangent) {
      operands.push_back(c.x[i]);
      if (tangent) operands.back() = detail::instantiate(c.t[i], c.x[i].aval());
      types.push_back(p.type_in_body(i));
    });
    std::vector<char> results;  // by output: has a tangent
    const jaxpr_ref body = detail::build_tidy_body(types, axes, [&](view<const array> in) {
      std::vector<array> x(c.x.size()), t(c.x.size()), outs;
      std::size_t next = 0;
      each_section(p, nonzero, [&](std::size_t i, bool tangent) { (tangent ? t : x)[i] = in[next++]; });
      const jvp_values r = jvp_jaxpr(*p.body, {}, x, t);
      results = result_flags(p, nonzero, r.tangents);
      each_result(p, results, [&](std::size_t i, bool tangent) {
        outs.push_back(r.primals[i]);
        if (tangent) outs.back() = detail::instantiate(r.tangents[i], r.primals[i].aval());
      });
      return outs;
    });
    const std::size_t constants = p.consts() + detail::marked(nonzero, 0, p.consts());
    const std::size_t carried = p.carries() + detail::marked(nonzero, p.consts(), p.stacked());
    const array_list out = bind_list<scan_p>(p.with(body, constants, carried), location{}, operands);
    std::size_t next = 0;
    each_result(p, results, [&](std::size_t i, bool tangent) { (tangent ? c.ty : c.y)[i] = out[next++]; });
  }

  /// Splits the scan into one that also stacks the residuals and a linear one that takes them.
  static constexpr void linearize(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.x);
    const std::vector<char> nonzero =
        detail::tangent_fixpoint(*p.body, axes, detail::tangent_flags(c.x, c.t), p.consts(), p.carries());
    const detail::linearized_body all = detail::linearize_body(*p.body, axes, nonzero), lin = detail::with_fewest_residuals(all, p.consts(), p.carries(), axes);
    const detail::invariant_loop loop = detail::take_out_invariants(lin.known, p.consts(), p.carries(), lin.tangent_of.size(), c.x, axes);
    std::vector<array> operands = loop.constants;
    operands.insert(operands.end(), c.x.begin() + p.consts(), c.x.end());
    const array_list out = bind_list<scan_p>(p.with(loop.body, loop.constants.size(), p.carries()), location{}, operands);
    for (std::size_t i = 0; i < c.y.size(); ++i) c.y[i] = out[i];
    bind_linear(c, p, lin, loop, out, nonzero, axes);
  }

  static constexpr void transpose(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.ct);
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

  static constexpr void batch(auto& c, const params& p) {
    std::vector<int> dims(c.dims.begin(), c.dims.end()), results;
    for (std::size_t i = p.consts(); i < dims.size(); ++i)
      if (dims[i] != not_mapped) dims[i] = 0;  // within the body
    jaxpr_ref body = batched_body(c, p, dims, results);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (results[i] != dims[p.consts() + i]) dims[p.consts() + i] = 0, changed = true;
      if (changed) body = batched_body(c, p, dims, results);
    }
    std::vector<array> operands;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      operands.push_back(c.x[i]);
      if (i < p.consts() || dims[i] == not_mapped) continue;
      if (i < p.stacked()) operands.back() = detail::batch_materialise(c.x[i], c.dims[i], c.size);
      else operands.back() = detail::move_axis(c.x[i], c.dims[i], 1);
    }
    const array_list out = bind_list<scan_p>(p.with(body, p.consts(), p.carries()), location{}, operands);
    for (std::size_t i = 0; i < out.size(); ++i)
      c.outputs.push_back({out[i], results[i] == not_mapped ? not_mapped : i < p.carries() ? 0 : 1});
  }

  static constexpr void mask(auto& c, const params& p) { detail::mask_scan<scan_p>(c, p); }
  static constexpr void trim(auto& c, const params& p) { detail::trim_scan(c, p); }

 private:
  /// Visits the operands of the jvp: within constants, carries and stacked ones, primals and then tangents.
  static constexpr void each_section(const params& p, const std::vector<char>& nonzero, auto&& visit) {
    const std::size_t ends[] = {p.consts(), p.stacked(), nonzero.size()};
    for (std::size_t k = 0, from = 0; k < 3; from = ends[k++]) {
      for (std::size_t i = from; i < ends[k]; ++i) visit(i, false);
      for (std::size_t i = from; i < ends[k]; ++i)
        if (nonzero[i]) visit(i, true);
    }
  }
  /// The same for its results.
  static constexpr void each_result(const params& p, const std::vector<char>& nonzero, auto&& visit) {
    const std::size_t ends[] = {p.carries(), nonzero.size()};
    for (std::size_t k = 0, from = 0; k < 2; from = ends[k++]) {
      for (std::size_t i = from; i < ends[k]; ++i) visit(i, false);
      for (std::size_t i = from; i < ends[k]; ++i)
        if (nonzero[i]) visit(i, true);
    }
  }
  static constexpr std::vector<char> result_flags(const params& p, const std::vector<char>& nonzero, view<const array> tangents) {
    std::vector<char> r;
    for (std::size_t i = 0; i < tangents.size(); ++i)
      r.push_back(i < p.carries() ? nonzero[p.consts() + i] != 0 : !tangents[i].is_none());
    return r;
  }

  /// The body with inputs mapped along `dims`. `results` says which of its results are, along their first dimension; carries
  /// that come in mapped go out so.
  static constexpr jaxpr_ref batched_body(const auto& c, const params& p, const std::vector<int>& dims, std::vector<int>& results) {
    std::vector<aval> types;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      types.push_back(p.type_in_body(i));
      if (dims[i] != not_mapped) types[i].dims = shape(types[i].dims.with(dims[i], c.size));
    }
    return detail::build_tidy_body(types, detail::axes_of(c.x), [&](view<const array> in) {
      std::vector<array> outs;
      results.clear();
      for (const batched& y : batch_jaxpr(*p.body, {}, in, dims, c.size, c.axis)) {
        const std::size_t i = outs.size();
        const bool mapped = y.dim != not_mapped || (i < p.carries() && dims[p.consts() + i] != not_mapped);
        results.push_back(mapped ? 0 : not_mapped);
        outs.push_back(y.value);
        if (mapped) outs.back() = detail::batch_materialise(y.value, y.dim, c.size);
      }
      return outs;
    });
  }

  /// Runs the linear half of a linearized scan on the tangents.
  static constexpr void bind_linear(auto& c, const params& p, const detail::linearized_body& lin,
                                    const detail::invariant_loop& loop, const array_list& known,
                                    const std::vector<char>& nonzero, const axis_binding* axes) {
    using source = detail::loop_residual;
    // Operands: residuals that are the same in every trip, tangents of constants and of carries, the other residuals,
    // tangents of stacked operands.
    std::vector<array> operands;
    std::vector<aval> types;
    const auto visit = [&](auto&& residual, auto&& tangent) {
      for (std::size_t r = 0; r < loop.residuals.size(); ++r)
        if (loop.residuals[r].from == source::constant) residual(r);
      for (std::size_t i = 0; i < p.stacked(); ++i)
        if (nonzero[i]) tangent(i);
      for (std::size_t r = 0; r < loop.residuals.size(); ++r)
        if (loop.residuals[r].from != source::constant) residual(r);
      for (std::size_t i = p.stacked(); i < nonzero.size(); ++i)
        if (nonzero[i]) tangent(i);
    };
    visit(
        [&](std::size_t r) {
          const source& from = loop.residuals[r];
          if (from.from == source::constant) operands.push_back(from.value);
          else if (from.from == source::operand) operands.push_back(c.x[from.at]);
          else operands.push_back(known[from.at]);
          types.push_back(lin.linear.avals[lin.linear.constvars[r]]);
        },
        [&](std::size_t i) {
          operands.push_back(detail::instantiate(c.t[i], c.x[i].aval()));
          types.push_back(p.type_in_body(i));
        });
    std::vector<char> results;
    const jaxpr_ref body = detail::build_tidy_body(types, axes, [&](view<const array> in) {
      std::vector<array> residuals(loop.residuals.size()), t, outs;
      std::size_t next = 0;
      visit([&](std::size_t r) { residuals[r] = in[next++]; }, [&](std::size_t) { t.push_back(in[next++]); });
      const std::vector<array> ty = lin.tangents(residuals, t);
      results = result_flags(p, nonzero, ty);
      for (std::size_t i = 0; i < ty.size(); ++i)
        if (results[i]) outs.push_back(detail::instantiate(ty[i], p.body->type_of(p.body->outvars[i])));
      return outs;
    });
    std::size_t constants = detail::marked(nonzero, 0, p.consts());
    for (const source& r : loop.residuals) constants += r.from == source::constant ? 1 : 0;
    const std::size_t carried = detail::marked(nonzero, p.consts(), p.stacked());
    if (detail::marked(results, 0, results.size()) == 0) return;
    const array_list out = bind_list<scan_p>(p.with(body, constants, carried), location{}, operands);
    std::size_t next = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]) c.ty[i] = out[next++];
  }

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
    std::vector<aval> types;
    const auto type_of_operand = [&](std::size_t i) { types.push_back(p.type_in_body(i)); };
    each_backward(b, p, type_of_operand, type_of_operand,
                  [&](std::size_t i) { types.push_back(p.body->type_of(p.body->outvars[i])); });
    b.body = detail::build_tidy_body(types, axes, [&](view<const array> in) {
      std::vector<array> x(b.linear.size()), sums(b.linear.size()), ct(b.seeds.size()), outs;
      std::size_t next = 0;
      each_backward(b, p, [&](std::size_t i) { x[i] = in[next++]; }, [&](std::size_t i) { sums[i] = in[next++]; },
                    [&](std::size_t i) { ct[i] = in[next++]; });
      const std::vector<array> back = transpose_jaxpr(*p.body, {}, x, b.linear, ct, view<array>(sums));
      b.found.clear();
      for (const array& y : back) b.found.push_back(!y.is_none());
      for (std::size_t i = 0; i < p.consts(); ++i)
        if (b.sums[i]) outs.push_back(detail::add_tangents(sums[i], back[i]));
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (b.seeds[i]) outs.push_back(detail::instantiate(back[p.consts() + i], p.type_in_body(p.consts() + i)));
      for (std::size_t i = p.stacked(); i < back.size(); ++i)
        if (b.found[i]) outs.push_back(back[i]);
      return outs;
    });
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
                    if (i < p.carries()) operands.back() = detail::instantiate(c.ct[i], p.type_in_body(p.consts() + i));
                  });
    std::size_t constants = 0;
    for (std::size_t i = 0; i < p.consts(); ++i) constants += b.linear[i] ? 0 : 1;
    params q = p.with(b.body, constants, detail::marked(b.sums, 0, p.consts()) + detail::marked(b.seeds, 0, p.carries()));
    q.reverse = !p.reverse;
    const array_list out = bind_list<scan_p>(q, location{}, operands);
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
      const std::vector<char> depends = detail::dependents(*p.body, linear);
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
    const std::vector<char> depends = detail::dependents(b, linear);
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
    const jaxpr_ref body = detail::build_body(types, axes, [&](view<const array> in) {
      environment env(b, {}, {});
      std::size_t next = 0;
      for (std::size_t i : kept) env.write(b.invars[i], in[next++]);
      for (variable v : part.between) env.write(v, in[next++]);
      detail::eval_equations(b, env, part.equations);
      std::vector<array> outs;
      for (std::size_t i : part.results) outs.push_back(env.read(b.outvars[i]));
      return outs;
    });
    const params q = p.with(body, p.consts(), detail::marked(linear, p.consts(), p.stacked()));
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
    const std::size_t constants = p.consts() - detail::marked(linear, 0, p.consts());
    const std::size_t carried = p.carries() - detail::marked(linear, p.consts(), p.stacked());
    const jaxpr_ref body = detail::build_tidy_body(types, axes, [&](view<const array> in) {
      environment env(b, {}, {});
      for (std::size_t i = 0; i < inputs.size(); ++i) env.write(inputs[i], in[i]);
      detail::eval_equations(b, env, equations);
      std::vector<array> outs;
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (!linear[p.consts() + i]) outs.push_back(env.read(b.outvars[i]));
      for (variable v : between) outs.push_back(env.read(atom::of_variable(v)));
      return outs;
    });
    return bind_list<scan_p>(p.with(body, constants, carried), location{}, operands);
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&scan_p::joint_jvp<joint_call>), static_cast<void>(&scan_p::linearize<joint_call>),
               static_cast<void>(&scan_p::transpose<transpose_call>), static_cast<void>(&scan_p::batch<batch_call>),
               static_cast<void>(&scan_p::mask<mask_call>), static_cast<void>(&scan_p::trim<trim_call>), true));
#endif

}  // namespace jacquard
