#pragma once
// Threads on which members run at the same time, since they wait for each other: one for each but the first, which runs on the caller's. They are
// kept for later calls. Deliberately apart from the threads of devices, on which one execution comes after the other.

#include <vector>

#include "jacquard/backends/work_queue.hpp"

namespace jacquard::detail {

/// Threads that nobody uses now.
class idle_threads {
 public:
  static idle_threads& get() {
    static idle_threads* const all = new idle_threads;  // the threads run until the process exits
    return *all;
  }
  work_queue& take() {
    const scoped_lock lock(mutex_);
    if (idle_.empty()) return *new work_queue(work_queue::at_fork::finish);
    work_queue& last = *idle_.back();
    idle_.pop_back();
    return last;
  }
  void give_back(work_queue& q) {
    const scoped_lock lock(mutex_);
    idle_.push_back(&q);
  }

 private:
  idle_threads() { forks::hold(mutex_); }
  recursive_mutex mutex_;
  std::vector<work_queue*> idle_;
};

/// run(member) as work of a thread.
template <class Run>
class member_work final : public queued_work {
 public:
  member_work(const Run& run, std::int64_t member) : run_(run), member_(member) {}
  void run() override { run_(member_); }

 private:
  const Run& run_;
  const std::int64_t member_;
};

/// Calls run(member) for all members at the same time, and waits. `run` must not throw; `refuse(member)` is called for a member for whom the system
/// gives no thread, or the process is about to end.
template <class Run, class Refuse>
void run_at_once(std::int64_t members, const Run& run, const Refuse& refuse) {
  std::vector<work_queue*> threads;
  for (std::int64_t m = 1; m < members; ++m) {
    work_queue& q = idle_threads::get().take();
    threads.push_back(&q);
    if (!q.add(ref<queued_work>(make_ref<member_work<Run>>(run, m)))) refuse(m);
  }
  run(0);
  for (work_queue* q : threads) q->wait();
  for (work_queue* q : threads) idle_threads::get().give_back(*q);
}

}  // namespace jacquard::detail
