// expect: jq::in_axes needs one axis for all arguments or one per argument
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x) {
  return jq::vmap([](jq::array a, jq::array b, jq::array) { return a + b; }, jq::in_axes<0, jq::none>)(x, x, x);
}
