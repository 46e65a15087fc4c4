// expect: jq::id_tap: expected a callable value
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::id_tap(1, x); }
