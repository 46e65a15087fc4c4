#pragma once
// The types of a kernel's operands, or of its results, as one list. Where they lie one after another, as those of programs that run again and
// again do, that list is theirs: an equation in a loop would else spend more time on types than on a few elements. Deliberately keeps copies
// only where they are apart.

#include <new>

#include "jacquard/core/primitive.hpp"

namespace jacquard::detail {

class call_types {
 public:
  explicit call_types(view<const tensor_ref> of) {
    bool in_a_row = true;
    for (std::size_t k = 0; k < of.size(); ++k) in_a_row = in_a_row && of[k].type == of[0].type + k;
    if (in_a_row) {
      all_ = {of.empty() ? nullptr : of[0].type, of.size()};
      return;
    }
    ::new (&copies_) small_vector<aval, 4>();
    has_copies_ = true;
    for (const tensor_ref& t : of) copies_.push_back(*t.type);
    all_ = {copies_.data(), copies_.size()};
  }
  call_types(const call_types&) = delete;
  ~call_types() {
    if (has_copies_) copies_.~small_vector();
  }
  operator view<const aval>() const { return all_; }
  const aval& operator[](std::size_t k) const { return all_[k]; }

 private:
  view<const aval> all_;
  bool has_copies_ = false;
  union {
    small_vector<aval, 4> copies_;  ///< not even empty where there are none: that takes as long as a small kernel
  };
};

}  // namespace jacquard::detail
