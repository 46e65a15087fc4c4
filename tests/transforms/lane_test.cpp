// The fork between the lanes without the compile-time lane: every call is of the run-time one.
#include <doctest/doctest.h>
#include <jacquard/transforms/lane.hpp>

#include <array>

using namespace jacquard::detail;

namespace {
class unknown {
 public:
  explicit unknown(int) {}
};
}  // namespace

static_assert(!is_static_call<unknown>() && !is_static_call<>());
static_assert(std::is_same_v<mirror_of<std::array{0}, int, float>, mirrored_result<int>>);
static_assert(std::is_same_v<mirror_of<std::array{-1}, int, float>, mirrored_result<float>>);
static_assert(std::is_same_v<mirror_of<std::array{1, 0}, int, float>, mirrored_result<std::tuple<float, int>>>);

TEST_CASE("lane: positions count from either end") {
  CHECK(position_of(1, 3) == 1);
  CHECK(position_of(-1, 3) == 2);
}
