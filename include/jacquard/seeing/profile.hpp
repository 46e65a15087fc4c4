#pragma once
// The profile: while one lives, what the library does is recorded, and at its end written as a trace for chrome://tracing and
// ui.perfetto.dev. One process of the trace for each device, one lane in it for each thread that worked there: traces,
// compilations, calls, kernels, taps and copies, one within another as they happened. Deliberately no sampling and no summary.
// Source of the format: Trace Event Format, complete events ("ph": "X") and metadata ("M").

#include <cstdio>
#include <mutex>
#include <string>

#include "jacquard/backends/clock.hpp"
#include "jacquard/core/trace.hpp"
#include "jacquard/exec/logging.hpp"

namespace jacquard {

namespace detail {

/// `s` as a JSON string. Bytes that are no UTF-8 become U+FFFD.
inline void put_json_string(text& out, std::string_view s) {
  constexpr std::string_view hex = "0123456789abcdef";
  // How many bytes the character at `i` takes; 0 if there is none. Overlong forms, surrogates and what is beyond U+10FFFF are none.
  const auto length = [&](std::size_t i) -> std::size_t {
    const auto byte = [&](std::size_t k) { return k < s.size() ? unsigned(std::uint8_t(s[k])) : 0u; };
    const unsigned first = byte(i);
    const std::size_t n = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
    for (std::size_t k = 1; k < n; ++k)
      if ((byte(i + k) & 0xC0) != 0x80) return 0;
    const unsigned second = byte(i + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90))
      return 0;
    return n;
  };
  out << '"';
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t n = length(i);
    const char c = s[i];
    if (n == 0) out << "\\ufffd";
    else if (n > 1) out << s.substr(i, n);
    else if (c == '"' || c == '\\') out << '\\' << c;
    else if (std::uint8_t(c) < 0x20 || c == 0x7F) out << "\\u00" << hex[std::size_t(c) >> 4] << hex[std::size_t(c) & 15];
    else out << c;
    i += n == 0 ? 1 : n;
  }
  out << '"';
}
/// Nanoseconds as microseconds with three decimals.
inline void put_microseconds(text& out, std::int64_t ns) {
  if (ns < 0) ns = 0;
  out << ns / 1000 << '.' << char('0' + ns / 100 % 10) << char('0' + ns / 10 % 10) << char('0' + ns % 10);
}

/// What a profile has seen. One for the process, because observers have no state.
class event_record {
 public:
  static constexpr std::size_t most_events = 1000000;

  /// False where another profile is at work.
  bool start() {
    const std::lock_guard lock(mutex_);
    if (recording_) return false;
    recording_ = true;
    lines_ = {};
    known_ = {};
    count_ = dropped_ = 0;
    start_ = nanoseconds_now();
    return true;
  }
  void add(const event& e, std::int64_t end) {
    const std::lock_guard lock(mutex_);
    if (!recording_ || e.begin < start_) return;  // what began before the profile is not its business
    if (count_ == most_events) return void(++dropped_);
    ++count_;
    lines_ << ",\n{\"ph\":\"X\",\"pid\":" << process(e.device) << ",\"tid\":" << lane(e.device) << ",\"ts\":";
    put_microseconds(lines_, e.begin - start_);
    lines_ << ",\"dur\":";
    put_microseconds(lines_, end - e.begin);
    lines_ << ",\"cat\":\"" << event_kinds[std::size_t(e.kind)] << "\",\"name\":";
    put_json_string(lines_, e.name.empty() ? "kernel" : e.name);
    lines_ << ",\"args\":{";
    const char* comma = "";
    const auto field = [&](std::string_view name, std::string_view value) {
      lines_ << std::exchange(comma, ",");
      put_json_string(lines_, name);
      put_json_string(lines_ << ':', value);
    };
    if (!e.detail.empty()) field("types", e.detail);
    if (e.where.known()) field("at", cat(e.where.file, ':', e.where.line));
    if (e.bytes >= 0) lines_ << std::exchange(comma, ",") << "\"bytes\":" << e.bytes;
    lines_ << "}}";
  }
  /// Ends the recording and returns the trace.
  text stop() {
    const std::lock_guard lock(mutex_);
    recording_ = false;
    text t("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":");
    t << dropped_ << "},\"traceEvents\":[";
    const char* comma = "\n";
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const known_lane& l = known_[i];
      t << std::exchange(comma, ",\n") << "{\"ph\":\"M\",\"pid\":" << process(l.device) << ",\"name\":\"process_name\",\"args\":{\"name\":";
      put_json_string(t, to_string(l.device));
      t << "}},\n{\"ph\":\"M\",\"pid\":" << process(l.device) << ",\"tid\":" << i + 1 << ",\"name\":\"thread_name\",\"args\":{\"name\":\"thread " << i + 1 << "\"}}";
    }
    t << lines_ << "\n]}\n";
    lines_ = {};
    return t;
  }

 private:
  struct known_lane {
    device_id device;
    const void* thread = nullptr;
  };
  static int process(device_id d) { return 1 + int(d.backend) * 65536 + int(d.ordinal); }
  std::size_t lane(device_id d) {
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (known_[i].device == d && known_[i].thread == this_thread()) return i + 1;
    known_.push_back({d, this_thread()});
    return known_.size();
  }

  std::mutex mutex_;
  bool recording_ = false;
  text lines_;
  list<known_lane> known_;
  std::size_t count_ = 0, dropped_ = 0;
  std::int64_t start_ = 0;
};
/// Never destroyed: threads that run on while the process exits may be observed.
inline event_record& recorded_events() {
  static event_record* const r = new event_record;
  return *r;
}
inline void record_event(const event& e, bool ends) {
  if (ends) recorded_events().add(e, nanoseconds_now());
}

}  // namespace detail

/// Records what the library does in all threads while it lives, and writes it to a file at its end, in the trace format of
/// chrome://tracing and ui.perfetto.dev. One at a time. Costs a few hundred nanoseconds an event; nothing while there is none.
/// A million events are kept; how many more there were is in the file as `dropped`.
class profile {
 public:
  /// Errors: value_error if the file cannot be written, or another profile is at work.
  explicit profile(std::string path) : path_(std::move(path)) {
    if (!detail::recorded_events().start()) raise(error_kind::value, "profile: another one is recording, wanted one at a time; close() that one first");
    file_ = std::fopen(path_.c_str(), "w");
    if (!file_) {
      detail::recorded_events().stop();
      raise(error_kind::value, "profile: cannot write to '", std::string_view(path_), "'; choose a folder that exists and is yours");
    }
    if (!detail::profile_observer.see) detail::profile_observer = {&detail::nanoseconds_now, &detail::record_event};
    detail::observe(1, 0x3F);
  }
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;
  /// Writes the file. An error is told of on stderr; close() throws it instead.
  ~profile() {
    if (file_ && !write())
      std::fprintf(stderr, "jacquard: profile: could not write all of '%s'\n", path_.c_str());
  }
  /// Ends the recording and writes the file. Errors: value_error if not all of it could be written.
  void close() {
    if (file_ && !write()) raise(error_kind::value, "profile: could not write all of '", std::string_view(path_), "'; is the disk full?");
  }

 private:
  bool write() {
    detail::observe(1, 0);
    const text t = detail::recorded_events().stop();
    const bool written = std::fwrite(t.view().data(), 1, t.size(), file_) == t.size();
    const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
    return written && closed;
  }

  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace jacquard
