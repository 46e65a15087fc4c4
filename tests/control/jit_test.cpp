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
namespace {
constexpr auto inlined = jq::jit([](const auto& x) { return x * x; }, jq::inline_);
static_assert(inlined(3.0) == 9.0);
static_assert(jq::to_text(jq::make_jaxpr([](const auto& x) { return inlined(x) + 1.0; })(1.0)) ==
              "{ lambda ; a:f64[]. let b:f64[] = mul a a; c:f64[] = add b 1.0:f64[] in (c,) }");
}  // namespace
TEST_CASE("jit with inline_: no call is seen in the program around it") {
  const array x = jq::asarray({1.f, 2.f});
  const auto f = [](const array& v) { return inlined(v) + 1.f; };
  CHECK(jq::to_string(jq::make_jaxpr(f)(x)) == "{ lambda ; a:f32[2]. let\n    b:f32[2] = mul a a\n    c:f32[2] = add b 1.0:f32[]\n  in (c,) }");
  CHECK(jq::to_string(inlined(x)) == "[1. 4.]");
  CHECK(jq::to_string(jq::jit(f)(x)) == "[2. 5.]");
  CHECK(jq::to_string(jq::vmap(jq::grad(inlined))(x)) == "[2. 4.]");
  const auto power = jq::jit(
      [x](const array& v, int n, const std::pair<array, array>& w) {
        array y = v;
        for (int i = 1; i < n; ++i) y = y * x;
        return std::tuple{y, w.second};
      },
      jq::static_argnums<1>, jq::inline_);
  const auto g = [&](const array& v) { return power(v, 3, std::pair{v, v}); };
  CHECK(jq::to_string(jq::make_jaxpr(g)(x)) == "{ lambda a:f32[2]; b:f32[2]. let\n    c:f32[2] = mul b a\n    d:f32[2] = mul c a\n  in (d, b) }");
  CHECK(jq::to_string(std::get<0>(power(x, 3, std::pair{x, x}))) == "[1. 8.]");
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
namespace {
using two = std::integral_constant<int, 2>;
constexpr auto power = [](auto x, auto n) {
  auto y = x;
  for (int i = 1; i < n; ++i) y = y * x;
  return y;
};
constexpr auto called = [](auto f, auto x, auto y) { return f(x) + y; };
static_assert(jq::jit(power, jq::static_argnums<1>)(3.0, two{}) == 9.0);
static_assert(jq::jit(power, jq::static_argnums<-1>)(std::array{3, 4}, two{}) == jq::tensor<int, 2>{9, 16});
static_assert(jq::jit(called, jq::static_argnums<0>, jq::donate_argnums<2>)([](auto x) { return x * x; }, 3.0, 1.0) == 10.0);
static_assert(jq::grad([](auto x) { return jq::jit(power, jq::static_argnums<1>)(x, two{}); })(3.0) == 6.0);
}  // namespace
TEST_CASE("jit of the compile-time lane: static arguments that are types") {
  double x = 3;
  CHECK(jq::jit(power, jq::static_argnums<1>)(x, two{}) == 9);
  // A number says at run time only which function it makes, so that the call is of the other lane.
  const array y = jq::jit(power, jq::static_argnums<1>)(x, 2);
  CHECK(y.item<double>() == 9);
}
TEST_CASE("a function with captured values, jitted in a constant expression, runs as others do") {
  static constexpr int three = 3;
  static constexpr auto f = jq::jit([n = &three](const array& x) { return x * float(*n); });
  CHECK(f(jq::asarray(2.f)).item<float>() == 6.f);
  CHECK(f(jq::asarray(4.f)).item<float>() == 12.f);
}
