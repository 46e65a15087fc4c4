// expect: jq::jacfwd/jacrev/jacobian/hessian: this option is not one of jq::argnums<i...>
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::jacfwd([](jq::array x) { return x; }, jq::in_axes<0>);
