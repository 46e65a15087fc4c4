#pragma once
// A compiled kernel: a function for each of its phases, which runs any range of the phase's units, and what it reads and writes. Runs
// it with the help of other threads where that pays. Deliberately without memory of its own: whoever runs it gives the pointers.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "jacquard/backends/cpu/row_plan.hpp"
#include "jacquard/backends/thread_pool.hpp"
#include "jacquard/core/block_cache.hpp"
#include "jacquard/core/jaxpr.hpp"

namespace jacquard::cpu {

/// One function of a kernel. Ranges of its units may run in any order and at once, after all of the phase before.
struct kernel_phase {
  void (*entry)(void** pointers, std::int64_t begin, std::int64_t end, const void* self) = nullptr;
  std::int64_t units = 1;
  const void* self = nullptr;  ///< what the function works with, if it is not made for this kernel

  void run(void** pointers, std::int64_t begin, std::int64_t end) const { entry(pointers, begin, end, self); }
};

/// A compiled kernel and the values it gets, in the order of its pointers; memory for partial results follows these, if it wants some.
struct native_kernel {
  std::vector<kernel_phase> phases{};
  double nanoseconds = 0;            ///< on one thread, roughly
  std::int64_t partial_bytes = 0;
  text name{};                       ///< what it computes, for those who observe it
  std::vector<variable> places{};
  std::vector<variable> outputs{};
  std::vector<std::int64_t> donors{};  ///< by output: the variable whose memory it may take, or -1
  std::vector<memory_conflict> conflicts{};

  /// Whether there is nothing in it for a second thread.
  bool is_one_piece() const { return phases.size() == 1 && phases[0].units == 1; }
  /// Whether an output must not take the memory of an input.
  bool is_kept_from(std::size_t output, variable input) const {
    for (const memory_conflict& c : conflicts)
      if (c.output == output && c.input == input) return true;
    return false;
  }
  /// Runs all phases.
  void run(void** pointers) const {
    for (const kernel_phase& p : phases) {
      if (p.units == 1) p.run(pointers, 0, 1);
      else share(p, pointers);
    }
  }

 private:
  /// Phases of more than one unit; the others take next to nothing.
  std::ptrdiff_t shared_phases() const {
    return std::count_if(phases.begin(), phases.end(), [](const kernel_phase& p) { return p.units > 1; });
  }
  struct running {
    const kernel_phase& phase;
    void** pointers;
  };
  void share(const kernel_phase& p, void** pointers) const {
    running r{p, pointers};
    const auto run = [](void* context, std::int64_t begin, std::int64_t end) {
      const running& here = *static_cast<running*>(context);
      here.phase.run(here.pointers, begin, end);
    };
    jacquard::detail::thread_pool::get().run(run, &r, p.units, nanoseconds / double(shared_phases()) / double(p.units));
  }
};

/// A loop in blocks of examples, which threads share, in the form of a phase of one unit: `phase`, with the address of this. What all examples have
/// alike and a result may lie over is copied before the first block, for the last one writes there.
class shared_blocks {
 public:
  using operand = std::pair<std::size_t, std::int64_t>;  ///< its pointer's number, and its bytes
  static constexpr std::int64_t most_copied = 4096;
  shared_blocks(native_kernel kernel, std::size_t pointers, std::vector<operand> copied) : kernel_(std::move(kernel)), pointers_(pointers), copied_(std::move(copied)) {}
  kernel_phase phase() const { return {&run, 1, this}; }

 private:
  static void run(void** pointers, std::int64_t, std::int64_t, const void* self) {
    const shared_blocks& b = *static_cast<const shared_blocks*>(self);
    if (b.copied_.empty()) return b.kernel_.run(pointers);
    alignas(jacquard::detail::buffer_alignment) char memory[most_copied];
    small_vector<void*, 16> own;
    for (std::size_t i = 0; i < b.pointers_; ++i) own.push_back(pointers[i]);
    char* at = memory;
    for (const auto& [number, bytes] : b.copied_) {
      std::memcpy(at, own[number], std::size_t(bytes));
      own[number] = at;
      at += jacquard::detail::whole_lines(bytes);
    }
    b.kernel_.run(own.data());
  }

  native_kernel kernel_;
  std::size_t pointers_;
  std::vector<operand> copied_;
};

}  // namespace jacquard::cpu
