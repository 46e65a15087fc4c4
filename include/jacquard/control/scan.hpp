#pragma once
// scan: a loop with a known number of trips that carries values along, reads one element of each stacked operand a trip and
// stacks what it computes. Every transform of a scan is a scan of the transformed body; what the derivative needs of the
// loop is stacked, or taken out of it where it is the same in every trip. control/loops has the functions users call.

#include "jacquard/control/backward_scan.hpp"
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
        detail::tangent_fixpoint(p.body, axes, detail::tangent_flags(c.x, c.t), p.consts(), p.carries());
    std::vector<array> operands;
    each_section(p, nonzero, [&](std::size_t i, bool tangent) {
      operands.push_back(c.x[i]);
      if (tangent) operands.back() = detail::instantiate(c.t[i], c.x[i].aval());
    });
    const transformed_body t =
        detail::remembered("jvp of scan", [&] { return body_with_tangents(p, nonzero, axes); }, p.body, axes, nonzero, p.consts(), p.carries());
    const std::size_t constants = p.consts() + detail::marked(nonzero, 0, p.consts());
    const std::size_t carried = p.carries() + detail::marked(nonzero, p.consts(), p.stacked());
    const array_list out = bind_list<scan_p>(p.with(t.body, constants, carried), location{}, operands);
    std::size_t next = 0;
    each_result(p, t.results, [&](std::size_t i, bool tangent) { (tangent ? c.ty : c.y)[i] = out[next++]; });
  }

  /// Splits the scan into one that also stacks the residuals and a linear one that takes them.
  static constexpr void linearize(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.x);
    const std::vector<char> nonzero =
        detail::tangent_fixpoint(p.body, axes, detail::tangent_flags(c.x, c.t), p.consts(), p.carries());
    const detail::linearized_body all = detail::linearize_body(p.body, axes, nonzero), lin = detail::with_fewest_residuals(all, p.consts(), p.carries(), axes);
    const detail::invariant_loop loop = detail::take_out_invariants(lin.known, p.consts(), p.carries(), lin.tangent_of.size(), c.x, axes);
    std::vector<array> operands = loop.constants;
    operands.insert(operands.end(), c.x.begin() + p.consts(), c.x.end());
    const array_list out = bind_list<scan_p>(p.with(loop.body, loop.constants.size(), p.carries()), location{}, operands);
    for (std::size_t i = 0; i < c.y.size(); ++i) c.y[i] = out[i];
    bind_linear(c, p, lin, loop, out, nonzero, axes);
  }

  static constexpr void transpose(auto& c, const params& p) { detail::backward_scan<scan_p>::transpose(c, p); }

  static constexpr void batch(auto& c, const params& p) {
    std::vector<int> dims(c.dims.begin(), c.dims.end());
    for (std::size_t i = p.consts(); i < dims.size(); ++i)
      if (dims[i] != not_mapped) dims[i] = 0;  // within the body
    transformed_body mapped = batched_body(c, p, dims);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < p.carries(); ++i)
        if (mapped.results[i] && dims[p.consts() + i] == not_mapped) dims[p.consts() + i] = 0, changed = true;
      if (changed) mapped = batched_body(c, p, dims);
    }
    std::vector<array> operands;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
      operands.push_back(c.x[i]);
      if (i < p.consts() || dims[i] == not_mapped) continue;
      if (i < p.stacked()) operands.back() = detail::batch_materialise(c.x[i], c.dims[i], c.size);
      else operands.back() = detail::move_axis(c.x[i], c.dims[i], 1);
    }
    const array_list out = bind_list<scan_p>(p.with(mapped.body, p.consts(), p.carries()), location{}, operands);
    for (std::size_t i = 0; i < out.size(); ++i)
      c.outputs.push_back({out[i], !mapped.results[i] ? not_mapped : i < p.carries() ? 0 : 1});
  }

  static constexpr void mask(auto& c, const params& p) { detail::mask_scan<scan_p>(c, p); }
  static constexpr void trim(auto& c, const params& p) { detail::trim_scan(c, p); }

 private:
  /// A body, and by output of the loop: whether it has a tangent, or is mapped.
  struct transformed_body {
    jaxpr_ref body;
    std::vector<char> results;
  };
  /// The body of the jvp.
  template <class Array = array>
  static constexpr transformed_body body_with_tangents(const params& p, const std::vector<char>& nonzero, const axis_binding* axes) {
    transformed_body r;
    std::vector<aval> types;
    each_section(p, nonzero, [&](std::size_t i, bool) { types.push_back(p.type_in_body(i)); });
    r.body = detail::build_tidy_body(types, axes, [&](view<const array> in) {
      std::vector<array> x(nonzero.size()), t(nonzero.size()), outs;
      std::size_t next = 0;
      each_section(p, nonzero, [&](std::size_t i, bool tangent) { (tangent ? t : x)[i] = in[next++]; });
      const jvp_values y = jvp_jaxpr<Array>(*p.body, {}, x, t);
      r.results = result_flags(p, nonzero, y.tangents);
      each_result(p, r.results, [&](std::size_t i, bool tangent) {
        outs.push_back(y.primals[i]);
        if (tangent) outs.back() = detail::instantiate(y.tangents[i], y.primals[i].aval());
      });
      return outs;
    });
    return r;
  }
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

  /// The body with inputs mapped along `dims`; results are along their first dimension, and carries that come in mapped go out so.
  static constexpr transformed_body batched_body(const auto& c, const params& p, const std::vector<int>& dims) {
    const axis_binding* axes = detail::axes_of(c.x);
    return detail::remembered("batch of scan", [&] { return traced_for_examples(c, p, dims); }, p.body, axes, dims, c.size, c.axis, p.consts(), p.carries());
  }
  static constexpr transformed_body traced_for_examples(const auto& c, const params& p, const std::vector<int>& dims) {
    transformed_body r;
    std::vector<aval> types;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      types.push_back(p.type_in_body(i));
      if (dims[i] != not_mapped) types[i].dims = shape(types[i].dims.with(dims[i], c.size));
    }
    r.body = detail::build_tidy_body(types, detail::axes_of(c.x), [&](view<const array> in) {
      std::vector<array> outs;
      for (const batched& y : batch_jaxpr(*p.body, {}, in, dims, c.size, c.axis)) {
        const std::size_t i = outs.size();
        r.results.push_back(y.dim != not_mapped || (i < p.carries() && dims[p.consts() + i] != not_mapped));
        outs.push_back(y.value);
        if (r.results.back()) outs.back() = detail::batch_materialise(y.value, y.dim, c.size);
      }
      return outs;
    });
    return r;
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
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&scan_p::joint_jvp<joint_call>), static_cast<void>(&scan_p::linearize<joint_call>),
               static_cast<void>(&scan_p::transpose<transpose_call>), static_cast<void>(&scan_p::batch<batch_call>),
               static_cast<void>(&scan_p::mask<mask_call>), static_cast<void>(&scan_p::trim<trim_call>), true));
#endif

}  // namespace jacquard
