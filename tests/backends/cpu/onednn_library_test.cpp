// oneDNN as it is found: either whole or not at all, and on the thread that calls it alone.
#include <jacquard/backends/cpu/onednn_library.hpp>

#include <doctest/doctest.h>

namespace cpu = jacquard::cpu::detail;

TEST_CASE("a library that is used stays on its thread") {
  const cpu::onednn_library& l = cpu::onednn();
  if (!l.handle) {
    CHECK_FALSE(bool(l.sgemm));
    return;
  }
  CHECK(l.version->major >= 2);
  CHECK((l.version->cpu_runtime == cpu::onednn_sequential || (l.threads && l.set_threads)));
}
TEST_CASE("what the program said to OpenMP holds after a call") {
  const cpu::onednn_library& l = cpu::onednn();
  if (!l.set_threads) return;
  const int first = l.threads();
  for (int n : {1, 3}) {
    l.set_threads(n);
    {
      const cpu::onednn_scope alone;
      CHECK(l.threads() == 1);
      const cpu::onednn_scope again;
      CHECK(l.threads() == 1);
    }
    CHECK(l.threads() == n);
  }
  l.set_threads(first);
}
