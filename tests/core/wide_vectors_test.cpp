// in_wide_vectors: calls what it is given, once, in constant evaluation too; results are those of any other loop.
#include <doctest/doctest.h>
#include <jacquard/core/wide_vectors.hpp>

#include <cmath>

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
#endif
