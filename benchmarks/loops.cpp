// Question: what does a trip of a compiled loop cost? fori_loop, scan and while_loop with bodies of one and of eight elements, next to the same
// loop by hand, whose trips depend on each other as ours do; bar: 20 ns more a trip. And T22: an identity tap in a compiled loop, next to a
// std::function in a loop; bar: 100 ns.
// Unit: nanoseconds per trip more than the loop by hand.

#include <cmath>
#include <functional>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr int trips = 100000;

/// Times jit(f)(x...) in alternation with `hand`, both of so many trips, and reports by how much a trip takes longer.
template <class Hand, class F, class... A>
void task(const char* name, const char* against, double bar, Hand hand, F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  const auto ours = [&] {
    const auto result = compiled(x...);
    interleaved::observe(&result);
  };
  ours(), hand();
  std::vector<double> more, own, by_hand;
  for (int round = 0; round < (interleaved::quick() ? 5 : 21); ++round) {
    by_hand.push_back(interleaved::nanoseconds(hand, 3) / trips);
    own.push_back(interleaved::nanoseconds(ours, 3) / trips);
    more.push_back(own.back() - by_hand.back());
  }
  using interleaved::quartiles;
  interleaved::report({name, against, quartiles(more), bar, "ns", quartiles(own).middle, quartiles(by_hand).middle});
}

void one_element() {
  float s = 1;
  interleaved::observe(&s);
  for (int i = 0; i < trips; ++i) s = s * 0.999f + 0.5f;
  interleaved::observe(&s);
}
void eight_elements() {
  float s[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  interleaved::observe(s);
  for (int i = 0; i < trips; ++i)
    for (float& x : s) x = std::sin(x) * 0.999f + 0.5f;
  interleaved::observe(s);
}
void counting() {
  float s = 0;
  interleaved::observe(&s);
  while (s < float(trips)) s += 1.0f;
  interleaved::observe(&s);
}

void loops() {
  task("trip of fori_loop, one element", "by hand", 20, one_element, [](const array& x) {
    return lax::fori_loop(0, trips, [](const array&, const array& s) { return s * 0.999f + 0.5f; }, x);
  }, array(1.0f));
  task("trip of fori_loop, sin of eight", "by hand", 20, eight_elements, [](const array& x) {
    return lax::fori_loop(0, trips, [](const array&, const array& s) { return jq::sin(s) * 0.999f + 0.5f; }, x);
  }, jq::ones({8}));
  task("trip of scan, one element", "by hand", 20, one_element, [](const array& c, const array& x) {
    return lax::scan([](const array& s, const array& e) {
      const array next = s * 0.999f + e;
      return std::pair{next, next * 2.0f};
    }, c, x);
  }, array(1.0f), jq::ones({trips}));
  task("trip of while_loop, one element", "by hand", 20, counting, [](const array& x) {
    return lax::while_loop([](const array& s) { return s < float(trips); }, [](const array& s) { return s + 1.0f; }, x);
  }, array(0.0f));
}
void taps() {
  double sum = 0;
  const std::function<void(const array&)> see = [&](const array& x) { sum += x.is_none(); };
  const array x = jq::asarray(1.f);
  const auto calls = [&] {
    for (int i = 0; i < trips; ++i) {
      interleaved::observe(&see);
      see(x);
    }
  };
  std::size_t seen = 0;
  task("T22 tap in a compiled loop", "std::function", 100, calls, [&](const array& start) {
    const auto tapped = [&](const array&, const array& s) { return jq::id_tap([&](const array& y) { seen += !y.is_none(); }, s); };
    return lax::fori_loop(0, trips, tapped, start);
  }, array(1.0f));
  if (seen == 0 || seen % trips != 0) {
    std::puts("taps are missing");
    std::exit(1);
  }
}

}  // namespace

int main() {
  loops();
  taps();
}
