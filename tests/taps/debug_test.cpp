// debug::callback and debug::print: when they run, what they see under transforms, formats and their errors.
#include "../captured_output.hpp"
#include "tap_log.hpp"

#include <sstream>
#include <stdexcept>

using jq::array;

namespace {

/// What debug::print writes.
template <class... A>
std::string printed(std::string_view format, const A&... args) {
  std::ostringstream out;
  jq::debug::print(format, args..., jq::output_stream(out));
  return out.str();
}
/// What f(stream) prints when it runs.
template <class F>
std::string lines_of(F f) {
  std::ostringstream out;
  f(out);
  jq::barrier_wait();
  return out.str();
}

}  // namespace

TEST_CASE("debug: formats") {
  CHECK(printed("x: {}", 1.0) == "x: 1.0\n");
  CHECK(printed("{} {} {}", 1, true, 0.5f) == "1 True 0.5\n");
  CHECK(printed("{1} {0} {1}", 1, 2) == "2 1 2\n");
  CHECK(printed("{{}} {a}", jq::kw("a", jq::asarray({1, 2}))) == "{} [1 2]\n");
  CHECK(printed("{} {what}", 3, jq::kw("what", 4)) == "3 4\n");
  CHECK(printed("{:.2f} {x:.1f}", 2.0 / 3, jq::kw("x", jq::asarray(1.25))) == "0.67 1.2\n");
  CHECK(printed("{:.2f}", jq::asarray({1.0 / 3, 2.0})) == "[0.33 2.  ]\n");
  CHECK(printed("nothing") == "nothing\n");
  CHECK(printed("{} {}", std::pair{1, 2}) == "1 2\n");
  CHECK(printed("{}", jq::asarray(std::uint64_t(18446744073709551615u))) == "18446744073709551615\n");
}
TEST_CASE("debug: formats that do not fit") {
  using testing::message_of;
  const auto problem = [](auto... args) { return message_of<jq::value_error>([&] { printed(args...); }); };
  CHECK(problem("x", 1).find("Unused positional arguments") != std::string::npos);
  CHECK(problem("x", jq::kw("a", 1)).find("Unused keyword arguments") != std::string::npos);
  CHECK(problem("{}").find("asks for the argument ''") != std::string::npos);
  CHECK(problem("{a}", 1).find("asks for the argument 'a'") != std::string::npos);
  CHECK(problem("{7}", 1).find("asks for the argument '7'") != std::string::npos);
  CHECK(problem("{", 1).find("write it twice") != std::string::npos);
  CHECK(problem("}", 1).find("write it twice") != std::string::npos);
  CHECK(problem("{:>8}", 1).find("got the format '>8'") != std::string::npos);
}
TEST_CASE("debug: runs under jit though nothing uses it, and not while tracing") {
  CHECK(lines_of([](std::ostringstream& out) {
    const auto f = jq::jit([&](const array& x) {
      jq::debug::print("x: {}", x, jq::output_stream(out));
      return x * 2.0;
    });
    f.lower(array(1.0));
    f(array(1.0));
    f(array(2.0));
  }) == "x: 1.0\nx: 2.0\n");
}
TEST_CASE("debug: once per example under vmap, also nested, in order") {
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap([&](const array& x) {
      jq::debug::print("hello: {}", x, jq::output_stream(out));
      return x;
    })(jq::arange(2));
  }) == "hello: 0\nhello: 1\n");
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap(jq::vmap([&](const array& x) {
      jq::debug::print("{}", x, jq::output_stream(out), jq::in_order());
      return x;
    }))(jq::reshape(jq::arange(6), {3, 2}));
  }) == "0\n1\n2\n3\n4\n5\n");
}
TEST_CASE("debug: primals only under derivatives") {
  const auto f = [](std::ostringstream& out) {
    return [&out](const array& x) {
      jq::debug::print("x: {}", x, jq::output_stream(out));
      return x * x;
    };
  };
  CHECK(lines_of([&](std::ostringstream& out) { jq::jvp(f(out), jq::primals(array(1.0)), jq::tangents(1.0)); }) == "x: 1.0\n");
  CHECK(lines_of([&](std::ostringstream& out) { CHECK(double(jq::grad(f(out))(array(1.0))) == 2); }) == "x: 1.0\n");
  CHECK(lines_of([&](std::ostringstream& out) { CHECK(double(jq::jit(jq::grad(jq::grad(f(out))))(array(1.0))) == 2); }) == "x: 1.0\n");
}
TEST_CASE("debug: callbacks get trees; taps, prints and callbacks keep program order") {
  std::string order;
  jq::jit([&](const array& x) {
    jq::debug::callback([&](const std::pair<array, array>& p, const array& y) { order += std::to_string(int(double(p.first) + double(p.second) + double(y))); },
                        std::pair{x, x}, x);
    const array a = jq::id_tap([&](const array&) { order += "t"; }, x);
    jq::debug::callback([&](const array&) { order += "d"; }, x, jq::in_order());
    jq::debug::callback([&] { order += "n"; });
    return a;
  })(array(1.0));
  CHECK(order == "3tdn");
}
TEST_CASE("debug: exceptions are postponed") {
  captured_output captured(2);
  const auto f = jq::jit([](const array& x) {
    jq::debug::callback([](const array&) { throw std::runtime_error("seen enough"); }, x);
    return x + 1.0;
  });
  CHECK(double(f(array(1.0))) == 2);
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("seen enough"), jq::tap_error);
}
TEST_CASE("debug: by outfeed as well") {
  jq::set_tap_delivery(jq::tap_delivery::outfeed);
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap([&](const array& x) {
      jq::debug::print("{}", x, jq::output_stream(out));
      return jq::id_print(x, jq::output_stream(out));
    })(jq::arange(3));
  }) == "0\n1\n2\ntransforms: [('batch', {'batch_dims': (0,)})]\n[0 1 2]\n");
  jq::reset_tap_delivery();
}
