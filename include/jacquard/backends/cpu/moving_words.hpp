#pragma once
// The pointers in a table that go on from trip to trip of a loop, so that a trip finds the table as it wants it without looking at those that
// stay. Deliberately few: loops with more of them set all their pointers anew.

#include <utility>

#include "jacquard/core/control_form.hpp"

namespace jacquard::cpu {

class moving_words {
 public:
  static constexpr std::size_t most = 32;

  /// A word that goes on as `m` does; false where there are too many.
  bool add(void** at, const moving_place& m) {
    if (count_ == most) return false;
    words_[count_++] = {at, m.step, m.next};
    return true;
  }
  void go_on() {
    for (std::size_t i = 0; i < count_; ++i) {
      word& w = words_[i];
      *w.at = static_cast<char*>(*w.at) + w.step;
      std::swap(w.step, w.next);
    }
  }

 private:
  struct word {
    void** at;
    std::int64_t step, next;
  };
  std::size_t count_ = 0;
  word words_[most];
};

}  // namespace jacquard::cpu
