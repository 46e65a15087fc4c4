#include <doctest/doctest.h>
#include <jacquard/backends/cpu/concat.hpp>

using jacquard::cpu::detail::concat;

TEST_CASE("concat: parts of any kind of text, made from left to right") {
  int made = 0;
  const auto next = [&] { return std::to_string(++made); };
  CHECK(concat({next(), ", ", next(), std::string_view(", "), next()}) == "1, 2, 3");
  CHECK(concat({}) == "");
  CHECK(concat({"", std::string(100, 'x'), "y"}) == std::string(100, 'x') + "y");
}
