// expect: numbers_computed_of_constants_are_not_known_while_tracing_at_compile_time
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
constexpr auto f = [](auto x) {
  if (jq::asarray(2.0) > 1.0) return x * 2.0;
  return x * 3.0;
};
double run(double x) { return jq::grad(f)(x); }
