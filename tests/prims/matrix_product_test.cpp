// matrix_product: the small and the tiled loops agree with each other and with plain loops, at every border of the tiles,
// also in constant evaluation.
#include "reference.hpp"

using namespace prim_testing;
namespace detail = jacquard::detail;

namespace {

/// Wrong elements of an m x k times k x n product of small integers.
template <class T, class Product>
constexpr int wrong_elements(std::int64_t m, std::int64_t n, std::int64_t k, Product run) {
  std::vector<T> x(std::size_t(m * k), T(0)), y(std::size_t(k * n), T(0)), out(std::size_t(m * n), T(0));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = T(int(i * 7 % 11) - 5);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = T(int(i * 5 % 13) - 6);
  run(detail::product_dims{{m}, {k}}, detail::product_dims{{n}, {1}}, detail::product_dims{{k}, {1}, {n}},
      x.data(), y.data(), out.data());
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T s(0);
      for (std::int64_t l = 0; l < k; ++l) s = s + x[std::size_t(i * k + l)] * y[std::size_t(l * n + j)];
      wrong += !(out[std::size_t(i * n + j)] == s);
    }
  return wrong;
}
constexpr auto small = [](const auto&... a) { detail::small_product(a...); };
constexpr auto tiled = [](const auto&... a) { detail::tiled_product(a...); };
constexpr auto chosen = [](const auto&... a) { detail::matrix_product(a...); };

static_assert(wrong_elements<double>(3, 2, 4, small) == 0);
static_assert(wrong_elements<double>(5, 33, 66, tiled) == 0);
static_assert(wrong_elements<int>(2, 3, 2, chosen) == 0);

// x of (b, i, k, l) and y of (l, j, b, k): b goes along, k and l are summed over.
constexpr detail::product_spaces of({{2, 3}, {3, 0}, {0}, {2}}, {2, 3, 5, 7}, {7, 11, 2, 5});
static_assert(of.rows.sizes == jq::shape{3} && of.rows.strides == jq::int_list{35});
static_assert(of.columns.sizes == jq::shape{11} && of.columns.strides == jq::int_list{10});
static_assert(of.sum.sizes == jq::shape{5, 7} && of.sum.strides == jq::int_list{7, 1} && of.sum.other_strides == jq::int_list{1, 110});

}  // namespace

TEST_CASE("matrix_product: sizes around the tiles") {
  for (const std::int64_t m : {0, 1, 3, 4, 5, 9})
    for (const std::int64_t n : {1, 15, 16, 31, 32, 33, 65})
      for (const std::int64_t k : {1, 63, 64, 65, 130}) {
        INFO(m << " x " << k << " x " << n);
        CHECK(wrong_elements<float>(m, n, k, small) == 0);
        CHECK(wrong_elements<float>(m, n, k, tiled) == 0);
        CHECK(wrong_elements<std::int64_t>(m, n, k, chosen) == 0);
        CHECK(wrong_elements<jq::complex128>(m, n, k, tiled) == 0);
      }
}
TEST_CASE("matrix_product: a product of truth values says whether any pair holds") {
  const bool x[] = {true, false, false, false}, y[] = {false, true, true, true};
  bool out[4] = {};
  detail::matrix_product<bool>({{2}, {2}}, {{2}, {1}}, {{2}, {1}, {2}}, x, y, out);
  CHECK((!out[0] && out[1] && !out[2] && !out[3]));
}
