#pragma once
// Opening and leaving traces: the scope of a user function that is being traced, and its opposite, a scope outside every
// trace. Deliberately the only place that changes which trace is current on this thread.

#include "jacquard/core/trace.hpp"

namespace jacquard {

namespace detail {
/// Where traces of this thread are noted while something looks for tracers that outlive them; null otherwise.
inline constinit thread_local std::vector<trace*>* noted_traces = nullptr;

/// Stack that functions being traced within each other may take: half of what a thread has by default.
inline constexpr std::ptrdiff_t most_stack = 4 << 20;
/// So much fits on any stack, and nobody asks.
inline constexpr std::ptrdiff_t least_stack = 64 << 10;
using stack_function = std::ptrdiff_t (*)(const char* frame);
/// What they may take on smaller stacks, the outermost one of which began at `frame`; set by backends/stack, which asks the system.
inline constinit stack_function stack_hook = nullptr;
/// The outermost trace of this thread: an address on the stack where it was opened, or null.
inline constinit thread_local const char* outermost_frame = nullptr;
}  // namespace detail

/// Owns a trace while it is open.
class trace_scope {
 public:
  /// Errors: value_error for recursion that does not end, before the stack does.
  constexpr trace_scope(trace::purpose why, trace* parent) : trace_(opened(why, parent)) {
    if (__builtin_is_constant_evaluated()) return;
    if (!detail::outermost_frame) detail::outermost_frame = frame(), is_outermost_ = true;
    if (!detail::noted_traces) return;
    detail::noted_traces->push_back(trace_);
    trace_->retain();
  }
  trace_scope(const trace_scope&) = delete;
  trace_scope& operator=(const trace_scope&) = delete;
  constexpr ~trace_scope() {
    leave();
    trace_->close();
    trace_->release();
    if (is_outermost_) detail::outermost_frame = nullptr;
  }
  constexpr trace* operator->() const { return trace_; }
  constexpr trace& operator*() const { return *trace_; }
  constexpr trace* get() const { return trace_; }
  /// From here until leave(), operations on constants are staged into this trace (run time).
  constexpr void enter() {
    if (__builtin_is_constant_evaluated()) return;
    previous_ = detail::current_trace;
    detail::current_trace = trace_;
    entered_ = true;
  }
  constexpr void leave() {
    if (__builtin_is_constant_evaluated() || !entered_) return;
    detail::current_trace = previous_;
    entered_ = false;
  }

 private:
  static const char* frame() { return static_cast<const char*>(__builtin_frame_address(0)); }
  static constexpr trace* opened(trace::purpose why, trace* parent) {
    if (!__builtin_is_constant_evaluated() && detail::outermost_frame && detail::outermost_frame - frame() > detail::least_stack) check_stack();
    return new trace(why, parent);
  }
  static void check_stack() {
    const std::ptrdiff_t most = detail::stack_hook ? detail::stack_hook(detail::outermost_frame) : detail::most_stack;
    if (detail::outermost_frame - frame() <= most) return;
    const bool large = most >= 1 << 20;
    raise(error_kind::value, "tracing: got functions that call each other within more than ", most >> (large ? 20 : 10), large ? " MiB" : " KiB",
          " of stack; wanted a recursion that ends. A traced value cannot end one: use jq::lax::while_loop, scan or cond, or count with a static "
          "argument");
  }

  trace* trace_;
  trace* previous_ = nullptr;
  bool entered_ = false;
  bool is_outermost_ = false;
};

/// Runs f outside every trace: operations on concrete arrays compute at once (caches, static tables).
template <class F>
decltype(auto) eager(F&& f) {
  struct outside {
    trace* saved = std::exchange(detail::current_trace, nullptr);
    ~outside() { detail::current_trace = saved; }
  } scope;
  return std::forward<F>(f)();
}

}  // namespace jacquard
