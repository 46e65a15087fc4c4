// expect: an axes specification must be a tree prefix of the corresponding value: tuples differ in length
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  const auto f = [](const std::pair<jq::array, jq::array>& p) { return p.first; };
  jq::vmap(f, jq::in_axes_tree(std::tuple{0, 0, 0}))(std::pair{jq::ones({2}), jq::ones({2})});
}
