// expect: Empty branch sequence
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array i) { return jq::lax::switch_(i, std::tuple<>{}); }
