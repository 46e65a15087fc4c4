#pragma once
// A directory of a test's own, which goes with what is in it at the end of its scope.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace testing {

struct temporary_directory {
  std::filesystem::path path;
  temporary_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "jacquard_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  temporary_directory(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace testing
