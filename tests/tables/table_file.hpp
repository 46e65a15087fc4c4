#pragma once
// A table of the documentation that a test writes: it must be what docs/ holds. With JACQUARD_UPDATE_TABLES set, the file is written.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

namespace tables {

/// Fails with the first line that differs from docs/<name>.
inline void check_file(const std::string& name, const std::string& text) {
  const std::string path = JACQUARD_TESTS_DIR "/../docs/" + name;
  if (std::getenv("JACQUARD_UPDATE_TABLES")) std::ofstream(path) << text;
  std::ifstream file(path);
  std::istringstream wanted(text);
  std::string is, should;
  for (int number = 1; std::getline(wanted, should); ++number) {
    std::getline(file, is);
    INFO("docs/" << name << ", line " << number << "; scripts/coverage writes it anew");
    REQUIRE(is == should);
  }
  INFO("docs/" << name << " goes on after its last line; scripts/coverage writes it anew");
  CHECK(!std::getline(file, is));
}

}  // namespace tables
