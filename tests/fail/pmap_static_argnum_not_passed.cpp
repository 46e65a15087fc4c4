// expect: jq::pmap: static_broadcasted_argnums names an argument that was not passed; all static broadcasted arguments must be passed positionally
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::pmap([](jq::array y, int n) { return y * n; }, jq::static_broadcasted_argnums<5>)(x, 2); }
