// expect: jq::vmap: this option is not one of jq::in_axes<i...>
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::vmap([](jq::array x) { return x; }, jq::devices("cpu"));
