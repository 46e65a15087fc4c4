// Huge pages for large arrays. Oracle: what the system says of the process's memory.
#include <jacquard/backends/huge_pages.hpp>
#include <jacquard/jacquard.hpp>

#include <doctest/doctest.h>
#include <cstdio>
#include <fstream>
#include <string>

namespace jq = jacquard;

namespace {
/// The flags of the mapping that an address lies in; empty where the system does not say.
std::string flags_of(const void* p) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<unsigned long>(p);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) here = from <= at && at < to;
    else if (here && line.rfind("VmFlags:", 0) == 0) return line + ' ';
  }
  return {};
}
}  // namespace

TEST_CASE("large arrays lie on huge pages where the system has them") {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) return;
  const jq::array large = jq::zeros({4 << 20}, jq::f32);
  const std::string flags = flags_of(large.data<float>().data());
  if (flags.empty()) return;
  CHECK(flags.find(" hg ") != std::string::npos);
  CHECK(reinterpret_cast<std::uintptr_t>(large.data<float>().data()) % jq::detail::huge_page == 0);
}
