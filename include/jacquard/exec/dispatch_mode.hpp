#pragma once
// When the computations of compiled functions run: while the caller waits, or later, on a thread of their device. Here is only the
// switch; exec/dispatcher acts on it. Deliberately one switch for all devices.

#include "jacquard/backends/environment.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/atomic.hpp"
#include "jacquard/core/events.hpp"

namespace jacquard {

/// How calls of compiled functions are dispatched. synchronous: a call returns when its results are computed. asynchronous: the device's
/// own thread computes them, one call after the other, and the caller goes on with arrays that are pending; reading one waits for it and
/// throws what its computation threw. by_default: synchronous as long as there is one host device.
/// Programs that show values to the host (taps, ordered callbacks, printing) are computed before the call returns in any case.
enum class dispatch : std::uint8_t { by_default, synchronous, asynchronous };

namespace detail {

inline atomic<bool>& is_asynchronous() {
  static constinit atomic<bool> is{false};
  return is;
}
inline atomic<int>& host_device_count() {
  static constinit atomic<int> n{1};
  return n;
}

class dispatch_mode {
 public:
  static dispatch_mode& get() {
    static dispatch_mode* const m = new dispatch_mode;
    return *m;
  }
  void want(dispatch d) {
    const scoped_lock lock(mutex_);
    wanted_ = d == dispatch::by_default ? from_environment() : d;
    update();
  }
  void set_host_devices(int n) {
    const scoped_lock lock(mutex_);
    host_device_count().store(n);
    update();
  }

 private:
  dispatch_mode() : wanted_(from_environment()) { update(); }
  static dispatch from_environment() {
    return environment_choice("JACQUARD_DISPATCH", dispatch::by_default,
                              {{"asynchronous", dispatch::asynchronous}, {"synchronous", dispatch::synchronous}});
  }
  void update() {
    const bool on = wanted_ == dispatch::asynchronous || (wanted_ == dispatch::by_default && host_device_count().load() > 1);
    if (on == is_asynchronous().load()) return;
    // Like a debugging switch: a warm call looks at this one word.
    if (on) __atomic_fetch_add(&unusual, one_scope, __ATOMIC_RELAXED);
    else __atomic_fetch_sub(&unusual, one_scope, __ATOMIC_RELAXED);
    is_asynchronous().store(on);
  }

  mutex mutex_;
  dispatch wanted_;
};

/// So that the environment has its say before the first call.
inline const dispatch_mode& first_dispatch_mode = dispatch_mode::get();

}  // namespace detail

/// Sets how calls are dispatched from now on, on all devices. The environment's JACQUARD_DISPATCH (synchronous or asynchronous) sets what
/// by_default means. What is pending stays so until it is computed.
inline void set_dispatch(dispatch d) { detail::dispatch_mode::get().want(d); }

}  // namespace jacquard
