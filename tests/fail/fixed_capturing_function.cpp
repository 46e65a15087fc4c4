// expect: must not capture anything; capture nothing and pass all values as arguments, or pass a jq::array.*A plain function counts as captured
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
double run(double a) { return jq::grad([a](auto x) { return a * x; })(2.0); }
