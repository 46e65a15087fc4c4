// Structs of arrays as results: those that exceed the caches are the same as those that do not, wherever their planes begin.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>
#include <jacquard/fixed/threads.hpp>

#include <cstdint>

namespace jq = jacquard;
using jq::tensor;
using item = tensor<double, 15>;

namespace {

constexpr auto multiples = [](auto x) { return x[0] * jq::arange(0.0, 15.0, 1.0); };

/// Maps n numbers to planes that begin `shift` elements after a cache line, and counts results that are wrong.
template <class Team>
std::size_t wrong_results(std::size_t n, std::size_t shift, const Team& team) {
  std::vector<double> in(n), room(15 * n + 8 + shift);
  for (std::size_t i = 0; i < n; ++i) in[i] = double(i) - 7;
  const std::size_t to_line = (64 - reinterpret_cast<std::uintptr_t>(room.data()) % 64) % 64 / sizeof(double);
  double* const results = room.data() + to_line + shift;
  auto to = jq::columns<item>::contiguous(results, n);
  jq::map(multiples, jq::columns<const tensor<double, 1>>::contiguous(in.data(), n), to, team);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < 15; ++k)
    for (std::size_t i = 0; i < n; ++i) wrong += results[k * n + i] == double(k) * in[i] ? 0 : 1;
  return wrong;
}

}  // namespace

TEST_CASE("planes: results that exceed the caches") {
  constexpr std::size_t large = (std::size_t(16) << 20) / (15 * sizeof(double));  // the next multiple of 8 is past the limit
  for (std::size_t n : {std::size_t(64), large / 8 * 8, large / 8 * 8 + 8, large + 100})
    for (std::size_t shift : {0, 1}) CHECK(wrong_results(n, shift, jq::detail::one_thread()) == 0);
  CHECK(wrong_results(large / 8 * 8 + 8, 0, jq::threads(2)) == 0);
}
