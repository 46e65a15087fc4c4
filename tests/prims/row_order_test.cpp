// row_order: rows of every real dtype, short and long, one after the other in the same memory, against std::stable_sort.
#include "jacquard/prims/row_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

namespace {

using namespace jacquard;

/// Numbers of T, many of them equal, some odd.
template <class T>
std::vector<T> numbers(std::size_t count, std::mt19937_64& random) {
  std::vector<T> r;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::int64_t(random());
    if constexpr (std::is_integral_v<T>) r.push_back(T(bits >> (i % 3 * 20 + 3)));
    else {
      constexpr double odd[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, __builtin_nan(""), -__builtin_nan(""), 1e-40, -1e-40};
      r.push_back(detail::convert_element<double, T>(i % 5 == 0 ? odd[std::uint64_t(bits) % 8] : double(bits % 1000) / (i % 2 ? 7 : 1e4)));
    }
  }
  return r;
}
template <class T>
bool comes_before(T x, T y) {
  const auto a = detail::convert_element<T, compute_t<T>>(x), b = detail::convert_element<T, compute_t<T>>(y);
  return a < b || (a == a && b != b);
}
template <class T>
void check_rows(std::int64_t size) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> memory(std::size_t(detail::row_order::bytes(size, 1)) / sizeof(std::uint64_t) + 1);
  detail::row_order order(size, 1, detail::has_narrow_key(dtype_of<T>()), memory.data());
  for (int row = 0; row < 3; ++row) {
    std::vector<T> x = numbers<T>(std::size_t(size), random);
    if (row == 2) std::sort(x.begin(), x.end(), comes_before<T>);
    std::vector<std::int64_t> want(x.size()), places(x.size()), got(x.size());
    std::iota(places.begin(), places.end(), 0);
    want = places;
    std::stable_sort(want.begin(), want.end(), [&](std::int64_t a, std::int64_t b) { return comes_before(x[std::size_t(a)], x[std::size_t(b)]); });
    const auto row_data = std::make_unique<T[]>(x.size());  // std::vector<bool> has no elements
    std::copy(x.begin(), x.end(), row_data.get());
    CHECK(order.set_key(row_data.get(), 1, 0) == 1);
    order.sort();
    order.permute(places.data(), got.data(), 1);
    CHECK(got == want);
  }
}

}  // namespace

TEST_CASE("row_order: rows of all lengths and dtypes") {
  for (const std::int64_t size : {0, 1, 7, 100, 256, 1000, 9000})
    for (const dtype t : {bool_, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64}) {
      CAPTURE(size);
      INFO(std::string(name(t)));
      visit_dtype(t, [&]<class T>(std::type_identity<T>) {
        if constexpr (!is_complex_v<T>) check_rows<T>(size);
      });
    }
}
