#pragma once
// Boxes of iterations: where a result is made of operands side by side, its loops are cut along the edges between them, so that no element asks
// which operand it belongs to. Deliberately plain arithmetic: exec/lowering/clusters asks, exec/lowering/lowering cuts.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jacquard/core/element_calls.hpp"

namespace jacquard::lowering {

/// Indices from `begin` to before `end`.
struct index_range {
  std::int64_t begin = 0, end = 0;
  constexpr std::int64_t size() const { return end - begin; }
  constexpr bool operator==(const index_range&) const = default;
};
/// A range for each loop.
using box = small_vector<index_range, 4>;

/// A place where loops are to be cut: before iteration `index` of loop `loop`, counted from the start of the box.
struct cut {
  int loop = 0;
  std::int64_t index = 0;
};

/// How the iterations of a loop relate to a range of indices that come from it.
struct cover {
  bool any = false, all = false;  ///< of the iterations have their index in the range
  std::int64_t edge = 0;          ///< the first one that differs from iteration 0; for some, but not all
};
/// Which of `extent` iterations give an index in `range`, where the index comes from `s`. O(1).
constexpr cover cover_of(const index_source& s, std::int64_t extent, const index_range& range) {
  const auto floor_div = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); };
  index_range in{0, range.begin <= s.start && s.start < range.end ? extent : 0};
  if (s.loop >= 0 && s.step > 0) in = {-floor_div(s.start - range.begin, s.step), -floor_div(s.start - range.end, s.step)};
  else if (s.loop >= 0 && s.step < 0) in = {floor_div(s.start - range.end, -s.step) + 1, floor_div(s.start - range.begin, -s.step) + 1};
  in = {std::max<std::int64_t>(in.begin, 0), std::min(in.end, extent)};
  if (in.begin >= in.end) return {};
  return {true, in.size() == extent, in.begin > 0 ? in.begin : in.end};
}

/// The boxes that `whole` falls into along the loop of the first cut, in order. Complexity: sorts the cuts.
inline std::vector<box> pieces_of(const box& whole, const std::vector<cut>& cuts) {
  const int loop = cuts.front().loop;
  const index_range& all = whole[std::size_t(loop)];
  std::vector<std::int64_t> at;
  for (const cut& c : cuts)
    if (c.loop == loop) at.push_back(all.begin + c.index);
  at.push_back(all.end);
  std::sort(at.begin(), at.end());
  std::vector<box> pieces;
  for (std::int64_t from = all.begin; const std::int64_t to : at) {
    if (from == to) continue;
    pieces.push_back(whole);
    pieces.back()[std::size_t(loop)] = {from, to};
    from = to;
  }
  return pieces;
}

}  // namespace jacquard::lowering
