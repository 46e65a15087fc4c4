#pragma once
// Threads for jq::map: one range of the batch each, started for the call and joined before it returns. Not part of fixed.hpp,
// because <thread> costs as much to parse as a tenth of it. Deliberately no pool and no stealing: the parts are equal.

#include <thread>
#include <vector>

#include "jacquard/fixed/batch.hpp"

namespace jacquard {

/// Shares a large batch between threads: jq::map(f, in, out, jq::threads(n)). Without a number: one for each processor.
class threads {
 public:
  threads() : count_(std::thread::hardware_concurrency()) {}
  explicit threads(int n) : count_(n < 1 ? 1u : unsigned(n)) {}

  /// The most threads that a call uses.
  std::size_t most() const { return count_ == 0 ? 1 : count_; }
  /// Calls f(0) ... f(parts - 1), each on a thread of its own, f(0) on this one. f must not throw.
  template <class F>
  static void run(std::size_t parts, const F& f) {
    std::vector<std::thread> others;
    others.reserve(parts);
    std::size_t k = 1;
    try {
      for (; k < parts; ++k) others.emplace_back([&f, k] { f(k); });
    } catch (const std::system_error&) {  // no more threads: what is left runs here
      for (; k < parts; ++k) f(k);
    }
    f(0);
    for (std::thread& t : others) t.join();
  }

 private:
  unsigned count_;
};

}  // namespace jacquard
