// Places for padded operands. The masking rules that use them are checked by tests/laws/masking_test.cpp.
#include "prim_testing.hpp"

#include <jacquard/transforms/mask.hpp>

using namespace prim_testing;
using jq::dimension;

namespace {
const dimension n = dimension::named("n"), m = dimension::named("m");

/// The clipped or dropped start of a window of `size` at `at` in n = 3 of 5 elements.
std::int64_t start_of(std::int64_t at, const dimension& size) {
  jq::detail::size_decoder decoder;
  decoder.add_name("n");
  decoder.add_name("m");
  jq::detail::mask_interpreter<array> scope({{"n", 5, array(std::int64_t(3)), true, 3}, {"m", 4, array(std::int64_t(2)), true, 2}}, decoder, {});
  const array x[] = {make({1.0, 2.0, 3.0, 4.0, 5.0}), array(at)};
  const jq::dimension_list dims[] = {{n}, {}};
  jq::mask_call c{x, dims, {}, {}, scope};
  return jq::detail::masked_start(c, x[1], n, size).item<std::int64_t>();
}
}  // namespace

TEST_CASE("masked windows: starts are counted from the logical end and moved inside the logical part") {
  CHECK(start_of(0, dimension(2)) == 0);
  CHECK(start_of(9, dimension(2)) == 1);
  CHECK(start_of(-1, dimension(1)) == 2);
  CHECK(start_of(-9, dimension(1)) == 0);
  CHECK(start_of(1, m) == 1);
  CHECK(start_of(2, m) == 1);
  CHECK(start_of(2, n) == 0);
}
TEST_CASE("masked windows: room is needed for windows of symbolic sizes but the whole") {
  CHECK(jq::detail::needs_room(n, m));
  CHECK_FALSE(jq::detail::needs_room(n, n));
  CHECK_FALSE(jq::detail::needs_room(n, dimension(2)));
}
