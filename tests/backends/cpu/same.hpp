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
