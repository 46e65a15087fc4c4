// Tables: items start from zero, in constant evaluation and at run time.
#include <doctest/doctest.h>
#include <jacquard/core/table.hpp>

namespace jq = jacquard;

constexpr int sum_of_squares(std::size_t n) {
  jq::table<int> t(n);
  int r = 0;
  for (std::size_t i = 0; i < n; i += 2) t[i] = int(i * i);
  for (std::size_t i = 0; i < t.size(); ++i) r += t[i];
  return r;
}
static_assert(sum_of_squares(5) == 20 && sum_of_squares(0) == 0);

TEST_CASE("a table begins with value-initialised items") {
  const jq::table<double> t(7);
  CHECK(t.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(t[i] == 0);
}
