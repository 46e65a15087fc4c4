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

namespace {
/// The message of an error that ends with a line of this file; the line, counted from `from`, is replaced by its number.
template <class F>
std::string located(F f, int from) {
  try {
    f();
  } catch (const jq::error& e) {
    const std::string m = e.what();
    const std::size_t at = m.rfind("error_test.cpp:");
    return at == m.npos ? "no line: " + m : "+" + std::to_string(std::stoi(m.substr(at + 15)) - from);
  }
  return "no error";
}
}  // namespace

TEST_CASE("errors of rules carry the line of the user's operation") {
  const auto host = [](const jq::array& x) {
    return jq::call([](const jq::array& v) { return v; }, x, x);
  };
  const int line = __LINE__ - 2;
  const jq::array x = jq::ones({2});
  CHECK(located([&] { jq::vmap(host)(x); }, line) == "+0");
  CHECK(located([&] { jq::jvp(host, jq::primals(x), jq::tangents(x)); }, line) == "+0");
  CHECK(located([&] { jq::vjp(host, x); }, line) == "+0");
}

TEST_CASE("reading an array, pullbacks, transposed functions and masks tell where they were called") {
  const jq::array x = jq::ones({2});
  const auto pullback = jq::vjp([](const jq::array& v) { return v * 2; }, x).second;
  const auto transposed = jq::linear_transpose([](const jq::array& v) { return v * 2; }, x);
  const auto same = jq::mask([](const jq::array& v) { return v; }, jq::in_shapes<"n">, jq::out_shape<"n">);
  const auto longer = jq::mask([](const jq::array& v) { return v; }, jq::in_shapes<"n">, jq::out_shape<"n + 1">);
  const int line = __LINE__;
  CHECK(located([&] { x.item<float>(); }, line) == "+1");
  CHECK(located([&] { jq::item<float>(x); }, line) == "+2");
  CHECK(located([&] { x.data<double>(); }, line) == "+3");
  CHECK(located([&] { pullback(jq::ones({3})); }, line) == "+4");
  CHECK(located([&] { transposed(jq::ones({3})); }, line) == "+5");
  CHECK(located([&] { same(jq::args(x), jq::dims{{"m", 1}}); }, line) == "+6");
  CHECK(located([&] { longer(jq::args(x), jq::dims{{"n", 1}}); }, line) == "+7");
}

TEST_CASE("new arrays of impossible shapes: the function that was called, and what was asked for") {
  CHECK_THROWS_WITH_AS(jq::zeros({2, -1}), doctest::Contains("zeros: got the shape (2, -1); wanted at most 8 non-negative dimensions"), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::ones({-1}), doctest::Contains("ones: got the shape (-1,)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::eye(-2), doctest::Contains("eye: got the shape (-2, -2)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::zeros({1, 1, 1, 1, 1, 1, 1, 1, 1}), doctest::Contains("zeros: got the shape (1, 1, 1, 1, 1, 1, 1, 1, ...)"), jq::shape_error);
}
