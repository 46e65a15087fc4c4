#pragma once
// The interface of sinks: who gets the values of taps besides the tapped functions. Files, pipes and sockets are in
// taps/outfeed/sink.hpp, a recording one in testing/. Deliberately synchronous: a slow sink holds back the program.

#include "jacquard/taps/context.hpp"

namespace jacquard {

/// What one tap saw.
struct tap_message {
  std::uint64_t consumer;       ///< tells tapped functions apart; numbers start at 1
  const tap_context& context;
  view<const array> values;     ///< the leaves; valid during the call
};

/// Receives messages. Several threads may write at once.
class tap_sink {
 public:
  virtual ~tap_sink() = default;
  /// Takes one message. An exception counts as one that a tap threw; the tapped function is called all the same.
  virtual void write(const tap_message& message) = 0;
};

}  // namespace jacquard
