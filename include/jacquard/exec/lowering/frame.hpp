#pragma once
// Places in a frame: offsets for blocks of memory of which each is used by some steps of a program, so that those that are not in use at the
// same time may overlap. First fit, in the order given; deliberately no search for the smallest frame.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jacquard/core/buffer.hpp"

namespace jacquard::lowering {

struct frame_slot {
  std::int64_t bytes = 0, offset = 0;
  std::size_t first = 0, last = 0;  ///< steps that use it

  std::int64_t end() const { return offset + jacquard::detail::whole_lines(bytes); }
  bool is_in_use_with(const frame_slot& other) const { return other.first <= last && first <= other.last; }
  bool overlaps(const frame_slot& other) const { return other.offset < end() && offset < other.end(); }
};

/// Gives each slot the lowest offset where no slot before it lies that is in use at the same time; offsets are whole lines of the cache.
/// Returns the size of the frame. O(n^2) for few conflicts, O(n^3) at worst.
inline std::int64_t place_slots(std::vector<frame_slot>& slots) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    frame_slot& s = slots[i];
    s.offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t j = 0; j < i; ++j) {
        if (!s.is_in_use_with(slots[j]) || !s.overlaps(slots[j])) continue;
        s.offset = slots[j].end();
        moved = true;
      }
    }
    bytes = std::max(bytes, s.end());
  }
  return bytes;
}

}  // namespace jacquard::lowering
