// What a processor is: the same for each of its cores and at each time.
#include <doctest/doctest.h>
#include <jacquard/backends/cpu/processor_identity.hpp>

#include <sched.h>

TEST_CASE("processors: their identity does not depend on who asks and where") {
  const std::string here = jacquard::cpu::processor_identity();
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &before)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) continue;
    CHECK(jacquard::cpu::processor_identity() == here);
  }
  sched_setaffinity(0, sizeof before, &before);
  CHECK(here.find('\n') == here.npos);  // it is one line of a key
#if defined(__x86_64__)
  CHECK(here.size() > 100);
#endif
}
