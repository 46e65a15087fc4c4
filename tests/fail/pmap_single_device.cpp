// expect: jq::pmap: this option is not one of .*jq::devices
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto g = jq::pmap([](jq::array x) { return x; }, jq::device("cpu", 1));
