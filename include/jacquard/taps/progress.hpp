#pragma once
// progress: a bar with rate and remaining time for loops people watch, on the host or inside compiled code, where it moves by
// taps. Silent when stderr is no terminal. Deliberately one line of text, redrawn ten times a second at most.

#include <unistd.h>

#include "jacquard/taps/id_tap.hpp"
#include "jacquard/taps/receivers.hpp"

namespace jacquard {

namespace detail {

/// What all copies of a bar share.
template <class T>
class basic_progress_state : public counted {
 public:
  basic_progress_state(std::int64_t total, std::string_view label, const output_stream* out)
      : total_(total), label_(label), begin_(seconds_now()), drawn_at_(begin_) {
    if (out) stream_ = out->stream, write_ = out->write;
    visible_ = out || isatty(2) == 1;
  }
  ~basic_progress_state() override { finish(); }

  void advance(std::int64_t n) {
    const std::int64_t done = __atomic_add_fetch(&done_, n, __ATOMIC_RELAXED);
    if (!visible_) return;
    const double t = seconds_now();
    mutex_.lock();
    const bool complete = total_ > 0 && done >= total_;
    if (!finished_ && (complete || t - drawn_at_ >= 0.1)) draw(done, t);
    if (complete) end_line();
    mutex_.unlock();
  }
  std::int64_t done() const { return __atomic_load_n(&done_, __ATOMIC_RELAXED); }
  std::int64_t total() const { return total_; }
  /// Draws the last state and ends the line.
  void finish() {
    if (!visible_) return;
    mutex_.lock();
    if (!finished_ && done() > 0) draw(done(), seconds_now());
    if (done() > 0) end_line();
    mutex_.unlock();
  }

 private:
  static std::string clock_text(double seconds) {
    char text[32];
    const auto s = std::int64_t(seconds + 0.5);
    if (s < 3600) std::snprintf(text, sizeof text, "%02d:%02d", int(s / 60), int(s % 60));
    else std::snprintf(text, sizeof text, "%lld:%02d:%02d", static_cast<long long>(s / 3600), int(s / 60 % 60), int(s % 60));
    return text;
  }
  void draw(std::int64_t done, double t) {
    drawn_at_ = t;
    const double elapsed = t - begin_, rate = elapsed > 0 ? double(done) / elapsed : 0;
    std::string line = "\r" + label_ + (label_.empty() ? "" : " ");
    char text[128];
    if (total_ > 0) {
      constexpr int width = 30;
      const double part = std::min(1.0, double(done) / double(total_));
      const int eighths = int(part * width * 8);
      std::snprintf(text, sizeof text, "%3d%% ", int(part * 100));
      line += text;
      line += '|';
      for (int i = 0; i < width; ++i) {
        const int fill = std::min(8, std::max(0, eighths - 8 * i));
        if (fill == 0) line += ' ';
        else line += std::string("\xE2\x96") + char(0x90 - fill);  // U+2588 (full) to U+258F (one eighth)
      }
      std::snprintf(text, sizeof text, "| %lld/%lld", static_cast<long long>(done), static_cast<long long>(total_));
    } else std::snprintf(text, sizeof text, "%lld", static_cast<long long>(done));
    line += text + std::string(" [") + clock_text(elapsed);
    if (total_ > 0 && rate > 0) line += "<" + clock_text(double(std::max<std::int64_t>(0, total_ - done)) / rate);
    std::snprintf(text, sizeof text, ", %.4g/s]", rate);
    line += text;
    put(line + "\x1b[K");
  }
  void end_line() {
    if (!std::exchange(finished_, true)) put("\n");
  }
  void put(const std::string& s) {
    if (write_) write_(stream_, s);
    else std::fwrite(s.data(), 1, s.size(), stderr);
  }

  std::int64_t done_ = 0;
  std::int64_t total_;
  std::string label_;
  double begin_, drawn_at_;
  void* stream_ = nullptr;
  void (*write_)(void*, std::string_view) = nullptr;
  bool visible_, finished_ = false;
  monitor mutex_;
};
using progress_state = basic_progress_state<void>;

}  // namespace detail

/// A progress bar. `for (auto i : jq::progress(n))` counts a host loop; `bar(body)` wraps the body of a loop inside compiled code,
/// whose every run moves the bar; `x = bar.tick(x)` moves it once, on the host or from traced code. Copies share the bar.
class progress {
 public:
  /// `total` steps, or 0 where the number is not known. Draws to stderr if that is a terminal, or to `out`.
  template <class State = detail::progress_state>
  explicit progress(std::int64_t total, std::string_view label = {}) : state_(make_ref<State>(total, label, nullptr)) {}
  template <class State = detail::progress_state>
  progress(std::int64_t total, std::string_view label, const output_stream& out)
      : state_(make_ref<State>(total, label, &out)) {}

  /// Steps so far.
  template <class T = void>
  std::int64_t done() const {
    return state_->done();
  }
  template <class T = void>
  void advance(std::int64_t n = 1) const {
    state_->advance(n);
  }

  /// `x`, and one step whenever it is computed. Derivatives do not count again.
  template <class T>
  auto tick(const T& x) const {
    const auto step = [state = state_](const std::tuple<>&, const tap_context& c) {
      for (const transform_record& t : c.transforms)
        if (t.name == "jvp" || t.name == "transpose") return;
      state->advance(1);
    };
    return id_tap(step, std::tuple<>{}, jacquard::result(x));
  }
  /// A function like `body` that also moves the bar: for lax::scan, fori_loop and while_loop.
  template <class F>
  auto operator()(F body) const {
    return [bar = *this, body](const auto&... args) { return bar.tick(body(args...)); };
  }

  class iterator {
   public:
    iterator(const detail::progress_state* s, std::int64_t i) : state_(s), i_(i) {}
    std::int64_t operator*() const { return i_; }
    iterator& operator++() {
      ++i_;
      const_cast<detail::progress_state*>(state_)->advance(1);
      return *this;
    }
    bool operator!=(const iterator& o) const { return i_ != o.i_; }

   private:
    const detail::progress_state* state_;
    std::int64_t i_;
  };
  iterator begin() const { return {state_.get(), 0}; }
  iterator end() const { return {state_.get(), state_->total()}; }

 private:
  ref<detail::progress_state> state_;
};

}  // namespace jacquard
