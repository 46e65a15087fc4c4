// Question: what does a tap cost? Direct taps of 4 bytes, 4 kB, 4 MB and 32 MB in a compiled chain (T22), whose cost must not grow; taps with a
// list of transforms to tell of; the outfeed's small taps, and its bandwidth next to memcpy; identity callbacks over (1, 1024, 1024) and
// (8, 1024, 1024) f32, 100 calls each, for which the reference implementation of the field was reported to take 0.20 s and 4.6 s by
// callback, 0.25 s and 1.5 s by outfeed.
// Unit: as said with each figure; times of other threads count where there are any. Bars: 200 ns, 1000 ns (a million a second), 1/0.8 of
// memcpy's time.

#include <cstring>

#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using interleaved::observe, interleaved::quartiles, interleaved::report, interleaved::timer;
using jq::array;

namespace {

constexpr int chain = 100;

/// A compiled program of `chain` taps one after another.
template <class F>
auto tapped_chain(F see) {
  return jq::jit([see](const array& x) {
    array y = x;
    for (int i = 0; i < chain; ++i) y = jq::id_tap(see, y);
    return y;
  });
}
std::string bytes_name(std::int64_t n) {
  if (n >= 1 << 20) return std::to_string(n >> 20) + " MB";
  return n >= 1 << 10 ? std::to_string(n >> 10) + " kB" : std::to_string(n) + " bytes";
}
/// Calls f(x), whose result is seen by nobody.
auto calling(const auto& f, const array& x) {
  return [&] {
    const array y = f(x);
    observe(&y);
  };
}

void direct_taps() {
  for (const std::int64_t bytes : {4, 4 << 10, 4 << 20, 32 << 20}) {
    std::size_t seen = 0;
    const auto f = tapped_chain([&](const array& x) { seen += x.is_none() ? 0 : 1; });
    const array x = jq::zeros({bytes / 4}, jq::f32);
    report({"T22 direct tap of " + bytes_name(bytes), "-", interleaved::rounds_of(calling(f, x), chain), 200, "ns"});
    if (seen == 0 || seen % chain != 0) {
      std::puts("taps are missing");
      std::exit(1);
    }
  }
  std::size_t seen = 0;
  const auto f = jq::jit(jq::vmap([&](const array& x) {
    array y = x;
    for (int i = 0; i < chain; ++i)
      y = jq::id_tap([&](const array&, const jq::tap_context& c) { seen += c.transforms.size(); }, y, jq::kw("what", "a long enough name of it"));
    return y;
  }));
  const array x = jq::zeros({1024}, jq::f32);
  report({"direct tap with a context, under vmap", "-", interleaved::rounds_of(calling(f, x), chain), interleaved::no_bar, "ns"});
}

void outfeed() {
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  std::size_t seen = 0;
  const auto f = tapped_chain([&](const array&) { ++seen; });
  const array one = jq::asarray(1.f);
  const auto many = [&] {
    for (int i = 0; i < 1000; ++i) f(one);
    jq::barrier_wait();
  };
  report({"small tap by outfeed", "-", interleaved::rounds_of(many, 1000 * chain, timer::clock), 1000, "ns"});
  for (const std::int64_t bytes : {4 << 20, 32 << 20}) {
    const auto g = jq::jit([](const array& x) { return jq::id_tap([](const array&) {}, x); });
    const array x = jq::ones({bytes / 4}, jq::f32);
    std::vector<float> copy(std::size_t(bytes / 4), 1.f);
    const auto copies = [&] {
      for (int i = 0; i < 4; ++i) {
        std::memcpy(copy.data(), x.data<float>().data(), std::size_t(bytes));
        observe(copy.data());
      }
    };
    const auto taps = [&] {
      for (int i = 0; i < 4; ++i) g(x);
      jq::barrier_wait();
    };
    interleaved::terms how{"outfeed of " + bytes_name(bytes), 4};
    how.clock = timer::clock;
    interleaved::compare(how, {"ours", taps}, {interleaved::contender("memcpy", copies, 0, 1.25)});
  }
  jq::reset_tap_delivery();
}

/// 100 calls of an identity: a kernel that hands its input on in place, a function that returns its argument, one way by outfeed.
void identities(std::int64_t n) {
  const std::string shape = " of (" + std::to_string(n) + ", 1024, 1024), 100 calls";
  const auto line = [&](const std::string& name, const auto& call) {
    const auto calls = [&] {
      for (int i = 0; i < 100; ++i) call();
      jq::barrier_wait();
    };
    quartiles q = interleaved::rounds_of(calls, 1, timer::clock);
    q.low *= 1e-6, q.middle *= 1e-6, q.high *= 1e-6;
    report({name + shape, "-", q, interleaved::no_bar, "ms"});
  };
  array x = jq::zeros({n, 1024, 1024}, jq::f32);
  const auto in_place = jq::jit([](const array& v) {
    return jq::device_callback([](const jq::device_call& c) { observe(&c.out[0]); }, v, v, jq::input_output_aliases{{0, 0}});
  }, jq::donate_argnums<0>);
  line("device_callback", [&] { x = in_place(x); });
  const auto returned = jq::jit([](const array& v) { return jq::pure_callback([](const array& y) { return y; }, v, v); });
  line("pure_callback", calling(returned, x));
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  const auto fed = jq::jit([](const array& v) { return jq::id_tap([](const array&) {}, v); });
  line("outfeed", calling(fed, x));
  jq::reset_tap_delivery();
}

}  // namespace

int main() {
  direct_taps();
  outfeed();
  identities(1);
  if (!interleaved::quick()) identities(8);
}
