// expect: Abstract tracer value encountered where concrete value is expected: values are not known while tracing at compile time; use jq::lax::cond or jq::where \[.*fixed_data_dependent_if.cpp:5\]
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
constexpr auto f = [](auto x) {
  if (x > 0) return x * x;
  return x;
};
double run() { return jq::grad(f)(2.0); }
