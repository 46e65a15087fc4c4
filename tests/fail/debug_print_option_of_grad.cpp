// expect: an option of a transform was passed where an array or a tree of arrays is wanted
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
void run(jq::array x) { jq::debug::print("{}", x, jq::argnums<0>); }
