// expect: jq::map: the elements of the output do not have the shapes of what the function returns
#include <vector>

#include <jacquard/fixed.hpp>
namespace jq = jacquard;
void run(const std::vector<double>& in, std::vector<double>& out) {
  jq::map([](auto x) { return jq::stack({x, 2.0 * x}); }, in, out);
}
