#pragma once
// device_callback: a user's kernel as a primitive, in the place where it is used. It gets the live input buffers, output
// buffers made for it and the device's stream; its derivative and batching rules come with the call. Deliberately without
// DLPack: interop/dlpack.hpp makes views of the arrays it hands out.

#include "jacquard/control/call.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/taps/callback_function.hpp"

namespace jacquard {

/// What a kernel gets. The arrays live during the call only as far as nobody else holds them: do not keep `out`.
struct device_call {
  view<const array> in;
  view<const array> out;    ///< uninitialised, or the content of the aliased input
  void* stream = nullptr;   ///< of the device; null on the CPU
  device_id device;

  /// The elements of an input. Errors: type_error if T is not its type.
  template <scalar T>
  std::span<const T> input(std::size_t i) const {
    return in[i].data<T>();
  }
  /// The elements of an output, to be written.
  template <scalar T>
  std::span<T> output(std::size_t i) const {
    const auto e = out[i].data<T>();
    return {const_cast<T*>(e.data()), e.size()};
  }
};

/// Which inputs a kernel overwrites with outputs: pairs {input leaf, output leaf}. The output then starts as the input, in the
/// same memory where nobody else needs it.
struct input_output_aliases {
  std::vector<std::pair<int, int>> pairs;
  input_output_aliases(std::initializer_list<std::pair<int, int>> p) : pairs(p) {}
};
/// Derivative of a device_callback: f(primals, tangents) or f(primals, tangents, result) gives the tangent of the result.
/// Primals and tangents are tuples like the arguments.
template <class F>
struct jvp_rule {
  F f;
  explicit jvp_rule(F g) : f(std::move(g)) {}
};
/// Reverse derivative: f(primals, result, cotangent) gives a tuple of cotangents like the arguments.
template <class F>
struct vjp_rule {
  F f;
  explicit vjp_rule(F g) : f(std::move(g)) {}
};
/// Batching: f(args...) on arguments that all have the batch dimension first gives results that do.
template <class F>
struct vmap_rule {
  F f;
  explicit vmap_rule(F g) : f(std::move(g)) {}
};

namespace detail {

template <>
inline constexpr bool is_callback_option<input_output_aliases> = true;
template <class F>
inline constexpr bool is_callback_option<jvp_rule<F>> = true;
template <class F>
inline constexpr bool is_callback_option<vjp_rule<F>> = true;
template <class F>
inline constexpr bool is_callback_option<vmap_rule<F>> = true;

struct no_rule {};

template <template <class> class Rule, class T>
inline constexpr bool is_rule = false;
template <template <class> class Rule, class F>
inline constexpr bool is_rule<Rule, Rule<F>> = true;

/// The function of the first Rule among the arguments of a call.
template <template <class> class Rule>
no_rule find_rule() {
  return {};
}
template <template <class> class Rule, class First, class... O>
auto find_rule(const First& first, const O&... rest) {
  if constexpr (is_rule<Rule, First>) return first.f;
  else return find_rule<Rule>(rest...);
}

template <class T = void>
void* stream_of(device_id d) {
  backend_registry& r = backends();
  const detail::scoped_lock lock(r.mutex);
  for (const backend_entry* e = r.first; e; e = e->next)
    if (e->number == d.backend && e->instance) return e->instance->stream(d.ordinal);
  return nullptr;
}

/// `type` with the sizes of the loops in front.
template <class T = void>
aval looped_type(const callback_params& p, std::size_t operands, const aval& type) {
  const loop_view<callback_params> loops{p, operands};
  shape dims;
  for (std::size_t l = 0; l < loops.depth(); ++l) dims.push_back(loops.size(l));
  for (std::int64_t d : type.dims) dims.push_back(d);
  return type.with(dims);
}

/// A rule of leaves, applied once per example of the loops of a callback. mapped[level][k], level 0 the outermost.
template <class Rule>
std::vector<array> apply_in_loops(const Rule& rule, const std::vector<array>& leaves, const std::vector<std::int64_t>& sizes,
                                  const std::vector<std::vector<char>>& mapped) {
  if (sizes.empty()) return rule(view<const array>(leaves));
  const trace* around = trace_of(leaves);
  const axis_binding* axes = around ? around->axes : nullptr;
  std::vector<aval> types;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    aval t = leaves[k].aval();
    for (std::size_t l = 0; l < sizes.size(); ++l)
      if (mapped[l][k]) t.dims = shape(t.dims.without(0));
    types.push_back(t);
  }
  jaxpr_ref body = build_body(types, axes, rule);
  for (std::size_t l = sizes.size(); l-- > 0;) {
    std::vector<int> dims;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      dims.push_back(mapped[l][k] ? 0 : not_mapped);
      if (mapped[l][k]) types[k].dims = shape(types[k].dims.with(0, sizes[l]));
    }
    const jaxpr_ref inner = body;
    body = build_body(types, axes, [&](view<const array> in) {
      std::vector<array> outs;
      for (const batched& y : batch_jaxpr(*inner, {}, in, dims, sizes[l], name_text{}))
        outs.push_back(batch_materialise(y.value, y.dim, sizes[l]));
      return outs;
    });
  }
  return eval_jaxpr(*body, {}, leaves);
}

/// `x` summed over the leading dimensions that `want` has not, or has with one element only.
template <class Array = array>
Array summed_to(const lazy<Array>& x, const shape& want) {
  const int extra = x.ndim() - want.rank();
  if (extra < 0) return x;
  array y = x;
  if (extra > 0) y = lax::reduce_sum(x, int_list::iota(extra));
  int_list ones;
  for (int d = 0; d < want.rank(); ++d)
    if (want[d] == 1 && y.shape()[d] != 1) ones.push_back(d);
  if (ones.empty()) return y;
  return lax::reshape(lax::reduce_sum(y, ones), want);
}

/// What a rule gave for `like`, in the types of those. `sums`: the function got unbatched arguments beside batched ones, and the
/// cotangents of those are summed over the batch - over whatever leading dimensions the rule added, since such functions see no
/// difference between a batch and a dimension of their own. Errors: type_error for other types and another number.
template <class T = void>
void match_types(std::string_view rule, std::string_view each, std::vector<array>& given, view<const array> like, bool sums = false) {
  if (given.size() != like.size())
    raise(error_kind::type, "device_callback: the ", rule, " gave ", given.size(), " arrays, wanted ", like.size(), ", one per ", each);
  for (std::size_t k = 0; k < given.size(); ++k) {
    const aval want = like[k].aval();
    if (!is_inexact(want.type)) continue;
    given[k] = given[k].is_none() ? zeros_any(want) : match_primal(given[k], want);
    if (sums) given[k] = summed_to(given[k], want.dims);
    if (!same_type(given[k].aval(), want))
      raise(error_kind::type, "device_callback: the ", rule, " gave an array of type ", given[k].aval(), " for ", each, " ", k, " of type ", want,
            "; convert or reshape it");
  }
}

/// The state of a device_callback.
template <class F, class Jvp, class Vjp, class Vmap, class R, class... A>
struct device_function : callback_state {
  using arguments = std::tuple<rebind_t<A>...>;
  F f;
  [[no_unique_address]] Jvp jvp_of;
  [[no_unique_address]] Vjp vjp_of;
  [[no_unique_address]] Vmap vmap_of;
  std::vector<std::pair<int, int>> aliases;
  R like;
  arguments prototypes;
  std::size_t in_count, out_count;
  location where;

  device_function(F fn, Jvp j, Vjp v, Vmap b, std::vector<std::pair<int, int>> a, R r, const location& line, const A&... args)
      : f(std::move(fn)), jvp_of(std::move(j)), vjp_of(std::move(v)), vmap_of(std::move(b)), aliases(std::move(a)),
        like(std::move(r)), prototypes(empty_like(args)...), in_count(leaf_count(prototypes)), out_count(leaf_count(like)),
        where(line) {
    destroy = [](function_state* s) { delete static_cast<device_function*>(s); };
    if constexpr (!std::is_same_v<Jvp, no_rule>) this->jvp = &forward;
    else if constexpr (!std::is_same_v<Vjp, no_rule>) this->jvp = &linear;
    if constexpr (!std::is_same_v<Vjp, no_rule>) this->transpose = &backward;
    if constexpr (!std::is_same_v<Vmap, no_rule>) this->batch = &batched_call;
  }

  static void run(function_state* s, callback_call& c) {
    auto& self = *static_cast<device_function*>(s);
    std::vector<array> in(c.in.begin(), c.in.end());
    for (array& x : in) x = x.materialised();
    for (std::size_t i = 0; i < c.out.size(); ++i) c.out[i] = self.output(i, c, in);
    const device_call call{in, view<const array>(c.out.data(), c.out.size()), stream_of(c.device), c.device};
    run_host_function("device_callback", self.where, [&] {
      self.f(call);
      return 0;
    });
  }

 private:
  array output(std::size_t i, const callback_call& c, const std::vector<array>& in) const {
    for (const auto& [from, to] : aliases) {
      if (std::size_t(to) != i) continue;
      buffer* b = in[std::size_t(from)].as_buffer();
      const bool alone = b->is_ours() && __atomic_load_n(&b->references, __ATOMIC_ACQUIRE) <= 2;  // the operand's and ours
      array r = alone ? in[std::size_t(from)] : array(copy_buffer(*b));
      r.as_buffer()->type.weak = c.types[i].weak;
      return r;
    }
    return array(make_buffer(c.types[i]));
  }

  /// Which operands of the loops are mapped, as apply_in_loops wants it; results and tangents are mapped in all.
  void masks(const callback_params& p, std::size_t operands, std::size_t leaves, std::vector<std::int64_t>& sizes,
             std::vector<std::vector<char>>& mapped) const {
    const loop_view<callback_params> loops{p, operands};
    for (std::size_t l = 0; l < loops.depth(); ++l) {
      sizes.push_back(loops.size(l));
      mapped.emplace_back();
      for (std::size_t k = 0; k < leaves; ++k) mapped.back().push_back(k >= in_count || loops.mapped(l, k));
    }
  }
  template <class T>
  static T tree_of(const T& prototype, view<const array> leaves) {
    return rebuild<T>(prototype, leaves);
  }
  /// A tangent with all loop dimensions.
  static array full_tangent(const callback_params& p, const jvp_call& c, std::size_t k) {
    const loop_view<callback_params> loops{p, c.x.size()};
    const aval x = c.x[k].aval();
    const array t = c.t[k].is_none() ? zeros_any(x) : c.t[k];
    shape dims;
    int_list at;
    int own = 0;
    for (std::size_t l = 0; l < loops.depth(); ++l) {
      if (loops.mapped(l, k)) at.push_back(int(l)), ++own;
      dims.push_back(loops.size(l));
    }
    for (; own < x.rank(); ++own) {
      at.push_back(dims.rank());
      dims.push_back(x.dims[own]);
    }
    if (dims == x.dims) return t;
    return lax::broadcast_in_dim(t, dims, at, location{});
  }

  static void forward(callback_state& s, jvp_call& c, const callback_params& p) {
    auto& self = static_cast<device_function&>(s);
    std::vector<array> leaves(c.x.begin(), c.x.end());
    leaves.insert(leaves.end(), c.y.begin(), c.y.end());
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      leaves.push_back({});
      if (is_inexact(c.x[k].dtype())) leaves.back() = full_tangent(p, c, k);
      else leaves.back() = zeros_any(looped_type(p, c.x.size(), aval(bool_, self.own_shape(p, c, k))));
    }
    std::vector<std::int64_t> sizes;
    std::vector<std::vector<char>> mapped;
    self.masks(p, c.x.size(), leaves.size(), sizes, mapped);
    const auto rule = [&](view<const array> in) {
      const arguments x = tree_of(self.prototypes, in.first(self.in_count));
      const R y = tree_of(self.like, in.subspan(self.in_count, self.out_count));
      const arguments t = tree_of(self.prototypes, in.subspan(self.in_count + self.out_count));
      std::vector<array> out;
      if constexpr (std::is_invocable_v<Jvp&, const arguments&, const arguments&, const R&>) flatten_into(self.jvp_of(x, t, y), out);
      else flatten_into(self.jvp_of(x, t), out);
      match_types("jvp rule", "result", out, in.subspan(self.in_count, self.out_count));
      return out;
    };
    const std::vector<array> ty = apply_in_loops(rule, leaves, sizes, mapped);
    for (std::size_t i = 0; i < ty.size(); ++i) c.ty[i] = ty[i];
  }
  shape own_shape(const callback_params& p, const jvp_call& c, std::size_t k) const {
    const loop_view<callback_params> loops{p, c.x.size()};
    shape s = c.x[k].shape();
    for (std::size_t l = 0; l < loops.depth(); ++l)
      if (loops.mapped(l, k)) s = shape(s.without(0));
    return s;
  }

  /// The derivative as an equation that only transposition understands.
  static void linear(callback_state&, jvp_call& c, const callback_params& p) {
    callback_params q = p;
    std::vector<array> operands(c.x.begin(), c.x.end());
    operands.insert(operands.end(), c.y.begin(), c.y.end());
    for (std::size_t k = 0; k < c.x.size(); ++k)
      if (is_inexact(c.x[k].dtype())) operands.push_back(full_tangent(p, c, k));
    q.results.clear();
    for (const aval& r : p.results)
      if (is_inexact(r.type)) q.results.push_back(r);
    const loop_view<callback_params> loops{p, c.x.size()};
    q.loops.clear();
    for (std::size_t l = loops.depth(); l-- > 0;) {
      q.loops.push_back(loops.size(l));
      for (std::size_t k = 0; k < operands.size(); ++k) q.loops.push_back(k >= c.x.size() || loops.mapped(l, k));
    }
    const array_list out = bind_list<device_callback_tangent_p>(q, location{}, operands);
    std::size_t next = 0;
    for (std::size_t i = 0; i < c.y.size(); ++i)
      if (is_inexact(c.y[i].dtype())) c.ty[i] = out[next++];
  }
  static void backward(callback_state& s, transpose_call& c, const callback_params& p) {
    auto& self = static_cast<device_function&>(s);
    const std::size_t known = self.in_count + self.out_count;
    std::vector<array> leaves(c.x.begin(), c.x.begin() + std::ptrdiff_t(known));
    std::size_t next = 0;
    for (std::size_t i = 0; i < self.out_count; ++i) {
      const aval y = leaves[self.in_count + i].aval();
      array ct;
      if (is_inexact(y.type)) ct = c.ct[next++];
      leaves.push_back(instantiate(ct, y));
    }
    std::vector<std::int64_t> sizes;
    std::vector<std::vector<char>> mapped;
    self.masks(p, c.x.size(), leaves.size(), sizes, mapped);
    const auto rule = [&](view<const array> in) {
      const arguments x = tree_of(self.prototypes, in.first(self.in_count));
      const R y = tree_of(self.like, in.subspan(self.in_count, self.out_count));
      const R ct = tree_of(self.like, in.subspan(known));
      std::vector<array> out;
      flatten_into(self.vjp_of(x, y, ct), out);
      match_types("vjp rule", "argument", out, in.first(self.in_count), p.method == vmap_method::expand_dims || p.method == vmap_method::legacy_vectorized);
      return out;
    };
    const std::vector<array> cts = apply_in_loops(rule, leaves, sizes, mapped);
    std::size_t at = known;
    for (std::size_t k = 0; k < self.in_count; ++k) {
      if (!is_inexact(leaves[k].dtype())) continue;
      if (c.x[at].is_none()) c.ct_in[at] = cts[k];
      ++at;
    }
  }
  static void batched_call(callback_state& s, batch_call& c, const callback_params& p) {
    auto& self = static_cast<device_function&>(s);
    std::vector<array> in;
    for (std::size_t k = 0; k < c.x.size(); ++k) in.push_back(batch_materialise(c.x[k], c.dims[k], c.size));
    std::vector<array> out;
    flatten_into(std::apply(self.vmap_of, tree_of(self.prototypes, in)), out);
    if (out.size() != self.out_count)
      raise(error_kind::type, "device_callback: the vmap rule gave ", out.size(), " arrays, wanted ", self.out_count, ", one per result");
    for (std::size_t i = 0; i < out.size(); ++i) {
      const aval want = p.results[i].with(shape(p.results[i].dims.with(0, c.size)));
      if (!same_type(out[i].aval(), want))
        raise(error_kind::type, "device_callback: the vmap rule gave an array of type ", out[i].aval(), " for result ", i, ", wanted ", want,
              ", with the batch dimension in front");
      c.outputs.push_back({out[i], 0});
    }
  }
};

template <class T = void>
void check_aliases(const std::vector<std::pair<int, int>>& pairs, view<const array> in, const std::vector<aval>& results) {
  for (const auto& [from, to] : pairs) {
    if (from < 0 || std::size_t(from) >= in.size() || to < 0 || std::size_t(to) >= results.size())
      raise(error_kind::value, "device_callback: input_output_aliases names input ", from, " and output ", to, ", wanted inputs below ",
            in.size(), " and outputs below ", results.size());
    if (!same_type(in[std::size_t(from)].aval(), results[std::size_t(to)]))
      raise(error_kind::type, "device_callback: input_output_aliases pairs input ", from, " of type ", in[std::size_t(from)].aval(),
            " with output ", to, " of type ", results[std::size_t(to)], "; only equal types can share memory");
  }
}

template <class F, class Jvp, class Vjp, class Vmap, class R, class... A>
auto bind_device_callback(F f, Jvp jvp, Vjp vjp, Vmap vmap, const std::vector<std::pair<int, int>>& aliases,
                          const callback_options& o, const R& result_shape, const A&... args) {
  using state = device_function<F, Jvp, Vjp, Vmap, rebind_t<R>, A...>;
  install_delivery<void>();
  const location where = line_of(result_shape);
  callback_params p;
  p.results = result_types("device_callback", result_shape);
  p.method = o.method;
  p.callback = function_ref(reinterpret_cast<function_ref::thunk>(&state::run),
                            new state(std::move(f), std::move(jvp), std::move(vjp), std::move(vmap), aliases, empty_like(result_shape), where, args...));
  const leaf_list leaves = flatten_all(args...);
  const rule_location_scope here(where);
  check_aliases(aliases, leaves, p.results);
  const array_list out = bind_list<device_callback_p>(p, where, leaves);
  return rebuild<rebind_t<R>>(result_shape, view<const array>(out.data(), out.size()));
}

}  // namespace detail

/// fn(const jq::device_call&) as an operation of a program: a loop, a BLAS or CUDA call over the live buffers, without a copy.
/// `result_shape` as for pure_callback; fn writes the outputs. It must be a function of its inputs: the program may drop or
/// repeat it. Options among the arguments: jq::input_output_aliases, jq::jvp_rule, jq::vjp_rule, jq::vmap_rule, a
/// jq::vmap_method.
/// Errors: value_error and type_error for aliases that do not fit; type_error for rules that give other types; tap_error, which holds what fn threw; not_implemented from
/// transforms whose rule was not given.
template <class F, class R, class... A>
auto device_callback(F fn, const R& result_shape, const A&... args) {
  static_assert(std::is_invocable_v<F&, const device_call&>, "jq::device_callback: expected a callable value fn(const jq::device_call&)");
  detail::callback_options o;
  (o.take(args), ...);
  std::vector<std::pair<int, int>> aliases;
  [[maybe_unused]] const auto take = [&]<class T>(const T& x) {
    if constexpr (std::is_same_v<T, input_output_aliases>) aliases = x.pairs;
  };
  (take(args), ...);
  return std::apply(
      [&](const auto&... x) {
        return detail::bind_device_callback(std::move(fn), detail::find_rule<jvp_rule>(args...), detail::find_rule<vjp_rule>(args...),
                                            detail::find_rule<vmap_rule>(args...), aliases, o, result_shape, x...);
      },
      detail::arguments_of(args...));
}

}  // namespace jacquard
