// Threads of jq::map: how many, and each part once.
#include <vector>

#include <doctest/doctest.h>
#include <jacquard/fixed/threads.hpp>

namespace jq = jacquard;

TEST_CASE("the number of threads is what was asked for, or that of the processors") {
  CHECK(jq::threads(7).most() == 7);
  CHECK(jq::threads().most() >= 1);
  CHECK(jq::threads(0).most() == 1);
}
TEST_CASE("each part runs once") {
  for (std::size_t parts : {1, 2, 60}) {
    std::vector<int> runs(parts, 0);
    jq::threads::run(parts, [&](std::size_t k) { ++runs[k]; });
    CHECK(runs == std::vector<int>(parts, 1));
  }
}
