#pragma once
// A bounded ring of messages in one block of memory, for one producer and one consumer at a time. A message lies in one piece,
// aligned to 64 bytes, and is read where it lies. Deliberately without waiting: who finds the ring full or empty decides.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "jacquard/core/atomic.hpp"
#include "jacquard/core/error.hpp"

namespace jacquard::detail {

class message_ring {
 public:
  static constexpr std::size_t alignment = 64;
  /// Bytes behind which an empty ring starts again at its beginning.
  static constexpr std::size_t restart_after = std::size_t(1) << 20;

  /// Errors: value_error if the memory cannot be had. Pages are taken from the system when they are first written.
  explicit message_ring(std::size_t capacity) : capacity_(round_up(capacity)) {
    void* m = mmap(nullptr, capacity_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m == MAP_FAILED) raise(error_kind::value, "outfeed: cannot reserve a ring of ", capacity_, " bytes; set a smaller jq::outfeed_capacity");
    memory_ = static_cast<std::byte*>(m);
#ifdef MADV_HUGEPAGE
    madvise(m, capacity_, MADV_HUGEPAGE);  // large messages are copied at the speed of memory, not of page tables
#endif
  }
  message_ring(const message_ring&) = delete;
  message_ring& operator=(const message_ring&) = delete;
  ~message_ring() { release(); }
  /// Gives the memory back, of a ring that is empty and will hold no message any more.
  void release() {
    if (memory_) munmap(memory_, capacity_);
    memory_ = nullptr;
  }

  /// The largest message that fits. Half of the memory, so that what is left at its end can always be skipped.
  std::size_t largest() const { return capacity_ / 2 - alignment; }
  bool empty() const { return head_.load() == tail_.load(); }
  bool is_half_empty() const { return head_.load() - tail_.load() <= capacity_ / 2; }

  /// Producer: room for a message of `size` bytes, or null while there is none.
  void* reserve(std::size_t size) {
    const std::size_t whole = round_up(size + alignment);
    const std::uint64_t head = head_.load(detail::ordering::relaxed), tail = tail_.load(detail::ordering::acquire);
    const std::size_t at = std::size_t(head % capacity_), left = capacity_ - at;
    // An idle ring starts again at its beginning: pages that were touched already are the ones in the cache. Not where the rest of the
    // ring, which is skipped, leaves no room for the message.
    const std::size_t skipped = whole > left || (head == tail && at > restart_after && at >= whole) ? left : 0;
    if (capacity_ - std::size_t(head - tail) < skipped + whole) return nullptr;
    if (skipped) *frame_at(head) = {skipped, true};
    *frame_at(head + skipped) = {whole, false};
    reserved_ = skipped + whole;
    return memory_ + (head + skipped) % capacity_ + alignment;
  }
  /// Producer: makes the reserved message visible.
  void publish() { head_.store(head_.load(detail::ordering::relaxed) + reserved_); }

  /// Consumer: the oldest message, or null while there is none.
  void* front() {
    std::uint64_t tail = tail_.load(detail::ordering::relaxed);
    if (tail == head_.load()) return nullptr;
    if (frame_at(tail)->skip) tail_.store(tail += frame_at(tail)->size);
    return memory_ + tail % capacity_ + alignment;
  }
  /// Consumer: gives back the memory of the message that front() returned.
  void pop() {
    const std::uint64_t tail = tail_.load(detail::ordering::relaxed);
    tail_.store(tail + frame_at(tail)->size);
  }

 private:
  struct frame {
    std::size_t size;
    bool skip;
  };
  static constexpr std::size_t round_up(std::size_t n) { return (n + alignment - 1) / alignment * alignment; }
  frame* frame_at(std::uint64_t position) const { return reinterpret_cast<frame*>(memory_ + position % capacity_); }

  std::size_t capacity_;
  std::byte* memory_ = nullptr;
  std::size_t reserved_ = 0;
  // Bytes ever written and consumed. Sequentially consistent: who sleeps and who wakes must see each other's last word.
  alignas(alignment) detail::atomic<std::uint64_t> head_ = 0;
  alignas(alignment) detail::atomic<std::uint64_t> tail_ = 0;
};

}  // namespace jacquard::detail
