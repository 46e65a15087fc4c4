// Arrays of structs in blocks: structs of any number of doubles or floats arrive element by element in lanes and leave them again, whole blocks
// and remainders, and nothing beyond the end is touched.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <vector>

namespace jq = jacquard;
using jq::tensor;

namespace {

constexpr auto turned = [](auto x) { return jq::flip(x); };

template <class T, int elements>
void check(std::size_t items) {
  CAPTURE(elements);
  CAPTURE(items);
  using item = tensor<T, elements>;
  std::vector<item> in(items), out(items + 2);
  for (std::size_t i = 0; i < items; ++i)
    for (std::size_t k = 0; k < elements; ++k) in[i][k] = T(100 * i + k);
  for (item& x : out)
    for (T& v : x) v = -1;
  jq::map(turned, in, std::span(out).first(items));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < items; ++i)
    for (std::size_t k = 0; k < elements; ++k) wrong += out[i][k] == in[i][elements - 1 - k] ? 0 : 1;
  for (std::size_t i = items; i < items + 2; ++i)
    for (T v : out[i]) wrong += v == -1 ? 0 : 1;
  CHECK(wrong == 0);
}
template <class T, int... elements>
void check_all() {
  for (std::size_t items : {1, 8, 16, 37}) (check<T, elements>(items), ...);
}

}  // namespace

TEST_CASE("structs of doubles, of any number of elements") { check_all<double, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 17>(); }
TEST_CASE("structs of floats, of any number of elements") { check_all<float, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 19>(); }
TEST_CASE("structs of different types arrive one by one") {
  const std::vector<std::pair<double, float>> in(11, {1.5, 2.f});
  std::vector<std::pair<float, double>> out(11);
  jq::map([](auto p) { return std::pair{p.second, p.first}; }, in, out);
  for (const auto& [b, a] : out) CHECK((a == 1.5 && b == 2));
}
