// expect: Custom JVP rule must produce a pair \(list or tuple of length two\)
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto f = [](jq::array x) { return x; };
auto run(jq::array x) { return jq::custom_jvp(f, [](const std::tuple<jq::array>& p, const std::tuple<jq::array>&) { return std::get<0>(p); })(x); }
