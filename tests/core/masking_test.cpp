// What masking rules are given: dimension lists, neutral elements, and the sizes among parameters. The services have their own
// tests in tests/prims/padded_arrays_test.cpp.
#include <jacquard/core/masking.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace jacquard;

namespace {
constexpr dimension named(const char* s) { return dimension::named(s); }
template <class T>
constexpr T least(dtype t) {
  return detail::extreme_literal({t, {}}, false).get<T>();
}
template <class T>
constexpr T greatest(dtype t) {
  return detail::extreme_literal({t, {}}, true).get<T>();
}
}  // namespace

static_assert(least<std::int8_t>(i8) == -128 && greatest<std::int8_t>(i8) == 127);
static_assert(least<std::int64_t>(i64) == std::numeric_limits<std::int64_t>::min() && greatest<std::int64_t>(i64) == INT64_MAX);
static_assert(least<std::uint16_t>(u16) == 0 && greatest<std::uint16_t>(u16) == 65535 && greatest<std::uint64_t>(u64) == UINT64_MAX);
static_assert(!least<bool>(bool_) && greatest<bool>(bool_));
static_assert(least<float>(f32) == -std::numeric_limits<float>::infinity() && greatest<double>(f64) > 1e300);

TEST_CASE("lists of dimensions") {
  const dimension n = named("n"), two(2);
  CHECK(detail::has_symbolic({two, n}));
  CHECK_FALSE(detail::has_symbolic({two}));
  CHECK_FALSE(detail::has_symbolic({}));
  CHECK((detail::constant_dims({2, 0}) == dimension_list{two, dimension(0)}));
  CHECK((detail::without({n, two, named("m")}, {0, 1}) == dimension_list{named("m")}));
  CHECK((detail::permuted({n, two}, {1, 0}) == dimension_list{two, n}));
}
TEST_CASE("zero in the dtype of an array") {
  const array z = detail::zero_of(aval(bf16, shape{3}, true));
  CHECK(z.dtype() == bf16);
  CHECK(z.weak_type());
  CHECK(z.ndim() == 0);
}
