// expect: jq::mask/shapecheck: the options are jq::in_shapes<"\.\.\."> and then jq::out_shape
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::mask([](jq::array x) { return x; }, jq::in_shapes<"n">, jq::argnums<0>);
