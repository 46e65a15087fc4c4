// Question: what do calls that do not wait gain, and members of pmap, and partitions of a program, and what do they cost their caller?
// Tasks: a chain of functions of 1e5 f32 and a product of 256 x 256, computed 8 times on each of two host devices whose threads work side by
// side, compared with the same calls one after the other; calls of one device while their caller computes as long itself; the time until a
// call returns that only queues its work. Two members of pmap with such a chain of 1e5 and of 1e6 f32 each, and with a product of 512 x 512,
// compared with the two calls of jit one after the other; a call of pmap with one float a member; a trip of a loop with psum of one float in
// it; psum of 1e6 f32, compared with a loop by hand that adds two arrays. Gradients of a network of two layers, 512 rows of 256 numbers, 1024
// hidden ones and 256 results, f32, by sharded_jit with the rows cut in two, compared with jit. One thread for each device.
// Unit: ratios of times by the clock, which need two processors; nanoseconds, microseconds. Bar: 0.6 of one after the other, 1 of the loop,
// 0.65 of jit.

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

/// Times f of two members against f of one and then of the other, all on one device.
template <class F>
void members(const std::string& name, F f, const array& x) {
  jq::set_dispatch(jq::dispatch::synchronous);
  const auto by_members = jq::pmap(f);
  const auto one = jq::jit(f, jq::device("cpu", 0));
  const array parts[] = {x(0) + 0.0, x(1) + 0.0};
  const array y = by_members(x);
  double error = 0;
  for (int m = 0; m < 2; ++m) error = std::max(error, jq::max(jq::abs(y(m) - one(parts[m]))).template item<double>());
  const auto together = [&] { by_members(x); };
  const auto in_turn = [&] { one(parts[0]), one(parts[1]); };
  interleaved::compare(by_clock(name + " by two members"), {"ours", together}, {{"in turn", in_turn, error, 0.6}});
}

/// What a call of two members costs beyond their work, and what they pay to exchange values.
void meeting() {
  const auto microseconds = [](const std::string& task, const std::function<void()>& f, int items, double bar) {
    std::vector<double> times;
    for (int round = 0; round < (interleaved::quick() ? 7 : 41); ++round)
      times.push_back(interleaved::nanoseconds(f, 200, interleaved::timer::clock) / items / 1e3);
    interleaved::report({task, "-", interleaved::quartiles(times), bar, "us"});
  };
  const array two = jq::asarray({1.f, 2.f});
  const auto tiny = jq::pmap([](array v) { return v * 2.0 + 1.0; });
  microseconds("pmap of one float, two members", [&] { tiny(two); }, 1, 50);

  constexpr int rounds = 100;
  const auto sums = jq::pmap([](array v) {
    return jq::lax::fori_loop(0, rounds, [](const array&, const array& w) { return jq::lax::psum(w, "i") * 0.5; }, v);
  }, jq::axis_name<"i">);
  microseconds("trip of a loop with psum of one float", [&] { sums(two); }, rounds, 5);

  constexpr std::int64_t n = 1000000;
  const array x = jq::random::normal(jq::random::key(3), {2, n});
  const auto total = jq::pmap([](array v) { return jq::lax::psum(v, "i"); }, jq::axis_name<"i">, jq::out_axes<jq::none>);
  const float* const a = x.data<float>().data();
  std::vector<float> by_hand(n);
  const auto loop = [&] {
    for (std::int64_t i = 0; i < n; ++i) by_hand[std::size_t(i)] = a[i] + a[n + i];
    interleaved::observe(by_hand.data());
  };
  loop();
  const array y = total(x);
  const double error = interleaved::relative_error(by_hand.data(), y.data<float>().data(), n);
  const auto ours = [&] { total(x); };
  interleaved::compare(by_clock("psum of 1e6 f32, two members"), {"ours", ours}, {{"by hand", loop, error, 1}});
}

struct network {
  array w1, b1, w2, b2;
};
array loss(const network& n, const array& x, const array& y) {
  return jq::mean(jq::square(jq::matmul(jq::tanh(jq::matmul(x, n.w1) + n.b1), n.w2) + n.b2 - y));
}

/// Gradients of a network by two partitions, which have half of the rows each, against the same by one device.
void partitions() {
  jq::set_dispatch(jq::dispatch::synchronous);
  const auto normal = [](int seed, const jq::shape& dims) { return jq::random::normal(jq::random::key(seed), dims); };
  const network n{normal(6, {256, 1024}) / 16.0, jq::zeros({1024}), normal(7, {1024, 256}) / 32.0, jq::zeros({256})};
  const array x = normal(8, {512, 256}), y = normal(9, {512, 256});
  const jq::partition_spec rows(2, 1);
  const auto by_partitions = jq::sharded_jit(jq::grad(loss), jq::in_parts(jq::none, rows, rows));
  const auto whole = jq::jit(jq::grad(loss), jq::device("cpu", 0));
  const network a = by_partitions(n, x, y), b = whole(n, x, y);
  double error = 0;
  for (const auto& [got, want] : {std::pair(a.w1, b.w1), std::pair(a.b1, b.b1), std::pair(a.w2, b.w2), std::pair(a.b2, b.b2)})
    error = std::max(error, (jq::max(jq::abs(got - want)) / jq::max(jq::abs(want))).item<double>());
  interleaved::terms how = by_clock("gradients of a network, 256-1024-256, by two partitions");
  how.tolerance = 1e-4;  // sums of 512 rows in f32, in another order
  const auto cut = [&] { by_partitions(n, x, y); };
  const auto by_jit = [&] { whole(n, x, y); };
  interleaved::compare(how, {"ours", cut}, {{"jit", by_jit, error, 0.65}});
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
  const auto chain = [](array v) { return jq::log(jq::exp(v) + jq::tanh(v)); };
  for (const std::int64_t n : {100000, 1000000})
    members("exp, tanh, log, n = " + std::string(n == 100000 ? "1e5" : "1e6"), chain, jq::random::uniform(jq::random::key(4), {2, n}, jq::f32, 0.5, 2.0));
  members("product of 512 x 512", [](array v) { return jq::matmul(v, v); }, jq::random::normal(jq::random::key(5), {2, 512, 512}));
  meeting();
  partitions();
}
