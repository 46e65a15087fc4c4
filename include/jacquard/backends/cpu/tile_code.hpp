#pragma once
// The code of a tile plan: instructions in sections, the registers that values lie in, and where in a frame these are. Deliberately knows no
// kernel: backends/cpu/tile_plan writes code, backends/cpu/tile_program runs it.

#include <algorithm>
#include <vector>

#include "jacquard/backends/cpu/tile_functions.hpp"

namespace jacquard::cpu {

enum class tile_action : std::uint8_t {
  compute,  ///< out = operation(in)
  look,     ///< out is where an input lies, or a copy of a tile shorter than a granule
  gather,   ///< out = elements of an input that lie apart
  lookup,   ///< out = elements of an input, each as many further on as in[0] says; of others that have an in[0], all are as many as that
  fill,     ///< out = one element of an input, a register of it
  index,    ///< out = the index of a loop
  aim,      ///< out is where an output lies, or a register for a tile shorter than a granule
  store,    ///< an output = in, if that does not lie there already
  clear,    ///< out = in[0] all along
  unless,   ///< goes past the next `of` instructions of the section where in[0] holds for all elements
  combine   ///< out = out combined with in[1], element by element, or all elements of the inner loops into one number
};
struct tile_instruction {
  tile_action what = tile_action::compute;
  tile_operation op{};
  std::int32_t out = -1, in[3] = {-1, -1, -1};
  std::int32_t of = -1;    ///< number of an input, an output or a loop, or of instructions
  std::int32_t step[3] = {1, 1, 1};  ///< of operands: 0 for those that are the same for a whole tile
  bool varies = false;     ///< the result has an element for each of the tile
};
/// Where a value lies.
struct tile_slot {
  enum kind : std::uint8_t { own, given, constant, row } lies = own;  ///< given: where an input or output lies; or as own
  bool varies = false;      ///< along the tile; else it fills one register
  std::uint8_t size = 4;    ///< of an element
  std::int64_t count = 0;   ///< elements it has room for
  std::int64_t offset = 0;  ///< in the frame, or among the constants
};
struct tile_section {
  bool is_inner = false;  ///< runs for each iteration of the inner loops that the tile does not cover
  bool is_fold = false;   ///< runs after some hundred iterations of the inner section before it, and after the last one
  std::vector<tile_instruction> code{};
};

namespace detail {

struct tile_lifetime {
  std::size_t first = ~std::size_t(0), section = 0, last = 0;
};
/// When each slot is used, instructions counted through all sections. What an inner section did not make itself it needs to its end.
inline std::vector<tile_lifetime> tile_lifetimes(const std::vector<tile_slot>& slots, const std::vector<tile_section>& sections) {
  std::vector<tile_lifetime> r(slots.size());
  std::size_t at = 0;
  for (std::size_t n = 0; n < sections.size(); ++n) {
    const std::size_t end = at + sections[n].code.size();
    for (const tile_instruction& i : sections[n].code) {
      const auto use = [&](std::int32_t x) {
        if (x < 0) return;
        tile_lifetime& l = r[std::size_t(x)];
        if (l.first == ~std::size_t(0)) l.first = at, l.section = n;
        l.last = std::max(l.last, l.section != n ? end : at);
      };
      for (std::int32_t x : i.in) use(x);
      use(i.out);
      ++at;
    }
  }
  for (tile_lifetime& l : r)
    if (l.first != ~std::size_t(0) && l.section == 0) l.last = at;  // once for all rows
  return r;
}
/// Gives slots their offsets; returns the bytes of a frame. A register takes the place of one that nobody reads any more; also of an operand, if
/// elements are as large.
inline std::int64_t give_tile_places(std::vector<tile_slot>& slots, const std::vector<tile_section>& sections) {
  std::int64_t frame_bytes = 0;
  const std::vector<tile_lifetime> lives = tile_lifetimes(slots, sections);
  std::vector<std::int32_t> order, held;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (lives[i].first != ~std::size_t(0) && slots[i].lies != tile_slot::constant) order.push_back(std::int32_t(i));
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return lives[std::size_t(a)].first < lives[std::size_t(b)].first; });
  for (std::int32_t x : order) {
    tile_slot& s = slots[std::size_t(x)];
    const tile_lifetime& l = lives[std::size_t(x)];
    const std::int64_t count = (s.count + tile_granule - 1) / tile_granule * tile_granule;
    bool found = false;
    for (std::int32_t& h : held) {
      const tile_slot& before = slots[std::size_t(h)];
      if (before.size != s.size || before.count != s.count || before.varies != s.varies || lives[std::size_t(h)].last > l.first) continue;
      s.offset = before.offset;
      h = x;
      found = true;
      break;
    }
    if (found) continue;
    s.offset = frame_bytes;
    frame_bytes += (count * s.size + 63) / 64 * 64 + 64;  // apart from multiples of a page, which loads and stores would confuse
    held.push_back(x);
  }
  return frame_bytes;
}

}  // namespace detail

}  // namespace jacquard::cpu
