// Reading jaxprs: print -> read -> print is the identity; bad text gives an error with its position, never a crash.
#include <jacquard/core/read.hpp>

#include <fstream>
#include <random>
#include <sstream>

#include <doctest/doctest.h>
#include <jacquard/exec/reader.hpp>
#include <jacquard/jacquard.hpp>

#include "../show.hpp"

namespace {

std::string error_of(std::string_view text) { return testing::message_of<jq::value_error>([&] { jq::read_jaxpr(text); }); }
std::string again(std::string_view text) { return jq::to_string(jq::read_jaxpr(text)); }

constexpr std::string_view simple = "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }";
constexpr bool reads_in_constant_evaluation() {
  const jq::closed_jaxpr p = jq::read_jaxpr(simple);
  return jq::to_text(p) == simple && !p.problem && !jq::check_jaxpr(*p);
}
static_assert(reads_in_constant_evaluation());
static_assert(jq::read_jaxpr("{ lambda ; a:f32[3]. let").problem.kind == jq::error_kind::value);

/// A program that uses every kind of text: constants, literals, nested calls, parameters of several types.
std::string long_text() {
  const auto inner = jq::jit([](jq::array y) { return lax::sin(y) * 2.f; });
  const jq::array c = jq::ones({4, 3});
  return jq::to_string(jq::make_jaxpr([&](jq::array x, jq::array z) {
    jq::array y = lax::dot_general(x, lax::transpose(c, {1, 0}), {{1}, {0}});
    y = lax::pad(inner(y), -1.5f, {1, 0}, {0, -1}, {2, 0});
    return std::tuple(lax::reduce_max(y, {0}), z * jq::complex128(0, -2), lax::iota(jq::bf16, {2, 3}, 1),
                      lax::convert_element_type(y, jq::f16));
  })(jq::ones({2, 3}), jq::ones({2}, jq::c128)));
}

}  // namespace

TEST_CASE("what is printed reads back as the same program") {
  const std::string text = long_text();
  CAPTURE(text);
  const jq::closed_jaxpr p = jq::read_jaxpr(text);
  CHECK(jq::to_string(p) == text);
  CHECK(jq::check_jaxpr(*p).message.view() == "");
  CHECK(p.constants.size() == p->constvars.size());
}

TEST_CASE("results without a name read back") {
  const std::string text = "{ lambda ; a:f32[2,2]. let\n    _:f32[2,2] = sin a\n    _:f32[2,2] b:f32[2,2] = qr[full_matrices=False] a\n    c:f32[2,2] = cos b\n  in (c,) }";
  CHECK(jq::to_string(jq::read_jaxpr(text)) == text);
  CHECK_THROWS_AS((void)jq::read_jaxpr("{ lambda ; a:f32[]. let _:f32[] = sin a; b:f32[] = cos _ in (b,) }"), jq::value_error);
}
TEST_CASE("a program that was read runs") {
  const auto p = jq::read_jaxpr("{ lambda ; a:f32[3] b:f32[]. let c:f32[3] = mul a b; d:f32[] = reduce_sum[axes=(0,)] c in (d, c, 7:i32[]) }");
  const auto r = jq::eval_jaxpr(p, std::vector<jq::array>{jq::asarray({1.f, 2.f, 3.f}), jq::asarray(2.f)});
  CHECK(float(r[0]) == 12.f);
  CHECK(r[1].data<float>()[2] == 6.f);
  CHECK(int(r[2]) == 7);
}

TEST_CASE("a linear system that was read is solved") {
  const std::string text = jq::to_string(jq::make_jaxpr([](const jq::array& a, const jq::array& b) { return jq::linalg::solve(a, b); })(jq::eye(2), jq::ones({2})));
  CAPTURE(text);
  CHECK(text.find("custom_linear_solve") != std::string::npos);
  CHECK(again(text) == text);
  const auto r = jq::eval_jaxpr(jq::read_jaxpr(text), std::vector<jq::array>{jq::asarray({{2.f, 0.f}, {0.f, 4.f}}), jq::asarray({2.f, 2.f})});
  CHECK(r[0].data<float>()[1] == 0.5f);
  std::string fewer = text;
  fewer.replace(fewer.rfind("num_consts="), 12, "num_consts=-1");
  const std::string refusal = error_of(fewer);
  CAPTURE(refusal);
  CHECK(refusal.find("custom_linear_solve: got 4 programs and -1 constants") != std::string::npos);
}

TEST_CASE("constants of a program that was read are empty") {
  const auto p = jq::read_jaxpr("{ lambda a:f32[] ; b:f32[]. let c:f32[] = mul a b in (c,) }");
  REQUIRE(p.constants.size() == 1);
  CHECK_THROWS_AS(jq::eval_jaxpr(p, std::vector<jq::array>{jq::asarray(1.f)}), jq::type_error);
  CHECK(float(jq::eval_jaxpr(*p, std::vector<jq::array>{jq::asarray(2.f)}, std::vector<jq::array>{jq::asarray(3.f)})[0]) == 6.f);
}

TEST_CASE("space, line breaks and the order of parameters are free") {
  CHECK(again("{lambda;a:f32[3].let\n\n b:f32[3]=sin   a\n\n in(b)}") == simple);
  CHECK(again("{ lambda ; a:f32[2]. let b:f32[2,5] = broadcast_in_dim[\n shape=(2, 5)\n broadcast_dimensions=(0)\n] a in (b,) }") ==
        "{ lambda ; a:f32[2]. let\n    b:f32[2,5] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(2, 5)] a\n  in (b,) }");
  CHECK(again("{ lambda ; x:f32[]. let y_1:f32[] = neg x in (y_1, x) }") ==
        "{ lambda ; a:f32[]. let b:f32[] = neg a in (b, a) }");
}

TEST_CASE("the names in, nan and inf are names of variables, too") {
  CHECK(again("{ lambda ; in:f32[]. let nan:f32[] = sin in; inf:f32[] = mul in nan in (in, inf, nan) }") ==
        "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = mul a b in (a, c, b) }");
  CHECK(again("{ lambda ; in:c64[]. let b:c64[] = mul in (1+2j):c64[] in (b,) }") ==
        "{ lambda ; a:c64[]. let b:c64[] = mul a (1+2j):c64[] in (b,) }");
  CHECK(again("{ lambda ; a:f32[]. let b:f32[] = mul a nan:f32[]; c:f32[] = add b -inf:f32[] in (c, inf:f64[]) }") ==
        "{ lambda ; a:f32[]. let\n    b:f32[] = mul a nan:f32[]\n    c:f32[] = add b -inf:f32[]\n  in (c, inf:f64[]) }");
}

TEST_CASE("variables after z, and programs with thousands of them") {
  const auto p = jq::make_jaxpr([](jq::array x) {
    for (int i = 0; i < 3000; ++i) x = lax::sin(x);
    return x;
  })(1.f);
  const std::string text = jq::to_string(p);
  CHECK(again(text) == text);
}

TEST_CASE("errors say where and what was wanted") {
  const auto is = [](std::string_view text, const char* place, const char* part) {
    const std::string m = error_of(text);
    CAPTURE(m);
    CHECK(m.find(std::string("read_jaxpr: ") + place + ": ") != std::string::npos);
    CHECK(m.find(part) != std::string::npos);
  };
  is("", "line 1, column 1", "end of the text, wanted '{'");
  is("hello", "line 1, column 1", "got 'hello', wanted '{'");
  is("{ lambda a", "line 1, column 11", "wanted ':'");
  is("{ lambda ; a:f33[]. let in () }", "line 1, column 14", "wanted a dtype such as f32");
  is("{ lambda ; a:f32[-1]. let in () }", "line 1, column 18", "negative dimension");
  is("{ lambda ; a:f32[1,1,1,1,1,1,1,1,1]. let in () }", "line 1, column 34", "more than 8 dimensions");
  is("{ lambda ; a:f32[99999999999999999999]. let in () }", "line 1, column 18", "an integer");
  is("{ lambda ; a:f32[] a:f32[]. let in () }", "line 1, column 21", "defined twice");
  is("{ lambda ; a:f32[]. let\n  b:f32[] = foo a\n in (b,) }", "line 2, column 13", "'foo', wanted the name of a known primitive");
  is("{ lambda ; a:f32[]. let b:f32[] = sin c in (b,) }", "line 1, column 39", "c is not defined");
  is("{ lambda ; a:f32[]. let b:f32[] = sin b in (b,) }", "line 1, column 39", "b is not defined");
  is("{ lambda ; a:f32[]. let b:f32[] = sin in (b,) }", "line 1, column 35", "got 0 operands, wanted 1");
  is("{ lambda ; a:f32[]. let b:f32[] = sin a a in (b,) }", "line 1, column 35", "got 2 operands, wanted 1");
  is("{ lambda ; a:f32[]. let b:f64[] = sin a in (b,) }", "line 1, column 26", "f64[] for a result of sin, wanted f32[]");
  is("{ lambda ; a:f32[]. let b:f32[] c:f32[] = sin a in (b,) }", "line 1, column 43", "got 2 results of sin, wanted 1");
  is("{ lambda ; a:f32[2]. let b:f32[] = reduce_sum[axes=(7,)] a in (b,) }", "line 1, column 36", "reduce_sum");
  is("{ lambda ; a:f32[2]. let b:f32[] = reduce_sum[axes=7] a in (b,) }", "line 1, column 52", "wanted '('");
  is("{ lambda ; a:f32[2]. let b:f32[] = reduce_sum[axis=(0,)] a in (b,) }", "line 1, column 47", "wanted each of axes");
  is("{ lambda ; a:f32[2]. let b:f32[] = reduce_sum[axes=(0,) axes=(0,)] a in (b,) }", "line 1, column 57", "twice");
  is("{ lambda ; a:f32[2]. let b:f32[] = reduce_sum[] a in (b,) }", "line 1, column 47", "the parameter axes of reduce_sum");
  is("{ lambda ; a:f32[2]. let b:f32[] = reduce_sum a in (b,) }", "line 1, column 47", "wanted '['");
  is("{ lambda ; a:i8[]. let b:i8[] = add a 300:i8[] in (b,) }", "line 1, column 39", "does not fit into int8");
  is("{ lambda ; a:u8[]. let b:u8[] = add a -1:u8[] in (b,) }", "line 1, column 39", "an integer");
  is("{ lambda ; a:i8[]. let b:i8[] = add a 3.5:i8[] in (b,) }", "line 1, column 40", "a value of type i8[]");
  is("{ lambda ; a:f32[2]. let b:f32[2] = add a 3.5:f32[2] in (b,) }", "line 1, column 43", "wanted rank 0");
  is("{ lambda ; a:f32[]. let b:f32[] = add a 3.5 in (b,) }", "line 1, column 45", "wanted ':'");
  is("{ lambda ; . let in () } x", "line 1, column 26", "the end of the text");
  is("{ lambda ; . let in (", "line 1, column 22", "wanted a variable or a literal");
}

TEST_CASE("functions cannot be read, and the error says so") {
  const auto p = jq::make_jaxpr([](jq::array x) { return jq::id_tap([](const jq::array&) {}, x); })(jq::asarray(1.f));
  const std::string m = error_of(jq::to_string(p));
  CHECK(m.find("callback") != std::string::npos);
  CHECK(m.find("trace it instead") != std::string::npos);
}

TEST_CASE("nesting has an end") {
  std::string open, close;
  for (int i = 0; i < 100000; ++i) open += "{ lambda ; . let = call[jaxpr=";
  CHECK(error_of(open).find("nested more than 100 deep") != std::string::npos);
}

TEST_CASE("names with any characters") {
  const auto p = jq::read_jaxpr("{ lambda ; a:f32[]. let b:f32[] = call[jaxpr={ lambda ; c:f32[]. let  in (c,) } name='a b]\\'\\n'] a in (b,) }");
  CHECK(jq::to_string(jq::read_jaxpr(jq::to_string(p))) == jq::to_string(p));
  CHECK(error_of("{ lambda ; a:f32[]. let b:f32[] = call[name=" + std::string(40, 'x')).find("at most 31") != std::string::npos);
  CHECK(error_of("{ lambda ; a:f32[]. let b:f32[] = call[name='x").find("wanted '''") != std::string::npos);
}

TEST_CASE("every prefix and every damaged text is an error or a program") {
  const std::string text = long_text();
  for (std::size_t n = 0; n < text.size(); ++n) CHECK(error_of(std::string_view(text).substr(0, n)) != "");
  std::mt19937 random(1);
  const std::string_view letters = "abz019.:;,()[]{}=-+j' \n\\<TF";
  int programs = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0: damaged[at] = letters[random() % letters.size()]; break;
        case 1: damaged.erase(at, 1 + random() % 4); break;
        default: damaged.insert(at, 1, letters[random() % letters.size()]);
      }
    }
    try {
      const auto p = jq::read_jaxpr(damaged);
      ++programs;
      CHECK(jq::check_jaxpr(*p).message.view() == "");
      const std::string printed = jq::to_string(p);
      CHECK(again(printed) == printed);
    } catch (const jq::value_error& e) {
      CHECK(std::string(e.what()).find("read_jaxpr: line ") == 0);
    }
  }
  MESSAGE(programs << " of 3000 damaged texts were programs");
}
