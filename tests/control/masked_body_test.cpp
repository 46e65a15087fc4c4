// Masked bodies: sizes as inputs, what does not fit, and functions with rules that know a size.
#include "control_testing.hpp"

using jq::array;
using jq::asarray;
using jq::dimension;
using jq::dimension_list;

namespace {

const array x = asarray({1.0, 2.0, 3.0, 4.0});
const jq::dims three{{"n", 3}};
template <class F>
auto masked(F f) {
  return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">);
}

}  // namespace

TEST_CASE("masked body: the sizes are its first operands") {
  const auto f = jq::checkpoint([](const array& v) { return jq::sum(v) * jq::dim_as_value(v, 0); });
  CHECK(show(masked(f)(jq::args(x), three)) == "f64[] 18");
  const auto g = [&](const array& n) { return masked(f)(jq::args(x), jq::dims{{"n", n}}); };
  const std::string text = jq::to_string(jq::make_jaxpr(g)(asarray(std::int64_t(3))));
  CHECK(text.find("= checkpoint[") != std::string::npos);
  CHECK(text.find("lambda ; f:i64[] g:f64[4].") != std::string::npos);
}
TEST_CASE("masked body: dimensions that should be others") {
  const dimension_list n{dimension::named("n")}, m{dimension::named("m")};
  const jq::list<dimension_list> got{n, n}, want{n, m};
  CHECK(!jq::detail::dims_problem("carry", got, got, "after a trip", "before it"));
  const jq::error_record e = jq::detail::dims_problem("carry", got, want, "after a trip", "before it");
  CHECK(e.message.view() ==
        "mask: carry 1 has the logical dimensions (n,) after a trip and (m,) before it; return an array of the same sizes");
}
TEST_CASE("masked body: a rule that was made with a size as a number is refused, even where the function does not show it") {
  const auto f = [](const array& v) {
    const double n = double(v.shape()[0]);
    const auto doubled = jq::custom_jvp([](const array& s) { return s * 2.0; }, [n](const auto& p, const auto& t) {
      return std::pair{std::get<0>(p) * 2.0, std::get<0>(t) * (1.0 / n)};
    });
    return doubled(jq::sum(v));
  };
  CHECK(show(masked(f)(jq::args(x), three)) == "f64[] 12");
  CHECK(testing::message_of([&] { jq::grad([&](const array& v) { return masked(f)(jq::args(v), three); })(x); })
            .starts_with("mask: mul got a number that was computed in C++ from a symbolic size (one of n)"));
}
TEST_CASE("masked body: a rule that gets a size as a value") {
  const auto f = [](const array& v) {
    const double n = double(v.shape()[0]);
    const auto doubled = jq::custom_jvp([](const array& s) { return s * 2.0; }, [n](const auto& p, const auto& t) {
      return std::pair{std::get<0>(p) * 2.0, std::get<0>(t) * n};
    });
    return doubled(v[0]);
  };
  CHECK(show(jq::grad([&](const array& v) { return masked(f)(jq::args(v), three); })(x)) == "f64[4] 3 0 0 0");
}
TEST_CASE("masked body: bodies that differ between sizes are refused") {
  const auto f = [](const array& v) {
    const bool odd = v.shape()[0] % 2 != 0;
    return lax::cond(jq::sum(v) > 0, [=](const array& w) { return odd ? jq::sum(w) : array(asarray(1.0)); }, [](const array& w) { return jq::sum(w * w); }, v);
  };
  CHECK(testing::message_of([&] { masked(f)(jq::args(x), three); }).starts_with("mask: the function makes different programs for different sizes"));
}
