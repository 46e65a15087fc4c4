#pragma once
// Members of a mapped axis that are threads of one process: they meet at collectives and read each other's memory there. Deliberately without
// the threads themselves, and for one execution: an error of one member ends it for all.

#include <exception>
#include <vector>

#include "jacquard/backends/mutex.hpp"
#include "jacquard/backends/processors.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/prims/member_exchange.hpp"

namespace jacquard::detail {

/// Where the members of one execution meet.
class thread_group {
 public:
  explicit thread_group(std::int64_t size) : together_(std::size_t(size)) {}

  /// See axis_member.
  void meet(exchange& mine, void (*part)(exchange&)) {
    together_[std::size_t(mine.member)] = &mine;
    arrive(&mine);
    mine.all = together_;
    // Whatever happens in a part, all members stay until nobody reads their operands.
    try {
      for (const exchange* other : together_) check_same(*other, mine);
      part(mine);
    } catch (...) {
      fail(std::current_exception());
    }
    arrive(nullptr);
    if (has_failed_.load(ordering::acquire)) throw value_error("pmap: another member has failed");
  }
  /// The member's program ended by an error. The first one counts; members that wait for this one are told.
  void fail(std::exception_ptr e) {
    const scoped_lock lock(guard_);
    if (!failure_) failure_ = std::move(e);
    has_failed_.store(true, ordering::release);
    guard_.notify_all();
  }
  /// The member's program has ended.
  void leave(std::int64_t member) {
    const scoped_lock lock(guard_);
    left_ = member;
    if (arrived_ != 0) guard_.notify_all();
  }
  /// Throws what a member failed with. To be called when all have ended.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  recursive_mutex host_calls;

 private:
  /// Waits until all members have come here. `to` is what they come to; null: they are together already, so that all will come.
  void arrive(const exchange* to) {
    std::uint32_t phase;
    {
      const scoped_lock lock(guard_);
      if (to) check_complete(*to);
      phase = phase_.load(ordering::relaxed);
      if (++arrived_ == std::int64_t(together_.size())) {
        arrived_ = 0;
        phase_.store(phase + 1, ordering::release);
        return guard_.notify_all();
      }
    }
    const auto is_over = [&] { return phase_.load(ordering::acquire) != phase; };
    if (std::int64_t(together_.size()) <= worker::processors() && stay_awake(waking, [&] { return is_over() || has_failed_.load(ordering::acquire); }) && is_over()) return;
    const scoped_lock lock(guard_);
    guard_.wait([&] { return is_over() || (to && (left_ >= 0 || failure_)); });
    if (!is_over()) check_complete(*to);
  }
  /// With the guard held. Errors: value_error if some member will not come.
  void check_complete(const exchange& to) {
    if (failure_) throw value_error("pmap: another member has failed");
    if (left_ < 0) return;
    raise(error_kind::value, "pmap: member ", to.member, " is at ", to.operation, " ", *to.x.type, ", but member ", left_, " has ended; every member takes part in each "
          "collective, so that none may stand in a branch or a loop of which members do not make the same number of rounds");
  }
  static void check_same(const exchange& other, const exchange& mine) {
    if (other.operation == mine.operation && other.params == mine.params && same_type(*other.x.type, *mine.x.type)) return;
    const exchange &a = other.member < mine.member ? other : mine, &b = other.member < mine.member ? mine : other;
    raise(error_kind::value, "pmap: member ", a.member, " is at ", a.operation, " ", *a.x.type, ", but member ", b.member, " is at ", b.operation, " ", *b.x.type,
          "; all members come to the same collectives in the same order, so that none may stand in a branch that only some take");
  }

  static constexpr std::int64_t waking = 50000;  ///< ns; about what it takes to wake a thread up

  monitor guard_;
  std::vector<const exchange*> together_;  ///< by member; each writes its own before it arrives
  std::int64_t arrived_ = 0, left_ = -1;
  atomic<std::uint32_t> phase_{0};
  atomic<bool> has_failed_{false};
  std::exception_ptr failure_;
};

/// One member of such a group.
class thread_member final : public axis_member {
 public:
  thread_member(const axis_binding& over, std::int64_t number, thread_group& group) : axis_member(over, number), group_(group) {}
  void meet(exchange& mine, const collective_steps& steps) override { group_.meet(mine, steps.part); }
  void begin_host_call() override { group_.host_calls.lock(); }
  void end_host_call() override { group_.host_calls.unlock(); }

 private:
  thread_group& group_;
};

}  // namespace jacquard::detail
