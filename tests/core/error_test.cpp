// Errors: one class per kind, all derived from jq::error, the user's line at the end of the message.
#include <jacquard/core/error.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {
template <class E>
bool throws_as(jq::error_kind kind) {
  try {
    jq::raise(kind, "x is ", 3);
  } catch (const E& e) {
    const jq::error& base = e;
    const std::runtime_error& standard = base;
    return std::string(standard.what()) == "x is 3";
  } catch (...) {
  }
  return false;
}
static_assert(!jq::error_record{} && jq::make_error(jq::error_kind::value, 1, '-', 2).message == "1-2");
}  // namespace

TEST_CASE("each kind has its class") {
  CHECK(throws_as<jq::type_error>(jq::error_kind::type));
  CHECK(throws_as<jq::shape_error>(jq::error_kind::shape));
  CHECK(throws_as<jq::value_error>(jq::error_kind::value));
  CHECK(throws_as<jq::concretization_error>(jq::error_kind::concretization));
  CHECK(throws_as<jq::deleted_error>(jq::error_kind::deleted));
  CHECK(throws_as<jq::tap_error>(jq::error_kind::tap));
  CHECK(throws_as<jq::not_implemented>(jq::error_kind::not_implemented));
  CHECK(throws_as<jq::unexpected_tracer_error>(jq::error_kind::tracer));
}

TEST_CASE("the message ends with the user's file and line") {
  jq::error_record e = jq::make_error(jq::error_kind::shape, "wrong");
  e.where = {"model.cpp", 7};
  CHECK_THROWS_WITH_AS(jq::throw_error(e), "wrong [model.cpp:7]", jq::shape_error);
}

TEST_CASE("errors of operations carry the line of the call") {
  const jq::array x = jq::zeros({2}), y = jq::zeros({3});
  const int line = __LINE__ + 2;
  try {
    x + y;
    FAIL("no error");
  } catch (const jq::shape_error& e) {
    const std::string m = e.what();
    CHECK(m.find("error_test.cpp:" + std::to_string(line)) != std::string::npos);
    CHECK(m.find("add") != std::string::npos);
    CHECK(m.find("(2,)") != std::string::npos);
  }
}
