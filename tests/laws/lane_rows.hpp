#pragma once
// Functions of small matrices and vectors in the compile-time lane, which draws rows of results onto vector lanes, next to the interpreter.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/testing/comparison.hpp>

namespace lane_rows {

namespace jq = jacquard;
using jq::tensor;
using square = tensor<double, 4, 4>;

/// Numbers that differ, none of them near zero.
template <class T>
T filled(double first) {
  T x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = first + 0.37 * double(i) * (i % 3 == 1 ? -1 : 1);
  return x;
}
/// The parts of a result as arrays.
template <class Result>
std::vector<jq::array> leaves_of(const Result& r) {
  std::vector<jq::array> all;
  if constexpr (requires { std::tuple_size<Result>::value; } && !requires { r.data(); })
    std::apply([&](const auto&... part) { (all.push_back(jq::asarray(part)), ...); }, r);
  else all.push_back(jq::asarray(r));
  return all;
}
/// Checks f(x...) of static values next to f of arrays.
template <class F, class... A>
void check_lanes(const char* name, F f, const A&... x) {
  CAPTURE(name);
  const std::vector<jq::array> got = leaves_of(f(x...)), want = leaves_of(f(jq::asarray(x)...));
  REQUIRE(got.size() == want.size());
  const auto r = jq::testing::all_close(got, want, 1e-12, 1e-12);
  CHECK_MESSAGE(r.ok, r.text);
}
/// f as a function of both lanes.
template <class F>
constexpr auto lifted(F f) {
  return [f](const auto&... x) { return jq::jit(f)(x...); };
}

}  // namespace lane_rows
