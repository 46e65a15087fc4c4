// The text form of jaxprs: one line or many, names, literals, parameters, nested programs, and the golden files of
// tests/golden, which every program here must equal. With JACQUARD_UPDATE_GOLDEN set, the files are written instead.
#include <jacquard/core/print.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>
#include <jacquard/exec/reader.hpp>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace {

std::string golden(const std::string& name) {
  std::ifstream in(std::string(JACQUARD_TESTS_DIR "/golden/") + name + ".jaxpr");
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

/// Compares with the file, checks types, and reads the text back unless it holds functions.
void check_golden(const std::string& name, const jq::closed_jaxpr& p) {
  CAPTURE(name);
  const std::string text = jq::to_string(p);
  if (std::getenv("JACQUARD_UPDATE_GOLDEN")) std::ofstream(std::string(JACQUARD_TESTS_DIR "/golden/") + name + ".jaxpr") << text << '\n';
  CHECK(text + '\n' == golden(name));
  CHECK(jq::check_jaxpr(*p).message.view() == "");
  if (text.find("<function>") == std::string::npos) CHECK(jq::to_string(jq::read_jaxpr(text)) == text);
}

const jq::array x3 = jq::asarray({1.f, 2.f, 3.f});
const jq::array m23 = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});

jq::array layer(jq::array w, jq::array b, jq::array x) {
  return lax::tanh(lax::dot_general(w, x, {{1}, {0}}) + b);
}

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
  })(1.f); };
  CHECK(jq::to_string(one(2)) == "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b in (c,) }");
  const std::string three = jq::to_string(one(3));
  CHECK(three.find('\n') != std::string::npos);
  CHECK(three == "{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n    c:f32[] = sin b\n    d:f32[] = sin c\n  in (d,) }");
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

TEST_CASE("golden: operations and parameters") {
  check_golden("empty", jq::make_jaxpr([] { return std::tuple<>(); })());
  check_golden("elementwise", jq::make_jaxpr([](jq::array x) { return lax::exp(x) * 2.0 + x; })(x3));
  check_golden("literals", jq::make_jaxpr([](jq::array f, jq::array i, jq::array z, jq::array b, jq::array h) {
    return std::tuple{f + 0.1, i * -3, z * jq::complex64(0, 1), b & true, h - 0.333};
  })(x3, jq::arange(3, jq::u8), jq::ones({3}, jq::c64), jq::ones({3}, jq::bool_), jq::ones({3}, jq::bf16)));
  check_golden("captured", jq::make_jaxpr([](jq::array x) { return x * x3 + x3; })(x3));
  check_golden("movement", jq::make_jaxpr([](jq::array m) {
    const jq::array t = lax::transpose(m, {1, 0});
    const jq::array r = lax::reshape(t, {6});
    const std::vector<jq::array> parts{lax::rev(r, {0}), lax::slice(r, {1}, {5}, {2})};
    return lax::concatenate(parts, 0);
  })(m23));
  check_golden("reductions", jq::make_jaxpr([](jq::array m) {
    return std::tuple{lax::reduce_sum(m, {0, 1}), lax::reduce_max(m, {1}), lax::argmax(m, 0, jq::i32)};
  })(m23));
}

TEST_CASE("golden: transforms") {
  const auto loss = [](jq::array w, jq::array b, jq::array x) { return total(layer(w, b, x)); };
  const jq::array b = jq::zeros({2});
  check_golden("layer", jq::make_jaxpr(loss)(m23, b, x3));
  check_golden("layer_grad", jq::make_jaxpr(jq::grad(loss, jq::argnums<0, 1>))(m23, b, x3));
  check_golden("layer_vmap", jq::make_jaxpr(jq::vmap(loss, jq::in_axes<jq::none, jq::none, 0>))(m23, b, jq::ones({4, 3})));
  check_golden("sin_hessian", jq::make_jaxpr(jq::grad(jq::grad([](jq::array x) { return x * lax::sin(x); })))(1.0));
}

TEST_CASE("golden: nested programs and taps") {
  const auto inner = jq::jit([](jq::array y) { return lax::sin(y); });
  check_golden("call", jq::make_jaxpr([&](jq::array x) { return inner(x) * 2.f; })(x3));
  check_golden("call_nested", jq::make_jaxpr([&](jq::array x) {
    return jq::jit([&](jq::array y) {
      const jq::array a = inner(y) * x;
      return lax::cos(inner(a)) * 2.f;
    })(x);
  })(x3));
  check_golden("call_grad", jq::make_jaxpr(jq::grad([&](jq::array x) { return total(inner(x) * x); }))(x3));
  check_golden("tap", jq::make_jaxpr([](jq::array x) { return jq::id_tap([](const jq::array&) {}, x * 2.f); })(x3));
}
