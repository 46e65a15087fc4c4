#pragma once
// References to user functions held by equations (taps, custom rules): a thunk pointer, plus shared state for callables
// that capture. Deliberately untyped here; who made the reference knows the signature of its thunk.

#include <utility>

namespace jacquard {

/// Shared state of a capturing callable. Intrusive count, atomic because executables run on many threads.
struct function_state {
  int references = 1;
  void (*destroy)(function_state*) = nullptr;
};

/// A type-erased function: the address of a thunk and, for capturing callables, their state.
class function_ref {
 public:
  using thunk = void (*)();

  constexpr function_ref() = default;
  constexpr explicit function_ref(thunk t, function_state* s = nullptr) : thunk_(t), state_(s) {}
  constexpr function_ref(const function_ref& o) : thunk_(o.thunk_), state_(o.state_) {
    if (!state_) return;
    if (__builtin_is_constant_evaluated()) ++state_->references;
    else __atomic_fetch_add(&state_->references, 1, __ATOMIC_RELAXED);
  }
  constexpr function_ref(function_ref&& o) noexcept
      : thunk_(std::exchange(o.thunk_, nullptr)), state_(std::exchange(o.state_, nullptr)) {}
  constexpr function_ref& operator=(function_ref o) noexcept {
    std::swap(thunk_, o.thunk_);
    std::swap(state_, o.state_);
    return *this;
  }
  constexpr ~function_ref() {
    if (!state_) return;
    if (__builtin_is_constant_evaluated()) {
      if (--state_->references == 0) state_->destroy(state_);
    } else if (__atomic_sub_fetch(&state_->references, 1, __ATOMIC_ACQ_REL) == 0) state_->destroy(state_);
  }
  constexpr thunk get() const { return thunk_; }
  constexpr function_state* state() const { return state_; }
  constexpr explicit operator bool() const { return thunk_ != nullptr; }
  friend constexpr bool operator==(const function_ref& a, const function_ref& b) {
    return a.thunk_ == b.thunk_ && a.state_ == b.state_;
  }

 private:
  thunk thunk_ = nullptr;
  function_state* state_ = nullptr;
};

}  // namespace jacquard
