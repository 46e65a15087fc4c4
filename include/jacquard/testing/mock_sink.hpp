#pragma once
// A sink that records what taps saw, for unit tests of code with taps. It also plays the consumers one does not want: slow,
// stuck, or throwing. Deliberately part of no test framework.

#include <string>
#include <vector>

#include "jacquard/taps/receivers.hpp"

namespace jacquard::testing {

/// Records messages; an option of outfeed_receiver, which it must outlive.
class mock_sink final : public tap_sink {
 public:
  struct record {
    std::uint64_t consumer;
    tap_context context;
    std::vector<array> values;  ///< copies

    /// A keyword argument as a text; "" if there is none.
    std::string kwarg(std::string_view name) const {
      for (const keyword& k : context.kwargs)
        if (k.name == name && k.value.kind() == keyword_kind::text) return k.value.get<std::string>();
      return "";
    }
  };

  void write(const tap_message& m) override {
    record r{m.consumer, m.context, {}};
    for (const array& x : m.values) {
      if (const buffer* b = x.as_buffer()) r.values.emplace_back(copy_buffer(*b));
      else r.values.push_back(x);
    }
    monitor_.lock();
    monitor_.wait_until(jacquard::detail::seconds_now() + jacquard::detail::forever, [&] { return !held_; });
    const bool fails = fail_after_ == 0;
    if (fail_after_ > 0) --fail_after_;
    if (!fails) records_.push_back(std::move(r));
    monitor_.notify_all();
    monitor_.unlock();
    if (delay_ > 0) {
      timespec t{time_t(delay_), long((delay_ - double(time_t(delay_))) * 1e9)};
      nanosleep(&t, nullptr);
    }
    if (fails) throw tap_error("mock_sink: disconnected");
  }

  /// What arrived since the last call.
  std::vector<record> take() {
    monitor_.lock();
    std::vector<record> r = std::exchange(records_, {});
    monitor_.unlock();
    return r;
  }
  /// Waits until `n` messages are there; false if that takes over `limit`.
  bool wait_for(std::size_t n, timeout limit) {
    monitor_.lock();
    const bool r = monitor_.wait_until(jacquard::detail::seconds_now() + limit.seconds, [&] { return records_.size() >= n; });
    monitor_.unlock();
    return r;
  }
  /// Holds the receiver back until release().
  void hold() { set([&] { held_ = true; }); }
  void release() { set([&] { held_ = false; }); }
  /// Makes every message take so long.
  void delay(timeout t) { delay_ = t.seconds; }
  /// Throws from the message after `n` good ones on.
  void fail_after(int n) { set([&] { fail_after_ = n; }); }

 private:
  template <class F>
  void set(F f) {
    monitor_.lock();
    f();
    monitor_.notify_all();
    monitor_.unlock();
  }
  jacquard::detail::monitor monitor_;
  std::vector<record> records_;
  bool held_ = false;
  int fail_after_ = -1;
  double delay_ = 0;
};

}  // namespace jacquard::testing
