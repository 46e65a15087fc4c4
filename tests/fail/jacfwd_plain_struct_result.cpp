// expect: jq::jacfwd/jacrev: the result of the function must be an array, or a standard container or class template of arrays; return a std::tuple
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
struct pair_of_arrays { jq::array x, y; };
auto g = jq::jacfwd([](const pair_of_arrays& s) { return pair_of_arrays{s.x * s.y, s.x}; })(pair_of_arrays{jq::array(1.0), jq::array(2.0)});
