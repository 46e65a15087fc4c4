#pragma once
// A leak check: finds tracers that outlive the trace they belong to, such as values that a traced function stored outside. Their
// use is an error anyway; this finds them before they are used.

#include <exception>
#include <vector>

#include "jacquard/core/trace_scope.hpp"

namespace jacquard {

/// While one lives, the traces of this thread are watched. check(), or the end of the scope, throws unexpected_tracer_error if
/// tracers of a finished trace are still held.
class check_tracer_leaks {
 public:
  check_tracer_leaks() : outer_(std::exchange(detail::noted_traces, &traces_)), uncaught_(std::uncaught_exceptions()) {}
  check_tracer_leaks(const check_tracer_leaks&) = delete;
  check_tracer_leaks& operator=(const check_tracer_leaks&) = delete;
  ~check_tracer_leaks() noexcept(false) {
    detail::noted_traces = outer_;
    error_record e = find();
    for (trace* t : traces_) t->release();
    if (e && std::uncaught_exceptions() == uncaught_) throw_error(e);
  }

  /// Errors: unexpected_tracer_error that names the transform whose tracers are held.
  void check() {
    if (const error_record e = find()) throw_error(e);
  }

 private:
  /// Traces that nobody else holds go, and their parents with them; an innermost one that stays is held by a tracer.
  error_record find() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = traces_.size(); i-- > 0;) {
        if (traces_[i]->references > 1) continue;
        traces_[i]->release();
        traces_.erase(traces_.begin() + std::ptrdiff_t(i));
        changed = true;
      }
    }
    for (std::size_t i = traces_.size(); i-- > 0;)
      if (!traces_[i]->is_open())
        return make_error(error_kind::tracer, "Leaked tracers: ", traces_[i]->references - 1, " handles on values traced by ", traces_[i]->name,
                          " are still held after its trace has ended; return values from the traced function instead of storing them");
    return {};
  }

  std::vector<trace*> traces_;
  std::vector<trace*>* outer_;
  int uncaught_;
};

}  // namespace jacquard
