// The text form of jaxprs: one line or many, names, literals. core/golden_test compares whole programs with files.
#include <jacquard/core/print.hpp>

#include <limits>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace {

constexpr jq::jaxpr chain(int equations) {
  jq::jaxpr p;
  jq::variable v = p.new_variable({jq::f32, {}});
  p.invars.push_back(v);
  for (int i = 0; i < equations; ++i) {
    const jq::atom in[] = {jq::atom::of_variable(v)};
    const jq::aval out[] = {{jq::f32, {}}};
    v = p.append(jq::table_of<jq::sin_p>(), in, {}, out, 0, {});
  }
  p.outvars.push_back(jq::atom::of_variable(v));
  return p;
}
static_assert(jq::to_text(chain(1)) == "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }");
static_assert(jq::to_text(chain(0)) == "{ lambda ; a:f32[]. let  in (a,) }");

}  // namespace

TEST_CASE("names: a ... z, then base 26") {
  CHECK(jq::detail::variable_name(0) == "a");
  CHECK(jq::detail::variable_name(25) == "z");
  CHECK(jq::detail::variable_name(26) == "ba");
  CHECK(jq::detail::variable_name(26 * 26 - 1) == "zz");
  CHECK(jq::detail::variable_name(26 * 26) == "baa");
}

TEST_CASE("one line up to 80 columns") {
  const auto one = [](int n) { return jq::make_jaxpr([n](jq::array x) {
    for (int i = 0; i < n; ++i) x = lax::sin(x);
    return x;
  })(jq::array(1.f)); };
  CHECK(jq::to_string(one(2)) == "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b in (c,) }");
  const std::string three = jq::to_string(one(3));
  CHECK(three.find('\n') != std::string::npos);
  CHECK(three == "{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n    c:f32[] = sin b\n    d:f32[] = sin c\n  in (d,) }");
}

TEST_CASE("a result that nothing reads has no name") {
  const auto f = [](const jq::array& x) {
    (void)lax::sin(x);
    return lax::cos(lax::qr(x)[1]);
  };
  const std::string text = jq::to_string(jq::make_jaxpr(f)(jq::ones({2, 2})));
  CHECK(text ==
        "{ lambda ; a:f32[2,2]. let\n    _:f32[2,2] = sin a\n    _:f32[2,2] b:f32[2,2] = qr[full_matrices=False] a\n    c:f32[2,2] = cos b\n  in (c,) }");
  // Names go on where an inner program ends, whether or not it has such results.
  const auto nested = [&](const jq::array& x) { return lax::sin(jq::jit(f)(x)); };
  CHECK(jq::to_string(jq::make_jaxpr(nested)(jq::ones({2, 2}))).find("f:f32[2,2] = sin b") != std::string::npos);
  const auto two_lines = [](const jq::array& x, const jq::array&) { return x; };
  CHECK(jq::to_string(jq::make_jaxpr(two_lines)(jq::array(1.f), jq::array(2.f))) == "{ lambda ; a:f32[] b:f32[]. let  in (a,) }");
}
TEST_CASE("programs nested deep are written once: to copy the text of each level into that of the next would take minutes") {
  constexpr int depth = 250;
  const jq::array x = jq::asarray(1.f);
  const auto nest = [](const auto& self, int level, const jq::array& v) -> jq::array {
    if (level == 0) return jq::sin(v);
    return lax::cond(v > 0.f, [&](const jq::array& w) { return self(self, level - 1, w + 1.f); }, [](const jq::array& w) { return w; }, v);
  };
  const jq::closed_jaxpr p = jq::make_jaxpr([&](const jq::array& v) { return nest(nest, depth, v); })(x);
  const std::string text = jq::to_string(p);
  CHECK(testing::count(text, "= cond[") == depth);
  CHECK(testing::count(text, "{ lambda ; ") == 2 * depth + 1);
  const std::uint32_t names = jq::detail::count_names(*p);  // branches are written, and named, false before true
  const std::string last = std::string(jq::detail::variable_name(names - 1).view()), after = std::string(jq::detail::variable_name(names).view());
  CHECK(testing::count(text, " " + last + ":f32[] = ") == 1);
  CHECK(testing::count(text, " " + after + ":") == 0);
  std::size_t widest = 0;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = text.find('\n', at);
    widest = std::max(widest, text.find_first_not_of(' ', at) - at);
  }
  CHECK(widest == 8 * depth + 4);
}
TEST_CASE("literals carry their type") {
  const auto one = [](jq::literal l) {
    jq::text t;
    jq::detail::put_literal(t, l);
    return std::string(t.view());
  };
  CHECK(one(jq::literal(true)) == "True:bool[]");
  CHECK(one(jq::literal(-3)) == "-3:i32[]");
  CHECK(one(jq::literal(std::uint64_t(-1))) == "18446744073709551615:u64[]");
  CHECK(one(jq::literal(1e-7)) == "1e-07:f64[]");
  CHECK(one(jq::literal(0.1f)) == "0.1:f32[]");
  CHECK(one(jq::literal(jq::float16(0.1f))) == "0.1:f16[]");
  CHECK(one(jq::literal(jq::bfloat16(3.14f))) == "3.14:bf16[]");
  CHECK(one(jq::literal(jq::complex128(1, -2))) == "(1-2j):c128[]");
  CHECK(one(jq::literal(std::numeric_limits<float>::infinity())) == "inf:f32[]");
  CHECK(one(jq::literal(-0.0)) == "-0.0:f64[]");
}

TEST_CASE("user names are quoted where they are no words") {
  const auto one = [](std::string_view s) {
    jq::text t;
    jq::detail::put_name(t, s);
    return std::string(t.view());
  };
  CHECK(one("batch_1") == "batch_1");
  CHECK(one("") == "''");
  CHECK(one("a b]") == "'a b]'");
  CHECK(one("it's\n\\") == "'it\\'s\\n\\\\'");
}
