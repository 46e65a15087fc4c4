// expect: jq::jit: static_argnums names an argument that was not passed
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::jit([](jq::array y, int n) { return y * n; }, jq::static_argnums<-3>)(x, 2); }
