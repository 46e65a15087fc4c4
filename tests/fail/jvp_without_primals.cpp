// expect: jq::jvp: wanted a tuple of primals and one of tangents, also of one argument
// errors: 1
#include <jacquard/jacquard.hpp>
namespace jq = jacquard;
auto run(jq::array x, jq::array dx) {
  auto [y, dy] = jq::jvp([](jq::array a) { return jq::sin(a); }, x, dx);
  return y + dy;
}
