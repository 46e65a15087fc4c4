#pragma once
// Receivers of taps: which delivery each device uses, receivers that start by themselves at the first tapped execution, the
// explicit outfeed_receiver, barriers and time-outs. Deliberately the only place that starts or stops an outfeed.

#include "jacquard/core/list.hpp"
#include "jacquard/taps/outfeed/channel.hpp"
#include "jacquard/taps/sink.hpp"

namespace jacquard {

/// How many bytes of taps may wait in the outfeed of one device before the program is held back. Larger taps still pass, one
/// at a time.
struct outfeed_capacity {
  std::size_t bytes;
  explicit outfeed_capacity(std::size_t n) : bytes(n) {
    if (n < 4096) raise(error_kind::value, "outfeed_capacity: got ", n, " bytes, wanted at least 4096");
  }
};
/// The name of a receiver in messages.
struct receiver_name {
  std::string value;
  explicit receiver_name(std::string_view n) : value(n) {}
};
/// The devices a receiver is for.
struct on_devices {
  std::vector<device> value;
  explicit on_devices(std::vector<device> d) : value(std::move(d)) {}
};
/// The backends whose devices a receiver is for.
struct on_backends {
  std::vector<std::string> value;
  explicit on_backends(std::vector<std::string> b) : value(std::move(b)) {}
};

namespace detail {

template <class T>
void log_tap(view<const array> values, const tap_record& record) {
  text line = cat("jacquard: tap on ", std::string_view(to_string(record.device)), " of ");
  put_types(line, values);
  const auto transforms = decode_transforms(record.transforms, values.size());
  for (std::size_t i = 0; i < transforms.size(); ++i) line << (i ? ", " : " after ") << std::string_view(transforms[i].name);
  write_log_line(line << '\n');
}

template <class T = void>
text seconds_text(double s) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", s);
  return cat(std::string_view(digits));
}

/// What an explicit receiver asks for.
struct receiver_options {
  std::string name;
  double seconds = 10;
  std::size_t capacity = std::size_t(256) << 20;
  tap_sink* sink = nullptr;
  bool everywhere = true;
  list<device_id> devices;

  bool covers(device_id d) const {
    if (everywhere) return true;
    for (const device_id& own : devices)
      if (own == d) return true;
    return false;
  }
};

template <class T = void>
void refuse_from_taps(std::string_view what) {
  if (receiving)
    raise(error_kind::value, what, ": called by a function that a tap calls, which would wait for itself; call it after the computation");
}

/// The receivers of the process.
template <class T>
class basic_receivers {
 public:
  /// Never destroyed: while the process exits, threads that run on and destructors of other globals may have taps.
  static basic_receivers& get() {
    static basic_receivers* const r = new basic_receivers;
    static const ending at_exit{r};
    return *r;
  }

  tap_channel& choose(device_id d, bool delivers) {
    const detail::scoped_lock lock(mutex_);
    tap_channel* c = nullptr;
    if (ended_) return direct_delivery<T>();
    if (explicit_ && explicit_->covers(d)) c = &outfeed(d, *explicit_);
    else if (strict_ && !delivers) return direct_delivery<T>();
    else if (strict_)
      raise(error_kind::value, "Attempting to execute compiled code using outfeed, but outfeed_receiver is not started for ",
            std::string_view(to_string(d)), "; start a jq::outfeed_receiver, or allow receivers that start by themselves with "
            "jq::set_strict_taps(false)");
    else if (delivery_of(d) == tap_delivery::outfeed) c = &outfeed(d, receiver_options{});
    else c = &direct_delivery<T>();
    if (d.backend < known_backends && d.ordinal < known_ordinals) channels[d.backend][d.ordinal].store(c, detail::ordering::release);
    return *c;
  }
  void set_delivery(const list<device_id>* where, tap_delivery how) {
    refuse_from_taps("set_tap_delivery");
    const detail::scoped_lock lock(mutex_);
    if (!explicit_) stop_all(forever);
    if (!where) chosen_.clear(), everywhere_ = int(how);
    else
      for (const device_id& d : *where) chosen_.emplace_back(d, how);
    forget_channels();
  }
  void reset_delivery() {
    refuse_from_taps("reset_tap_delivery");
    const detail::scoped_lock lock(mutex_);
    if (!explicit_) stop_all(forever);
    chosen_.clear(), everywhere_ = -1;
    forget_channels();
  }
  void set_strict(bool on) {
    refuse_from_taps("set_strict_taps");
    const detail::scoped_lock lock(mutex_);
    if (on && !explicit_) stop_all(forever);
    strict_ = on;
    forget_channels();
  }
  void open(const receiver_options& o) {
    refuse_from_taps("outfeed_receiver");
    const detail::scoped_lock lock(mutex_);
    if (explicit_)
      raise(error_kind::value, "At most one outfeed_receiver can be running at once. Close the other one, '",
            std::string_view(explicit_->name), "', first");
    stop_all(forever);
    explicit_ = &o;
    forget_channels();
  }
  /// Ends the explicit receiver; what is on its way arrives first. Returns the names of devices where that took too long.
  std::string close(double seconds) {
    const detail::scoped_lock lock(mutex_);
    explicit_ = nullptr;
    return stop_all(seconds);
  }
  /// Waits for all that was delivered; the names of devices where that took too long.
  std::string settle(double seconds) {
    std::vector<ref<outfeed_channel>> all;
    {
      const detail::scoped_lock lock(mutex_);
      all = running_;
    }
    const double deadline = seconds_now() + seconds;
    std::string late;
    for (const ref<outfeed_channel>& c : all)
      if (!c->settle(deadline - seconds_now())) late += lateness(*c, late);
    return late;
  }
  /// The outfeed that is running for a device, for tests and tools; null if there is none.
  ref<outfeed_channel> running(device_id d) {
    const detail::scoped_lock lock(mutex_);
    for (const ref<outfeed_channel>& c : running_)
      if (c->device() == d) return c;
    return nullptr;
  }

 private:
  struct ending {
    basic_receivers* receivers;
    ~ending() { receivers->end(); }
  };
  basic_receivers() {
    pthread_atfork(nullptr, nullptr, [] { get().begin_in_child(); });
  }
  /// What comes after the process began to exit is delivered where the program runs. Who exits in a tapped function does not wait for that.
  void end() {
    const detail::scoped_lock lock(mutex_);
    ended_ = true;
    stop_all(receiving ? 0 : 10);
  }
  /// A child has no receiver threads, and leaves to its parent what was on its way; its own taps start receivers anew.
  void begin_in_child() {
    new (&mutex_) detail::mutex;  // a thread of the parent may hold the old one
    new (&failures().mutex) detail::mutex;
    running_.clear();
    forget_channels();
  }

  outfeed_channel& outfeed(device_id d, const receiver_options& o) {
    for (const ref<outfeed_channel>& c : running_)
      if (c->device() == d) return *c;
    const auto c = make_ref<outfeed_channel>(d, o.capacity);
    c->start(o.sink);
    running_.push_back(c);
    used_.push_back(c);
    return *c;
  }
  tap_delivery delivery_of(device_id d) const {
    for (std::size_t i = chosen_.size(); i-- > 0;)
      if (chosen_[i].first == d) return chosen_[i].second;
    if (everywhere_ >= 0) return tap_delivery(everywhere_);
    backend_registry& r = backends();
    const detail::scoped_lock lock(r.mutex);
    for (const backend_entry* e = r.first; e; e = e->next)
      if (e->number == d.backend && e->instance) return e->instance->delivery();
    return tap_delivery::direct;
  }
  /// Programs that run meanwhile wait in choose() until their earlier taps have arrived, so that nothing overtakes.
  std::string stop_all(double seconds) {
    forget_channels();
    const double deadline = seconds_now() + seconds;
    std::string late;
    for (const ref<outfeed_channel>& c : running_)
      if (!c->stop(deadline - seconds_now())) late += lateness(*c, late);
    running_.clear();
    return late;
  }
  static std::string lateness(const outfeed_channel& c, const std::string& before) {
    return (before.empty() ? "" : ", ") + std::to_string(c.waiting()) + " tap(s) of " + to_string(c.device());
  }
  static void forget_channels() {
    for (auto& ordinals : channels)
      for (auto& c : ordinals) c.store(nullptr, detail::ordering::release);
  }

  detail::mutex mutex_;
  bool strict_ = false, ended_ = false;
  int everywhere_ = -1;  ///< a tap_delivery for all devices, or -1
  list<std::pair<device_id, tap_delivery>> chosen_;
  const receiver_options* explicit_ = nullptr;
  std::vector<ref<outfeed_channel>> running_;
  std::vector<ref<outfeed_channel>> used_;  ///< a program may still hold a pointer to one that was stopped
};

/// The one instance, named with the template parameters of who asks so that it is compiled only then.
template <class...>
using receivers = basic_receivers<void>;

template <class T>
tap_channel& choose_channel(device_id d, bool delivers) {
  return receivers<T>::get().choose(d, delivers);
}

/// Found by those who make taps.
template <class F>
void connect_channels(tap_maker<F>) {
  install_delivery<std::conditional_t<true, void, F>>();
}

template <class T = void>
list<device_id> ids_of(const std::vector<device>& devices) {
  list<device_id> r;
  for (const device& d : devices) {
    const auto [b, number] = find_backend(d.platform);
    check_ordinal(d.platform, d.ordinal, *b);
    r.push_back({number, std::uint16_t(d.ordinal)});
  }
  return r;
}

}  // namespace detail

/// Waits until every tap of computations started so far has run.
/// Errors: tap_error with the number of exceptions that taps threw since the last call and the first message, that
/// exception nested; value_error when a tapped function of an outfeed calls it.
template <class T = void>
void barrier_wait() {
  detail::refuse_from_taps("barrier_wait");
  detail::receivers<T>::get().settle(detail::forever);
  detail::report_failures();
}
/// The same, for a limited time. Errors: also tap_error if taps are still on their way when it is over.
template <class T = void>
void barrier_wait(timeout limit) {
  detail::refuse_from_taps("barrier_wait");
  const std::string late = detail::receivers<T>::get().settle(limit.seconds);
  if (!late.empty())
    raise(error_kind::tap, "barrier_wait: timed out after ", detail::seconds_text(limit.seconds), " s waiting for ", std::string_view(late),
          "; a tapped function is slow or blocked, allow more time");
  detail::report_failures();
}

/// Chooses the delivery of taps for all devices, instead of what their backends prefer. What is on its way arrives first.
template <class T = void>
void set_tap_delivery(tap_delivery how) { detail::receivers<T>::get().set_delivery(nullptr, how); }
/// The same for some devices. Errors: value_error for a device that does not exist.
template <class T = void>
void set_tap_delivery(tap_delivery how, const std::vector<device>& where) {
  const list<device_id> ids = detail::ids_of(where);
  detail::receivers<T>::get().set_delivery(&ids, how);
}
/// Leaves the delivery of taps to the backends again.
template <class T = void>
void reset_tap_delivery() { detail::receivers<T>::get().reset_delivery(); }
/// Whether taps need an explicit outfeed_receiver: without one, executing a tap is a value_error. Off at first.
template <class T = void>
void set_strict_taps(bool on) { detail::receivers<T>::get().set_strict(on); }

/// An explicit receiver: from its construction to close(), taps of its devices (all, unless said otherwise) are delivered by
/// outfeed, each device by a thread of its own, which calls the tapped functions.
/// Options: receiver_name, timeout (of close, 10 s), on_devices or on_backends, outfeed_capacity (256 MiB), a tap_sink.
/// Errors: value_error if another one is running, if devices and backends are given, or for unknown ones.
class outfeed_receiver {
 public:
  template <class... O>
  explicit outfeed_receiver(O&&... options) {
    (take(options), ...);
    if (by_device_ && by_backend_)
      raise(error_kind::value, "outfeed_receiver: At most one of `devices` or `backends` must be given. Leave one of them out");
    detail::receivers<O...>::get().open(options_);
    close_quietly_ = [](outfeed_receiver& self) {
      try {
        self.close();
      } catch (const std::exception& e) {
        std::fprintf(stderr, "jacquard: %s\n", e.what());
      }
    };
  }
  outfeed_receiver(const outfeed_receiver&) = delete;
  outfeed_receiver& operator=(const outfeed_receiver&) = delete;
  /// Closes without throwing; errors go to stderr.
  ~outfeed_receiver() {
    if (close_quietly_) close_quietly_(*this);
  }

  /// Waits until all taps have arrived and stops receiving. A second call does nothing.
  /// Errors: tap_error as from barrier_wait, or when taps are still on their way after the time-out.
  template <class T = void>
  void close() {
    detail::refuse_from_taps("outfeed_receiver");  // first: another thread may be closing
    if (closed_) return;
    closed_ = true;
    const std::string late = detail::receivers<T>::get().close(options_.seconds);
    if (!late.empty())
      raise(error_kind::tap, "outfeed_receiver '", std::string_view(options_.name), "': timed out after ",
            detail::seconds_text(options_.seconds), " s waiting for ", std::string_view(late), "; a tapped function is slow or blocked, allow more time with jq::timeout");
    detail::report_failures();
  }

 private:
  template <class O>
  void take(O& o) {
    using T = std::remove_cvref_t<O>;
    if constexpr (std::is_same_v<T, receiver_name>) options_.name = o.value;
    else if constexpr (std::is_same_v<T, timeout>) options_.seconds = o.seconds;
    else if constexpr (std::is_same_v<T, outfeed_capacity>) options_.capacity = o.bytes;
    else if constexpr (std::is_base_of_v<tap_sink, T>) options_.sink = &o;
    else if constexpr (std::is_same_v<T, on_devices>) {
      by_device_ = true;
      add(detail::ids_of(o.value));
    } else if constexpr (std::is_same_v<T, on_backends>) {
      by_backend_ = true;
      for (const std::string& name : o.value) add(detail::ids_of(devices(name)));
    } else
      static_assert(std::is_same_v<T, void>, "jq::outfeed_receiver: this option is not one of jq::receiver_name, jq::timeout, "
                                             "jq::on_devices, jq::on_backends, jq::outfeed_capacity, a jq::tap_sink");
  }
  template <class T = void>
  void add(const list<device_id>& ids) {
    options_.everywhere = false;
    options_.devices.append(ids.begin(), ids.end());
  }

  detail::receiver_options options_;
  bool by_device_ = false, by_backend_ = false, closed_ = false;
  void (*close_quietly_)(outfeed_receiver&) = nullptr;  ///< null until it is open
};

}  // namespace jacquard
