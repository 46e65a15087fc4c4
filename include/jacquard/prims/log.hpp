#pragma once
// log: the natural logarithm.

#include "jacquard/prims/div.hpp"

namespace jacquard {

/// The natural logarithm, elementwise; the principal branch for complex numbers. log(0) = -inf.
/// Rules   derivative: 1 / x.
struct log_p : elementwise<log_p, inexact, 1> {
  static constexpr std::string_view name = "log";
  template <class T>
  static constexpr T apply(T x) {
    return math::log(x);
  }
  static constexpr array jvp(const array& t, const array& x, const array&) { return lax::div(t, x); }
};

namespace lax {
/// See log_p.
constexpr array log(const array& x, location where = location::current()) { return bind<log_p>({}, where, x); }
}  // namespace lax

}  // namespace jacquard
