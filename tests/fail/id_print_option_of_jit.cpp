// expect: jq::id_print: this option is not one of jq::kw\(name, value\), jq::result\(value\), jq::threshold\(n\)
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) { return jq::id_print(x, jq::donate_argnums<0>); }
