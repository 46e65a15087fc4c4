#pragma once
// Events: what the library tells of its work (traces, compilations, calls, kernels, taps, copies) to those who observe it: the log and
// the profile. One word says whether anything at all is out of the ordinary, so that a call that nobody observes looks once.
// Deliberately without a clock and without output, which observers bring.

#include <string_view>

#include "jacquard/core/device_id.hpp"
#include "jacquard/core/hook.hpp"
#include "jacquard/core/location.hpp"
#include "jacquard/core/text.hpp"

namespace jacquard {

enum class event_kind : std::uint8_t { trace, compile, dispatch, kernel, tap, transfer };
inline constexpr std::string_view event_kinds[] = {"trace", "compile", "dispatch", "kernel", "tap", "transfer"};

/// Something that began and, later, ends. `kind`, `name` and `device` are known at first, the rest perhaps only at the end.
struct event {
  event_kind kind{};
  std::string_view name;
  device_id device;
  location where;            ///< the user's line
  text detail;               ///< types, or what a kernel computes
  std::int64_t bytes = -1;   ///< moved or copied; -1: nobody counted
  std::int64_t begin = 0;    ///< of the first observer's clock, in nanoseconds
};

namespace detail {

/// Zero in ordinary times. Bits 0-7: kinds of events that the log wants; 8-15: those that the profile wants; above: how many scopes of
/// debugging switches (core/value_checks) there are in all threads.
inline constinit std::uint32_t unusual = 0;
inline constexpr std::uint32_t one_scope = 1u << 16;

/// One relaxed load.
inline std::uint32_t unusual_now() { return __atomic_load_n(&unusual, __ATOMIC_RELAXED); }
inline bool is_observed(event_kind k) { return (unusual_now() & (0x101u << unsigned(k))) != 0; }

/// Who is told of events; there are two, by number.
struct event_observer {
  std::int64_t (*clock)() = nullptr;
  void (*see)(const event& e, bool ends) = nullptr;
};
/// Observer 0: exec/logging defines it, not a call before main, so that units without events need not compile it.
JACQUARD_HOOK event_observer log_observer;
/// Observer 1. It is set once, before the first kinds it wants; who acquires these sees it.
inline constinit event_observer profile_observer{};

/// Sets which kinds (bits) an observer wants from now on. Of each number there is one observer for the whole process.
inline void observe(int number, std::uint32_t kinds) {
  __atomic_fetch_and(&unusual, ~(0xFFu << (8 * number)), __ATOMIC_ACQ_REL);
  __atomic_fetch_or(&unusual, kinds << (8 * number), __ATOMIC_ACQ_REL);
}

/// An event as long as it lives.
class event_scope {
 public:
  event_scope(event_kind kind, std::string_view name, device_id device = {}, const location& where = {}) {
    if (is_observed(kind)) [[unlikely]] start(kind, name, device, where);
  }
  event_scope(const event_scope&) = delete;
  event_scope& operator=(const event_scope&) = delete;
  ~event_scope() {
    if (event_) [[unlikely]] finish();
  }
  /// The event, to be told more of; null where nobody observes it.
  event* seen() { return event_; }
  /// Tells the observers that it begins, once all is known that they show at once.
  void begin() { tell(false); }

 private:
  [[gnu::noinline]] void start(event_kind kind, std::string_view name, device_id device, const location& where) {
    event_ = new event{kind, name, device, where, {}, -1, 0};
    const std::uint32_t now = __atomic_load_n(&unusual, __ATOMIC_ACQUIRE);
    for (int i = 0; i < 2; ++i)
      if (const event_observer* const o = wanting(now, i); o && event_->begin == 0) event_->begin = o->clock();
  }
  [[gnu::noinline]] void finish() {
    tell(true);
    delete event_;
  }
  void tell(bool ends) {
    const std::uint32_t now = __atomic_load_n(&unusual, __ATOMIC_ACQUIRE);
    for (int i = 0; i < 2; ++i)
      if (const event_observer* const o = wanting(now, i)) o->see(*event_, ends);
  }
  /// The observer of that number, if it is there and wants this kind.
  const event_observer* wanting(std::uint32_t now, int number) const {
    if (((now >> (8 * number + int(event_->kind))) & 1u) == 0) return nullptr;
    return number == 0 ? &log_observer : &profile_observer;
  }

  event* event_ = nullptr;
};

}  // namespace detail
}  // namespace jacquard
