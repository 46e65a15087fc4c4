#pragma once
// How many bytes the elements of arrays take on the host, now and at most. Each thread counts what it takes and gives back by itself and
// tells the others now and then, since a locked operation on a line that all threads share takes a small array longer than all else.
// Deliberately without the memory itself, which is core/block_cache's.

#include <cstdint>
#include <new>

namespace jacquard::detail {

/// What all threads have told.
inline constinit std::int64_t told_bytes = 0, told_peak = 0;

/// Adds to what all threads have told; it was `most` more on the way.
inline void tell_bytes(std::int64_t change, std::int64_t most) {
  const std::int64_t before = __atomic_fetch_add(&told_bytes, change, __ATOMIC_RELAXED);
  std::int64_t peak = __atomic_load_n(&told_peak, __ATOMIC_RELAXED);
  while (before + most > peak && !__atomic_compare_exchange_n(&told_peak, &peak, before + most, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/// What one thread has not told yet. Only that thread adds; others look.
class alignas(64) byte_counter {
 public:
  /// So much change is told at once.
  static constexpr std::int64_t untold = 1 << 16;

  /// One for this thread, which gives it back with `leave`; null if there is no memory for it.
  static byte_counter* join() {
    for (byte_counter* c = first(); c; c = c->next_)
      if (!__atomic_exchange_n(&c->used_, true, __ATOMIC_ACQ_REL)) return c;
    byte_counter* const mine = new (std::nothrow) byte_counter;
    if (!mine) return nullptr;
    mine->next_ = first();
    while (!__atomic_compare_exchange_n(&first_, &mine->next_, mine, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {}
    return mine;
  }
  void leave() {
    tell();
    __atomic_store_n(&used_, false, __ATOMIC_RELEASE);
  }
  void add(std::int64_t change) {
    // Large changes go to all at once: who looks while they are told would count them twice.
    if (change >= untold || change <= -untold) [[unlikely]] return tell_large(change);
    const std::int64_t now = get(change_) + change;
    set(change_, now);
    if (now > get(most_)) set(most_, now);
    if (now >= untold || now <= -untold) [[unlikely]] tell();
  }
  /// The bytes now, of all threads. Exact while no other thread takes or gives back memory.
  static std::int64_t live() {
    std::int64_t sum = __atomic_load_n(&told_bytes, __ATOMIC_RELAXED);
    for (const byte_counter* c = first(); c; c = c->next_) sum += get(c->change_);
    return sum;
  }
  /// The most there were. Where several threads take memory, up to `untold` for each of them too many, as these need not have had their
  /// most at the same time.
  static std::int64_t peak() {
    std::int64_t sum = __atomic_load_n(&told_bytes, __ATOMIC_RELAXED);
    for (const byte_counter* c = first(); c; c = c->next_) sum += get(c->most_);
    const std::int64_t told = __atomic_load_n(&told_peak, __ATOMIC_RELAXED);
    return sum > told ? sum : told;
  }
  /// Makes the most what it is now.
  static void reset_peak() {
    for (byte_counter* c = first(); c; c = c->next_) set(c->most_, get(c->change_));
    __atomic_store_n(&told_peak, live(), __ATOMIC_RELAXED);
  }

 private:
  static byte_counter* first() { return __atomic_load_n(&first_, __ATOMIC_ACQUIRE); }
  static std::int64_t get(const std::int64_t& x) { return __atomic_load_n(&x, __ATOMIC_RELAXED); }
  static void set(std::int64_t& x, std::int64_t to) { __atomic_store_n(&x, to, __ATOMIC_RELAXED); }
  [[gnu::noinline]] void tell_large(std::int64_t change) {
    tell();
    tell_bytes(change, change > 0 ? change : 0);
  }
  [[gnu::noinline]] void tell() {
    tell_bytes(get(change_), get(most_));
    set(change_, 0);
    set(most_, 0);
  }

  static inline constinit byte_counter* first_ = nullptr;  ///< of all that were ever made: threads that end leave theirs to later ones
  std::int64_t change_ = 0, most_ = 0;                     ///< since it last told; the most since then or since a reset
  byte_counter* next_ = nullptr;
  bool used_ = true;
};

}  // namespace jacquard::detail
