#pragma once
// The queue of what programs earn while they run: the making of machine code. Deliberately one thread: code is made one module at a time
// anyway.

#include <unistd.h>

#include "jacquard/backends/work_queue.hpp"
#include "jacquard/core/atomic.hpp"

namespace jacquard::cpu {

namespace detail {
inline jacquard::detail::atomic<bool> background_is_there{false};
}

/// The queue of this process; lives as long as that.
inline jacquard::detail::work_queue& background() {
  static auto* const q = [] {
    auto* const made = new jacquard::detail::work_queue(jacquard::detail::work_queue::at_fork::leave_to_parent);
    detail::background_is_there.store(true);
    return made;
  }();
  return *q;
}

namespace detail {
/// Joins the thread at the end of the main thread: objects of a thread are destroyed before all that exit destroys, among them what a
/// library made while it worked, after work_queue::join_before_exit. Made when the program starts, below.
struct end_of_main {
  bool made = true;
  ~end_of_main() {
    if (background_is_there.load() && getpid() == gettid()) background().close();
  }
  static bool guard() {
    static thread_local end_of_main g;
    return g.made;
  }
};
inline const bool main_is_guarded = end_of_main::guard();
}  // namespace detail

}  // namespace jacquard::cpu
