#pragma once
// How taps reach the host: the channel of each device, of either delivery. Deliberately knows the outfeed only by its channel. What is
// here and in the outfeed is a template, so that programs without taps do not compile it.

#include "jacquard/core/atomic.hpp"
#include "jacquard/exec/logging.hpp"
#include "jacquard/exec/signature.hpp"
#include "jacquard/prims/callback.hpp"
#include "jacquard/taps/tap_state.hpp"
#include "jacquard/taps/thread.hpp"

namespace jacquard {

/// What taps tell of themselves on stderr. failures: a line for each exception that is postponed; taps: also one for each tap,
/// with its device, the types it sees and its transforms, before its function is called.
enum class tap_logging : std::uint8_t { nothing, failures, taps };

/// Switches what taps write to stderr, for the whole process, and leaves the rest of the log as it is (see exec/logging.hpp);
/// tap_logging::failures at first.
inline void set_tap_logging(tap_logging how) {
  const std::uint32_t others = detail::log_topics & ~std::uint32_t(detail::log_failures | detail::log_taps);
  detail::set_log_topics(others | (how == tap_logging::nothing ? 0u : std::uint32_t(detail::log_failures)) |
                         (how == tap_logging::taps ? std::uint32_t(detail::log_taps) : 0u));
}

namespace detail {

/// Writes the line of a tap; defined in taps/receivers.hpp, which knows the names of devices.
template <class T = void>
void log_tap(view<const array> values, const tap_record& record);

/// Calls the tapped function.
inline void call_tap(const function_ref& tap, view<const array> values, const tap_record& record) {
  const host_turn turn;
  if (is_logged(log_taps)) log_tap(values, record);
  event_scope scope(event_kind::tap, "tap", record.device);
  if (event* e = scope.seen()) put_types(e->detail, values);
  run_recording_failures([&] { reinterpret_cast<tap_thunk>(tap.get())(tap.state(), values, record); });
}

/// Direct delivery. Nothing is ever on its way.
template <class T = void>
class direct_channel final : public tap_channel {
 public:
  void deliver(const function_ref& tap, view<const array> values, const tap_record& record) override { call_tap(tap, values, record); }
  bool settle(double) override { return true; }
};
template <class T = void>
tap_channel& direct_delivery() {
  static direct_channel<T>* const c = new direct_channel<T>;  // never destroyed, as threads may run on while the process exits
  return *c;
}

/// The channel of each device, found on its first tap. Null where it must be asked for (again).
inline constexpr int known_backends = 16, known_ordinals = 128;
inline constinit detail::atomic<tap_channel*> channels[known_backends][known_ordinals]{};

/// Decides on the channel of a device; taps/receivers.hpp says how. Who asks only in order to wait (`delivers` is false) gets
/// one also where a tap would be an error.
template <class T = void>
tap_channel& choose_channel(device_id d, bool delivers);

/// Set while this thread calls tapped functions for an outfeed: what those run is delivered at once, since nobody else
/// would empty the ring for them.
inline constinit thread_local bool receiving = false;

template <class T = void>
tap_channel& channel_of(device_id d, bool delivers = true) {
  if (receiving) return direct_delivery<T>();
  if (d.backend < known_backends && d.ordinal < known_ordinals)
    if (tap_channel* c = channels[d.backend][d.ordinal].load(detail::ordering::acquire)) return *c;
  return choose_channel<T>(d, delivers);
}

template <class T = void>
void deliver_to_channel(const function_ref& tap, view<const array> values, const tap_record& record) {
  if (!probing) channel_of<T>(record.device).deliver(tap, values, record);
}
template <class T = void>
void settle_channel(device_id d) {
  if (!receiving && !probing) channel_of<T>(d, false).settle(forever);
}

/// Connects the primitives of taps and callbacks to the channels; done by whoever makes one.
template <class T>
void install_delivery() {
  static const bool done = [] {
    deliver_tap = &deliver_to_channel<T>;
    settle_taps = &settle_channel<T>;
    return true;
  }();
  (void)done;
}

}  // namespace detail
}  // namespace jacquard
