#pragma once
// Loops over an axis whose logical size is a run-time value: past it nothing is carried on, and what is stacked there does not
// count. Deliberately not the loop itself, which is control/scan; only its operands and its body.

#include "jacquard/control/cond.hpp"
#include "jacquard/prims/mask_cotangent.hpp"
#include "jacquard/prims/prefix_mask.hpp"

namespace jacquard::detail {

/// Stacked operands of a loop, and what they have in common.
struct masked_length {
  dimension length;
  list<dimension_list> element_dims;  ///< of all operands, as the body sees them
};
/// The logical length of a loop whose operands from `stacked` on are stacked, and which the two tracings saw as these lengths.
constexpr masked_length find_masked_length(auto& c, std::size_t stacked, std::int64_t first, std::int64_t second) {
  masked_length r{c.scope.decode(first, second), {}};
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    dimension_list d = c.dims[i];
    if (i >= stacked) {
      if (i == stacked) r.length = d[0];
      if (!(d[0] == r.length))
        c.scope.fail(make_error(error_kind::shape, "mask: the loop runs over arrays of the sizes ", r.length, " and ", d[0],
                                "; cut them to one size"));
      d.erase(d.begin());
    }
    r.element_dims.push_back(d);
  }
  return r;
}

/// A loop over an axis with padding. Trips in the padding run on what the first trip ran on, which is known to be sound, and
/// what they compute is dropped; a body that has effects or may not end does not run there at all.
/// Inputs of the body: constants, what the first trip gets of carries and elements, carries, whether the trip is real, elements.
struct ragged_loop {
  const masked_body& inner;
  std::size_t constants, carries;  ///< of `inner`, with the values of names
  bool reverse;

  /// Whether equations of `p` must not run in the padding.
  static constexpr bool is_touchy(const jaxpr& p) {
    return (p.effects & ~collective_effect) != 0 || may_not_end(p);  // those effects wait for other devices, which may have longer loops
  }

  /// Operands of the loop, given those of `inner` outside of it. Of an empty loop not even the first trip is sound: no cotangents
  /// of constants come from there. In a ragged batch that makes constants differ between examples, unless the length is known not
  /// to be 0, as that of a specification "n + 1" is.
  template <class Array = array>
  constexpr std::vector<array> operands(mask_scope& scope, view<const lazy<Array>> x, const dimension& length) const {
    std::vector<array> r;
    const std::int64_t room = scope.padded(length);
    const array real = lax::prefix_mask(scope.size(length), room);
    const bool may_be_empty = scope.range(length).low < 1;
    for (std::size_t i = 0; i < constants; ++i) {
      r.push_back(x[i]);
      if (may_be_empty && x[i].is_tracer() && is_inexact(x[i].dtype()) && !is_touchy(*inner.body)) {
        const array any = lax::gt(scope.size(length), array(std::int64_t(0)));
        r.back() = lax::mask_cotangent(x[i], lax::broadcast_in_dim(any, x[i].shape(), {}));
      }
    }
    for (std::size_t i = constants; i < x.size(); ++i) {
      array first = x[i];
      if (i >= stacked()) {
        if (reverse) first = scope.window(x[i], 0, scope.size(length - dimension(1)), room > 0 ? room - 1 : 0, 1);
        else first = scope.window(x[i], 0, 0, 1);
        first = lax::reshape(first, shape(x[i].shape().without(0)));
      }
      if (is_inexact(first.dtype())) first = lax::stop_gradient(first);
      r.push_back(first);
    }
    r.insert(r.end(), x.begin() + std::ptrdiff_t(constants), x.begin() + std::ptrdiff_t(stacked()));
    r.push_back(real);
    r.insert(r.end(), x.begin() + std::ptrdiff_t(stacked()), x.end());
    return r;
  }
  /// How many of them are the same in every trip.
  constexpr std::size_t fixed() const { return constants + varying(); }

  template <class Array = array>
  constexpr jaxpr_ref body(const axis_binding* axes) const {
    const jaxpr& p = *inner.body;
    std::vector<aval> types = invar_types(p);
    types.insert(types.begin() + std::ptrdiff_t(stacked()), aval(bool_, {}));
    const std::vector<aval> first(types.begin() + std::ptrdiff_t(constants), types.end());
    for (std::size_t i = 0, at = constants; i < first.size(); ++i)
      if (i != carries) types.insert(types.begin() + std::ptrdiff_t(at++), first[i]);
    return build_tidy_body(types, axes, [&](view<const array> in) {
      const array& real = in[fixed() + carries];
      const view<const array> carried = in.subspan(fixed(), carries), elements = in.subspan(fixed() + carries + 1);
      std::vector<array> x(in.begin(), in.begin() + std::ptrdiff_t(constants));
      for (std::size_t i = 0; i < varying(); ++i)
        x.push_back(lax::select(real, i < carries ? carried[i] : elements[i - carries], in[constants + i]));
      if (is_touchy(p)) return run_if<Array>(real, x, carried, axes);
      std::vector<array> y = eval_jaxpr(p, {}, x);
      for (std::size_t i = 0; i < carries; ++i) y[i] = lax::select(real, y[i], carried[i]);
      return y;
    });
  }

 private:
  constexpr std::size_t stacked() const { return constants + carries; }
  constexpr std::size_t varying() const { return inner.body->invars.size() - constants; }

  /// The body where the trip is real; else what is carried, and zeros.
  template <class Array = array>
  constexpr std::vector<array> run_if(const lazy<Array>& real, view<const lazy<Array>> x, view<const lazy<Array>> carried, const axis_binding* axes) const {
    const jaxpr& p = *inner.body;
    std::vector<array> operands{lax::convert_element_type(real, i32, false)};
    operands.insert(operands.end(), x.begin(), x.end());
    operands.insert(operands.end(), carried.begin(), carried.end());
    const std::vector<aval> types = types_of(view<const array>(operands).subspan(1));
    cond_p::params q;
    q.branches.push_back(build_body(types, axes, [&](view<const array> in) {
      std::vector<array> outs(in.end() - std::ptrdiff_t(carries), in.end());
      for (std::size_t i = carries; i < p.outvars.size(); ++i) outs.push_back(lax::zeros(p.type_of(p.outvars[i])));
      return outs;
    }));
    q.branches.push_back(build_body(types, axes, [&](view<const array> in) { return eval_jaxpr(p, {}, in.first(x.size())); }));
    const array_list y = bind_list<cond_p>(q, location{}, operands);
    return {y.begin(), y.end()};
  }
};

/// Masks a scan P: a loop of the masked body over the padded length.
template <class P>
constexpr void mask_scan(auto& c, const params_of<P>& p) {
  c.reads_sizes = true;
  const auto twin = decode<params_of<P>>(c.twin);
  const masked_length m = find_masked_length(c, p.stacked(), p.length, twin.length);
  const masked_body inner = mask_body(c.scope, *p.body, *twin.body, 0, m.element_dims, axes_of(c.x), m.length);
  if (!inner.complete(*p.body)) return;
  if (const error_record e = dims_problem("carry", view<const dimension_list>(inner.dims).first(p.carries()), view<const dimension_list>(m.element_dims).subspan(p.consts(), p.carries()),
                                          "after a trip of a scan", "before it"))
    return c.scope.fail(e);
  std::vector<array> operands = with_names(c.scope, c.x, 0);
  const std::size_t constants = p.consts() + operands.size() - c.x.size();
  params_of<P> q = p.with(inner.body, constants, p.carries());
  q.length = c.scope.padded(m.length);
  if (!m.length.is_constant()) {
    const ragged_loop loop{inner, constants, p.carries(), p.reverse};
    q.body = loop.body(axes_of(c.x));
    q.num_consts = std::int64_t(loop.fixed());
    operands = loop.operands(c.scope, operands, m.length);
  }
  const array_list out = bind_list<P>(q, location{}, operands);
  for (std::size_t i = 0; i < out.size(); ++i) {
    dimension_list d = inner.dims[i];
    if (i < p.carries()) {
      c.outputs.push_back({out[i], d});
      continue;
    }
    d.insert(d.begin(), m.length);
    c.outputs.push_back({c.scope.guarded(out[i], d, {0}), d});  // trips in the padding have no cotangents
  }
}

}  // namespace jacquard::detail
