#pragma once
// A device as asynchronous dispatch sees it: the queue whose thread runs its executions in order, and its arena, the memory that their
// results come from and go back to. Deliberately without programs; exec/dispatcher brings these.

#include <vector>

#include "jacquard/backends/work_queue.hpp"
#include "jacquard/core/buffer.hpp"

namespace jacquard::detail {

/// Blocks of results that other threads gave back. The device's thread takes them into its own cache before it runs something, so that
/// a program that runs again finds the pages of its last run.
class device_arena {
 public:
  /// Of buffers whose blocks come from a device: what gives them back.
  static void take_back(buffer& b) {
    count_bytes(-b.type.bytes());
    static_cast<device_arena*>(b.owner)->give(b.data, block_bytes(b.type.bytes()));
  }
  /// To be called on the device's thread.
  void collect() {
    std::vector<block> all;
    {
      const scoped_lock lock(mutex_);
      all.swap(returned_);
      bytes_ = 0;
    }
    for (const block& b : all) give_block(b.memory, b.bytes);
  }
  /// The memory of a result that this thread computed comes from here from now on.
  void adopt(buffer& b) {
    if (b.release != &release_owned) return;
    b.owner = this;
    b.release = &take_back;
  }

 private:
  struct block {
    void* memory;
    std::size_t bytes;
  };
  void give(void* memory, std::size_t bytes) {
    if (!this_block_cache()) return free_block(memory, bytes);
    {
      const scoped_lock lock(mutex_);
      if (bytes_ + bytes <= block_cache::most_bytes && returned_.size() < block_cache::most_blocks) {
        returned_.push_back({memory, bytes});
        bytes_ += bytes;
        return;
      }
    }
    free_block(memory, bytes);
  }

  mutex mutex_;
  std::vector<block> returned_;
  std::size_t bytes_ = 0;
};

/// Lives as long as the process.
class device_queue {
 public:
  static device_queue& of(device_id d) {
    if (device_queue* q = find(d)) return *q;
    static mutex* const adding = new mutex;
    const scoped_lock lock(*adding);
    if (device_queue* q = find(d)) return *q;
    device_queue* const made = new device_queue(d, first);
    __atomic_store_n(&first, made, __ATOMIC_RELEASE);
    return *made;
  }
  /// Waits until all devices that exist by now have nothing to do.
  static void wait_for_all() {
    for (device_queue* q = __atomic_load_n(&first, __ATOMIC_ACQUIRE); q; q = q->next_) q->work.wait();
  }

  /// Waits until nothing in any queue reads a buffer. Errors: value_error on the thread of a queue, which would perhaps wait for itself.
  static void wait_until_unread(const buffer& b) {
    if (b.has_readers() && work_queue::is_thread_of_any())
      raise(error_kind::value, "a function that runs on a device donates an array that calls in a queue still read; pass it a copy");
    while (b.has_readers())
      for (device_queue* q = __atomic_load_n(&first, __ATOMIC_ACQUIRE); q; q = q->next_) {
        const scoped_lock lock(q->work.guard());
        q->work.wait_until([&] { return !b.has_readers() || q->waiting == 0; });
      }
  }
  /// While the thread of a queue waits for a pending buffer. Errors: value_error if that, at last, waits for this queue.
  class wait_scope {
   public:
    explicit wait_scope(const buffer& b) : mine_(running) {
      if (!mine_) return;
      const scoped_lock lock(waits());
      for (const buffer* next = &b; next && next->state_now() == buffer_state::pending;) {
        const device_queue& q = of(next->where);
        if (&q == mine_)
          raise(error_kind::value, "a function that runs on a device waits for a result that the same device computes after it; read the array "
                "before the call, or pass it as an argument");
        next = q.waits_on_;
      }
      mine_->waits_on_ = &b;
    }
    wait_scope(const wait_scope&) = delete;
    ~wait_scope() {
      if (!mine_) return;
      const scoped_lock lock(waits());
      mine_->waits_on_ = nullptr;
    }

   private:
    static mutex& waits() {
      static mutex* const m = new mutex;
      return *m;
    }
    device_queue* mine_;
  };
  /// The queue whose thread this is, while it runs something.
  static inline constinit thread_local device_queue* running = nullptr;

  const device_id device;
  work_queue work{work_queue::at_fork::finish};
  device_arena arena;
  int waiting = 0;  ///< executions that are not finished; with the monitor held

 private:
  device_queue(device_id d, device_queue* next) : device(d), next_(next) {}
  static device_queue* find(device_id d) {
    device_queue* q = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
    while (q && !(q->device == d)) q = q->next_;
    return q;
  }
  static inline constinit device_queue* first = nullptr;
  device_queue* next_;
  const buffer* waits_on_ = nullptr;  ///< of its thread
};

}  // namespace jacquard::detail
