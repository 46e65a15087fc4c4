#pragma once
// vmap: maps a function over an axis of its arguments. Axes are resolved against trees (prefixes), checked, and the traced
// program is evaluated by the batching interpreter.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/transforms/axes.hpp"
#include "jacquard/transforms/batch.hpp"
#include "jacquard/transforms/lane.hpp"

namespace jacquard {

namespace detail {

/// Moves or broadcasts the outputs to where out_axes wants them.
template <class Array = array>
JACQUARD_ONCE constexpr std::vector<array> place_outputs(view<const batched> outs, view<const int> axes, std::int64_t size,
                                                         const name_text& axis, view<const lazy<Array>> about) {
  std::vector<array> r;
  for (std::size_t i = 0; i < outs.size(); ++i) {
    const array& y = outs[i].value;
    if (axes[i] == none) {
      if (outs[i].dim != not_mapped)
        report(about, make_error(error_kind::value, "vmap has mapped output ", axis.chars[0] ? "(axis_name=" : "", axis.view(),
                                 axis.chars[0] ? ") " : "", "but out_axes is None; give the output an axis"));
      r.push_back(y);
      continue;
    }
    const int rank = y.ndim() + (outs[i].dim == not_mapped ? 1 : 0);
    int to = resolve_axis(axes[i], rank);
    if (to < 0) {
      report(about, make_error(error_kind::value, "vmap out_axes: axis ", axes[i], " is out of bounds for an output of rank ", rank,
                               "; wanted an axis in [", -rank, ", ", rank, ")"));
      to = 0;
    }
    if (outs[i].dim == not_mapped) r.push_back(move_axis(batch_broadcast(y, size), 0, to));
    else r.push_back(move_axis(y, outs[i].dim, to));
  }
  return r;
}

inline constexpr auto is_tree_of_in_axes = [](auto option) { return is_in_axes_tree<typename decltype(option)::type>; };
inline constexpr auto is_tree_of_out_axes = [](auto option) { return is_out_axes_tree<typename decltype(option)::type>; };
/// f of arguments that are mapped as the options say, with its results stacked.
template <class F, class... O, class... A>
constexpr auto map_function(F& f, const std::tuple<O...>& options, const A&... args) {
  const leaf_list leaves = flatten_all(args...);
  const std::vector<int> axes = input_axes<O...>(options, args...);
  const name_text name = mapped_name<O...>();
  std::vector<int> dims;
  axis_binding scope{name, 0, nullptr};
  const text structure = tree::structure(std::tuple<const A&...>(args...));
  error_record e;
  if (has_mismatch(axes, leaves.size())) e = prefix_error("vmap in_axes", specification_text(options, is_tree_of_in_axes), structure);
  else e = resolve_mapped("vmap", leaves, axes, requested_size<O...>(options), structure, (leaf<A> && ...), dims, scope.size);
  if (e) {
    report(leaves, e);
    scope.size = 1;
    dims.assign(leaves.size(), not_mapped);
  }
  std::vector<aval> types;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    aval a = leaves[i].aval();
    if (dims[i] != not_mapped) a.dims = shape(a.dims.without(dims[i]));
    types.push_back(a);
  }
  auto t = trace_function(f, trace::purpose::mapping, "vmap", types, leaves, &scope, args...);
  const std::vector<batched> outs = batch_jaxpr(*t.program, t.program.constants, leaves, dims, scope.size, name);
  std::vector<int> out_axes = output_axes<O...>(options, t.result);
  if (has_mismatch(out_axes, outs.size())) {
    report(leaves, prefix_error("vmap out_axes", specification_text(options, is_tree_of_out_axes), tree::structure(t.result)));
    out_axes.assign(outs.size(), 0);
  }
  using R = rebind_t<decltype(t.result)>;
  return rebuild<R>(t.result, place_outputs(outs, out_axes, scope.size, name, leaves));
}

template <class F, class... O>
struct vmap_function {
  [[no_unique_address]] F f;
  [[no_unique_address]] std::tuple<O...> options;

  template <class... A>
  [[gnu::always_inline]] constexpr auto operator()(const A&... args) const {
    static_assert(sizeof...(A) > 0 || has_option<axis_size, O...>,
                  "jq::vmap: the mapped function must be passed at least one argument containing an array");
    if constexpr (is_static_call<A...>()) return call_in_static_lane(lane<A...>{}, *this, own_result{}, args...);
    else if constexpr (is_static_batch_call<A...>()) return batch_in_static_lane(lane<A...>{}, f, batch_axes(), args...);
    else return map_function(seen_by_signature<A...>(f).of_signature(), options, args...);
  }

 private:
  /// in_axes as a list, for batches of the compile-time lane.
  static constexpr auto batch_axes() {
    using axes = typename find_option<wants_ints<in_axes_t>, O...>::type;
    static_assert((is_int_option<in_axes_t, O> && ...), "jq::vmap: over a span or jq::columns, only in_axes may be given");
    if constexpr (std::is_same_v<axes, no_option>) return std::array<int, 1>{0};
    else return axes::values;
  }
};

}  // namespace detail

/// Maps f over an axis of its arguments (axis 0 unless jq::in_axes says otherwise) and stacks the results.
/// Options: in_axes, out_axes, in_axes_tree, out_axes_tree, axis_name, axis_size.
/// With the compile-time lane, arguments may be std::span or jq::columns of static values, of a length known at run time: then axis
/// 0 is the batch, other static arguments are not mapped (jq::none), and the result is a std::vector of what f returns.
/// Errors: value_error for inconsistent sizes, axes out of range, or no mapped argument.
template <class F, class... O>
constexpr auto vmap(F f, O... options) {
  (void)(detail::check_function<F>() && ... && detail::check_vmap_option<O>());
  return detail::vmap_function<F, O...>{f, std::tuple<O...>(options...)};
}

}  // namespace jacquard
