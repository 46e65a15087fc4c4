#pragma once
// Events: what the library tells of its work (traces, compilations, calls, kernels, taps, copies) to those who observe it: the log and
// the profile. One word says whether anything at all is out of the ordinary, so that a call that nobody observes looks once.
// Deliberately without a clock and without output, which observers bring.

#include <string_view>

#include "jacquard/core/device_id.hpp"
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

/// Observers by number: 0 the log, 1 the profile. They are set once, before the first kinds they want; who acquires these sees them.
struct event_observer {
  std::int64_t (*clock)() = nullptr;
  void (*see)(const event& e, bool ends) = nullptr;
};
inline constinit event_observer event_observers[2]{};
/// Sets which kinds (bits) an observer wants from now on. Of each number there is one observer for the whole process.
inline void observe(int number, const event_observer& o, std::uint32_t kinds) {
  if (!event_observers[number].see) event_observers[number] = o;
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
    (void)__atomic_load_n(&unusual, __ATOMIC_ACQUIRE);
    event_ = new event{kind, name, device, where, {}, -1, 0};
    for (const event_observer& o : event_observers)
      if (o.clock && event_->begin == 0) event_->begin = o.clock();
  }
  [[gnu::noinline]] void finish() {
    tell(true);
    delete event_;
  }
  void tell(bool ends) {
    const std::uint32_t now = __atomic_load_n(&unusual, __ATOMIC_ACQUIRE);
    for (int i = 0; i < 2; ++i)
      if ((now >> (8 * i + int(event_->kind))) & 1u) event_observers[i].see(*event_, ends);
  }

  event* event_ = nullptr;
};

}  // namespace detail
}  // namespace jacquard
