#pragma once
// optimization_barrier: a value that passes do not see through. Deliberately of one operand: barriers of several values are
// several.

#include "jacquard/prims/elementwise.hpp"

namespace jacquard {

/// x itself, computed before what uses it: neither fused with it, nor merged with an equal value, nor folded.
/// Rules   derivative 1; tangents and cotangents pass freely.
struct optimization_barrier_p : elementwise<optimization_barrier_p, any_type, 1> {
  static constexpr std::string_view name = "optimization_barrier";
  static constexpr bool not_foldable = true;
  template <class T>
  static constexpr T apply(T x) {
    return math::each([](auto v) { return v; }, x);  // which cannot be written down as part of another loop
  }
  static constexpr array jvp(const auto& t, const auto&, const auto&) { return t; }
};

namespace lax {
/// See optimization_barrier_p.
template <class Array = array>
constexpr array optimization_barrier(const lazy<Array>& x, location where = location::current()) {
  return bind<optimization_barrier_p>({}, where, x);
}
}  // namespace lax

}  // namespace jacquard
