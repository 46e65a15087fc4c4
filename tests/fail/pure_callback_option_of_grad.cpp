// expect: an option of a transform was passed where an array or a tree of arrays is wanted
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::pure_callback([](const auto& y, const auto&...) { return y; }, x, x, jq::argnums<0>); }
