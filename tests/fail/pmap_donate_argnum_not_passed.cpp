// expect: jq::pmap: donate_argnums names an argument that was not passed
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::pmap([](jq::array y) { return y; }, jq::donate_argnums<1>)(x); }
