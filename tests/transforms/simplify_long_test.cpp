// Simplification of long programs: equal equations are found without a look at all others that read the same.
#include "../show.hpp"

#include <ctime>

using jq::array;

namespace {

/// Processor time for a program of n products of one array and n parts of it, each there twice; the best of three.
double time_of(int n) {
  const jq::closed_jaxpr p = jq::make_jaxpr([n](const array& x) {
    std::vector<array> all;
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < n; ++i) all.push_back(lax::slice(x * (float(i) + 1.5f), {i}, {i + 1})), all.push_back(lax::slice(x, {i}, {i + 1}));
    return all;
  })(jq::ones({n + 1}));
  double best = 1e9;
  for (int k = 0; k < 3; ++k) {
    const std::clock_t start = std::clock();
    const jq::closed_jaxpr simple = jq::simplify(p);
    best = std::min(best, double(std::clock() - start));
    CHECK(simple->equations.size() == std::size_t(3 * n));
  }
  return best;
}

}  // namespace

TEST_CASE("simplify: time grows as the program, also where all equations read one value") {
  CHECK(time_of(8000) < 12 * time_of(2000));  // 4 times where it is linear; it was 16 times
}
