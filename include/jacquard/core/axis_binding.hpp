#pragma once
// Mapped axes in scope, which collectives name. A trace knows those it lies in; outside of all traces they are those that a thread works
// under: it may trace, compile or run the program of one member of an axis. Deliberately without members, which are in prims/.

#include <utility>
#include <vector>

#include "jacquard/core/params.hpp"

namespace jacquard {

/// Names and sizes of mapped axes in scope, innermost first.
struct axis_binding {
  name_text name;
  std::int64_t size = 0;
  const axis_binding* outer = nullptr;
  bool has_own_constants = false;  ///< each member traces for itself, so that constants may differ among them

  /// Whether collectives mean it by `other`. An axis without a name is meant by none.
  constexpr bool is_named(const name_text& other) const { return name == other && !name.view().empty(); }
};

namespace detail {

/// Set by axis_scope.
inline constinit thread_local const axis_binding* thread_axes = nullptr;

/// The axes in scope where no trace says which; none in constant evaluation.
constexpr const axis_binding* outermost_axes() {
  if (__builtin_is_constant_evaluated()) return nullptr;
  return thread_axes;
}

/// While it lives, what this thread does outside of traces lies under these axes, or under none.
class axis_scope {
 public:
  explicit axis_scope(const axis_binding* axes) : outer_(std::exchange(thread_axes, axes)) {}
  axis_scope(const axis_scope&) = delete;
  ~axis_scope() { thread_axes = outer_; }

 private:
  const axis_binding* const outer_;
};

/// A copy of axes in scope, for work that is done later, or on another thread.
class kept_axes {
 public:
  explicit kept_axes(const axis_binding* innermost) {
    for (const axis_binding* a = innermost; a; a = a->outer) axes_.push_back(*a);
    for (std::size_t i = 0; i < axes_.size(); ++i) axes_[i].outer = i + 1 < axes_.size() ? &axes_[i + 1] : nullptr;
  }
  kept_axes(const kept_axes&) = delete;
  const axis_binding* innermost() const { return axes_.empty() ? nullptr : axes_.data(); }

 private:
  std::vector<axis_binding> axes_;
};

}  // namespace detail
}  // namespace jacquard
