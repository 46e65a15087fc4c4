// expect: jq::checkpoint: this policy is not one of jq::checkpoint_policies nor a function of a const jq::policy_query&
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::checkpoint([](jq::array y) { return y; }, 3)(x); }
