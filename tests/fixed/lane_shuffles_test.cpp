// Lanes in another order: parts, vectors put together, squares transposed, small structs taken apart and joined, of doubles and floats.
#include <doctest/doctest.h>
#include <jacquard/fixed/lane_shuffles.hpp>

namespace jq = jacquard;
using jq::detail::lanes_from, jq::detail::joined_lanes, jq::detail::transpose_lanes;

namespace {

template <class T, int W>
jq::lanes<T, W> counted(int first) {
  jq::lanes<T, W> r;
  for (int i = 0; i < W; ++i) r.put(i, T(first + i));
  return r;
}
template <class T, int W>
void check_square() {
  CAPTURE(W);
  jq::lanes<T, W> rows[W];
  for (int i = 0; i < W; ++i) rows[i] = counted<T, W>(100 * i);
  transpose_lanes<T, W>(rows);
  int wrong = 0;
  for (int i = 0; i < W; ++i)
    for (int j = 0; j < W; ++j) wrong += rows[i][j] == T(100 * j + i) ? 0 : 1;
  CHECK(wrong == 0);
}
template <class T, int N, int W>
void check_joined() {
  CAPTURE(W);
  jq::lanes<T, N> parts[W / N];
  for (int k = 0; k < W / N; ++k) parts[k] = counted<T, N>(k * N);
  const jq::lanes<T, W> all = joined_lanes<W>(parts);
  for (int i = 0; i < W; ++i) CHECK(all[i] == T(i));
}

/// W structs of Count elements, numbered as they lie in memory.
template <int Count, class T, int W>
void check_columns() {
  CAPTURE(W);
  CAPTURE(Count);
  jq::lanes<T, W> v[Count];
  for (int k = 0; k < Count; ++k) v[k] = counted<T, W>(k * W);
  jq::detail::deal_columns<Count, true>(v);
  int wrong = 0;
  for (int k = 0; k < Count; ++k)
    for (int l = 0; l < W; ++l) wrong += v[jq::detail::place_of_column<Count>(k)][l] == T(l * Count + k) ? 0 : 1;
  CHECK(wrong == 0);
  jq::detail::deal_columns<Count, false>(v);
  for (int k = 0; k < Count; ++k)
    for (int l = 0; l < W; ++l) wrong += v[k][l] == T(k * W + l) ? 0 : 1;
  CHECK(wrong == 0);
}
template <class T, int W, int... Count>
void check_all_columns(std::integer_sequence<int, Count...>) {
  (check_columns<Count + 1, T, W>(), ...);
}

}  // namespace

TEST_CASE("parts of one vector, and across two") {
  const auto x = counted<double, 8>(0), y = counted<double, 8>(8);
  const auto middle = lanes_from<6>(x, y, std::make_integer_sequence<int, 4>{});
  for (int i = 0; i < 4; ++i) CHECK(middle[i] == 6 + i);
  CHECK(lanes_from<4>(x, x, std::make_integer_sequence<int, 2>{})[1] == 5);
}
TEST_CASE("vectors put together") {
  check_joined<double, 2, 8>();
  check_joined<double, 4, 4>();
  check_joined<float, 4, 16>();
  check_joined<float, 2, 8>();
}
TEST_CASE("squares transposed") {
  check_square<double, 2>();
  check_square<double, 4>();
  check_square<double, 8>();
  check_square<float, 2>();
  check_square<float, 8>();
  check_square<float, 16>();
}
TEST_CASE("structs taken apart and joined") {
  check_all_columns<double, 2>(std::make_integer_sequence<int, 4>{});
  check_all_columns<double, 4>(std::make_integer_sequence<int, 6>{});
  check_all_columns<double, 8>(std::make_integer_sequence<int, 12>{});
  check_all_columns<float, 4>(std::make_integer_sequence<int, 6>{});
  check_all_columns<float, 16>(std::make_integer_sequence<int, 12>{});
}
TEST_CASE("the shuffles that structs take") {
  static_assert(jq::detail::shuffles_of_columns<1>() == 0 && jq::detail::shuffles_of_columns<3>() == 6);
  static_assert(jq::detail::shuffles_of_columns<6>() == 18 && jq::detail::shuffles_of_columns<8>() == 24 && jq::detail::shuffles_of_columns<7>() == 42);
}
