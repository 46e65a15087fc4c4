// Delivery of taps: exceptions are logged, counted and reported at the barrier; everything else goes on.
#include "../captured_output.hpp"
#include "tap_log.hpp"

#include <stdexcept>

using jq::array;

namespace {

/// Taps x and throws `message`.
array failing(const array& x, const char* message) {
  return jq::id_tap([message](const array&) { throw std::runtime_error(message); }, x);
}

}  // namespace

TEST_CASE("delivery: a barrier without failures does nothing") {
  jq::barrier_wait();
  jq::id_tap([](const array&) {}, 1.0);
  jq::barrier_wait();
}
TEST_CASE("delivery: a tap that throws does not stop the computation or later taps") {
  captured_output captured(2);
  testing::tap_log log;
  const auto f = jq::jit([&](const array& x) {
    const array a = jq::id_tap(log(), x);
    const array b = failing(a + 1.0, "first trouble");
    const array c = failing(b, "second trouble");
    return jq::id_tap(log(), c + 1.0);
  });
  CHECK(show(f(jq::asarray(1.0))) == "f64[] 3");
  CHECK(log.take() == lines{"f64[] 1", "f64[] 3"});
  CHECK(captured.text().find("postponing exception raised in tap function: first trouble") != std::string::npos);
  const std::string message = testing::message_of<jq::tap_error>([] { jq::barrier_wait(); });
  CHECK(message.find("There were exceptions during callback processing") != std::string::npos);
  CHECK(message.find("2 tap(s) threw") != std::string::npos);
  CHECK(message.find("first trouble") != std::string::npos);
}
TEST_CASE("delivery: eager taps postpone their exceptions too") {
  captured_output captured(2);
  CHECK(show(failing(jq::asarray(1.0), "eager trouble") + 1.0) == "f64[] 2");
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("eager trouble"), jq::tap_error);
}
TEST_CASE("delivery: the exception is nested, and reported once") {
  captured_output captured(2);
  failing(jq::asarray(1.0), "inner");
  bool nested = false;
  try {
    jq::barrier_wait();
  } catch (const jq::tap_error& e) {
    try {
      std::rethrow_if_nested(e);
    } catch (const std::runtime_error& inner) {
      nested = std::string(inner.what()) == "inner";
    }
  }
  CHECK(nested);
  CHECK_NOTHROW(jq::barrier_wait());
}
TEST_CASE("delivery: whatever is thrown") {
  captured_output captured(2);
  jq::id_tap([](const array&) { throw 42; }, 1.0);
  jq::id_tap([](const array& x) { lax::add(x, jq::zeros({2, 3})) + jq::zeros({5}); }, 1.0);
  const std::string message = testing::message_of<jq::tap_error>([] { jq::barrier_wait(); });
  CHECK(message.find("2 tap(s) threw") != std::string::npos);
  CHECK(message.find("not a std::exception") != std::string::npos);
}
TEST_CASE("delivery: failures under grad and vmap") {
  captured_output captured(2);
  CHECK(double(jq::grad([](const array& x) { return failing(x * x, "in grad"); })(array(3.0))) == 6);
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("2 tap(s) threw"), jq::tap_error);
  CHECK(show(jq::vmap([](const array& x) { return failing(x, "in vmap"); })(jq::asarray({1.f, 2.f}))) == "f32[2] 1 2");
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("1 tap(s) threw"), jq::tap_error);
}
