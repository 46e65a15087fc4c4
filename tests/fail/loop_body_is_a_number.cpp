// expect: got a number or an array where a function is wanted
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::lax::fori_loop(0, 3, 2.0, x); }
