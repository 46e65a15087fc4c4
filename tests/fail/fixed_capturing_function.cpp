// expect: jacquard: a function transformed at compile time must not capture anything; capture nothing and pass all values as arguments, or pass a jq::array \(jq::asarray\(x\)\) to trace it at run time\. A plain function counts as captured, since a pointer stands for it: pass a constexpr one as \[]\(const auto& x\) \{ return f\(x\); }\. So does a std::function, which only the running program knows: call what is made of it with a jq::array
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
double run(double a) { return jq::grad([a](auto x) { return a * x; })(2.0); }
