// Which processor code is scheduled for, and what is kept of a library's description. What it compiles is tested where it runs, beside this file.
#include <doctest/doctest.h>
#include <jacquard/backends/cpu/llvm_library.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

TEST_CASE("processors of AMD that LLVM does not know are scheduled for as the last one that it knows") {
  using jacquard::cpu::detail::scheduled_for;
  const std::string wide = "+sse4.2,+avx2,+fma,+avx512f,+avx512vl", narrow = "+sse4.2,+avx2,+fma,-avx512f", old = "+sse4.2,-avx2,-fma";
  CHECK(scheduled_for("generic", wide, true, false) == "znver4");
  CHECK(scheduled_for("generic", wide, true, true) == "znver3");
  CHECK(scheduled_for("generic", narrow, true, false) == "znver3");
  CHECK(scheduled_for("generic", old, true, false) == "generic");
  CHECK(scheduled_for("generic", wide, false, false) == "generic");
  CHECK(scheduled_for("sapphirerapids", wide, false, false) == "sapphirerapids");
  CHECK(scheduled_for("znver3", wide, true, false) == "znver3");
}
TEST_CASE("a library's description is read back from its lines, and is of its file as long as that is the same") {
  using jacquard::cpu::llvm_description;
  std::string path = (std::filesystem::temp_directory_path() / "jacquard_library_XXXXXX").string();
  const int file = mkstemp(path.data());
  REQUIRE(file >= 0);
  close(file);
  const llvm_description d{path, llvm_description::stamp_of(path), "libLLVM-16.so.1 16.0.6", "x86_64-pc-linux-gnu", "znver4", "+avx2,+fma,-sse4a"};
  const llvm_description back = llvm_description::of_lines(d.lines());
  CHECK(back.lines() == d.lines());
  CHECK(back.features == d.features);
  CHECK(back.is_still_there());
  CHECK(back.target().bytes == 32);
  for (const std::string& other : {d.lines() + "more", d.lines().substr(0, d.lines().size() - 1), std::string(), std::string("\n")}) CHECK_FALSE(llvm_description::of_lines(other).is_still_there());
  std::ofstream(path) << "another one";
  CHECK_FALSE(back.is_still_there());
  std::filesystem::remove(path);
  CHECK_FALSE(back.is_still_there());
}
