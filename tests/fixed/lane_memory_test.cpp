// Lanes from memory and back: any address, booleans as bytes, and past the caches where that is possible.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_memory.hpp>

#include <vector>

namespace jq = jacquard;
using jq::detail::load_lanes, jq::detail::store_lanes;

TEST_CASE("lanes are loaded and stored at any address") {
  std::vector<float> from(12), to(12, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = float(i);
  store_lanes(load_lanes<8>(static_cast<const float*>(from.data() + 3)), to.data() + 1);
  for (std::size_t i = 0; i < to.size(); ++i) CHECK(to[i] == (i >= 1 && i < 9 ? float(i + 2) : -1.f));
}
TEST_CASE("booleans are bytes in memory") {
  const bool from[] = {true, false, false, true};
  const auto x = load_lanes<4>(from);
  CHECK((x[0] && !x[1] && !x[2] && x[3]));
  bool to[4]{};
  store_lanes(!x, to);
  CHECK((!to[0] && to[1] && to[2] && !to[3]));
}
TEST_CASE("whole lines go past the caches") {
  using number = jq::lanes<double, jq::preferred_lanes>;
  CHECK((!jq::detail::can_stream<number> || sizeof(typename number::vector) == jq::detail::cache_line));
#if defined(__AVX512F__)
  alignas(64) double to[jq::preferred_lanes]{};
  jq::detail::stream_lanes(number(2.5), to);
  jq::detail::end_of_streams();
  for (double x : to) CHECK(x == 2.5);
#endif
}
