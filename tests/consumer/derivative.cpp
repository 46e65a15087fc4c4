// A unit that says `using namespace std` before it includes the library.

#include <any>
#include <cmath>

using namespace std;

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

double derivative(const jq::array& x) {
  const auto f = [](const jq::array& y) { return y * jq::sin(y); };
  return jq::grad(f)(x).item<double>();
}
