// Chapter 20: functions of the host, and where taps go
//
// Chapter 6 showed taps, which look at values. Here the program computes with what a function of yours returns,
// and taps leave the thread, and the process.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <jacquard/jacquard.hpp>
#include <jacquard/taps/outfeed/reader.hpp>
#include <jacquard/taps/outfeed/sink.hpp>

namespace jq = jacquard;
using namespace std::chrono_literals;

int main() {
  // pure_callback: a function of the host as part of a compiled program. It says what it will return before it
  // is ever called, because tracing needs to know. A pure function may be dropped, repeated or reordered.
  const auto gamma = [](const jq::array& x) { return std::tgamma(double(x)); };
  const auto f = [&](const jq::array& x) {
    return 2.0 * jq::pure_callback(gamma, jq::shape_dtype({}, jq::f64), x, jq::vmap_method::sequential);
  };
  std::cout << "-- pure_callback\n" << jq::jit(f)(jq::asarray(5.0)) << '\n';

  // How should vmap call it? `sequential` calls it for each example. A function that can take a whole batch at
  // once says broadcast_all or expand_dims instead.
  std::cout << jq::vmap(f)(jq::asarray({1.0, 2.0, 3.0})) << '\n';

  // io_callback is for functions with side effects: each call in the program runs exactly once, also where
  // nobody uses the result; in_order() keeps them in program order.
  std::vector<std::string> journal;
  const auto next_seed = [&](const jq::array& old) {
    journal.push_back("seed " + std::to_string(old.item<int>()));
    return old.item<int>() * 16807 % 2147483647;
  };
  const auto two_seeds = jq::jit([&](const jq::array& s) {
    const jq::array a = jq::io_callback(next_seed, 0, s, jq::in_order());
    return jq::io_callback(next_seed, 0, a, jq::in_order());
  });
  std::cout << "-- io_callback\n" << two_seeds(jq::asarray(1)) << '\n';
  for (const std::string& line : journal) std::cout << line << '\n';

  // debug::print shows values and changes nothing: it always runs, also where a tap would be dropped, once per
  // example, and with the values alone, not with their derivatives.
  std::cout << "-- debug::print\n";
  jq::vmap(jq::grad([](const jq::array& x) {
    jq::debug::print("x = {}, x^2 = {square:.2f}", x, jq::kw("square", x * x));
    return x * x;
  }))(jq::asarray({1.0, 2.5}));

  // Taps are delivered directly unless something else is asked for: the thread that runs the program calls your
  // function with the live buffers, which costs the same for any size. With an outfeed_receiver the program only
  // puts the values into a ring, and a thread per device calls the functions. close() waits for all of them,
  // and reports what they threw.
  std::cout << "-- outfeed\n";
  {
    std::size_t taps = 0;
    jq::outfeed_receiver receiver{jq::receiver_name("chapter 20"), jq::timeout(10s)};
    const auto g = jq::jit([&](const jq::array& x) {
      return jq::id_tap([&](const jq::array& v) {
        ++taps;
        if (double(v) > 998) throw std::runtime_error("too large: " + std::to_string(int(double(v))));
      }, x);
    });
    for (int i = 0; i < 1000; ++i) g(jq::asarray(double(i)));
    try {
      receiver.close();
    } catch (const jq::tap_error& e) {
      std::cout << e.what() << '\n';
    }
    std::cout << taps << " taps\n";
  }

  // A receiver can write what it gets to a file, a pipe or a Unix socket as well. `jq-taps plot train.taps` draws
  // it, `jq-taps follow unix:/tmp/train` shows it while it happens. Here it is read back.
  const std::string path = "chapter_20.taps";
  {
    jq::outfeed_sink sink(path);
    jq::outfeed_receiver receiver{sink};
    const auto step = jq::jit([](const jq::array& w) {
      const auto loss = [](const jq::array& v) { return jq::square(v - 3.0); };
      const auto [value, gradient] = jq::value_and_grad(loss)(w);
      return w - 0.25 * jq::id_tap([](const jq::array&) {}, value, jq::kw("what", "loss"), jq::result(gradient));
    });
    jq::array w = 1.0;
    for (int i = 0; i < 3; ++i) w = step(w);
    receiver.close();
    sink.close();
  }
  std::cout << "-- a stream\n";
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::string bytes(100000, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  std::fclose(file);
  std::remove(path.c_str());
  jq::wire::memory_source source(bytes.data(), bytes.size());
  jq::wire::stream_reader<jq::wire::memory_source> reader(source);
  for (jq::wire::message m; reader.next(m) && !m.head.is_end();)
    std::cout << m.head.kwargs[0].value.get<std::string>() << " on " << m.head.device << ": " << m.value(0) << '\n';

  // A progress bar wraps the body of a loop, inside compiled code too, where it moves by taps. It draws to a
  // terminal only, so here it is only asked for its count.
  const jq::progress bar(100, "steps");
  const auto halve = [](const jq::array&, const jq::array& x) { return x * 0.5; };
  jq::jit([&](const jq::array& x) { return jq::lax::fori_loop(0, 100, bar(halve), x); })(jq::asarray(1.0));
  std::cout << "-- progress\n" << bar.done() << " steps\n";
}

// output:
// -- pure_callback
// 48.
// [2. 2. 4.]
// -- io_callback
// 282475249
// seed 1
// seed 16807
// -- debug::print
// x = 1.0, x^2 = 1.00
// x = 2.5, x^2 = 6.25
// -- outfeed
// There were exceptions during callback processing: 1 tap(s) threw, the first one was: too large: 999
// 1000 taps
// -- a stream
// loss on cpu:0: 4.
// loss on cpu:0: 1.
// loss on cpu:0: 0.25
// -- progress
// 100 steps
