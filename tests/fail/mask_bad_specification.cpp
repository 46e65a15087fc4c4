// expect: jq::mask: this is not a shape specification; wanted dimensions such as
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::mask([](jq::array x) { return x; }, jq::in_shapes<"(n, m">, jq::out_shape<"n">)(jq::args(jq::array(1.f)), jq::dims{{"n", 1}});
