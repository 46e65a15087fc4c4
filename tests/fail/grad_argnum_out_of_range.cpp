// expect: requires more positional arguments than were passed
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::grad([](jq::array a) { return a; }, jq::argnums<1>)(x); }
