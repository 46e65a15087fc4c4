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
/// Returns the size of the frame. Complexity: for each slot, linear in those that lie below it.
inline std::int64_t place_slots(std::vector<frame_slot>& slots) {
  std::int64_t bytes = 0;
  std::vector<const frame_slot*> placed;  // in order of their offsets
  for (frame_slot& s : slots) {
    s.offset = 0;
    for (const frame_slot* below : placed) {
      if (below->offset >= s.end()) break;
      if (s.is_in_use_with(*below) && s.overlaps(*below)) s.offset = below->end();
    }
    const auto is_lower = [](const frame_slot* x, const frame_slot* y) { return x->offset < y->offset; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), &s, is_lower), &s);
    bytes = std::max(bytes, s.end());
  }
  return bytes;
}

}  // namespace jacquard::lowering
