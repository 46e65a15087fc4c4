#pragma once
// How many random programs a law tries, and how. Deliberately without programs.

#include <doctest/doctest.h>
#include <jacquard/testing/report.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace laws {

/// Tries `one` with `count` seeds from 1 on, or what JACQUARD_FUZZ="count seed" in the environment says, and ends after ten failures. Returns
/// how many were asked for.
inline unsigned long long try_seeds(jacquard::testing::report (*one)(std::uint64_t), unsigned long long count) {
  unsigned long long seed = 1;
  const char* const given = std::getenv("JACQUARD_FUZZ");
  if (given) std::sscanf(given, "%llu %llu", &count, &seed);
  int failures = 0;
  for (unsigned long long n = 0; n < count && failures < 10; ++n) {
    jacquard::testing::report r;
    try {
      r = one(seed + n);
    } catch (const std::exception& e) {
      r.fail("seed ", seed + n, ": ", std::string_view(e.what()));
    }
    if (given && (n + 1) % 1000 == 0) std::fprintf(stderr, "%llu programs\n", n + 1);
    CHECK_MESSAGE(r.ok, r.text);
    failures += !r.ok;
  }
  return count;
}

}  // namespace laws
