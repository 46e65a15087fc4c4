// Places in a frame: blocks that are in use at the same time lie apart, the others share memory, offsets are whole lines of the cache.
#include <jacquard/exec/lowering/frame.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using jq_slot = jacquard::lowering::frame_slot;
using jacquard::lowering::place_slots;

namespace {
jq_slot slot(std::int64_t bytes, std::size_t first, std::size_t last) { return {bytes, 0, first, last}; }
}  // namespace

TEST_CASE("frame: slots that are in use one after the other share memory") {
  std::vector<jq_slot> s = {slot(100, 0, 1), slot(100, 2, 3), slot(64, 4, 9)};
  CHECK(place_slots(s) == 128);
  for (const jq_slot& x : s) CHECK(x.offset == 0);
}
TEST_CASE("frame: slots that are in use together lie apart, in gaps where they fit") {
  std::vector<jq_slot> s = {slot(64, 0, 9), slot(128, 0, 2), slot(1, 0, 9), slot(100, 3, 9), slot(65, 3, 3)};
  CHECK(place_slots(s) == 64 + 128 + 64 + 128);
  CHECK(s[0].offset == 0);
  CHECK(s[1].offset == 64);
  CHECK(s[2].offset == 192);
  CHECK(s[3].offset == 64);
  CHECK(s[4].offset == 256);
}
TEST_CASE("frame: empty slots take nothing") {
  std::vector<jq_slot> s = {slot(0, 0, 1), slot(8, 0, 1), slot(0, 0, 1)}, none;
  CHECK(place_slots(s) == 64);
  CHECK(place_slots(none) == 0);
}
TEST_CASE("frame: of any slots no two that are in use together overlap") {
  std::uint32_t state = 7;
  const auto below = [&](std::uint32_t n) { return (state = state * 1664525u + 1013904223u) / 65536u % n; };
  for (int round = 0; round < 200; ++round) {
    std::vector<jq_slot> s;
    for (int i = 0; i < 12; ++i) {
      const std::size_t first = below(20);
      s.push_back(slot(std::int64_t(below(300)), first, first + below(8)));
    }
    const std::int64_t bytes = place_slots(s);
    for (std::size_t i = 0; i < s.size(); ++i) {
      CHECK(s[i].offset % 64 == 0);
      CHECK(s[i].end() <= bytes);
      for (std::size_t j = 0; j < i; ++j)
        if (s[i].is_in_use_with(s[j])) CHECK_FALSE(s[i].overlaps(s[j]));
    }
  }
}
TEST_CASE("frame: each slot lies as low as those before it let it") {
  std::uint32_t state = 11;
  const auto below = [&](std::uint32_t n) { return (state = state * 1664525u + 1013904223u) / 65536u % n; };
  for (int round = 0; round < 100; ++round) {
    std::vector<jq_slot> s;
    for (int i = 0; i < 20; ++i) {
      const std::size_t first = below(20);
      s.push_back(slot(below(400), first, first + below(8)));
    }
    place_slots(s);
    for (std::size_t i = 0; i < s.size(); ++i)
      for (std::int64_t lower = 0; lower < s[i].offset; lower += 64) {
        const jq_slot there{s[i].bytes, lower, s[i].first, s[i].last};
        bool free = true;
        for (std::size_t j = 0; j < i; ++j) free = free && !(there.is_in_use_with(s[j]) && there.overlaps(s[j]));
        CHECK_FALSE(free);
      }
  }
}
