// debug_nans and debug_infs name the operation and the user's line, eagerly, under jit and within loops; disable_jit runs functions
// as they are written.
#include "../show.hpp"

using jq::array;
using jq::asarray;

namespace {

template <class F>
std::string complaint(F&& f) {
  return testing::message_of<jq::value_error>(std::forward<F>(f));
}
const auto f = [](const array& x) { return lax::log(x - 2.0) + 1.0; };

}  // namespace

TEST_CASE("debug_nans: names the operation and the line") {
  const jq::debug_nans guard;
  const std::string eager = complaint([] { f(asarray({3.0, 1.0})); });
  CHECK(eager.starts_with("invalid value (nan) encountered in log"));
  CHECK(eager.find("value_checks_test.cpp:14") != std::string::npos);
  CHECK(complaint([] { jq::jit(f)(asarray({3.0, 1.0})); }) == eager);
  CHECK(complaint([] { jq::grad(jq::jit(f))(asarray(1.0)); }) == eager);
  CHECK(complaint([] { lax::map(f, asarray({3.0, 1.0})); }) == eager);
  CHECK(complaint([] { jq::jit([](const array& x) { return lax::cond(x > 0.0, f, f, x); })(asarray(1.f)); }).starts_with("invalid value (nan) encountered in log"));
  CHECK(show(jq::jit(f)(asarray({3.0, 4.0}))) == "f64[2] 1 1.6931");  // the function still works
}
TEST_CASE("debug_nans: only where it is asked for, and not for infinities") {
  CHECK(complaint([] { f(asarray(1.0)); }).empty());
  {
    const jq::debug_nans guard;
    CHECK(complaint([] { f(asarray(2.0)); }).empty());
    CHECK(complaint([] { lax::add(asarray(1), asarray(2)); }).empty());
  }
  CHECK(complaint([] { f(asarray(1.0)); }).empty());
  const jq::debug_infs guard;
  CHECK(complaint([] { f(asarray(2.0)); }).starts_with("invalid value (inf) encountered in log"));
  CHECK(complaint([] { f(asarray(1.0)); }).empty());
  CHECK(complaint([] { lax::log(asarray(jq::complex64(0.f, 0.f))); }).starts_with("invalid value (inf) encountered in log"));
}
TEST_CASE("disable_jit: functions run as they are written") {
  int calls = 0;
  const auto g = jq::jit([&](const array& x) {
    ++calls;
    return bool(x > 1.0) ? x * 2.0 : x;
  });
  CHECK_THROWS_AS(g(asarray(3.0)), jq::concretization_error);
  calls = 0;
  {
    const jq::disable_jit guard;
    CHECK(show(g(asarray(3.0))) == "f64[] 6");
    CHECK(show(g(asarray(0.5))) == "f64[] 0.5");
    CHECK(show(jq::grad(g)(asarray(3.0))) == "f64[] 2");
  }
  CHECK(calls == 3);
  CHECK(g.cache_size() == 0);
}
