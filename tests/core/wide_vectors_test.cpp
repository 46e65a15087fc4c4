// in_wide_vectors: calls what it is given, once, in constant evaluation too; results are those of any other loop.
#include <doctest/doctest.h>
#include <jacquard/core/wide_vectors.hpp>

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace {

constexpr int calls() {
  int n = 0;
  jacquard::detail::in_wide_vectors([&] { ++n; });
  return n;
}
static_assert(calls() == 1);

}  // namespace

TEST_CASE("in_wide_vectors: products and sums are rounded one by one") {
  CHECK(calls() == 1);
  float x[64], y[64], plain[64];
  for (int i = 0; i < 64; ++i) x[i] = std::sqrt(float(i) + 2), y[i] = 1 / x[i];
  for (int i = 0; i < 64; ++i) {
    const volatile float product = x[i] * y[i];
    plain[i] = product - 1;
  }
  jacquard::detail::in_wide_vectors([&] {
    for (int i = 0; i < 64; ++i) x[i] = x[i] * y[i] - 1;
  });
  for (int i = 0; i < 64; ++i) CHECK(x[i] == plain[i]);
}
#if defined(__x86_64__)
TEST_CASE("has_widest_vectors: processors with vectors of 64 bytes have those of 32") { CHECK((!jacquard::detail::has_widest_vectors() || jacquard::detail::has_wide_vectors())); }
TEST_CASE("by_columns: all columns, as many vectors at once as there are, none where they fill no vector") {
  if (!jacquard::detail::has_wide_vectors()) return;
  for (const std::int64_t columns : {3, 16, 17, 31, 32, 33, 100, 129}) {
    int seen[129] = {};
    std::int64_t width = 0;
    const bool done = jacquard::detail::by_columns<float, 4>(columns, [&](auto bytes, auto vectors, std::int64_t c) {
      width = decltype(bytes)::value / std::int64_t(sizeof(float));
      for (std::int64_t k = 0; k < width * decltype(vectors)::value; ++k) ++seen[c + k];
    });
    CHECK((done || columns < 16));
    for (std::int64_t c = 0; done && c < columns; ++c) CHECK((seen[c] == 1 || (seen[c] == 2 && columns % width != 0 && c >= columns - width)));
  }
}
#endif
