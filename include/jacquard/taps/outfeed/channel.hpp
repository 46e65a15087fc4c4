#pragma once
// The outfeed of one device: executing threads put the values of taps into a ring, small ones as copies and large ones by reference, and a
// receiver thread calls the tapped functions with views of them. A full ring holds the program back, as do values by reference that take more
// memory than it has; nothing is lost and, per device, nothing overtakes.
// Deliberately without policy: taps/receivers.hpp starts and stops it.

#include <utility>

#include "jacquard/backends/processors.hpp"
#include "jacquard/exec/device_queue.hpp"
#include "jacquard/taps/delivery.hpp"
#include "jacquard/taps/outfeed/ring.hpp"

namespace jacquard::detail {

/// A message in the ring. It is followed by its body: types, the transform codes of the record, the buffers of values that went by reference,
/// and the payloads of the others.
struct outfeed_message {
  function_ref tap;
  tap_record record;
  std::size_t count;     ///< of values
  std::size_t referred;  ///< bytes of those that went by reference
  std::byte* elsewhere;  ///< the body, if it is too large for the ring

  static constexpr std::size_t aligned(std::size_t n) { return (n + 63) / 64 * 64; }
  /// Where payloads begin that come after `before` bytes, types and codes.
  static std::size_t payload_offset(std::size_t before, std::size_t count, std::size_t codes) {
    return aligned(before + count * (sizeof(aval) + sizeof(buffer*)) + codes * sizeof(std::int64_t));
  }
  std::byte* body() { return elsewhere ? elsewhere : reinterpret_cast<std::byte*>(this + 1); }
  aval* types() { return reinterpret_cast<aval*>(body()); }
  std::int64_t* codes() { return reinterpret_cast<std::int64_t*>(types() + count); }
  /// Null for values whose payload follows.
  buffer** references() { return reinterpret_cast<buffer**>(codes() + record.transforms.size()); }
  std::byte* payload() {
    const std::size_t before = elsewhere ? 0 : sizeof(outfeed_message);
    return body() - before + payload_offset(before, count, record.transforms.size());
  }
  /// Moves the codes, which are the caller's, into the message.
  void take_codes() {
    std::copy(record.transforms.begin(), record.transforms.end(), codes());
    record.transforms = {codes(), record.transforms.size()};
  }
};
static_assert(sizeof(outfeed_message) % alignof(aval) == 0 && alignof(aval) % alignof(std::int64_t) == 0 && std::is_trivially_copyable_v<aval>);
static_assert(sizeof(std::int64_t) % alignof(buffer*) == 0);

template <class T>
class basic_outfeed_channel final : public tap_channel {
 public:
  basic_outfeed_channel(device_id d, std::size_t capacity) : device_(d), capacity_(capacity), ring_(capacity) {}
  ~basic_outfeed_channel() override {
    while (void* m = ring_.front()) {
      discard(*static_cast<outfeed_message*>(m));
      ring_.pop();
    }
    given_back_.collect();
  }
  device_id device() const { return device_; }
  std::size_t waiting() const { return std::size_t(sent_.load() - done_.load()); }

  void deliver(const function_ref& tap, view<const array> values, const tap_record& record) override {
    producers_.lock();
    if (!open_) {  // closed since the caller looked it up
      producers_.unlock();
      return channel_of<T>(record.device).deliver(tap, values, record);
    }
    struct unlock {
      monitor& m;
      ~unlock() { m.unlock(); }
    } guard{producers_};
    struct unwatch {  // what no message holds yet
      std::vector<buffer*>& buffers;
      ~unwatch() {
        for (buffer*& b : buffers)
          if (b) std::exchange(b, nullptr)->unwatch();
      }
    } watched{watched_};
    std::size_t bytes = 0, referred = 0;
    if (watched_.size() < values.size()) watched_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      buffer* const b = values[i].as_buffer();
      if (b) b->check_alive();
      const auto own = std::size_t(values[i].aval().bytes());
      if (own >= least_referred && b && b->is_ours()) {
        if (!b->watch()) b->throw_deleted({});  // by another thread, just now
        watched_[i] = b;
        referred += own;
      } else bytes += outfeed_message::aligned(own);
    }
    const auto size_after = [&](std::size_t before) {
      return outfeed_message::payload_offset(before, values.size(), record.transforms.size()) + bytes;
    };
    if (referred != 0) given_back_.collect();
    const std::size_t whole = size_after(sizeof(outfeed_message));
    const bool fits = whole <= ring_.largest();
    std::byte* elsewhere = nullptr;
    if (!fits) elsewhere = static_cast<std::byte*>(::operator new(size_after(0), std::align_val_t(64)));
    void* place = room_for(fits ? whole : sizeof(outfeed_message), referred, !fits);
    auto* m = new (place) outfeed_message{tap, record, values.size(), referred, elsewhere};
    m->take_codes();
    {
      event_scope scope(event_kind::transfer, "outfeed", record.device);
      if (event* e = scope.seen()) e->bytes = std::int64_t(bytes + referred), put_types(e->detail, values);
      fill(*m, values, bytes);
    }
    sent_.fetch_add(1);
    ring_.publish();
    if (asleep_.load()) call_receiver();
  }

  bool settle(double seconds) override {
    if (receiving)
      raise(error_kind::value, "barrier_wait: called by a function that a tap calls, which would wait for itself; call it after the "
            "computation");
    const std::uint64_t target = sent_.load();
    return wait_for(target, seconds);
  }

  /// Opens the channel and starts its receiver thread, which gives every message to `sink` too.
  void start(tap_sink* sink) {
    sink_ = sink;
    stopping_.store(false);
    self_ = ref<basic_outfeed_channel>(this);
    if (!thread_.start(&receive, this)) raise(error_kind::value, "outfeed: the system gives no receiver thread");
    producers_.lock();
    open_ = true;
    producers_.unlock();
  }
  /// Closes the channel, for good, and waits until its messages have arrived; false if that took over `seconds`. The receiver thread
  /// then ends on its own as soon as the function that holds it up returns.
  bool stop(double seconds) {
    producers_.lock();
    open_ = false;
    producers_.unlock();
    const bool settled = wait_for(sent_.load(), seconds);
    stopping_.store(true);
    wake();
    if (settled) thread_.join(), ring_.release();  // the channel itself stays for those who looked it up before
    else thread_.detach();
    return settled;
  }

 private:
  /// Waits for room. A message with its payload elsewhere waits until it is the only one, and so does one whose values by reference would,
  /// with those before it, take more than the ring has: memory stays bounded.
  void* room_for(std::size_t size, std::size_t referred, bool alone) {
    // A ring that is empty starts again where its memory is in the cache: a large message may wait a little for the one before.
    if (size > message_ring::restart_after && !ring_.empty()) stay_awake(std::int64_t(size / bytes_of_patience), [&] { return ring_.empty(); });
    const auto attempt = [&]() -> void* {
      const bool too_much = alone || (referred != 0 && referred_.load() + referred > capacity_);
      return too_much && !ring_.empty() ? nullptr : ring_.reserve(size);
    };
    void* place = attempt();
    if (place) return place;
    changed_.lock();
    room_wanted_.store(true);
    changed_.wait([&] { return (place = attempt()) != nullptr; });
    room_wanted_.store(false);
    changed_.unlock();
    return place;
  }

  /// Copies the values, of so many bytes, but for those that go by reference. A receiver that sleeps is called while the last of them are copied: waking up takes as long.
  void fill(outfeed_message& m, view<const array> values, std::size_t left) {
    std::byte* to = m.payload();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const aval type = values[i].aval();
      new (m.types() + i) aval(type);
      if (*new (m.references() + i) buffer*(std::exchange(watched_[i], nullptr))) continue;
      if (const buffer* b = values[i].as_buffer()) {
        std::size_t early = 0;
        if (left > lead && left - std::size_t(type.bytes()) <= lead) {
          std::memcpy(to, b->data, early = left - lead);
          if (asleep_.load()) call_receiver();
        }
        if (type.bytes() != 0) std::memcpy(to + early, static_cast<const std::byte*>(b->data) + early, std::size_t(type.bytes()) - early);
      } else {
        const literal l = values[i].as_literal();
        visit_dtype(type.type, [&]<class S>(std::type_identity<S>) { new (to) S(l.get<S>()); });
      }
      to += outfeed_message::aligned(std::size_t(type.bytes()));
      left -= outfeed_message::aligned(std::size_t(type.bytes()));
    }
    if (m.referred != 0) referred_.fetch_add(m.referred);
  }
  void discard(outfeed_message& m) {
    if (m.referred != 0) {
      for (std::size_t i = 0; i < m.count; ++i)
        if (buffer* b = m.references()[i]) {
          if (!b->is_shared()) given_back_.adopt(*b);  // the program has let go of it, and would else take new memory for the next value
          b->unwatch();
        }
      referred_.fetch_sub(m.referred);
    }
    if (m.elsewhere) ::operator delete(m.elsewhere, std::align_val_t(64));
    m.~outfeed_message();
  }

  void handle(outfeed_message& m) {
    if (views_.size() < m.count) views_.resize(m.count);
    std::byte* at = m.payload();
    for (std::size_t i = 0; i < m.count; ++i) {
      if (const buffer* b = m.references()[i]) {
        show(views_[i], m.types()[i], static_cast<std::byte*>(b->data));
        continue;
      }
      show(views_[i], m.types()[i], at);
      at += outfeed_message::aligned(std::size_t(m.types()[i].bytes()));
    }
    m.record.sink = sink_;
    call_tap(m.tap, {views_.data(), m.count}, m.record);
    for (std::size_t i = 0; i < m.count; ++i)
      if (buffer* b = views_[i].as_buffer(); b->is_shared()) {  // the function stored it
        keep_borrowed(*b);
        views_[i] = array();
      }
    discard(m);
  }
  /// Makes `x` a view of `data`. Views are used again, but for those that a function kept.
  static void show(array& x, const aval& type, std::byte* data) {
    buffer* b = x.as_buffer();
    if (!b || !b->borrowed) {
      x = array(borrow_buffer(type, data));
      return;
    }
    b->type = type;
    b->data = data;
  }

  static void* receive(void* context) {
    const ref<basic_outfeed_channel> self = std::move(static_cast<basic_outfeed_channel*>(context)->self_);
    receiving = true;
    self->worker_.begin();
    self->worker_.work();
    while (true) {
      if (void* m = self->ring_.front()) {
        self->handle(*static_cast<outfeed_message*>(m));
        self->ring_.pop();
        const std::uint64_t done = self->done_.fetch_add(1) + 1;
        if (done >= self->awaited_.load() || (self->room_wanted_.load() && self->ring_.is_half_empty())) self->wake();
      } else if (!self->sleep()) {
        self->worker_.rest();
        return nullptr;
      }
    }
  }
  /// Receiver: waits for a message, or for being called ahead of one. False when there is none and none will come.
  bool sleep() {
    // A nap costs the program a system call to end it: first look out, longer where that keeps nobody else from working.
    const std::int64_t outlook = std::exchange(is_called_, false) ? called_outlook : worker::leave_one_free() ? waking : shortest_outlook;
    if (stay_awake(outlook, [&] { return !ring_.empty(); })) return true;
    changed_.lock();
    worker_.rest();
    asleep_.store(true);
    changed_.wait([&] { return !asleep_.load() || !ring_.empty() || stopping_.load(); });
    asleep_.store(false);
    is_called_ = ring_.empty();
    changed_.unlock();
    worker_.work();
    return !ring_.empty() || !stopping_.load();
  }
  /// Wakes the receiver if it sleeps, away from the processor of this thread, which goes on.
  void call_receiver() {
    changed_.lock();
    if (asleep_.load()) {
      asleep_.store(false);
      worker_.leave_processor_of_caller();
      changed_.notify_all();
    }
    changed_.unlock();
  }
  /// Waits until `target` messages were handled since the beginning.
  bool wait_for(std::uint64_t target, double seconds) {
    const auto is_done = [&] { return done_.load() >= target; };
    if (is_done() || (worker::leave_one_free() && stay_awake(waking, is_done))) return true;
    changed_.lock();
    ++waiters_;
    const bool r = changed_.wait_until(seconds_now() + seconds, [&] {
      if (target < awaited_.load()) awaited_.store(target);  // the receiver wakes all when the earliest is done
      if (!is_done()) return false;
      awaited_.store(nobody);
      return true;
    });
    if (--waiters_ > 0) changed_.notify_all();  // they may have looked before `awaited_` was reset, and say anew what they wait for
    changed_.unlock();
    return r;
  }
  void wake() {
    changed_.lock();
    changed_.notify_all();
    changed_.unlock();
  }

  /// Values of so many bytes go by reference where their memory is an array's of our own: while it has another holder, nobody overwrites it.
  /// Smaller ones are copied in less time than two threads count their references, and leave their memory to the program.
  static constexpr std::size_t least_referred = std::size_t(64) << 10;
  static constexpr std::size_t lead = std::size_t(512) << 10;  ///< bytes that are copied while a thread wakes up
  static constexpr std::size_t bytes_of_patience = 2048;       ///< for a nanosecond each, a small part of what copying them takes
  static constexpr std::int64_t shortest_outlook = 10000, called_outlook = 200000, waking = 50000;  ///< ns

  device_id device_;
  std::size_t capacity_;
  message_ring ring_;
  monitor producers_;            ///< host threads that run programs on this device take turns
  bool open_ = false;            ///< guarded by producers_, as is watched_
  monitor changed_;              ///< for all who sleep
  detail::atomic<bool> asleep_ = false, stopping_ = false;
  static constexpr std::uint64_t nobody = UINT64_MAX;
  detail::atomic<std::uint64_t> awaited_ = nobody;  ///< the receiver wakes sleepers when it has handled so many
  int waiters_ = 0;              ///< guarded by changed_
  detail::atomic<bool> room_wanted_ = false;
  detail::atomic<std::uint64_t> sent_ = 0, done_ = 0;
  detail::atomic<std::size_t> referred_ = 0;  ///< bytes that are on their way by reference
  tap_sink* sink_ = nullptr;
  device_arena given_back_;      ///< memory of values by reference whose last holder the receiver was
  std::vector<array> views_;     ///< what the receiver shows; their memory goes with the message
  std::vector<buffer*> watched_; ///< of the values that will go by reference; null for the others, and outside of deliver
  native_thread thread_;
  worker worker_;                ///< that thread; with the lock of changed_ while it sleeps
  bool is_called_ = false;       ///< the receiver was woken ahead of a message
  ref<basic_outfeed_channel> self_;    ///< keeps the channel until its thread has taken its share
};
using outfeed_channel = basic_outfeed_channel<void>;

}  // namespace jacquard::detail
