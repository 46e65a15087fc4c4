// Words of the environment: those that are known, and one line about those that are not.
#include <jacquard/backends/environment.hpp>

#include <doctest/doctest.h>

#include "../captured_output.hpp"

namespace {
int speed(const char* given) {
  setenv("JACQUARD_TEST_SPEED", given, 1);
  const int word = jacquard::detail::environment_choice("JACQUARD_TEST_SPEED", -1, {{"slow", 0}, {"fast", 1}});
  unsetenv("JACQUARD_TEST_SPEED");
  return word;
}
}  // namespace

TEST_CASE("environment: what a known word chooses") {
  captured_output out(STDERR_FILENO);
  CHECK(speed("slow") == 0);
  CHECK(speed("fast") == 1);
  CHECK(speed("") == -1);
  CHECK(jacquard::detail::environment_choice("JACQUARD_TEST_SPEED", -1, {{"slow", 0}}) == -1);
  CHECK(out.text() == "");
}
TEST_CASE("environment: an unknown word counts as not given, and is told of") {
  captured_output out(STDERR_FILENO);
  CHECK(speed("Fast") == -1);
  CHECK(out.text() == "jacquard: JACQUARD_TEST_SPEED does not know 'Fast'; the words are slow, fast\n");
}
TEST_CASE("environment: a library that is named, is not there, or is another one") {
  captured_output out(STDERR_FILENO);
  const auto named = [](const char* file, const char* symbol) { return jacquard::detail::named_library("JACQUARD_TEST", file, symbol, "C library"); };
  CHECK(named("none", "printf") == nullptr);
  CHECK(named("libc.so.6", "printf") != nullptr);
  CHECK(out.text() == "");
  CHECK(named("libc.so.6", "no_such_function") == nullptr);
  CHECK(named("/nowhere/libc.so", "printf") == nullptr);
  CHECK(out.text() == "jacquard: JACQUARD_TEST names 'libc.so.6', which is no C library: done without\n"
                      "jacquard: JACQUARD_TEST names '/nowhere/libc.so', which is no C library: done without\n");
}
