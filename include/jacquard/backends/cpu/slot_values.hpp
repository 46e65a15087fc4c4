#pragma once
// The values of a program that runs step by step, in slots that several variables share one after the other. Deliberately without knowing the
// program: who numbers the slots does.

#include "jacquard/core/array.hpp"

namespace jacquard::cpu {

/// The values that lie in memory, by variable; those of small programs on the stack.
class slot_values {
 public:
  slot_values(const std::vector<std::uint32_t>& slots, std::size_t count) : slots_(slots.data()) {
    if (count > most) heap_.resize(count), at_ = heap_.data();
  }
  slot_values(const slot_values&) = delete;
  array& operator[](std::size_t v) { return at_[slots_[v]]; }

 private:
  static constexpr std::size_t most = 12;
  const std::uint32_t* slots_;
  array stack_[most];
  std::vector<array> heap_;
  array* at_ = stack_;
};

}  // namespace jacquard::cpu
