// Question: what does a tap in a function of the compile-time lane cost, compared with calling a std::function by hand?
// Task: T22, 1e5 calls of a function with an identity tap, each on the result of the one before; bar: 20 ns a tap.
// Unit: nanoseconds per call, and the ratio to the baseline in the same round (interleaved.hpp).

#include <functional>

#include <jacquard/jacquard.hpp>
#include <jacquard/fixed.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::compare, interleaved::observe;

namespace {

constexpr int calls = 100000;
double seen = 0;
/// Traced with an array, called with a number.
constexpr auto see_value = [](const auto& v) {
  if constexpr (std::is_same_v<decltype(v), const double&>) seen = v;
};
constexpr auto tapped = [](auto x) { return jq::id_tap(see_value, x * 0.5) + 1.0; };

}  // namespace

int main() {
  double want = 0, got = 0;
  const std::function<void(double)> see = [](double v) { seen = v; };
  const auto by_hand = [&] {
    double x = 3;
    for (int i = 0; i < calls; ++i) {
      see(x * 0.5);
      observe(&seen);
      x = x * 0.5 + 1.0;
    }
    want = x;
  };
  const auto ours = [&] {
    double x = 3;
    for (int i = 0; i < calls; ++i) {
      x = jq::jit(tapped)(x);
      observe(&seen);
    }
    got = x;
  };
  by_hand(), ours();
  compare("T22 a tap, against a std::function", calls, want == got && seen == got - 1.0 ? 0 : 1, by_hand, ours, 1.0, "std::function");
}
