// Functions of the C library lane by lane: written once for all calls of a program, with the bits that the interpreter has.
#include "../../show.hpp"

#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/backends/cpu/lane_function.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>

using jq::array;

namespace {

array chain(int length, array x) {
  for (int i = 0; i < length; ++i) x = lax::sin(x) * 1.5 + lax::pow(x, x * 0.5 + 2.0);
  return x;
}
std::size_t calls_of(int length) {
  const array x = jq::linspace(0.1, 2.0, 1000);
  const std::string text = jq::jit([=](const array& v) { return chain(length, v); }, jq::precision::strict, jq::compile_at::first_call).lower(x).as_text("llvm");
  return std::size_t(testing::count(text, "call double @sin("));
}

}  // namespace

TEST_CASE("lane_function: one function for all calls, so that code grows by one call for each") {
  const jq::cpu::detail::vector_function f = jq::cpu::detail::lane_function("pow", "double", 4, 2);
  CHECK(f.name == "jq.lanes.pow.v4");
  CHECK(f.texts[0] == "declare double @pow(double, double) #1");
  CHECK(testing::count(f.texts[1], "call double @pow(") == 4);
}
TEST_CASE("lane_function: strict programs call it, and have the interpreter's bits") {
  const array x = jq::linspace(0.1, 2.0, 37);
  const auto f = [](const array& v) { return chain(5, v); };
  CHECK(show(jq::jit(f, jq::precision::strict, jq::compile_at::first_call)(x)) == show(jq::jit(f, jq::backend("interpreter"))(x)));
  const auto single = [&](const array& v) { return f(v.astype(jq::f32)); };
  CHECK(show(jq::jit(single, jq::precision::strict, jq::compile_at::first_call)(x)) == show(jq::jit(single, jq::backend("interpreter"))(x)));
}
TEST_CASE("lane_function: the text of a chain does not repeat what the lanes do") {
  if (jq::cpu::code_generator::get()) CHECK(calls_of(20) == calls_of(2));
}
