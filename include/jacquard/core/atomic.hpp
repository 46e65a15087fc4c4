#pragma once
// Values that threads share without a lock, on the compilers' builtins: <atomic> brings waiting, <mutex> and <system_error> along, a
// twentieth of what including Jacquard costs. Deliberately without waiting (backends/mutex.hpp) and without operators.

namespace jacquard::detail {

/// What other memory operations are ordered with this one; as std::memory_order.
enum class ordering : int { relaxed = __ATOMIC_RELAXED, acquire = __ATOMIC_ACQUIRE, release = __ATOMIC_RELEASE, sequential = __ATOMIC_SEQ_CST };

/// A T of at most 8 bytes that is read and written whole.
template <class T>
class atomic {
  static_assert(sizeof(T) <= 8);

 public:
  constexpr atomic(T value = T{}) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(ordering o = ordering::sequential) const {
    T r;
    __atomic_load(&value_, &r, int(o));
    return r;
  }
  void store(T value, ordering o = ordering::sequential) { __atomic_store(&value_, &value, int(o)); }
  /// Adds; the value before.
  T fetch_add(T n) { return __atomic_fetch_add(&value_, n, __ATOMIC_SEQ_CST); }
  T fetch_sub(T n) { return __atomic_fetch_sub(&value_, n, __ATOMIC_SEQ_CST); }
  T fetch_and(T bits) { return __atomic_fetch_and(&value_, bits, __ATOMIC_SEQ_CST); }
  T fetch_or(T bits) { return __atomic_fetch_or(&value_, bits, __ATOMIC_SEQ_CST); }
  /// Becomes `wanted` where it is `expected`; otherwise says in `expected` what it is.
  bool exchange_if(T& expected, T wanted) {
    return __atomic_compare_exchange(&value_, &expected, &wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

 private:
  T value_;
};

}  // namespace jacquard::detail
