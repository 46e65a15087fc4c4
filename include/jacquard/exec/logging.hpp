#pragma once
// What the library writes to stderr of its own accord: compilations, calls, taps, and the failures of taps. The environment variable
// JACQUARD_LOG switches it on for a program as it is; set_logging does so from within. Deliberately no files and no levels.

#include <cstdio>
#include <cstdlib>

#include "jacquard/backends/clock.hpp"
#include "jacquard/core/events.hpp"
#include "jacquard/exec/devices.hpp"
#include "jacquard/exec/log_topics.hpp"

namespace jacquard {

namespace detail {

/// Writes a line at once, so that those of several threads do not mix.
inline void write_log_line(const text& line) { std::fwrite(line.view().data(), 1, line.view().size(), stderr); }

/// Calls are told of when they begin, so that the last line is the one that does not return; compilations when they end.
inline void log_event(const event& e, bool ends) {
  if (ends != (e.kind == event_kind::compile)) return;
  text line = cat("jacquard: ", e.kind == event_kind::compile ? "compile" : "dispatch", e.kind == event_kind::compile ? " for " : " on ",
                  std::string_view(to_string(e.device)), " of ", e.detail);
  if (ends) {
    const std::int64_t tenths = (nanoseconds_now() - e.begin) / 100000;
    line << " in " << tenths / 10 << '.' << tenths % 10 << " ms";
  }
  if (e.where.known()) line << " [" << e.where.file << ':' << e.where.line << ']';
  write_log_line(line << '\n');
}

#ifndef JACQUARD_COMPILED
inline constinit event_observer log_observer{&nanoseconds_now, &log_event};
#endif

inline void set_log_topics(std::uint32_t topics) {
  __atomic_store_n(&log_topics, topics, __ATOMIC_RELAXED);
  observe(0, ((topics & log_compile) ? 1u << unsigned(event_kind::compile) : 0u) |
                 ((topics & log_dispatch) ? 1u << unsigned(event_kind::dispatch) : 0u));
}

/// The topics that a list of words asks for; words that are none are listed in `unknown`.
template <class Text = text>
std::uint32_t read_log_topics(std::string_view words, Text& unknown) {
  std::uint32_t topics = log_failures;
  while (!words.empty()) {
    const std::size_t end = words.find_first_of(", ");
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
    if (word == "compile") topics |= log_compile;
    else if (word == "dispatch") topics |= log_dispatch;
    else if (word == "taps") topics |= log_taps;
    else if (word == "nothing") topics &= ~std::uint32_t(log_failures);
    else if (!word.empty()) unknown << (unknown.empty() ? "'" : ", '") << word << '\'';
  }
  return topics;
}

}  // namespace detail

/// Sets what is written to stderr, for the whole process, by words with commas between them: `compile` (a line for each compilation,
/// with its types, size and time), `dispatch` (one for each call of a jitted function), `taps` (one for each tap, before its function
/// is called), `nothing` (not even the failures of taps, which are told of otherwise). The environment variable JACQUARD_LOG does the
/// same at the start of a program. Words that are none of these are told of in one warning.
template <class Text = text>
void set_logging(std::string_view words) {
  Text unknown;
  detail::set_log_topics(detail::read_log_topics(words, unknown));
  if (!unknown.empty())
    detail::write_log_line(cat("jacquard: JACQUARD_LOG does not know ", unknown, "; the words are compile, dispatch, taps, nothing\n"));
}

namespace detail {
inline const bool logging_read = [] {
  if (const char* words = std::getenv("JACQUARD_LOG")) set_logging(words);
  return true;
}();
}  // namespace detail

}  // namespace jacquard
