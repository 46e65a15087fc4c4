// The masking interpreter: what it leaves alone, literals that are sizes, and programs that depend on sizes otherwise.
#include "../show.hpp"

using jq::array;

namespace {

constexpr auto masked = [](auto f) { return jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"n">); };
const array x = jq::asarray({1.f, 2.f, 3.f, 4.f});
const jq::dims three{{"n", 3}};

template <class F>
std::string message(F f) {
  return testing::message_of([&] { masked(f)(jq::args(x), three); });
}
struct no_rule_p {
  static constexpr std::string_view name = "no_rule";
  static constexpr jq::aval abstract_eval(jq::inference& c) { return c.in[0]; }
};

}  // namespace

TEST_CASE("mask: what has no symbolic sizes runs as it is, with or without a rule") {
  const auto f = [](const array& v, const array& w) { return v + jq::bind<no_rule_p>({}, jq::location::current(), w); };
  const jq::closed_jaxpr p = jq::make_jaxpr(jq::mask(f, jq::in_shapes<"n", "">, jq::out_shape<"n">))(jq::args(x, array(2.f)), three);
  CHECK(testing::count(jq::to_string(p), "no_rule") == 1);
}
TEST_CASE("mask: a primitive without masking rule") {
  CHECK(message([](const array& v) { return jq::bind<no_rule_p>({}, jq::location::current(), v); })
            .starts_with("Masking rule for 'no_rule' not implemented; give the primitive a mask rule ["));
}
TEST_CASE("mask: literals that are sizes become values") {
  CHECK(show(masked([](const array& v) { return v * double(v.shape()[0] - 1); })(jq::args(x), three)) == "f32[4] 2 4 6 0");
  CHECK(show(masked([](const array& v) { return v + array(std::int64_t(v.shape()[0] * v.shape()[0])); })(jq::args(x), three)) ==
        "f32[4] 10 11 12 0");
  CHECK(show(jq::mask([](const array& v) { return array(float(v.shape()[0])); }, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), three)) ==
        "f32[] 3");
}
TEST_CASE("mask: numbers computed from sizes in C++ are errors") {
  CHECK(message([](const array& v) { return v * (1.0 / double(v.shape()[0])); })
            .starts_with("mask: mul got a number that was computed in C++ from a symbolic size (one of n); use jq::dim_as_value(x, axis)"));
  CHECK(message([](const array& v) { return lax::convert_element_type(v, jq::bf16) * double(v.shape()[0]); }).find("use jq::dim_as_value") !=
        std::string::npos);
}
TEST_CASE("mask: constants captured from outside are constants; those that depend on a size are an error") {
  const array w = jq::asarray(10.f);
  CHECK(show(masked([=](const array& v) { return v * w; })(jq::args(x), three)) == "f32[4] 10 20 30 0");
  CHECK(show(masked([](const array& v) { return v * jq::asarray(10.f); })(jq::args(x), three)) == "f32[4] 10 20 30 0");
  CHECK(message([](const array& v) { return v * jq::sum(jq::asarray({float(v.shape()[0]), 1.f})); })
            .starts_with("mask: the function captures arrays that depend on a symbolic size"));
}
TEST_CASE("mask: loops over sizes and questions about them in C++ are errors") {
  const std::string want = "mask: the function makes different programs for different sizes";
  CHECK(message([](const array& v) {
          array s = v;
          for (std::int64_t i = 0; i < v.shape()[0]; i += 512) s = s + v;
          return s;
        }).starts_with(want));
  const auto scalar = [](auto f) { return testing::message_of([&] { jq::mask(f, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(x), three); }); };
  CHECK(scalar([](const array& v) { return v.shape()[0] % 2 ? array(1.f) : jq::sum(v); }).starts_with(want));
  CHECK(scalar([](const array& v) { return v.shape()[0] % 2 ? jq::sum(v) : array(1.f); }).starts_with(want));
  CHECK(scalar([](const array& v) {
          const array a = jq::sum(v), b = jq::max(v);
          return v.shape()[0] % 2 ? a : b;
        }).starts_with(want));
}
TEST_CASE("mask: sizes that are no polynomials are errors") {
  CHECK(message([](const array& v) { return lax::broadcast_in_dim(jq::sum(v), {v.shape()[0] % 13}, {}); })
            .starts_with("mask: a size that was computed from n is not a polynomial of them"));
}
TEST_CASE("mask: parameters that are no sizes must not depend on sizes") {
  CHECK(message([](const array& v) { return lax::integer_pow(v, v.shape()[0]); })
            .starts_with("mask: a parameter of 'integer_pow' depends on a symbolic size"));
}
TEST_CASE("mask: errors within the function name the sizes that stand for names") {
  const std::string m = message([](const array& v) { return v + jq::zeros({4}); });
  CHECK(m.starts_with("add got incompatible shapes for broadcasting: ("));
  CHECK(m.find("(mask traced the function on sizes that stand for names: n = ") != std::string::npos);
}
TEST_CASE("mask: size arithmetic that changes nothing is not in the program") {
  const jq::closed_jaxpr p = jq::make_jaxpr(masked([](const array& v) { return jq::cumsum(v); }))(jq::args(x), three);
  const std::string text = jq::to_string(p);
  CHECK(testing::count(text, " mul ") == 0);
  CHECK(testing::count(text, " add ") == 0);
}
