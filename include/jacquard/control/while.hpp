#pragma once
// while: runs a body as long as a condition on the carried values holds. How often is not known before, so that nothing can be
// stacked: it has no reverse mode. control/loops has the functions users call.

#include "jacquard/control/masked_body.hpp"
#include "jacquard/control/meant_examples.hpp"
#include "jacquard/control/placed_loop.hpp"
#include "jacquard/control/unread_results.hpp"
#include "jacquard/core/pack.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/reduce_logical.hpp"

namespace jacquard {

namespace detail {

/// Visits the operands of a while's jvp but those of the condition: within constants and carries, primals and then tangents.
/// Not a member of while_p, which clang would compile too late for constant evaluation.
constexpr void each_while_section(std::size_t of_body, const std::vector<char>& nonzero, auto&& visit) {
  const std::size_t ends[] = {of_body, nonzero.size()};
  for (std::size_t k = 0, from = 0; k < 2; from = ends[k++]) {
    for (std::size_t i = from; i < ends[k]; ++i) visit(i, false);
    for (std::size_t i = from; i < ends[k]; ++i)
      if (nonzero[i]) visit(i, true);
  }
}

}  // namespace detail

/// carry = body(carry) while condition(carry), from the operands on.
/// Shapes  operands: constants of the condition, constants of the body, carries; results: carries. The condition maps its
///         constants and carries to bool [], the body its constants and carries to carries.
/// Rules   jvp: carries tangents along for those carries that get one; linearize: the same loop again with tangents, when the
///         linear function is applied; transpose: none, there is no reverse mode; batch: with a mapped condition the loop runs
///         until all examples are done, and those that are keep their values (a body that may not end computes with
///         an example that goes on in place of them); mask: the condition's and the body's, whose
///         carries keep their sizes, and no trips within an empty loop; trim: carries that neither the condition nor anybody else needs go.
/// Cost    that of the condition and the body, trips times.
struct while_p {
  static constexpr std::string_view name = "while";
  static constexpr bool unbounded = true;
  struct params {
    jaxpr_ref condition, body;
    std::int64_t cond_nconsts = 0, body_nconsts = 0;
    static constexpr std::string_view fields = "cond_jaxpr body_jaxpr cond_nconsts body_nconsts";

    constexpr std::size_t of_condition() const { return std::size_t(cond_nconsts); }
    constexpr std::size_t of_body() const { return std::size_t(body_nconsts); }
    /// Position of the first carry among the operands.
    constexpr std::size_t first_carry() const { return of_condition() + of_body(); }
    constexpr std::size_t carries() const { return body->outvars.size(); }
  };

  static constexpr void abstract_eval(inference& c, const params& p) {
    const jaxpr &condition = *p.condition, &b = *p.body;
    if (c.in.size() != p.first_carry() + p.carries() || b.invars.size() != p.of_body() + p.carries() ||
        condition.invars.size() != p.of_condition() + p.carries())
      return void(c.fail(error_kind::type, ": got ", c.in.size(), " operands, wanted ", p.first_carry() + p.carries()));
    if (condition.outvars.size() != 1 || !same_type(condition.type_of(condition.outvars[0]), aval(bool_, {})))
      return void(c.fail(error_kind::type, ": the condition must return bool[]"));
    for (std::size_t i = 0; i < c.in.size(); ++i) {
      const aval wanted = i < p.of_condition() ? condition.avals[condition.invars[i]] : b.avals[b.invars[i - p.of_condition()]];
      if (!same_type(c.in[i], wanted)) return void(c.fail(error_kind::type, ": operand ", i, " is ", c.in[i], ", wanted ", wanted));
    }
    for (std::size_t i = 0; i < p.carries(); ++i) {
      const aval in = b.avals[b.invars[p.of_body() + i]], out = b.type_of(b.outvars[i]),
                 seen = condition.avals[condition.invars[p.of_condition() + i]];
      if (!same_type(in, out) || !same_type(in, seen))
        return void(c.fail(error_kind::type, ": carry ", i, " is ", in, " before a trip, ", out, " after it and ", seen, " for the condition"));
      c.outputs.push_back(in);
    }
  }

  static constexpr void cost(auto& c, const params&) {  // of one trip
    c.cost = c.body(0);
    c.cost += c.body(1);
    c.cost.counted = false;
  }
  static void evaluate(auto& c, const params& p) {
    const array* first = c.in.begin();
    const std::vector<array> condition(first, first + p.of_condition()), body(first + p.of_condition(), first + p.first_carry());
    std::vector<array> carry(first + p.first_carry(), c.in.end());
    while (true) {
      std::vector<array> in = condition;
      in.insert(in.end(), carry.begin(), carry.end());
      if (!static_cast<bool>(c.run(c.context, p.condition, std::move(in))[0])) break;
      in = body;
      for (array& x : carry) in.push_back(std::move(x));
      carry = c.run(c.context, p.body, std::move(in));
    }
    for (std::size_t i = 0; i < carry.size(); ++i) c.out[i] = std::move(carry[i]);
  }

  static control_form control(const params& p) {
    return {control_form::kind::conditional_loop, 1, p.of_condition(), p.of_body(), p.carries(), 0, false,
            std::int64_t(detail::buffer_alignment)};
  }
  static void place(auto& c, const params& p) { detail::place_while(c, p); }

  /// The loop of the compile-time lane: over typed elements, with one instance of the condition and of the body. Across vector lanes it
  /// runs until none goes on, and those that are done keep their values.
  template <class Frame>
  static constexpr void run_static(const Frame& f) {
    constexpr std::size_t of_condition = Frame::parameters().of_condition(), of_body = Frame::parameters().of_body();
    [&]<std::size_t... C, std::size_t... B, std::size_t... K>(std::index_sequence<C...>, std::index_sequence<B...>, std::index_sequence<K...>) {
      detail::pack<typename Frame::template room<1, K>...> carry{}, next{};
      (detail::copy_to(get<of_condition + of_body + K>(f.operands), get<K>(carry)), ...);
      typename Frame::template room<0, 0> goes_on{};
      while (true) {
        Frame::template run<0>(detail::packed(get<C>(f.operands)..., get<K>(carry).data()...), detail::packed(goes_on.data()));
        if (!Frame::any(goes_on[0])) break;
        Frame::template run_where<1>(goes_on[0], detail::packed(get<of_condition + B>(f.operands)..., get<K>(carry).data()...),
                                     detail::packed(get<K>(next).data()...));
        (Frame::copy_where(goes_on[0], get<K>(next), get<K>(carry)), ...);
      }
      (detail::copy_from(get<K>(carry), get<K>(f.results)), ...);
    }(std::make_index_sequence<of_condition>{}, std::make_index_sequence<of_body>{}, std::make_index_sequence<Frame::outputs>{});
  }

  static constexpr void joint_jvp(auto& c, const params& p) {
    const axis_binding* axes = detail::axes_of(c.x);
    const view<const array> x = c.x.subspan(p.of_condition()), t = c.t.subspan(p.of_condition());
    const std::vector<char> nonzero =
        detail::tangent_fixpoint(p.body, axes, detail::tangent_flags(x, t), p.of_body(), p.carries());
    // Operands: constants of the condition; of the body with their tangents; carries with their tangents.
    std::vector<array> operands(c.x.begin(), c.x.begin() + p.of_condition());
    detail::each_while_section(p.of_body(), nonzero, [&](std::size_t i, bool tangent) {
      operands.push_back(x[i]);
      if (tangent) operands.back() = detail::instantiate(t[i], x[i].aval());
    });
    std::size_t constants = p.of_body();
    for (std::size_t i = 0; i < p.of_body(); ++i) constants += nonzero[i] ? 1 : 0;
    std::vector<aval> types;
    detail::each_while_section(p.of_body(), nonzero, [&](std::size_t i, bool) { types.push_back(p.body->avals[p.body->invars[i]]); });
    params q = p;
    q.body_nconsts = std::int64_t(constants);
    q.body = detail::remembered("jvp of while", [&] {
      return detail::build_tidy_body(types, axes, [&](view<const array> in) {
        std::vector<array> primals(x.size()), tangents(x.size());
        std::size_t next = 0;
        detail::each_while_section(p.of_body(), nonzero, [&](std::size_t i, bool tangent) { (tangent ? tangents : primals)[i] = in[next++]; });
        const jvp_values r = jvp_jaxpr(*p.body, {}, primals, tangents);
        std::vector<array> outs = r.primals;
        for (std::size_t i = 0; i < p.carries(); ++i)
          if (nonzero[p.of_body() + i]) outs.push_back(detail::instantiate(r.tangents[i], r.primals[i].aval()));
        return outs;
      });
    }, p.body, axes, nonzero, p.of_body());
    std::vector<aval> seen = detail::invar_types(*p.condition);
    seen.insert(seen.end(), types.begin() + std::ptrdiff_t(constants + p.carries()), types.end());
    q.condition = detail::build_body(seen, axes, [&](view<const array> in) {
      return eval_jaxpr(*p.condition, {}, in.first(p.condition->invars.size()));
    });
    const array_list out = bind_list<while_p>(q, location{}, operands);
    std::size_t next = p.carries();
    for (std::size_t i = 0; i < p.carries(); ++i) {
      c.y[i] = out[i];
      if (nonzero[p.of_body() + i]) c.ty[i] = out[next++];
    }
  }

  /// The loop, and in the linear program the loop of its jvp.
  static constexpr void linearize(auto& c, const params& p) {
    const array_list y = bind_list<while_p>(p, location{}, c.x);
    std::vector<array> again(y.size());
    joint_call inner{c.x, c.t, again, c.ty, c.params};
    joint_jvp(inner, p);
    for (std::size_t i = 0; i < y.size(); ++i) c.y[i] = y[i];
  }

  static constexpr void transpose(auto& c, const params&) {
    detail::fail_in_rule(c.all(), make_error(error_kind::value, "Reverse-mode differentiation does not work for lax::while_loop or lax::fori_loop with "
                                    "dynamic start/stop values. Try using lax::scan, or using fori_loop with static start/stop."));
  }

  static constexpr void batch(auto& c, const params& p) {
    mapped_loop m{p, c.size, c.axis, detail::axes_of(c.x), {c.dims.begin(), c.dims.end()}, {c.x.begin(), c.x.end()}};
    m.find_mapped_carries();
    for (std::size_t i = p.first_carry(); i < m.dims.size(); ++i)
      if (m.dims[i] != not_mapped) m.operands[i] = detail::batch_materialise(c.x[i], c.dims[i], c.size);
    if (m.mapped_condition) return is_for_examples(p) ? batch_with_more(c, m) : batch_until_all_done(c, m);
    params q = p;
    const list<jaxpr_ref> mapped = m.remembered("batch of while", [&] {
      return list<jaxpr_ref>{detail::build_tidy_body(m.of_condition(m.types()), m.axes, [&](view<const array> in) { return std::vector{m.run_condition(in).value}; }),
                             detail::build_tidy_body(m.of_body(m.types()), m.axes, [&](view<const array> in) { return m.run_body(in); })};
    });
    q.condition = mapped[0], q.body = mapped[1];
    const array_list out = bind_list<while_p>(q, location{}, m.operands);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], m.dims[p.first_carry() + i]});
  }

  static constexpr void trim(auto& c, const params& p) { detail::trim_while(c, p); }
  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    const params twin = decode<params>(c.twin);
    const axis_binding* axes = detail::axes_of(c.x);
    list<dimension_list> seen(c.dims.begin(), c.dims.begin() + p.cond_nconsts);
    seen.append(c.dims.begin() + std::ptrdiff_t(p.first_carry()), c.dims.end());
    const detail::masked_body condition = detail::mask_body(c.scope, *p.condition, *twin.condition, 0, seen, axes);
    if (!condition.complete(*p.condition)) return;
    const detail::masked_body body = detail::mask_body(c.scope, *p.body, *twin.body, 0, c.dims.subspan(p.of_condition()), axes);
    if (!body.complete(*p.body)) return;
    if (const error_record e = detail::dims_problem("carry", body.dims, c.dims.subspan(p.first_carry()), "after a trip of a while_loop", "before it"))
      return c.scope.fail(e);
    const std::vector<array> of_condition = detail::with_names(c.scope, c.x, 0);
    const std::int64_t names = std::int64_t(of_condition.size() - c.x.size());
    std::vector<array> operands = detail::with_names(c.scope, of_condition, std::size_t(names) + p.of_condition());
    params q{condition.body, body.body, names + p.cond_nconsts, names + p.body_nconsts};
    const array runs = c.scope.loops_run();
    if (!runs.is_none()) {
      operands.insert(operands.begin(), runs);
      q.condition = condition_if(*condition.body, axes);
      ++q.cond_nconsts;
    }
    const array_list out = bind_list<while_p>(q, location{}, operands);
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], body.dims[i]});
  }

 private:
  /// The condition, and that the first operand holds.
  static constexpr jaxpr_ref condition_if(const auto& p, const axis_binding* axes) {
    std::vector<aval> types = detail::invar_types(p);
    types.insert(types.begin(), aval(bool_, {}));
    return detail::build_tidy_body(types, axes, [&](view<const array> in) {
      return std::vector{array(lax::and_(in[0], eval_jaxpr(p, {}, in.subspan(1))[0]))};
    });
  }
  /// A while whose operands may be mapped: constants along any dimension, carries along the first.
  struct mapped_loop {
    const params& p;
    std::int64_t size;
    name_text axis;
    const axis_binding* axes;
    std::vector<int> dims;
    std::vector<array> operands;
    bool mapped_condition = false;

    /// What is made of condition and body with operands that are mapped as they are.
    template <class Make>
    constexpr auto remembered(std::string_view work, Make&& make) const {
      return detail::remembered(work, make, p.condition, p.body, p.of_condition(), p.of_body(), dims, types(), size, axis, axes);
    }
    /// The part of a list over all operands that the condition sees, and that the body sees.
    template <class List>
    constexpr List of_condition(const List& all) const {
      List r(all.begin(), all.begin() + std::ptrdiff_t(p.of_condition()));
      r.insert(r.end(), all.begin() + std::ptrdiff_t(p.first_carry()), all.end());
      return r;
    }
    template <class List>
    constexpr List of_body(const List& all) const {
      return List(all.begin() + std::ptrdiff_t(p.of_condition()), all.end());
    }
    constexpr std::vector<aval> types() const {
      std::vector<aval> r;
      for (std::size_t i = 0; i < dims.size(); ++i) {
        r.push_back(operands[i].aval());
        if (i < p.first_carry()) continue;
        r.back() = p.body->avals[p.body->invars[i - p.of_condition()]];
        if (dims[i] != not_mapped) r.back().dims = shape(r.back().dims.with(0, size));
      }
      return r;
    }
    template <class Array = array>
    constexpr batched run_condition(view<const lazy<Array>> in) const {
      return batch_jaxpr<Array>(*p.condition, {}, in, of_condition(dims), size, axis)[0];
    }
    template <class Array = array>
    constexpr std::vector<array> run_body(view<const lazy<Array>> in) const {
      std::vector<array> outs;
      for (const batched& y : batch_jaxpr<Array>(*p.body, {}, in, of_body(dims), size, axis)) {
        outs.push_back(y.value);
        if (dims[p.first_carry() + outs.size() - 1] != not_mapped) outs.back() = detail::batch_materialise(y.value, y.dim, size);
      }
      return outs;
    }
    /// Carries go around until no further one becomes mapped; with a mapped condition all of them are.
    template <class Array = array>
    constexpr void find_mapped_carries() {
      for (std::size_t i = p.first_carry(); i < dims.size(); ++i)
        if (dims[i] != not_mapped) dims[i] = 0;
      const std::pair<std::vector<int>, bool> found = remembered("mapped carries", [&] {
        spread_over_carries<Array>();
        return std::pair{dims, mapped_condition};
      });
      dims = found.first, mapped_condition = found.second;
    }
    template <class Array = array>
    constexpr void spread_over_carries() {
      for (bool changed = true; changed;) {
        std::vector<char> mapped(p.carries(), false);
        detail::build_body(of_body(types()), axes, [&](view<const array> in) {
          const std::vector<batched> y = batch_jaxpr<Array>(*p.body, {}, in, of_body(dims), size, axis);
          for (std::size_t i = 0; i < y.size(); ++i) mapped[i] = y[i].dim != not_mapped;
          return std::vector<array>();
        });
        detail::build_body(of_condition(types()), axes, [&](view<const array> in) {
          mapped_condition = run_condition<Array>(in).dim != not_mapped;
          return std::vector<array>();
        });
        changed = false;
        for (std::size_t i = 0; i < mapped.size(); ++i) {
          int& d = dims[p.first_carry() + i];
          if (d == not_mapped && (mapped[i] || mapped_condition)) d = 0, changed = true;
        }
      }
    }
  };

  static constexpr std::size_t flag_of(const params& p) { return detail::carry_that_says_who_goes_on(*p.condition, *p.body, p.of_condition(), p.of_body()); }
  /// Whether the loop runs until all of many examples are done, and needs no care when more of them are.
  static constexpr bool is_for_examples(const params& p) {
    return flag_of(p) < p.carries() && !detail::may_not_end(*p.body) && !detail::acts(*p.condition) && !detail::acts(*p.body);
  }
  /// Such a loop for more examples: those that are done keep what they have by themselves.
  static constexpr void batch_with_more(auto& c, mapped_loop& m) {
    for (std::size_t i = m.p.first_carry(); i < m.dims.size(); ++i) {
      m.operands[i] = detail::batch_materialise(m.operands[i], m.dims[i], m.size);
      m.dims[i] = 0;
    }
    const std::vector<aval> types = m.types();
    params q = m.p;
    q.cond_nconsts = 0;
    const std::size_t flag = flag_of(m.p);
    q.condition = detail::build_body(view<const aval>(types).subspan(m.p.first_carry()), m.axes, [&](view<const array> in) {
      int_list all;
      for (int d = 0; d < in[flag].ndim(); ++d) all.push_back(d);
      return std::vector{lax::reduce_or(in[flag], all)};
    });
    q.body = m.remembered("while with more examples", [&] { return detail::build_tidy_body(m.of_body(types), m.axes, [&](view<const array> in) { return m.run_body(in); }); });
    const array_list out = bind_list<while_p>(q, location{}, view<const array>(m.operands).subspan(m.p.of_condition()));
    for (std::size_t i = 0; i < out.size(); ++i) c.outputs.push_back({out[i], 0});
  }
  /// Carries along which examples go on. The condition is evaluated once a trip, for all of them.
  static constexpr void batch_until_all_done(auto& c, const mapped_loop& m) {
    if (detail::acts(*m.p.condition) || detail::acts(*m.p.body))
      return detail::fail_in_rule(c.x, make_error(error_kind::not_implemented, "IO effect not supported in while_loop with batched predicate. Examples that "
                                                  "are done would go on; loop as often for all of them, or show values with jq::debug::callback"));
    const std::size_t first = m.p.first_carry();
    std::vector<array> operands = m.operands;  // constants of both, the condition's value, carries
    operands.insert(operands.begin() + std::ptrdiff_t(first), goes_on(m, m.operands));
    std::vector<aval> types = m.types();
    types.insert(types.begin() + std::ptrdiff_t(first), aval(bool_, {m.size}));
    params q;
    q.body_nconsts = std::int64_t(first);
    q.condition = detail::build_body(view<const aval>(types).subspan(first), m.axes,
                                     [&](view<const array> in) { return std::vector{lax::reduce_or(in[0], {0})}; });
    q.body = m.remembered("while until all are done", [&] { return body_until_all_done(m, types); });
    const array_list out = bind_list<while_p>(q, location{}, operands);
    for (std::size_t i = 1; i < out.size(); ++i) c.outputs.push_back({out[i], 0});
  }
  template <class Array = array>
  static constexpr jaxpr_ref body_until_all_done(const mapped_loop& m, view<const aval> types) {
    const std::size_t first = m.p.first_carry();
    return detail::build_tidy_body(types, m.axes, [&](view<const array> in) {
      std::vector<array> x(in.begin(), in.end());
      x.erase(x.begin() + std::ptrdiff_t(first));
      std::vector<array> meant = m.of_body(x);
      if (detail::may_not_end(*m.p.body))
        for (std::size_t i = 0; i < meant.size(); ++i)
          if (const int d = m.dims[m.p.of_condition() + i]; d != not_mapped) meant[i] = detail::of_meant_examples(meant[i], d, in[first]);
      std::vector<array> next = m.run_body<Array>(meant);
      for (std::size_t i = 0; i < next.size(); ++i) {
        array& value = x[first + i];
        next[i] = value = lax::select(lax::broadcast_in_dim(in[first], value.shape(), {0}), next[i], value);
      }
      next.insert(next.begin(), lax::and_(in[first], goes_on<Array>(m, x)));  // so that whoever reads the loop sees that none begins again
      return next;
    });
  }
  /// Which examples go on.
  template <class Array = array>
  static constexpr array goes_on(const mapped_loop& m, const std::vector<array>& in) {
    const batched y = m.run_condition<Array>(m.of_condition(in));
    return detail::batch_materialise(y.value, y.dim, m.size);
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&while_p::joint_jvp<joint_call>), static_cast<void>(&while_p::linearize<joint_call>),
               static_cast<void>(&while_p::transpose<transpose_call>), static_cast<void>(&while_p::batch<batch_call>),
               static_cast<void>(&while_p::mask<mask_call>), static_cast<void>(&while_p::trim<trim_call>), true));
#endif

}  // namespace jacquard
