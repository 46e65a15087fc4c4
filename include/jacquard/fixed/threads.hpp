#pragma once
// Threads for jq::map: parts of the batch, shared with the helpers that the cpu backend's kernels use as well. Not part of fixed.hpp,
// which needs no threads of the system. Deliberately no setting of its own: JACQUARD_THREADS says how many threads there are.

#include "jacquard/backends/thread_pool.hpp"
#include "jacquard/fixed/batch.hpp"

namespace jacquard {

/// Shares a large batch between threads: jq::map(f, in, out, jq::threads(n)). Without a number: as many as may compute at once.
class threads {
 public:
  threads() : count_(std::size_t(detail::thread_pool::get().threads())) {}
  explicit threads(int n) : count_(n < 1 ? 1 : std::size_t(n)) {}

  /// The most threads that a call uses.
  std::size_t most() const { return count_; }
  /// Calls f(0) ... f(parts - 1), on this thread and those that are free to help. f must not throw.
  template <class F>
  static void run(std::size_t parts, const F& f) {
    const auto some = [](void* context, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) (*static_cast<const F*>(context))(std::size_t(k));
    };
    detail::thread_pool::get().run({some, const_cast<F*>(&f), std::int64_t(parts), 1}, int(parts - 1));
  }

 private:
  std::size_t count_;
};

}  // namespace jacquard
