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
TEST_CASE("delivery: what goes to stderr is a switch; what is counted is not") {
  captured_output captured(2);
  jq::set_tap_logging(jq::tap_logging::nothing);
  failing(jq::asarray(1.0), "unseen trouble");
  CHECK(captured.text() == "");
  CHECK_THROWS_WITH_AS(jq::barrier_wait(), doctest::Contains("unseen trouble"), jq::tap_error);
  jq::set_tap_logging(jq::tap_logging::taps);
  const auto see = [](const auto&) {};
  for (const jq::tap_delivery how : {jq::tap_delivery::direct, jq::tap_delivery::outfeed}) {
    jq::set_tap_delivery(how);
    jq::vmap(jq::grad([&](const array& x) { return jq::id_tap(see, x) * x; }))(jq::asarray({1.f, 2.f}));
    jq::id_tap(see, std::pair{jq::zeros({2, 3}), 5});
    jq::id_tap(see, std::tuple<>{});
    jq::barrier_wait();
    CHECK(captured.text() == "jacquard: tap on cpu:0 of f32[2] after batch\n"
                             "jacquard: tap on cpu:0 of f32[2] after jvp, transpose, batch\n"
                             "jacquard: tap on cpu:0 of f32[2,3], i32[]\n"
                             "jacquard: tap on cpu:0 of nothing\n");
  }
  jq::reset_tap_delivery();
  jq::set_tap_logging(jq::tap_logging::failures);
  failing(jq::asarray(1.0), "seen trouble");
  CHECK(captured.text().find("seen trouble") != std::string::npos);
  CHECK_THROWS_AS(jq::barrier_wait(), jq::tap_error);
}
TEST_CASE("delivery: many taps throw, also in loops: all are counted, the first one is carried, what comes after runs") {
  captured_output captured(2);
  for (const jq::tap_delivery how : {jq::tap_delivery::direct, jq::tap_delivery::outfeed}) {
    jq::set_tap_delivery(how);
    int after = 0;
    const auto f = jq::jit([&](const array& n) {
      return lax::fori_loop(0, n, [&](const array& i, const array& sum) {
        const array j = jq::id_tap([](const array& v) { throw std::runtime_error("step " + std::to_string(v.item<int>())); }, i);
        return jq::id_tap([&](const array&) { ++after; }, sum + j);
      }, jq::asarray(0));
    });
    CHECK(show(f(jq::asarray(10))) == "i32[] 45");
    const std::string message = testing::message_of<jq::tap_error>([] { jq::barrier_wait(); });
    CHECK(message == "There were exceptions during callback processing: 10 tap(s) threw, the first one was: step 0");
    CHECK(after == 10);
    CHECK(testing::count(captured.text(), "postponing exception raised in tap function") == 10);
  }
  jq::reset_tap_delivery();
}
