// Which processor code is scheduled for. What the library compiles is tested where it runs, beside this file.
#include <doctest/doctest.h>
#include <jacquard/backends/cpu/llvm_library.hpp>

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
