// The compile-time lane alone, in a program that uses the other one elsewhere; both print by the same tap.
#include <jacquard/fixed.hpp>

namespace jq = jacquard;

double slope(double x) {
  constexpr auto f = [](auto y) { return jq::jit([](auto z) { return z * jq::sin(jq::id_print(z)); })(y); };
  return jq::grad(f)(x);
}
