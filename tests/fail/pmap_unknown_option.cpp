// expect: jq::pmap: this option is not one of jq::axis_name<"name">, jq::in_axes<i...>
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::pmap([](jq::array x) { return x; }, jq::has_aux);
