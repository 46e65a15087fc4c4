// expect: must return std::pair\{out, residuals\}
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto f = [](jq::array x) { return x; };
auto run(jq::array x) { return jq::custom_vjp(f, f, [](jq::array, jq::array ct) { return std::tuple{ct}; })(x); }
