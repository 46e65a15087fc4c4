#pragma once
// Whether a function compiled for the cpu gives what the interpreter gives.
#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/testing/comparison.hpp>

#include "../../show.hpp"

/// Compares the leaves of f(x...), relatively and absolutely within `tolerance`.
template <class F, class... A>
void same_within(double tolerance, F f, const A&... x) {
  const jq::testing::leaves got = jq::tree::flatten(jq::jit(f, jq::backend("cpu"))(x...));
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  const jq::testing::report r = jq::testing::all_close(got, want, tolerance, tolerance);
  CHECK_MESSAGE(r.ok, r.text);
}
/// Runs f compiled at once, twice within tolerances of the interpreter's results, of which that of 64 bits is given, and strict, to their bits.
/// Returns the compiled function.
template <class F, class... A>
auto same_at_once(double tolerance, F f, const A&... x) {
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  const auto native = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  const std::size_t size = size_of(want[0].dtype());
  if (size == 2 || size == 4) tolerance = size == 2 ? 0.02 : 1e-5;  // numbers of 16 bits are not rounded within a kernel
  for (int call = 0; call < 2; ++call) {
    const jq::testing::report close = jq::testing::all_close(jq::tree::flatten(native(x...)), want, tolerance, tolerance);
    CHECK_MESSAGE(close.ok, close.text);
  }
  const auto strict = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call, jq::precision::strict);
  const jq::testing::report equal = jq::testing::all_close(jq::tree::flatten(strict(x...)), want, 0, 0);
  CHECK_MESSAGE(equal.ok, equal.text);
  return native;
}
/// Runs f(x...) on both tiers, once more each with the first argument donated, and compares the bits with the interpreter's.
template <class F, class... A>
jq::testing::report same_everywhere(F f, const jq::array& first, const A&... x) {
  jq::testing::report r;
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(first, x...));
  for (const bool tiles : {true, false}) {
    const jq::compile_at when = tiles ? jq::compile_at::never : jq::compile_at::first_call;
    const char* const name = tiles ? "tiles" : "compiled";
    r.add(name, jq::testing::identical(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), jq::precision::strict, when)(first, x...)), want));
    const jq::array given = jq::copy(first);
    r.add(name, jq::testing::identical(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), jq::precision::strict, when, jq::donate_argnums<0>)(given, x...)), want));
  }
  return r;
}
#define CHECK_SAME(...)                                              \
  do {                                                               \
    const jq::testing::report r = same_everywhere(__VA_ARGS__);      \
    CHECK_MESSAGE(r.ok, r.text);                                     \
  } while (false)
/// Checks that one thread and three give the same bits of f(x); returns f(x).
template <class F>
jq::array same_on_threads(F f, const jq::array& x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  const int usual = jq::cpu::threads();
  jq::cpu::set_threads(1);
  const jq::array one = compiled(x);
  jq::cpu::set_threads(3);
  CHECK(jq::testing::identical(jq::testing::leaves{compiled(x)}, jq::testing::leaves{one}).ok);
  jq::cpu::set_threads(usual);
  return one;
}
