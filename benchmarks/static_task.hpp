#pragma once
// A function of the compile-time lane next to the one by hand: both fill the same kind of result from the same input, are compared and then timed
// in turns. Deliberately of one element type T, by which the tolerance goes: 1e-12 for double, 1e-5 for float.

#include <string>
#include <type_traits>

#include "interleaved.hpp"

namespace static_task {

/// Times two functions whose results are n numbers each, per item.
template <class T, class Hand, class Ours>
void compare(const std::string& name, int items, const T* want, const T* got, std::size_t n, Hand& by_hand, Ours& ours) {
  by_hand(), ours();
  interleaved::terms how{name, items};
  if (sizeof(T) == 4) how.tolerance = 1e-5;
  interleaved::compare(how, interleaved::contender("ours", ours), {interleaved::contender("by hand", by_hand, interleaved::relative_error(want, got, n), 1.0)});
}
/// The same of functions of an input and a result, which is numbers of type T and nothing else.
template <class T = double, class In, class Out, class Hand, class Ours>
void task(const std::string& name, In& in, Out, Hand hand, Ours ours) {
  static_assert(!std::is_pointer_v<Hand> && !std::is_pointer_v<Ours>, "interleaved::direct<f> instead of f");
  static Out want{}, got{};
  const auto by_hand = [&] {
    interleaved::observe(&in);
    hand(in, want);
    interleaved::observe(&want);
  };
  const auto by_library = [&] {
    interleaved::observe(&in);
    ours(in, got);
    interleaved::observe(&got);
  };
  compare(name, 1, reinterpret_cast<const T*>(&want), reinterpret_cast<const T*>(&got), sizeof(Out) / sizeof(T), by_hand, by_library);
}

}  // namespace static_task
