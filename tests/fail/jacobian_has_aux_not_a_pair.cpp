// expect: jacfwd/jacrev with jq::has_aux: the function must return a two-element tuple
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::jacfwd([](jq::array a) { return a; }, jq::has_aux)(x); }
