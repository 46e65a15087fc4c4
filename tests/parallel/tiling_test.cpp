// Tilings: digits of members, tiles and where they begin, copies of boxes.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <numeric>

namespace jq = jacquard;
using jq::detail::tiling;
using jq::int_list;
using jq::shape;

TEST_CASE("tiles in row-major order") {
  constexpr tiling t = tiling::row_major({2, 1, 3});
  static_assert(t.tiles() == 6 && !t.is_whole() && t.cuts(0) && !t.cuts(1) && tiling::whole(3).is_whole());
  static_assert(t.fits(shape{4, 5, 9}) && !t.fits(shape{4, 5, 8}) && !t.fits(shape{4, 5}));
  CHECK(t.tile_of({4, 5, 9}) == shape{2, 5, 3});
  CHECK(t.of_tiles({2, 5, 3}) == shape{4, 5, 9});
  // Member 4 is tile (1, 0, 1).
  CHECK(t.begin_of({2, 5, 3}, 4) == int_list{2, 0, 3});
  CHECK(t.owner({1, 0, 1}, 0) == 4);
  CHECK(t.joined(0).begin_of({4, 5, 3}, 4) == int_list{0, 0, 3});
  CHECK(t.joined(0).owner({0, 0, 2}, 4) == 5);  // like member 4 where the tile leaves it open
}
TEST_CASE("digits that overlap") {
  const tiling t = tiling::row_major({2, 4});  // digits number / 4 % 2 and number % 4
  CHECK(t.uses(2, 4));
  CHECK(t.uses(8, 1));
  CHECK(t.uses(2, 2));
  CHECK(!t.uses(1, 1));
  CHECK(!t.joined(1).uses(4, 1));
  CHECK(!t.joined(0).uses(2, 4));
  // Of twelve members: what number / 4 % 3 and number % 3 say cannot change one by one, nor what number % 4 and number % 3 do.
  CHECK(tiling{{3}, {4}}.uses(3, 1));
  CHECK(tiling{{4}, {1}}.uses(3, 1));
  CHECK(!tiling{{3}, {4}}.uses(4, 1));
}
TEST_CASE("boxes of memory") {
  const shape from{3, 4, 5}, to{2, 6, 5};
  std::vector<int> a(60), b(60, -1);
  std::iota(a.begin(), a.end(), 0);
  for (const int_list& extent : {int_list{2, 3, 5}, int_list{1, 2, 2}, int_list{2, 1, 4}, int_list{2, 0, 3}}) {
    std::fill(b.begin(), b.end(), -1);
    const int_list source{1, 1, extent[2] == 5 ? 0 : 1}, target{0, 2, 0};
    jq::detail::copy_box({reinterpret_cast<std::byte*>(b.data()), to, target}, {reinterpret_cast<const std::byte*>(a.data()), from, source}, extent, sizeof(int));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 5; ++k) {
          const bool inside = i < extent[0] && j >= 2 && j < 2 + extent[1] && k < extent[2];
          CHECK(b[std::size_t((i * 6 + j) * 5 + k)] == (inside ? int(((1 + i) * 4 + 1 + j - 2) * 5 + source[2] + k) : -1));
        }
  }
  int one = 7, other = 0;
  const shape scalar{};
  jq::detail::copy_box({reinterpret_cast<std::byte*>(&other), scalar, {}}, {reinterpret_cast<const std::byte*>(&one), scalar, {}}, {}, sizeof(int));
  CHECK(other == 7);
}
