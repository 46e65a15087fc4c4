#pragma once
// The queue of what programs earn while they run: the making of machine code. Deliberately one thread: code is made one module at a time
// anyway.

#include "jacquard/backends/work_queue.hpp"

namespace jacquard::cpu {

/// The queue of this process; lives as long as that.
inline jacquard::detail::work_queue& background() {
  static auto* const q = new jacquard::detail::work_queue(jacquard::detail::work_queue::at_fork::leave_to_parent);
  return *q;
}

}  // namespace jacquard::cpu
