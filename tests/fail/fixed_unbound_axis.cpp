// expect: axis_index: unbound axis name: k
#include <jacquard/fixed.hpp>
namespace jq = jacquard;
auto bad(jq::tensor<int, 3> x) { return jq::vmap([](auto y) { return y + jq::lax::axis_index("k"); }, jq::axis_name<"i">)(x); }
