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
    if (idle_.empty()) {
      idle_.reserve(all_ + 1);  // so that it can be given back
      work_queue* const made = new work_queue(work_queue::at_fork::go_on);
      ++all_;
      return *made;
    }
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
  std::size_t all_ = 0;
};
/// Threads that one call uses.
class taken_threads {
 public:
  explicit taken_threads(std::int64_t count) {
    threads_.reserve(std::size_t(count));
    for (std::int64_t i = 0; i < count; ++i) threads_.push_back(&idle_threads::get().take());
  }
  taken_threads(const taken_threads&) = delete;
  ~taken_threads() {
    for (work_queue* q : threads_) q->wait();
    for (work_queue* q : threads_) idle_threads::get().give_back(*q);
  }
  work_queue& operator[](std::size_t i) { return *threads_[i]; }

 private:
  std::vector<work_queue*> threads_;
};

/// run(member) as work of a thread, or refuse(member) where the process ends before.
template <class Run, class Refuse>
class member_work final : public queued_work {
 public:
  member_work(const Run& run, const Refuse& refuse, std::int64_t member) : run_(run), refuse_(refuse), member_(member) {}
  void run() override { run_(member_); }
  void drop() override { refuse_(member_); }

 private:
  const Run& run_;
  const Refuse& refuse_;
  const std::int64_t member_;
};

/// Calls run(member) for all members at the same time, and waits. refuse(member) is called instead for one for whom the system gives no thread, or where the
/// process is about to end. Neither may throw. Errors: std::bad_alloc, before any of them is called.
template <class Run, class Refuse>
void run_at_once(std::int64_t members, const Run& run, const Refuse& refuse) {
  std::vector<ref<queued_work>> work;
  work.reserve(std::size_t(members));
  for (std::int64_t m = 1; m < members; ++m) work.push_back(make_ref<member_work<Run, Refuse>>(run, refuse, m));
  taken_threads threads(members - 1);
  for (std::size_t i = 0; i < work.size(); ++i)
    if (!threads[i].add(work[i])) refuse(std::int64_t(i) + 1);
  run(0);
}

}  // namespace jacquard::detail
