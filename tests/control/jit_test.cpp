// jit inside traces: it stages calls, with captured arrays and static arguments. What it compiles and keeps is tested in tests/exec, and
// what it is to static arguments, without a backend, in tests/consumer.
#include "../show.hpp"

using jq::array;

namespace {
constexpr auto square = [](const array& x) { return x * x; };
}  // namespace

TEST_CASE("jit inside a trace is a call") {
  const auto f = [](const array& x) { return jq::jit(square)(x) + 1.f; };
  const std::string text = jq::to_string(jq::make_jaxpr(f)(array(2.f)));
  CHECK(text.find("call[") != std::string::npos);
  CHECK(jq::grad(f)(jq::asarray(3.f)).item<float>() == 6.f);
  CHECK(jq::grad(jq::grad(f))(jq::asarray(3.f)).item<float>() == 2.f);
}
TEST_CASE("jit inside a trace: what the function captures is an operand of the call") {
  const auto f = [](const array& x) { return jq::jit([x](const array& y) { return x * y; })(x); };
  CHECK(jq::grad(f)(jq::asarray(3.f)).item<float>() == 6.f);
}
TEST_CASE("jit inside a trace: static arguments, tuples, and calls within calls") {
  const auto scaled = [](const array& x, int n) { return std::pair{x * float(n), x}; };
  const auto inner = [=](const array& x) { return jq::jit(scaled, jq::static_argnums<1>)(x, 3).first; };
  const auto f = [=](const array& x) { return jq::jit(inner)(x * x); };
  CHECK(jq::grad(f)(jq::asarray(2.f)).item<float>() == 12.f);
}
TEST_CASE("jit in constant evaluation captures, too, and needs no cache") {
  constexpr auto f = [](auto x) { return jq::jit([&](auto y) { return x * y; })(x); };
  static_assert(jq::grad(f)(2.0) == 4.0);
  constexpr auto g = [](auto x) { return jq::jit([](auto y, int n) { return n * y * y; }, jq::static_argnums<1>)(x, 3); };
  static_assert(jq::grad(jq::grad(g))(2.0) == 6.0);
}
TEST_CASE("a function with captured values, jitted in a constant expression, runs as others do") {
  static constexpr int three = 3;
  static constexpr auto f = jq::jit([n = &three](const array& x) { return x * float(*n); });
  CHECK(f(jq::asarray(2.f)).item<float>() == 6.f);
  CHECK(f(jq::asarray(4.f)).item<float>() == 12.f);
}
