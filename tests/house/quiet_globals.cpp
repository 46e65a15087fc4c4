// A program with globals of common names, of which the headers have variables, compiles without warnings of -Wshadow.
constexpr int n = 20, in = 3, step = 2, x = 1, y = 2, e = 3, t = 4;

#include <jacquard/jacquard.hpp>

#include <jacquard/backends/cpu/cpu.hpp>

namespace jq = jacquard;

int main() {
  const auto f = [](const jq::array& v) { return jq::sum(v * v * double(in + step + x + y + e + t)); };
  jq::jvp(jq::grad(f), jq::primals(jq::zeros({n})), jq::tangents(jq::ones({n})));
}
