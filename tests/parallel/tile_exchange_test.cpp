// Collectives of partitioned programs, run by members of a pmap: arrays cut in another way, partial results combined among some members.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;
using jq::detail::tiling;

namespace {
/// The tiles of all members, one after the other, of an array cut as `t` says.
array tiles_of(const array& x, const tiling& t, std::int64_t members) {
  std::vector<array> r;
  const jq::shape tile = t.tile_of(x.shape());
  for (std::int64_t m = 0; m < members; ++m) {
    const jq::int_list begin = t.begin_of(tile, m);
    jq::int_list end = begin;
    for (int d = 0; d < tile.rank(); ++d) end[d] += tile[d];
    r.push_back(jq::lax::slice(x, begin, end));
  }
  return jq::stack(r);
}
}  // namespace

TEST_CASE("every tiling becomes every other one") {
  jq::set_host_device_count(8);
  const array x = jq::reshape(jq::arange(8 * 16), {8, 16});
  const std::vector<tiling> all{tiling::whole(2), tiling::row_major({8, 1}), tiling::row_major({1, 8}), tiling::row_major({4, 2}), tiling::row_major({2, 4}),
                                tiling::row_major({4, 2}).joined(0), tiling::row_major({4, 2}).joined(1), tiling{{2, 2}, {1, 4}}};
  for (const tiling& from : all)
    for (const tiling& to : all) {
      const auto f = [&](const array& tile) {
        return jq::bind<jq::detail::retile_p>({jq::name_text("i"), from.pieces, from.strides, to.pieces, to.strides}, jq::location{}, tile);
      };
      CHECK(jq::to_string(jq::pmap(f, jq::axis_name<"i">)(tiles_of(x, from, 8))) == jq::to_string(tiles_of(x, to, 8)));
    }
}
TEST_CASE("members whose numbers differ in one digit combine what they have") {
  jq::set_host_device_count(8);
  const array x = jq::reshape(jq::arange(16), {8, 2});
  const auto combined = [&](jq::detail::combiner by, std::int64_t pieces, std::int64_t stride) {
    const auto f = [&](const array& v) {
      return jq::bind<jq::detail::combine_p>({jq::name_text("i"), std::int64_t(by), {pieces}, {stride}}, jq::location{}, v);
    };
    return std::string(jq::to_string(lax::reduce_max(jq::pmap(f, jq::axis_name<"i">)(lax::slice(x, {0, 0}, {8, 1})), {1})));
  };
  CHECK(combined(jq::detail::combiner::add, 2, 1) == "[ 2  2 10 10 18 18 26 26]");
  CHECK(combined(jq::detail::combiner::add, 2, 4) == "[ 8 12 16 20  8 12 16 20]");
  CHECK(combined(jq::detail::combiner::max, 4, 2) == "[12 14 12 14 12 14 12 14]");
  CHECK(combined(jq::detail::combiner::min, 8, 1) == "[0 0 0 0 0 0 0 0]");
  CHECK(combined(jq::detail::combiner::mul, 2, 2) == "[  0  12   0  12  96 140  96 140]");
}
