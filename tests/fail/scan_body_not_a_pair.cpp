// expect: scan body output must be a pair
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::lax::scan([](jq::array c, jq::array) { return c; }, jq::array(0.0), x); }
