// Question: what do calls that do not wait gain, and what do they cost their caller?
// Tasks: a chain of functions of 1e5 f32 and a product of 256 x 256, computed 8 times on each of two host devices whose threads work side by
// side, compared with the same calls one after the other; calls of one device while their caller computes as long itself; the time until a
// call returns that only queues its work. One thread for each device.
// Unit: ratios of times by the clock, which need two processors; nanoseconds. Bar: 0.6 of one after the other.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using jq::array;

namespace {

constexpr int calls = 8;

interleaved::terms by_clock(const std::string& task) {
  interleaved::terms how{task};
  how.clock = interleaved::timer::clock;
  return how;
}

/// Times f(x) on both devices, queued and not.
template <class F>
void side_by_side(const std::string& name, F f, const array& x) {
  const auto first = jq::jit(f, jq::device("cpu", 0)), second = jq::jit(f, jq::device("cpu", 1));
  const array a = first(x).block_until_ready(), b = second(x).block_until_ready();
  const double error = jq::max(jq::abs(a - b)).template item<double>();
  const auto both = [&] {
    for (int i = 0; i < calls; ++i) {
      const array y = first(x), z = second(x);
      if (i + 1 == calls) y.block_until_ready(), z.block_until_ready();
    }
  };
  const auto queued = [&] { jq::set_dispatch(jq::dispatch::asynchronous), both(); };
  const auto in_turn = [&] { jq::set_dispatch(jq::dispatch::synchronous), both(); };
  interleaved::compare(by_clock(name + " on two devices"), {"ours", queued}, {{"in turn", in_turn, error, 0.6}});

  array result;
  const auto work = [&] {  // of the caller's own: as long as a call, outside of the device
    jq::set_dispatch(jq::dispatch::synchronous);
    result = second(x);
  };
  const auto hidden = [&] {
    for (int i = 0; i < calls; ++i) {
      jq::set_dispatch(jq::dispatch::asynchronous);
      const array y = first(x);
      work();
      y.block_until_ready();
    }
  };
  const auto not_hidden = [&] {
    for (int i = 0; i < calls; ++i) {
      jq::set_dispatch(jq::dispatch::synchronous);
      const array y = first(x);
      work();
    }
  };
  interleaved::compare(by_clock(name + " beside the caller's work"), {"ours", hidden}, {{"in turn", not_hidden, 0.0, 0.6}});
}

/// The caller's time for a call that is queued.
void queueing() {
  jq::set_dispatch(jq::dispatch::asynchronous);
  const auto f = jq::jit([](array v) { return v * 2.0 + 1.0; }, jq::device("cpu", 0));
  const array x = jq::random::normal(jq::random::key(2), {8});
  f(x).block_until_ready();
  constexpr int some = 200;  // fewer than may wait for a device
  std::vector<double> times;
  std::vector<array> results(some);
  for (int round = 0; round < (interleaved::quick() ? 7 : 41); ++round) {
    int i = 0;
    times.push_back(interleaved::nanoseconds([&] { results[std::size_t(i++)] = f(x); }, some));
    jq::wait_for_devices();
  }
  interleaved::report({"call of eight floats, until it is queued", "-", interleaved::quartiles(times), 0, "ns"});
}

}  // namespace

int main() {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  jq::cpu::set_threads(1);
  jq::set_host_device_count(2);
  const array x = jq::random::uniform(jq::random::key(0), {100000}, jq::f32, 0.5, 2.0);
  const array m = jq::random::normal(jq::random::key(1), {256, 256});
  side_by_side("exp, tanh, log, n = 1e5,", [](array v) { return jq::log(jq::exp(v) + jq::tanh(v)); }, x);
  side_by_side("product of 256 x 256", [](array v) { return jq::matmul(v, v); }, m);
  queueing();
}
