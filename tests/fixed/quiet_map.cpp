// A program of lanes as a user compiles it, without flags of a processor: the compiler has nothing to say. See tests/CMakeLists.txt.
#include <jacquard/fixed.hpp>

#include <span>

namespace jq = jacquard;

int main() {
  constexpr auto f = [](auto x) { return jq::where(x > 2, exp(x) + tanh(x) + erf(x) + pow(x, x) + log(x) + jq::floor(x), sinh(x)); };
  float a[5] = {1, 2, 3, 4, 5}, b[5];
  double c[5] = {1, 2, 3, 4, 5}, d[5];
  jq::map(f, std::span<const float>(a), std::span<float>(b));
  jq::map(f, std::span<const double>(c), std::span<double>(d));
  return b[4] > 0 && d[4] > 0 ? 0 : 1;
}
