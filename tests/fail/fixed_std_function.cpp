// expect: An error in its body, told of above this one, ends here too: functions of arrays are jq::sin
#include <cmath>
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
double run() { return jq::grad([](auto x) { return std::sin(x) * x; })(2.0); }
