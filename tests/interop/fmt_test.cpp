// fmt formatters: the same text as to_string, precision, widths, bad formats.
#include <jacquard/interop/fmt.hpp>

#include <fmt/format.h>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

TEST_CASE("arrays print as to_string does") {
  const jq::array x = jq::asarray({{1.5f, 2.f}, {3.f, 4.25f}});
  CHECK(fmt::format("{}", x) == jq::to_string(x));
  CHECK(fmt::format("<{}>", jq::asarray({1, 2, 3})) == "<[1 2 3]>");
  CHECK(fmt::format("{} {}", jq::array(2.5), jq::asarray({true})) == jq::to_string(jq::array(2.5)) + " [ True]");
}

TEST_CASE("precision") {
  const jq::array x = jq::asarray({1.0, 1.0 / 3.0});
  CHECK(fmt::format("{:.3}", x) == "[1.    0.333]");
  CHECK(fmt::format("{}", x) == "[1.         0.33333333]");
}

TEST_CASE("tracers print as their type") {
  std::string seen;
  jq::make_jaxpr([&](jq::array x) {
    seen = fmt::format("{}", x);
    return x;
  })(jq::zeros({3}));
  CHECK(seen == "Tracer<f32[3]>");
}

TEST_CASE("jaxprs, shapes and dtypes") {
  const auto p = jq::make_jaxpr([](jq::array x) { return jq::lax::sin(x); })(jq::zeros({3}));
  CHECK(fmt::format("{}", p) == "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }");
  CHECK(fmt::format("{}", jq::shape{2, 3}) == "(2, 3)");
  CHECK(fmt::format("{:>6}|{:<6}|", jq::shape{2}, jq::shape{}) == "  (2,)|()    |");
  CHECK(fmt::format("{}", jq::bf16) == "bfloat16");
}

TEST_CASE("formats an array does not have") {
  const jq::array x = jq::asarray({1.0});
  CHECK_THROWS_AS((void)fmt::format(fmt::runtime("{:x}"), x), fmt::format_error);
  CHECK_THROWS_AS((void)fmt::format(fmt::runtime("{:.}"), x), fmt::format_error);
  CHECK_THROWS_AS((void)fmt::format(fmt::runtime("{:.3f}"), x), fmt::format_error);
}
