// Packs: values of several types by number, which change and are copied one by one.
#include <doctest/doctest.h>
#include <jacquard/core/pack.hpp>

#include <type_traits>

using jacquard::detail::pack, jacquard::detail::packed;

TEST_CASE("a pack holds values of several types") {
  constexpr auto p = packed(1, 2.5, 'c', 2.5);
  static_assert(std::is_same_v<decltype(p), const pack<int, double, char, double>>);
  static_assert(get<0>(p) == 1 && get<1>(p) == 2.5 && get<2>(p) == 'c' && get<3>(p) == 2.5);
  static_assert(std::is_aggregate_v<pack<int, double>> && std::is_trivially_copyable_v<pack<int, double>>);
  static_assert(std::is_empty_v<pack<>>);
}

TEST_CASE("its values change one by one") {
  pack<int, int, const double*> p{}, q{{1}, {2}, {nullptr}};
  const double x = 3;
  CHECK(get<0>(p) == 0);
  CHECK(get<2>(p) == nullptr);
  get<2>(q) = &x;
  p = q;
  get<1>(q) = 7;
  CHECK(get<0>(p) == 1);
  CHECK(get<1>(p) == 2);
  CHECK(*get<2>(p) == 3);
  CHECK(get<1>(q) == 7);
}
