// expect: Reverse-mode differentiation does not work for lax::while_loop
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
namespace lax = jq::lax;
// The cotangent of the loop is the number 1, of which nothing is traced.
constexpr double slope = jq::grad([](auto x) {
  return lax::while_loop([](auto v) { return v < 10.0; }, [](auto v) { return v * 2.0; }, x);
})(1.0);
