#include <doctest/doctest.h>
#include <jacquard/core/callable_ref.hpp>

#include <memory>
#include <string>
#include <type_traits>

using jacquard::detail::callable_ref;

namespace {
int twice(callable_ref<int(int)> f) { return f(1) + f(2); }
std::string joined(callable_ref<std::string(const std::string&)> f) { return f("a") + f("b"); }
void run(callable_ref<void()> f) { f(); }
int plain(int x) { return 10 * x; }
}  // namespace

TEST_CASE("callable_ref: calls what it refers to, which keeps its state") {
  int calls = 0;
  auto counting = [&](int x) mutable { return ++calls * x; };
  CHECK(twice(counting) == 1 * 1 + 2 * 2);
  CHECK(calls == 2);
  const auto constant = [](int x) { return x + 1; };
  CHECK(twice(constant) == 5);
  CHECK(twice([own = std::make_unique<int>(3)](int x) { return *own * x; }) == 9);
  CHECK(joined([](const std::string& s) { return s + s; }) == "aabb");
}

TEST_CASE("callable_ref: a result that nobody wants, and a reference to a reference") {
  int seen = 0;
  run([&] { return ++seen; });
  CHECK(seen == 1);
  int (*const function)(int) = plain;
  const callable_ref<int(int)> first = function;
  const callable_ref<int(int)> copy = first;
  CHECK(twice(copy) == 30);
  static_assert(!std::is_constructible_v<callable_ref<int(int)>, std::string>);
}
