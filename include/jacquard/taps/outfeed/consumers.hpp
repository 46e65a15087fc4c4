#pragma once
// The receiving end of a stream in another process: functions by consumer number, called with the arrays of each message. What is
// wrong with a message, or goes wrong with its function, is logged and counted, and reading goes on, as where taps are received
// in their own process. Deliberately one thread, the caller's.

#include <functional>
#include <map>

#include "jacquard/taps/delivery.hpp"
#include "jacquard/taps/outfeed/reader.hpp"

namespace jacquard::wire {

/// Functions for the messages of streams, by consumer number.
class stream_consumers {
 public:
  /// Called with the head of a message and its arrays, which are copies.
  using function = std::function<void(const description&, const std::vector<array>&)>;

  /// Errors: value_error for number 0, which ends streams, for one that is taken, and for an empty function.
  void add(std::uint64_t consumer, function f) {
    if (consumer == 0) raise(error_kind::value, "stream_consumers: Consumer ID cannot be a reserved value: 0; number consumers from 1 on");
    if (!f) raise(error_kind::value, "stream_consumers: got no function for consumer ", consumer, "; pass one that can be called");
    if (!functions_.emplace(consumer, std::move(f)).second)
      raise(error_kind::value, "stream_consumers: consumer ", consumer, " has a function already; give each its own number");
  }

  /// Reads messages up to the one that ends the stream, or to the end of `source`; returns how many functions were called.
  /// Errors: tap_error after the last message, with the number of those that were broken, of unknown consumers, or whose
  /// function threw, and the first of the reasons, which is nested if it was an exception.
  template <class Source>
  std::size_t read(Source& source, limits bounds = {}) {
    stream_reader<Source> reader(source, bounds);
    std::size_t calls = 0;
    jacquard::detail::tap_failures failed;
    for (message m; reader.next(m);) {
      if (!m.problem.empty()) jacquard::detail::record_problem(m.problem + ", at byte " + std::to_string(m.offset), failed);
      else if (m.head.is_end()) break;
      else if (const auto known = functions_.find(m.head.consumer); known != functions_.end()) call(known->second, m, failed), ++calls;
      else jacquard::detail::record_problem("Ignoring received outfeed for unknown tap consumer " + std::to_string(m.head.consumer), failed);
    }
    jacquard::detail::report_failures(failed);
    return calls;
  }

 private:
  static void call(const function& f, const message& m, jacquard::detail::tap_failures& failed) {
    jacquard::detail::run_recording_failures([&] {
      std::vector<array> values;
      for (std::size_t i = 0; i < m.head.arrays.size(); ++i) values.push_back(m.value(i));
      f(m.head, values);
    }, failed);
  }

  std::map<std::uint64_t, function> functions_;
};

}  // namespace jacquard::wire
