#pragma once
// Threads that help with work which is cut into units. Whoever has work opens it, claims ranges of units from a shared counter until
// none are left, and waits only for ranges that a helper has begun: a helper that does not get a processor costs nothing. The caller takes
// ranges from the first one on, helpers from the last one back: each goes through memory of its own, and call after call through the same. One that
// loses its processor within a range does; where that costs more than helpers have saved of late, they rest for a multiple of the time
// that was lost. All devices share the helpers, so that there are never more running threads than asked for. Deliberately without queues: work is open only while its caller works on
// it; and without exceptions: what runs must not throw.

#include <pthread.h>
#include <sched.h>

#include <cstdint>

#include "jacquard/backends/clock.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/processors.hpp"
#include "jacquard/backends/quiet_thread.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/core/error.hpp"

namespace jacquard::detail {

/// Units from 0 on, of which ranges may run in any order and at once.
struct shared_work {
  void (*run)(void* context, std::int64_t begin, std::int64_t end);
  void* context;
  std::int64_t units;
  std::int64_t grain;  ///< units that are claimed at a time

  std::int64_t ranges() const { return (units + grain - 1) / grain; }
};

/// How this thread rounds, and what it does with denormal numbers.
class float_mode {
 public:
  float_mode() : bits_(now()) {}
  /// The same, but that denormal numbers count as zero, read or written.
  float_mode flushing() const {
    float_mode m;
    m.bits_ = bits_ | 0x8040u;
    return m;
  }
  /// What happened so far stays recorded.
  void apply() const {
#if defined(__x86_64__)
    if (bits_ != now()) __builtin_ia32_ldmxcsr(bits_ | (__builtin_ia32_stmxcsr() & 0x3Fu));
#endif
  }

 private:
  static unsigned now() {
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr() & ~0x3Fu;  // without what happened so far
#else
    return 0;
#endif
  }
  unsigned bits_;
};

/// This thread flushes denormal numbers while one lives.
class flushing_scope {
 public:
  flushing_scope() { before_.flushing().apply(); }
  flushing_scope(const flushing_scope&) = delete;
  ~flushing_scope() { before_.apply(); }

 private:
  float_mode before_;
};

class thread_pool {
 public:
  /// The pool of the process. It is never destroyed, its threads end before the process does.
  static thread_pool& get() {
    static thread_pool* const pool = new thread_pool;
    static const ending at_exit{pool};
    return *pool;
  }

  /// The most threads that work at once, those that call `run` among them.
  int threads() const { return threads_.load(ordering::relaxed); }
  /// Errors: value_error unless 1 <= n <= most_threads.
  void set_threads(int n) {
    if (n < 1 || n > most_threads) raise(error_kind::value, "set_threads: got ", n, ", wanted a number of threads from 1 to ", most_threads);
    threads_.store(n);
  }

  /// Runs all units, each of about so many nanoseconds: in ranges of such a length that claiming them costs nothing and waiting for the last
  /// one little, with as much help as that is worth.
  void run(void (*f)(void* context, std::int64_t begin, std::int64_t end), void* context, std::int64_t units, double each) {
    const double all = each * double(units), worth = all / 1e4;
    double range = all / (32.0 * threads());
    range = range < 3e3 ? 3e3 : range > 1e5 ? 1e5 : range;
    std::int64_t grain = each >= range ? 1 : std::int64_t(range / each);
    const std::int64_t most = (units + grain - 1) / grain, alike = most - most % threads();  // as many for each thread
    if (alike > 0) grain = (units + alike - 1) / alike;
    run({f, context, units, grain}, worth < most_threads ? int(worth) : most_threads, all);
  }
  /// Runs all units, with the help of at most `helpers` other threads. Returns when all have run. `expected` is how many nanoseconds they take
  /// one thread, if that is known.
  void run(const shared_work& w, int helpers, double expected = 0) {
    if (helpers > threads() - 1) helpers = threads() - 1;
    if (helpers <= 0 || w.units <= w.grain) return w.run(w.context, 0, w.units);
    arena* const a = nanoseconds_now() < rest_until_.load(ordering::relaxed) ? nullptr : free_arena();
    if (!a) {
      for (std::int64_t begin = 0; begin < w.units; begin += w.grain) run_range(w, begin);
      return;
    }
    // Asking how long this thread had its processor takes long itself; where work is short, what it took far beyond that was lost.
    const bool is_short = expected > 0 && expected < double(2 * smallest_loss);
    const std::int64_t start = nanoseconds_now(), worked_before = is_short ? 0 : nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    a->work = w;
    a->mode = float_mode();
    a->claimed.store(0, ordering::relaxed);
    a->helped.store(0, ordering::relaxed);
    running_.fetch_add(1);
    a->state.store(taken | open);
    // Waking one up takes as long as it saves of little work, but where such work comes call after call it stays awake from then on.
    if (expected == 0 || expected >= worth_waking || start - last_end_.load(ordering::relaxed) < moment) call_helpers(helpers);
    const std::int64_t ranges = drain(*a), drained = nanoseconds_now(), others = w.ranges() - ranges;
    if (a->state.fetch_and(~open) & helpers_in) wait_for_helpers(*a, drained, (drained - start) / (ranges > 0 ? ranges : 1));
    running_.fetch_sub(1);
    a->state.store(unused);
    // This thread lost its processor, perhaps to a helper, or waited for a helper that lost its own. That happens now and then on any
    // machine; where it takes more time than the ranges of helpers saved, there are not enough processors.
    const std::int64_t end = nanoseconds_now(), limit = smallest_loss + 2 * std::int64_t(expected);
    const std::int64_t worked = !is_short ? nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - worked_before : end - start < limit ? end - start : std::int64_t(expected);
    const std::int64_t lost = end - start - worked;
    const std::int64_t saved = ranges > 0 ? std::int64_t(double(drained - start) * double(others) / double(ranges)) : 0;
    std::int64_t balance = balance_.load(ordering::relaxed) + saved - (lost > smallest_loss ? lost : 0);
    if (balance < 0) rest(end, lost), balance = 0;
    balance_.store(balance < most_balance ? balance : most_balance);
    last_end_.store(end, ordering::relaxed);
  }

 private:
  // The state of an arena: how many helpers are in it, and
  static constexpr std::uint32_t unused = 0, taken = 1u << 29, waited_for = 1u << 30, open = 1u << 31, helpers_in = taken - 1;
  static constexpr int spins = 512;           ///< some tens of microseconds
  static constexpr double worth_waking = 20000;  ///< ns of work
  static constexpr std::int64_t moment = 5000;   ///< ns after the last work: while its helpers are awake
  static constexpr int nowhere = -1, unknown = -2;
  static constexpr std::int64_t smallest_loss = 50000, longest_rest = 200000000;  ///< ns
  static constexpr std::int64_t shortest_rest = 16, most_rests = 1024;             ///< times what was lost
  static constexpr std::int64_t most_balance = 1000000;                            ///< ns

  /// Where one caller's work is. Arenas are never destroyed: whoever looks into one that is not open finds that out.
  struct alignas(128) arena {
    atomic<std::uint32_t> state{unused};
    shared_work work{};
    float_mode mode{};
    alignas(64) atomic<std::int64_t> claimed{0}, helped{0};  ///< ranges; those of helpers
  };
  struct ending {
    thread_pool* pool;
    ~ending() { pool->end(); }
  };

  thread_pool() : threads_(first_thread_count(processors_)) {
    pthread_atfork(nullptr, nullptr, [] { get().alone_.store(true); });  // the child has no helpers
  }

  /// At most a sixteenth of the time is lost to others on a machine that is busy for long. Rests grow while helpers lose their processors soon after the last one.
  void rest(std::int64_t end, std::int64_t lost) {
    const bool soon = end - rest_until_.load() < shortest_rest * lost;
    std::int64_t times = soon ? 2 * rest_times_.load() : shortest_rest;
    if (times > most_rests) times = most_rests;
    rest_times_.store(times);
    rest_until_.store(end + (times < longest_rest / lost ? times * lost : longest_rest));
  }
  arena* free_arena() {
    if (alone_.load(ordering::relaxed)) return nullptr;
    for (arena& a : arenas_) {
      std::uint32_t expected = unused;
      if (a.state.load(ordering::relaxed) == unused && a.state.exchange_if(expected, taken)) return &a;
    }
    return nullptr;
  }
  /// The caller runs ranges until all are claimed. Returns how many it ran.
  static std::int64_t drain(arena& a) {
    const shared_work& w = a.work;
    const std::int64_t all = w.ranges();
    std::int64_t count = 0;
    for (; a.claimed.fetch_add(1) < all; ++count) run_range(w, count * w.grain);
    return count;
  }
  static void drain_from_the_end(arena& a) {
    const shared_work& w = a.work;
    const std::int64_t all = w.ranges();
    while (a.claimed.fetch_add(1) < all) run_range(w, (all - 1 - a.helped.fetch_add(1)) * w.grain);
  }
  static void run_range(const shared_work& w, std::int64_t begin) {
    const std::int64_t left = w.units - begin;
    w.run(w.context, begin, left > w.grain ? begin + w.grain : w.units);
  }
  /// A range takes a helper as long as it takes the caller: for so long, twice, it pays to stay awake.
  void wait_for_helpers(arena& a, std::int64_t drained, std::int64_t range) {
    if (stay_awake(drained + 10000 + 2 * range - nanoseconds_now(), [&] { return (a.state.load() & helpers_in) == 0; })) return;
    const scoped_lock lock(left_);
    a.state.fetch_or(waited_for);
    left_.wait([&] { return (a.state.load() & helpers_in) == 0; });
  }
  /// Wakes as many as are wanted and asleep, after starting those that never were.
  void call_helpers(int helpers) {
    helpers -= awake_.load();
    if (helpers <= 0) return;
    const scoped_lock lock(sleeping_);
    while (started_ < threads() - 1 && !stopping_ && helpers > asleep_ - tokens_ && start_one()) --helpers;
    leave_processor_of_caller();
    for (; helpers > 0 && tokens_ < asleep_; --helpers, ++tokens_) sleeping_.notify_one();
  }
  /// With the lock of sleeping_ held. With as many processors as threads, helpers run wherever the caller may, but not where it is: the system
  /// may wake them there, see backends/processors.
  void leave_processor_of_caller() {
#if defined(__linux__)
    const bool leaves = threads() <= processors_ && processors_ > 1 && processors_ <= few_processors;
    const int here = leaves ? sched_getcpu() : nowhere;
    if (here == left_processor_) return;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    if (here != nowhere) CPU_CLR(unsigned(here), &allowed);
    if (CPU_COUNT(&allowed) == 0) return;  // the caller may run on this one only
    for (int i = 0; i < started_; ++i) pthread_setaffinity_np(handles_[i], sizeof allowed, &allowed);
    left_processor_ = here;
#endif
  }
  /// With the lock of sleeping_ held. False: the system has no more threads.
  bool start_one() {
    const bool made = start_quiet_thread(handles_[started_], &helper, this);
    started_ += made;
    left_processor_ = unknown;
    return made;
  }

  static void* helper(void* self) {
    static_cast<thread_pool*>(self)->help();
    return nullptr;
  }
  void help() {
    awake_.fetch_add(1);
    while (true) {
      for (int i = 0; i < spins; ++i, relax())
        if (help_somebody()) i = 0;
      awake_.fetch_sub(1);
      scoped_lock lock(sleeping_);
      ++asleep_;
      sleeping_.wait([&] { return tokens_ > 0 || stopping_; });
      --asleep_;
      if (stopping_) return;
      --tokens_;
      awake_.fetch_add(1);
    }
  }
  /// Joins in open work, if there is some with units left and not enough threads are running.
  bool help_somebody() {
    for (arena& a : arenas_) {
      std::uint32_t state = a.state.load();
      if ((state & open) == 0) continue;
      const bool may_run = running_.fetch_add(1) < threads();
      const bool in = may_run && a.state.exchange_if(state, state + 1);
      if (in) {
        a.mode.apply();
        drain_from_the_end(a);
        if (const std::uint32_t before = a.state.fetch_sub(1); (before & waited_for) && (before & helpers_in) == 1) {
          const scoped_lock lock(left_);
          left_.notify_all();
        }
      }
      running_.fetch_sub(1);
      if (in) return true;
    }
    return false;
  }
  void end() {
    if (alone_.load()) return;
    {
      const scoped_lock lock(sleeping_);
      stopping_ = true;
      sleeping_.notify_all();
    }
    for (int i = 0; i < started_; ++i) pthread_join(handles_[i], nullptr);
    alone_.store(true);
  }

  const int processors_ = usable_processors();
  atomic<int> threads_;
  atomic<int> running_{0};    ///< callers with open work, and helpers in it
  atomic<int> awake_{0};      ///< helpers that are not asleep
  atomic<std::int64_t> last_end_{0};  ///< of work that helpers were asked for
  atomic<std::int64_t> rest_until_{0}, rest_times_{shortest_rest};
  atomic<std::int64_t> balance_{0};  ///< ns that helpers saved of late, less those that were lost
  atomic<bool> alone_{false};
  monitor sleeping_, left_;
  int asleep_ = 0, tokens_ = 0, started_ = 0;  ///< under the lock of sleeping_; so many of those asleep are being woken
  int left_processor_ = nowhere;               ///< which helpers stay away from; under the same lock
  bool stopping_ = false;
  pthread_t handles_[most_threads] = {};
  arena arenas_[16];
};

}  // namespace jacquard::detail
