// expect: jq::jit: a static argument needs operator==
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

struct settings {
  int depth;
};

int main() {
  jq::jit([](const jq::array& x, const settings& s) { return x * double(s.depth); }, jq::static_argnums<1>)(jq::ones({2}), settings{3});
}
