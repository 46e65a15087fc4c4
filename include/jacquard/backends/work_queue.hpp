#pragma once
// A thread that runs pieces of work in the order in which they were added. It starts with the first piece, stays awake for a moment and then
// sleeps when there is none, and is joined when the process exits, after the piece it works on; what still waits then is dropped. In a child made by fork it starts anew.
// Deliberately one thread a queue, and queues are never destroyed.

#include <pthread.h>

#include <cstdlib>
#include <new>

#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/processors.hpp"
#include "jacquard/backends/quiet_thread.hpp"
#include "jacquard/core/ref.hpp"

namespace jacquard::detail {

/// A piece of work.
class queued_work : public counted {
 public:
  /// On the thread of the queue. Must not throw.
  virtual void run() = 0;
  /// Instead, where the process ends before. Called with the queue's monitor held; must not throw.
  virtual void drop() {}

 private:
  friend class work_queue;
  ref<queued_work> next_ = nullptr;
  std::uint64_t number_ = 0;  ///< in its queue, from 1 on
};

class work_queue {
 public:
  /// What a fork does about work that waits: a child has it in common with its parent and must not wait for it. go_on: nor about work that runs, which
  /// may itself wait for the thread that forks.
  enum class at_fork : std::uint8_t { leave_to_parent, finish, go_on };

  explicit work_queue(at_fork f) : at_fork_(f) {
    forks::wait_for(at_forks);
    const scoped_lock lock(all_guard());
    if (!newest()) join_before_exit();
    next_queue_ = newest();
    __atomic_store_n(&first_queue, this, __ATOMIC_RELEASE);
  }
  work_queue(const work_queue&) = delete;
  work_queue& operator=(const work_queue&) = delete;

  /// Has the process join the threads before it destroys what was made until now: to be called once a library is loaded that the work
  /// uses, whose own objects the process would else destroy first.
  static void join_before_exit() { std::atexit(&close_all); }

  /// Adds work. False after the process began to exit, or where the system gives no thread: it will not run then.
  bool add(const ref<queued_work>& w) {
    const scoped_lock lock(guard_);
    if (closed_) return false;
    if (!running_) running_ = start_quiet_thread(thread_, &loop, this);
    if (!running_) return false;
    (last_ ? last_->next_ : first_) = w;
    last_ = w.get();
    w->number_ = ++added_;
    wake();
    return true;
  }
  /// Waits until there is no work left.
  void wait() {
    const scoped_lock lock(guard_);
    wait_until([&] { return !first_ && !busy_; }, idle);
  }
  /// Takes no more work, drops what waits, and joins the thread after the piece it works on. For the end of the process.
  void close() {
    {
      const scoped_lock lock(guard_);
      closed_ = true;
      while (first_) take_first()->drop();
      wake();
      guard_.notify_all();
    }
    if (running_) pthread_join(thread_, nullptr);
    running_ = false;  // exit runs on one thread
  }
  /// Held while work is added, and while drop() is called.
  monitor& guard() { return guard_; }
  /// With the guard held, waits until done(), which is not asked again before a piece of work tells of itself: not before that one or, without
  /// one, any. A thread that is woken for nothing takes a processor from the work.
  template <class Done>
  void wait_until(Done done, const queued_work* piece = nullptr) {
    wait_until(done, piece ? piece->number_ : 0);
  }
  /// With the guard held: this piece of work is as good as done. Wakes those who wait for it, or for an earlier one.
  void tell_of(const queued_work& piece) { tell(piece.number_); }
  /// Waits, awake, for what a thread of a queue is about to do, as long as it may take to wake up, unless these need all processors.
  template <class Done>
  static void stay_awake(Done done) {
    if (worker::leave_one_free()) jacquard::detail::stay_awake(waking, done);
  }
  /// Whether the calling thread is that of this queue; of any queue.
  bool is_own_thread() const { return current == this; }
  static bool is_thread_of_any() { return current != nullptr; }

 private:
  static void* loop(void* self) {
    current = static_cast<work_queue*>(self);
    current->work();
    return nullptr;
  }
  /// With the guard held.
  void wake() {
    has_news_.store(true);
    if (!std::exchange(asleep_, false)) return;
    self_.leave_processor_of_caller();
    guard_.notify_all();
  }
  void work() {
    scoped_lock lock(guard_);
    self_.begin();
    while (true) {
      if (!closed_ && !first_) rest();
      if (closed_) return self_.rest();
      ref<queued_work> w = take_first();
      busy_ = true;
      guard_.unlock();
      self_.work();
      w->run();
      const std::uint64_t number = w->number_;
      w = nullptr;
      guard_.lock();
      busy_ = false;
      tell(first_ ? number : idle);
    }
  }
  template <class Done>
  void wait_until(Done done, std::uint64_t number) {
    guard_.wait([&] {
      if (done()) return true;
      if (number < awaited_) awaited_ = number;  // until all are woken, who then say so again
      return false;
    });
  }
  void tell(std::uint64_t number) {
    if (number < awaited_) return;
    awaited_ = nobody;
    guard_.notify_all();
  }
  /// With the guard held, until there is work. Waking up takes about as long as it stays awake.
  void rest() {
    self_.rest();
    has_news_.store(false);
    guard_.unlock();
    if (worker::leave_one_free(1)) jacquard::detail::stay_awake(waking, [&] { return has_news_.load(); });  // its caller runs
    guard_.lock();
    asleep_ = !closed_ && !first_;
    guard_.wait([&] { return closed_ || first_; });
  }
  ref<queued_work> take_first() {
    ref<queued_work> w = std::move(first_);
    first_ = std::move(w->next_);
    if (!first_) last_ = nullptr;
    return w;
  }
  static void close_all() {
    for (work_queue* q = newest(); q; q = q->next_queue_) q->close();
  }

  /// A child gets neither the threads nor what they are in the middle of. Nothing is held while queues are waited for: what runs there may
  /// make a queue, or take a mutex that is held at forks.
  static void settle() {
    for (work_queue* q = newest(); q; q = q->next_queue_) {
      const scoped_lock lock(q->guard_);
      q->wait_until([&] { return q->may_fork(); });
    }
  }
  static bool hold() {
    all_guard().lock();
    bool all = true;
    for (work_queue* q = first_queue; q; q = q->next_queue_) q->guard_.lock(), all = all && q->may_fork();
    if (!all) release();
    return all;
  }
  bool may_fork() const { return current == this || closed_ || at_fork_ == at_fork::go_on || (!busy_ && (at_fork_ == at_fork::leave_to_parent || !first_)); }
  static void release() {
    for (work_queue* q = first_queue; q; q = q->next_queue_) q->guard_.unlock();
    all_guard().unlock();
  }
  static void begin_in_child() {
    for (work_queue* q = first_queue; q; q = q->next_queue_) {
      q->guard_.unlock();
      new (&q->guard_) monitor;  // which knows of no waiting thread
      while (q->first_) (void)q->take_first();
      q->running_ = q->busy_ = q->asleep_ = false;
      q->awaited_ = nobody;
      q->self_.vanish();
    }
    all_guard().unlock();
  }
  static constexpr forks::runner at_forks{&settle, &hold, &release, &begin_in_child};
  static mutex& all_guard() {
    static mutex* const m = new mutex;
    return *m;
  }
  static work_queue* newest() { return __atomic_load_n(&first_queue, __ATOMIC_ACQUIRE); }
  static inline constinit work_queue* first_queue = nullptr;
  static inline constinit thread_local work_queue* current = nullptr;

  static constexpr std::int64_t waking = 50000;  ///< ns
  static constexpr std::uint64_t nobody = UINT64_MAX, idle = nobody - 1;

  const at_fork at_fork_;
  work_queue* next_queue_ = nullptr;
  monitor guard_;
  ref<queued_work> first_ = nullptr;
  queued_work* last_ = nullptr;
  std::uint64_t added_ = 0;
  std::uint64_t awaited_ = nobody;  ///< the first piece of work that somebody waits for; idle: that there is none left
  bool busy_ = false, closed_ = false, running_ = false, asleep_ = false;
  atomic<bool> has_news_{false};  ///< since the thread found nothing to do
  pthread_t thread_{};
  worker self_;
};

}  // namespace jacquard::detail
