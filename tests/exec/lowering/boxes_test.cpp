// Boxes: which iterations have their index in a range, and where loops are cut. Oracle: counting.
#include <jacquard/exec/lowering/boxes.hpp>

#include <ostream>

#include <doctest/doctest.h>

using namespace jacquard::lowering;

namespace {

cover counted(const jacquard::index_source& s, std::int64_t extent, const index_range& range) {
  cover r;
  r.all = true;
  const auto inside = [&](std::int64_t i) {
    const std::int64_t at = s.start + (s.loop < 0 ? 0 : s.step * i);
    return range.begin <= at && at < range.end;
  };
  for (std::int64_t i = 0; i < extent; ++i) {
    r.any = r.any || inside(i);
    r.all = r.all && inside(i);
    if (r.edge == 0 && inside(i) != inside(0)) r.edge = i;
  }
  return r;
}

}  // namespace

TEST_CASE("boxes: all, some or none of the iterations are in a range") {
  for (std::int64_t step = -3; step <= 3; ++step)
    for (std::int64_t start = -9; start <= 9; ++start)
      for (std::int64_t begin = -5; begin <= 5; ++begin)
        for (std::int64_t end = begin - 1; end <= begin + 6; ++end) {
          const jacquard::index_source s{step == 0 && start % 2 == 0 ? -1 : 0, start, step};
          const cover got = cover_of(s, 5, {begin, end}), want = counted(s, 5, {begin, end});
          const bool same = got.any == want.any && got.any * got.all == want.any * want.all && (!got.any || got.all || got.edge == want.edge);
          CHECK_MESSAGE(same, "start ", start, ", step ", step, ", range ", begin, " to ", end);
        }
}
TEST_CASE("boxes: cut along one loop, at all of its places") {
  const box whole{{2, 12}, {0, 7}};
  const std::vector<box> pieces = pieces_of(whole, {{0, 6}, {1, 3}, {0, 1}, {0, 6}});
  REQUIRE(pieces.size() == 3);
  CHECK(pieces[0] == box{{2, 3}, {0, 7}});
  CHECK(pieces[1] == box{{3, 8}, {0, 7}});
  CHECK(pieces[2] == box{{8, 12}, {0, 7}});
}
