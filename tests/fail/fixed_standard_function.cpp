// expect: So does a std::function, which only the running program knows: call what is made of it with a jq::array
// errors: 1
#include <functional>
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
double run(const std::function<jq::array(const jq::array&)>& f) { return jq::grad(f)(2.0); }
