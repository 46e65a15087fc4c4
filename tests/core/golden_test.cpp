// Whole programs as text: the golden files of tests/golden, which every program here must equal, and which read back as the
// same program. With JACQUARD_UPDATE_GOLDEN set, the files are written instead.
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
  if (std::getenv("JACQUARD_UPDATE_GOLDEN")) std::ofstream(JACQUARD_TESTS_DIR "/golden/" + name + ".jaxpr") << text << '\n';
  CHECK(text + '\n' == golden(name));
  CHECK(jq::check_jaxpr(*p).message.view() == "");
  if (text.find("<function>") == std::string::npos) CHECK(jq::to_string(jq::read_jaxpr(text)) == text);
}

const jq::array x3 = jq::asarray({1.f, 2.f, 3.f});
const jq::array m23 = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});

jq::array layer(jq::array w, jq::array b, jq::array x) {
  return lax::tanh(lax::dot_general(w, x, {{1}, {0}}) + b);
}

}  // namespace

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
