// expect: jq::id_tap: this option is not one of jq::kw\(name, value\), jq::result\(value\)
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::id_tap([](const auto&) {}, x, jq::donate_argnums<0>); }
