// expect: jq::jit: this option is not one of jq::static_argnums<i...>
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::jit([](jq::array x) { return x; }, 3);
