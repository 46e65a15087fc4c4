// The stages of jit: what a compiled function says of itself, in texts and figures.
#include <jacquard/testing/mock_device.hpp>

#include "../show.hpp"

#include "../captured_output.hpp"

using jq::array;

namespace {
const auto layer = [](const array& x, const array& w, const array& b) { return jq::tanh(jq::matmul(x, w) + b); };
const array x = jq::ones({2, 3}), w = jq::ones({3, 4}), b = jq::ones({4});

/// A backend from outside that says nothing of its programs.
class silent_executable : public jq::executable {
 public:
  std::vector<array> run(std::span<const array> in, const jq::location&) override { return {in.begin(), in.end()}; }
  jq::text as_text() const override { return "silent"; }
};
class silent_backend : public jq::backend_interface {
 public:
  std::string_view name() const override { return "silent"; }
  int device_count() const override { return 1; }
  jq::ref<jq::executable> compile(const jq::closed_jaxpr&, const jq::compile_options&) override { return jq::make_ref<silent_executable>(); }
};
}  // namespace

TEST_CASE("analysis: bytes and operations of a layer") {
  const auto c = jq::jit(layer, jq::backend("interpreter")).lower(x, w, b).compile();
  const jq::program_memory m = c.memory_analysis();
  CHECK(m.arguments == 4 * (6 + 12 + 4));
  CHECK(m.outputs == 4 * 8);
  CHECK(m.temporaries == 4 * 8);  // b as a matrix
  CHECK(m.aliased == 0);
  CHECK(m.exact);
  CHECK(c.cost_analysis().flops == 2 * 3 * 8 + 8 + 8);
  CHECK(c.cost_analysis().counted);
}
TEST_CASE("analysis: stages have names, other names are an error that lists them") {
  const auto f = jq::jit(layer, jq::backend("interpreter")).lower(x, w, b);
  CHECK(f.compile().as_text("jaxpr") == f.as_text());
  CHECK(f.compile().as_text() == f.as_text());
  CHECK_THROWS_WITH_AS(f.compile().as_text("llvm"), "as_text: got the stage 'llvm', wanted one of: jaxpr buffers; leave it out for all "
                       "that the backend shows by itself", jq::value_error);
}
TEST_CASE("analysis: what was lowered shows the stages before it is compiled") {
  const auto f = jq::jit([](const array& v) { return jq::sum(v); }, jq::backend("interpreter"), jq::donate_argnums<0>).lower(x);
  captured_output captured(2);
  CHECK(f.as_text("jaxpr") == f.as_text());
  const std::string buffers = f.as_text("buffers");
  CHECK_THROWS_WITH_AS(f.as_text("llvm"), doctest::Contains("wanted one of: jaxpr buffers"), jq::value_error);
  const double flops = f.cost_analysis().flops;
  CHECK(captured.text() == "");  // compile() warns of donations that are of no use, who only looks is not told
  const auto c = f.compile();
  CHECK(buffers == c.as_text("buffers"));
  CHECK(flops == c.cost_analysis().flops);
}
TEST_CASE("analysis: a compiled function takes the same types again in any form") {
  const auto c = jq::jit([](const std::pair<array, array>& p) { return p.first + p.second; }, jq::backend("interpreter")).lower(std::pair{x, x}).compile();
  for (int i = 0; i < 3; ++i) CHECK(show(c(std::pair{x, x})) == "f32[2,3] 2 2 2 2 2 2");
  const array weak = lax::mul(array(1.0), array(2.0));
  const auto scale = jq::jit([](const array& s) { return s * 3.0; }, jq::backend("interpreter")).lower(weak).compile();
  for (int i = 0; i < 2; ++i) {
    CHECK(show(scale(weak)) == "f64[] 6");
    CHECK(show(scale(jq::asarray(4.0))) == "f64[] 12");
    CHECK(show(scale(5.0)) == "f64[] 15");
  }
  CHECK_THROWS_AS(c(std::pair{x, b}), jq::type_error);
  CHECK_THROWS_AS(c(x, x), jq::type_error);
}
TEST_CASE("analysis: a compiled function says which argument is an empty array, also where its type would fit") {
  const auto c = jq::jit([](const array& s, const array& v) { return s * v; }, jq::backend("interpreter")).lower(jq::asarray(2.f), x).compile();
  const auto scaled = jq::jit([](const array& s) { return s * 2; }, jq::backend("interpreter")).lower(jq::asarray(true)).compile();
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_WITH_AS(c(jq::asarray(2.f), array()), "jit: got an empty jq::array as argument leaf 1; assign it a value first", jq::type_error);
    CHECK_THROWS_WITH_AS(scaled(array()), "jit: got an empty jq::array as argument leaf 0; assign it a value first", jq::type_error);
    c(jq::asarray(2.f), x), scaled(true);
  }
}
TEST_CASE("analysis: a backend that says nothing of its programs") {
  jq::register_backend("silent", [] { return jq::ref<jq::backend_interface>(jq::make_ref<silent_backend>()); });
  const auto c = jq::jit([](const array& v) { return v; }, jq::backend("silent")).lower(x).compile();
  CHECK_THROWS_WITH_AS(c.memory_analysis(), doctest::Contains("this backend does not say"), jq::not_implemented);
  CHECK_THROWS_AS(c.cost_analysis(), jq::not_implemented);
  CHECK_THROWS_WITH_AS(c.as_text("jaxpr"), doctest::Contains("(none)"), jq::value_error);
  CHECK_THROWS_AS(c.layout(), jq::not_implemented);
  CHECK(c.as_text() == "silent");
}
