// expect: got a number or an array where a function is wanted; pass the function itself
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::grad(jq::sum(x))(x); }
