#pragma once
// Host functions as operations of a program: pure_callback, io_callback (ordered or not), call, debug callbacks and
// device_callback. They differ in effects and in what transforms make of them. Deliberately without the C++ side: taps/
// makes the functions behind the references.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/eval.hpp"
#include "jacquard/prims/batching.hpp"

namespace jacquard {

/// How vmap calls a host function. sequential: once per example, with unbatched arrays. expand_dims: once; mapped arguments
/// have the batch dimension first, others a dimension of size 1. broadcast_all: once; others are repeated. legacy_vectorized:
/// once; others are as they are. not_given: vmap is an error.
enum class vmap_method : std::uint8_t { not_given, sequential, sequential_unrolled, expand_dims, broadcast_all, legacy_vectorized };

/// One call of a host function.
struct callback_call {
  view<const array> in;
  view<const aval> types;  ///< of the results
  view<array> out;         ///< empty at first
  device_id device;
};
/// The type behind a callback's function_ref.
using callback_thunk = void (*)(function_state*, callback_call&);

struct callback_params;
/// What taps/ makes for a callback besides the function: rules given with the call. Null where there is none.
struct callback_state : function_state {
  void (*jvp)(callback_state&, jvp_call&, const callback_params&) = nullptr;
  void (*batch)(callback_state&, batch_call&, const callback_params&) = nullptr;
  void (*transpose)(callback_state&, transpose_call&, const callback_params&) = nullptr;
};

struct callback_params {
  function_ref callback;
  std::vector<aval> results;  ///< of one call
  vmap_method method = vmap_method::not_given;
  /// For each vmap that calls once per example, innermost first: the size, then 0 or 1 per operand, whether it is mapped. The
  /// batch dimensions of operands and results come first, the outermost vmap's foremost.
  std::vector<std::int64_t> loops;
  static constexpr std::string_view fields = "callback results method loops";
};

namespace detail {

/// Makes taps that were delivered before arrive first, so that all host functions of a device run in program order.
using settle_function = void (*)(device_id);
inline constinit settle_function settle_taps = nullptr;

template <class Params>
struct loop_view {
  const Params& p;
  std::size_t operands;
  constexpr std::size_t depth() const { return p.loops.size() / (operands + 1); }
  /// Level 0 is the outermost.
  constexpr std::int64_t size(std::size_t level) const { return p.loops[(depth() - 1 - level) * (operands + 1)]; }
  constexpr bool mapped(std::size_t level, std::size_t k) const {
    return p.loops[(depth() - 1 - level) * (operands + 1) + 1 + k] != 0;
  }
};

/// Example `i` of `x`, which is a view of its memory.
inline array example_of(const array& x, std::int64_t i) {
  const aval t = x.aval();
  const aval part = t.with(shape(t.dims.without(0)));
  return array(borrow_buffer(part, static_cast<std::byte*>(x.as_buffer()->data) + i * part.bytes()));
}

inline void call_host(const callback_params& p, view<const array> in, view<array> out, device_id device) {
  callback_call c{in, p.results, out, device};
  reinterpret_cast<callback_thunk>(p.callback.get())(p.callback.state(), c);
}

/// Calls a host function once per example; `out` has the memory for the results.
inline void call_per_example(const callback_params& p, std::size_t level, view<const array> in, view<const array> out, device_id device) {
  const loop_view<callback_params> loops{p, in.size()};
  if (level == loops.depth()) {
    std::vector<array> made(out.size());
    call_host(p, in, made, device);
    for (std::size_t k = 0; k < out.size(); ++k)
      if (const std::int64_t n = p.results[k].bytes(); n != 0)
        std::memcpy(out[k].as_buffer()->data, made[k].as_buffer()->data, std::size_t(n));
    return;
  }
  for (std::int64_t i = 0; i < loops.size(level); ++i) {
    std::vector<array> one, part;
    for (std::size_t k = 0; k < in.size(); ++k) one.push_back(loops.mapped(level, k) ? example_of(in[k], i) : in[k]);
    for (const array& x : out) part.push_back(example_of(x, i));
    call_per_example(p, level + 1, one, part, device);
    for (std::size_t k = 0; k < one.size(); ++k)
      if (buffer* b = one[k].as_buffer(); b && loops.mapped(level, k) && b->borrowed && b->is_shared()) keep_borrowed(*b);  // it was stored
  }
}

inline void run_callback(evaluate_call& c, const callback_params& p) {
  const loop_view<callback_params> loops{p, c.in.size()};
  if (loops.depth() == 0) return call_host(p, c.in, c.out, c.device);
  for (std::size_t k = 0; k < c.out.size(); ++k) {
    shape dims;
    for (std::size_t l = 0; l < loops.depth(); ++l) dims.push_back(loops.size(l));
    for (std::int64_t d : p.results[k].dims) dims.push_back(d);
    c.out[k] = array(make_buffer(p.results[k].with(dims)));
  }
  call_per_example(p, 0, c.in, view<const array>(c.out.data(), c.out.size()), c.device);
}

/// What callbacks have in common. `Self` is the primitive.
template <class Self>
struct callback_base {
  using params = callback_params;
  static constexpr bool not_foldable = true;

  static constexpr void abstract_eval(inference& c, const params& p) {
    const loop_view<params> loops{p, c.in.size()};
    for (const aval& r : p.results) {
      shape dims;
      for (std::size_t l = 0; l < loops.depth(); ++l) dims.push_back(loops.size(l));
      for (std::int64_t d : r.dims) dims.push_back(d);
      c.outputs.push_back(r.with(dims));
    }
  }
  static void evaluate(evaluate_call& c, const params& p) {
    // Functions without results go the way of taps; the others must not overtake those.
    if (settle_taps && !p.results.empty()) settle_taps(c.device);
    run_callback(c, p);
  }

  /// One call per example.
  static constexpr void batch_in_loop(auto& c, const params& p) {
    params q = p;
    q.loops.push_back(c.size);
    std::vector<array> in;
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      q.loops.push_back(c.dims[k] != not_mapped);
      in.push_back(batch_to_front(c.x[k], c.dims[k]));
    }
    for (const array& y : bind_list<Self>(q, location{}, in)) c.outputs.push_back({y, 0});
  }
  /// One call for the batch.
  static constexpr void batch_at_once(auto& c, const params& p) {
    params q = p;
    for (aval& r : q.results) r.dims = shape(r.dims.with(0, c.size));
    std::vector<array> in;
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      if (c.dims[k] != not_mapped) in.push_back(move_axis(c.x[k], c.dims[k], 0));
      else if (p.method == vmap_method::legacy_vectorized) in.push_back(c.x[k]);
      else in.push_back(batch_broadcast(c.x[k], p.method == vmap_method::expand_dims ? 1 : c.size));
    }
    for (const array& y : bind_list<Self>(q, location{}, in)) c.outputs.push_back({y, 0});
  }
};

[[noreturn]] inline void refuse(view<const array> about, std::string_view message) {
  error_record e = make_error(error_kind::not_implemented, message);
  if (rule_location) e.where = *rule_location;
  (void)about;
  throw_error(e);
}

}  // namespace detail

/// A function without side effects. May be dropped or repeated.
/// Rules  vmap: by vmap_method. No derivative.
struct pure_callback_p : detail::callback_base<pure_callback_p> {
  static constexpr std::string_view name = "pure_callback";
  static constexpr void jvp(auto& c, const params&) {
    detail::refuse(c.x, "Pure callbacks do not support JVP. Please use jq::custom_jvp to give the function a derivative");
  }
  static constexpr void batch(auto& c, const params& p) {
    switch (p.method) {
      case vmap_method::not_given:
        detail::refuse(c.x, "pure_callback: vmap is only supported with a vmap_method; pass jq::vmap_method::sequential, "
                            "expand_dims or broadcast_all to pure_callback");
      case vmap_method::sequential:
      case vmap_method::sequential_unrolled: return batch_in_loop(c, p);
      default: return batch_at_once(c, p);
    }
  }
};

/// A function with side effects, in no order with others. Runs exactly once.
/// Rules  vmap: once per example. No derivative.
struct io_callback_p : detail::callback_base<io_callback_p> {
  static constexpr std::string_view name = "io_callback";
  static constexpr effect_set effects = unordered_effect;
  static constexpr void jvp(auto& c, const params&) { detail::refuse(c.x, "IO callbacks do not support JVP."); }
  static constexpr void transpose(auto& c, const params&) { detail::refuse(c.ct, "IO callbacks do not support transpose."); }
  static constexpr void batch(auto& c, const params& p) { batch_in_loop(c, p); }
};
/// The same, in program order with others of its kind.
/// Rules  none: neither vmap nor derivative.
struct ordered_io_callback_p : detail::callback_base<ordered_io_callback_p> {
  static constexpr std::string_view name = "ordered_io_callback";
  static constexpr effect_set effects = ordered_effect;
  static constexpr void jvp(auto& c, const params&) { detail::refuse(c.x, "IO callbacks do not support JVP."); }
  static constexpr void transpose(auto& c, const params&) { detail::refuse(c.ct, "IO callbacks do not support transpose."); }
  static constexpr void batch(auto& c, const params&) {
    detail::refuse(c.x, "Cannot `vmap` ordered IO callback; pass jq::in_order(false) to io_callback");
  }
};

/// host_callback's call: one argument, one result, in program order.
/// Rules  none.
struct host_call_p : detail::callback_base<host_call_p> {
  static constexpr std::string_view name = "host_call";
  static constexpr effect_set effects = ordered_effect;
  static constexpr void jvp(auto& c, const params&) {
    detail::refuse(c.x, "JVP rule is implemented only for id_tap, not for call.");
  }
  static constexpr void transpose(auto& c, const params&) {
    detail::refuse(c.ct, "differentiation rules are implemented only for id_tap, not for call.");
  }
  static constexpr void batch(auto& c, const params&) {
    detail::refuse(c.x, "batching rules are implemented only for id_tap, not for call.");
  }
  static constexpr void mask(auto& c, const params&) {
    detail::refuse(c.x, "masking rules are implemented only for id_tap, not for call.");
  }
};

/// A function that looks at values. Without results.
/// Rules  jvp: sees the primals only; vmap: once per example.
struct debug_callback_p : detail::callback_base<debug_callback_p> {
  static constexpr std::string_view name = "debug_callback";
  static constexpr bool watches = true;
  static constexpr effect_set effects = unordered_effect;
  static constexpr void jvp(auto&, const params&) {}
  static constexpr void batch(auto& c, const params& p) { batch_in_loop(c, p); }
};
/// The same, in program order.
struct ordered_debug_callback_p : detail::callback_base<ordered_debug_callback_p> {
  static constexpr std::string_view name = "ordered_debug_callback";
  static constexpr bool watches = true;
  static constexpr effect_set effects = ordered_effect;
  static constexpr void jvp(auto&, const params&) {}
  static constexpr void batch(auto& c, const params& p) { batch_in_loop(c, p); }
};

/// A user's kernel: gets input and output buffers of the device. A primitive in the place where it is used.
/// Rules  those given with the call; vmap without one: by vmap_method.
struct device_callback_p : detail::callback_base<device_callback_p> {
  static constexpr std::string_view name = "device_callback";
  static constexpr void jvp(auto& c, const params& p) {
    auto* s = static_cast<callback_state*>(p.callback.state());
    if (!s->jvp) detail::refuse(c.x, "device_callback: no derivative was given; pass jq::jvp_rule(f) or jq::vjp_rule(f)");
    s->jvp(*s, c, p);
  }
  static constexpr void batch(auto& c, const params& p) {
    auto* s = static_cast<callback_state*>(p.callback.state());
    if (s->batch) return s->batch(*s, c, p);
    switch (p.method) {
      case vmap_method::not_given:
        detail::refuse(c.x, "device_callback: vmap needs a rule; pass jq::vmap_rule(f) or a jq::vmap_method");
      case vmap_method::sequential:
      case vmap_method::sequential_unrolled: return batch_in_loop(c, p);
      default: return batch_at_once(c, p);
    }
  }
};

/// The derivative of a device_callback that has only a vjp rule: operands are arguments, results and tangents.
/// Rules  transpose: the vjp rule.
struct device_callback_tangent_p : detail::callback_base<device_callback_tangent_p> {
  static constexpr std::string_view name = "device_callback_tangent";
  static void evaluate(evaluate_call& c, const params&) {
    detail::refuse(c.in, "device_callback: can't apply forward-mode autodiff (jvp) to a function with a vjp rule; pass jq::jvp_rule(f) too");
  }
  static constexpr void transpose(auto& c, const params& p) {
    auto* s = static_cast<callback_state*>(p.callback.state());
    s->transpose(*s, c, p);
  }
};

}  // namespace jacquard
