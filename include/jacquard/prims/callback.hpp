#pragma once
// Host functions as operations of a program: pure_callback, io_callback (ordered or not), call, debug callbacks and
// device_callback. They differ in effects and in what transforms make of them. Deliberately without the C++ side: taps/
// makes the functions behind the references.

#include "jacquard/prims/host_calls.hpp"

namespace jacquard {

namespace detail {

[[noreturn]] inline void refuse(view<const array> about, std::string_view message) {
  (void)about;
  raise(error_kind::not_implemented, message);
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
  static void evaluate(auto& c, const params& p) {
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
      q.loops.push_back(std::int64_t(c.dims[k] != not_mapped ? loop_use::mapped : loop_use::fixed));
      in.push_back(batch_to_front(c.x[k], c.dims[k]));
    }
    for (const array& y : bind_list<Self>(q, location{}, in)) c.outputs.push_back({y, 0});
  }
  static constexpr void mask(auto& c, const params&) {
    refuse(c.x, cat("Masking rule for '", Self::name, "' not implemented: its function can neither get nor return arrays of symbolic sizes; "
                    "give it values of constant sizes, such as sums, or look at arrays with jq::debug::callback").view());
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

/// Functions that only look at values. They get the logical parts of padded arrays.
template <class Self>
struct watching_callback : callback_base<Self> {
  using params = callback_params;
  static constexpr bool watches = true;
  static constexpr void jvp(auto&, const params&) {}
  static constexpr void batch(auto& c, const params& p) { Self::batch_in_loop(c, p); }
  /// Logical shapes, and how many examples there are where that depends on a size, come along as operands. One whose shape an inner
  /// mask has given needs no other: the sizes in that are values, which are masked too.
  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    const params twin = decode<params>(c.twin);
    const loop_view<params> loops{p, c.x.size()}, other{twin, c.x.size()};
    params q = p;
    std::vector<array> operands(c.x.begin(), c.x.end());
    for (std::size_t k = 0; k < c.x.size() - p.sizes.size(); ++k) {
      dimension_list dims = c.dims[k];  // of one example
      for (std::size_t l = 0; l < loops.depth(); ++l)
        if (loops.mapped(l, k)) dims.erase(dims.begin());
      bool known = !has_symbolic(dims);
      for (std::int64_t one : p.sizes) known = known || one == std::int64_t(k);
      if (known) continue;
      q.sizes.push_back(std::int64_t(k));
      operands.push_back(c.scope.shape_of(dims));
    }
    std::vector<std::size_t> count_of;  // by level: the operand that holds the number of examples, 0 for none
    std::vector<std::int64_t> examples;
    for (std::size_t l = 0; l < loops.depth(); ++l) {
      const dimension n = c.scope.decode(loops.size(l), other.size(l));
      bool counted = n.is_constant();
      for (std::size_t k = 0; k < c.x.size(); ++k) counted = counted || loops.use(l, k) == loop_use::count;
      examples.push_back(c.scope.padded(n));
      count_of.push_back(counted ? 0 : operands.size());
      if (counted) continue;
      q.sizes.push_back(-1);
      operands.push_back(c.scope.size(n));
    }
    q.loops.clear();
    for (std::size_t l = loops.depth(); l-- > 0;) {
      q.loops.push_back(examples[l]);
      for (std::size_t k = 0; k < operands.size(); ++k)
        q.loops.push_back(std::int64_t(k < c.x.size() ? loops.use(l, k) : k == count_of[l] ? loop_use::count : loop_use::fixed));
    }
    bind_list<Self>(q, location{}, operands);
  }
};

}  // namespace detail

/// A function without side effects. May be dropped or repeated.
/// Rules  vmap: by vmap_method. No derivative.
struct pure_callback_p : detail::callback_base<pure_callback_p> {
  static constexpr std::string_view name = "pure_callback";
  static constexpr void joint_jvp(auto& c, const params&) {  // as are those below: before the function is called
    detail::refuse(c.x, "Pure callbacks do not support JVP. Please use jq::custom_jvp to give the function a derivative");
  }
  static constexpr void linearize(auto& c, const params& p) { joint_jvp(c, p); }
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
  static constexpr void joint_jvp(auto& c, const params&) { detail::refuse(c.x, "IO callbacks do not support JVP."); }
  static constexpr void linearize(auto& c, const params& p) { joint_jvp(c, p); }
  static constexpr void transpose(auto& c, const params&) { detail::refuse(c.ct, "IO callbacks do not support transpose."); }
  static constexpr void batch(auto& c, const params& p) { batch_in_loop(c, p); }
};
/// The same, in program order with others of its kind.
/// Rules  none: neither vmap nor derivative.
struct ordered_io_callback_p : detail::callback_base<ordered_io_callback_p> {
  static constexpr std::string_view name = "ordered_io_callback";
  static constexpr effect_set effects = ordered_effect;
  static constexpr bool on_one_device = true;
  static constexpr void joint_jvp(auto& c, const params&) { detail::refuse(c.x, "IO callbacks do not support JVP."); }
  static constexpr void linearize(auto& c, const params& p) { joint_jvp(c, p); }
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
  static constexpr void joint_jvp(auto& c, const params&) {
    detail::refuse(c.x, "JVP rule is implemented only for id_tap, not for call.");
  }
  static constexpr void linearize(auto& c, const params& p) { joint_jvp(c, p); }
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
/// Rules  jvp: sees the primals only; vmap: once per example; mask: sees the logical parts.
struct debug_callback_p : detail::watching_callback<debug_callback_p> {
  static constexpr std::string_view name = "debug_callback";
  static constexpr effect_set effects = unordered_effect;
};
/// The same, in program order.
struct ordered_debug_callback_p : detail::watching_callback<ordered_debug_callback_p> {
  static constexpr std::string_view name = "ordered_debug_callback";
  static constexpr effect_set effects = ordered_effect;
  static constexpr bool on_one_device = true;
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
  static void evaluate(auto& c, const params&) {
    detail::refuse(c.in, "device_callback: can't apply forward-mode autodiff (jvp) to a function with a vjp rule; pass jq::jvp_rule(f) too");
  }
  static constexpr void transpose(auto& c, const params& p) {
    auto* s = static_cast<callback_state*>(p.callback.state());
    s->transpose(*s, c, p);
  }
};

}  // namespace jacquard
