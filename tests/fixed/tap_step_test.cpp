// Taps in functions with static arguments: called with static values when the program runs, silent while it is made.
#include <ostream>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/fixed.hpp>

#include "../captured_output.hpp"

namespace jq = jacquard;
using jq::tensor;

namespace {
int calls = 0;
double seen = 0;
std::string line, type;

constexpr auto remember = [](const auto& v) {
  ++calls;
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, double>) seen = v;
};
constexpr auto tapped_cube = [](auto x) { return jq::id_tap(remember, x) * x * x; };
}  // namespace

// Constant evaluation computes through taps and calls nobody.
static_assert(jq::grad(tapped_cube)(3.0) == 27.0);
static_assert(jq::vmap(tapped_cube)(tensor<double, 2>{1, 2}) == tensor<double, 2>{1, 8});

TEST_CASE("a tap gets a number where the argument is one") {
  calls = 0;
  volatile double x = 2;
  CHECK(jq::jit(tapped_cube)(double(x)) == 8);
  CHECK(calls == 1);
  CHECK(seen == 2);
}

TEST_CASE("derivatives tap tangents and cotangents too") {
  calls = 0;
  volatile double x = 2;
  CHECK(jq::grad([](auto y) { return jq::id_tap(remember, y) * 3.0; })(double(x)) == 3);
  CHECK(calls == 2);  // the value, and the cotangent
  CHECK(seen == 3);
}

TEST_CASE("the context names keywords and transforms") {
  static jq::list<jq::keyword> keywords;
  static jq::list<jq::transform_record> transforms;
  static tensor<double, 2> batch;
  const auto f = [](auto x) {
    return jq::id_tap([](const auto& v, const jq::tap_context& c) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, tensor<double, 2>>) batch = v;
      keywords = c.kwargs;
      transforms = c.transforms;
    }, x + 1.0, jq::kw("what", "a name of more than eight"), jq::kw("k", 3), jq::kw("share", 0.25), jq::kw("on", true));
  };
  volatile double one = 1;
  CHECK(jq::vmap(f)(tensor<double, 2>{one, 2}) == tensor<double, 2>{2, 3});
  CHECK(batch == tensor<double, 2>{2, 3});
  REQUIRE(keywords.size() == 4);
  CHECK(keywords[0].name == "what");
  CHECK(keywords[0].value.get<std::string>() == "a name of more than eight");
  CHECK(keywords[1].value.get<std::int64_t>() == 3);
  CHECK(keywords[2].value.get<double>() == 0.25);
  CHECK(keywords[3].value.get<bool>());
  REQUIRE(transforms.size() == 1);
  CHECK(transforms[0].name == "batch");
  CHECK(transforms[0].batch_dims == std::vector<int>{0});
}

TEST_CASE("trees are tapped as trees, large arrays too") {
  static std::pair<double, tensor<float, 40>> got;
  const auto f = [](auto x, auto y) {
    const auto t = jq::id_tap([](const auto& v) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::pair<double, tensor<float, 40>>>) got = v;
    }, std::pair{x, y});
    return jq::sum(t.second) * t.first;
  };
  tensor<float, 40> y;
  for (int i = 0; i < 40; ++i) y(i) = float(i);
  volatile double x = 2;
  CHECK(jq::jit(f)(double(x), y) == 2 * 780);
  CHECK(got == std::pair{2.0, y});
}

TEST_CASE("a std::array of numbers is tapped as one") {
  static std::array<double, 2> got;
  const auto f = [](auto x) {
    return jq::id_tap([](const auto& v) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::array<double, 2>>) got = v;
    }, std::array{x, x * 3.0})[1];
  };
  volatile double x = 2;
  CHECK(jq::jit(f)(double(x)) == 6);
  CHECK(got == std::array{2.0, 6.0});
}

TEST_CASE("a function of jq::arrays gets jq::arrays") {
  static jq::array got;
  const auto f = [](auto x) { return jq::id_tap([](const jq::array& v) { got = v; }, x) * 2.0; };
  volatile float one = 1;
  CHECK(jq::jit(f)(tensor<float, 2>{one, 2}) == tensor<float, 2>{2, 4});
  CHECK(got.dtype() == jq::f32);
  CHECK(jq::to_string(got) == "[1. 2.]");
  got = {};
}

TEST_CASE("jq::result orders a tap of something else before a value") {
  calls = 0;
  const auto f = [](auto x) { return jq::id_tap(remember, 7.0, jq::result(x)); };
  volatile double x = 2;
  CHECK(jq::jit(f)(double(x)) == 2);
  CHECK(calls == 1);
  CHECK(seen == 7);
}

TEST_CASE("a tap whose result is not used runs but under jit") {
  const auto f = [](auto x) {
    jq::id_tap(remember, x);
    return x * x;
  };
  volatile double x = 2;
  calls = 0;
  CHECK(jq::jit(f)(double(x)) == 4);
  CHECK(calls == 0);
  CHECK(jq::jvp(f, jq::primals(double(x)), jq::tangents(1.0)).first == 4);
  CHECK(calls == 2);
}

TEST_CASE("id_print prints to stdout") {
  const auto f = [](auto x) { return jq::id_print(x, jq::kw("what", "x"), jq::threshold(3)) * 2.0; };
  volatile double one = 1;
  captured_output out(1);
  const auto y = jq::vmap(f)(tensor<double, 4>{one, 2, 3, 4});
  CHECK(y[3] == 8);
  CHECK(out.text() == "transforms: [('batch', {'batch_dims': (0,)})] what: x\n[1. 2. 3. 4.]\n");
}

TEST_CASE("an exception is postponed") {
  const auto f = [](auto x) {
    return jq::id_tap([](const auto&) { throw std::runtime_error("from a static tap"); }, x);
  };
  volatile double x = 2;
  CHECK(jq::jit(f)(double(x)) == 2);
  CHECK_THROWS_AS(jq::barrier_wait(), jq::tap_error);
}

TEST_CASE("a frozen program with a tap runs on an interpreter, too") {
  static std::string what;
  constexpr auto p = jq::make_jaxpr([](auto x) {
    return jq::id_tap([](const auto& v, const jq::tap_context& c) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, jq::array>) seen = v.template item<double>();
      what = c.kwargs.at(0).value.get<std::string>();
    }, x * x, jq::kw("what", "square"));
  })(2.0);
  const auto out = jq::eval_jaxpr(p.closed(), std::vector<jq::array>{jq::asarray(3.0)});
  CHECK(out[0].item<double>() == 9);
  CHECK(seen == 9);
  CHECK(what == "square");
}
