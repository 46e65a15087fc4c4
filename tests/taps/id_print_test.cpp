// id_print: the line of keywords and transforms, the layout of containers, streams and thresholds.
#include "../captured_output.hpp"
#include "../show.hpp"

#include <functional>
#include <map>
#include <optional>
#include <sstream>

using jq::array;

namespace {

/// What id_print writes.
template <class T, class... O>
std::string printed(const T& value, const O&... options) {
  std::ostringstream out;
  jq::id_print(value, jq::output_stream(out), options...);
  return out.str();
}
/// What f prints: f(stream) returns a function to be transformed.
std::string lines_of(const std::function<void(std::ostringstream&)>& f) {
  std::ostringstream out;
  f(out);
  return out.str();
}
struct state {
  array position, mass;
};

}  // namespace

TEST_CASE("id_print: arrays in numpy's layout") {
  CHECK(printed(jq::asarray(3.f)) == "3.\n");
  CHECK(printed(jq::asarray({8.f, 10.f})) == "[ 8. 10.]\n");
  CHECK(printed(jq::asarray({true, false})) == "[ True False]\n");
  CHECK(printed(jq::asarray({0, 1, 2})) == "[0 1 2]\n");
  CHECK(printed(jq::asarray({{1.5, 2.0}, {3.0, 4.0}})) == "[[1.5 2. ]\n [3.  4. ]]\n");
  CHECK(printed(jq::zeros({0})) == "[]\n");
  CHECK(printed(3.0) == "3.\n");
  CHECK(printed(true) == "True\n");
}
TEST_CASE("id_print: keywords on a line before, sorted") {
  CHECK(printed(jq::asarray(1), jq::kw("what", "x"), jq::kw("at", 3), jq::kw("rate", 0.5), jq::kw("last", false)) ==
        "at: 3 last: False rate: 0.5 what: x\n1\n");
}
TEST_CASE("id_print: containers on one line") {
  CHECK(printed(std::tuple{jq::asarray(3.f), jq::asarray(9.f)}) == "( 3. 9. )\n");
  CHECK(printed(std::vector{jq::asarray(1), jq::asarray(2)}) == "[ 1 2 ]\n");
  CHECK(printed(std::map<std::string, array>{{"b", 2}, {"a", 1}}) == "{ a=1 b=2 }\n");
  CHECK(printed(state{jq::asarray({1.f, 2.f}), jq::asarray(5)}) == "{ position=[1. 2.] mass=5 }\n");
  CHECK(printed(std::tuple<>{}) == "(  )\n");
  CHECK(printed(std::pair{std::vector<array>{}, std::optional<array>{}}) == "( [  ] None )\n");
  CHECK(printed(std::tuple{std::pair{1, 2}, std::vector{jq::asarray(3)}}) == "( ( 1 2 ) [ 3 ] )\n");
}
TEST_CASE("id_print: containers of more than 80 columns take a line per element") {
  const array row = jq::arange(10) + 100;  // 41 columns
  CHECK(printed(std::tuple{row, row}) ==
        "( [100 101 102 103 104 105 106 107 108 109]\n"
        "  [100 101 102 103 104 105 106 107 108 109] )\n");
  CHECK(printed(std::map<std::string, array>{{"a", row}, {"bb", row}}) ==
        "{ a=[100 101 102 103 104 105 106 107 108 109]\n"
        "  bb=[100 101 102 103 104 105 106 107 108 109] }\n");
  CHECK(printed(std::pair{std::tuple{row, row}, 7}) ==
        "( ( [100 101 102 103 104 105 106 107 108 109]\n"
        "    [100 101 102 103 104 105 106 107 108 109] )\n"
        "  7 )\n");
}
TEST_CASE("id_print: exactly 80 columns fit") {
  const array ones = jq::ones({36}, jq::i32);  // 73 columns
  const std::string fits = printed(std::tuple{ones, 10});
  CHECK(fits.size() == 81);
  CHECK(testing::count(fits, "\n") == 1);
  CHECK(testing::count(printed(std::tuple{ones, 100}), "\n") == 2);
}
TEST_CASE("id_print: rows of arrays in containers are aligned") {
  const array m = jq::asarray({{1, 2}, {3, 4}});
  CHECK(printed(std::tuple{m, 5}) == "( [[1 2]\n   [3 4]]\n  5 )\n");
  CHECK(printed(std::map<std::string, array>{{"m", m}}) == "{ m=[[1 2]\n     [3 4]] }\n");
  CHECK(printed(state{m, jq::asarray(1)}) == "{ position=[[1 2]\n            [3 4]]\n  mass=1 }\n");
}
TEST_CASE("id_print: long arrays are summarised beyond the threshold") {
  const array many = jq::arange(2000);
  CHECK(printed(many) == "[   0    1    2 ... 1997 1998 1999]\n");
  CHECK(printed(jq::arange(1024)).find("...") == std::string::npos);
  CHECK(printed(jq::arange(10), jq::threshold(5)) == "[0 1 2 ... 7 8 9]\n");
}
TEST_CASE("id_print: transforms among the keywords") {
  CHECK(lines_of([](std::ostringstream& out) {
    jq::jvp([&](const array& x) { return jq::id_print(x * 2.0, jq::output_stream(out), jq::kw("what", "x")); }, jq::primals(array(5.0)),
            jq::tangents(1.0));
  }) == "what: x\n10.\ntransforms: ['jvp'] what: x\n2.\n");
  CHECK(lines_of([](std::ostringstream& out) {
    jq::grad([&](const array& x) { return jq::id_print(x * 3.0, jq::output_stream(out)); })(array(5.0));
  }) == "15.\ntransforms: ['jvp', 'transpose']\n1.\n");
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap([&](const array& x) { return jq::id_print(x, jq::output_stream(out)); })(jq::asarray({8.f, 10.f}));
  }) == "transforms: [('batch', {'batch_dims': (0,)})]\n[ 8. 10.]\n");
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap([&](const array& x, const array& y) { return jq::id_print(std::pair{x, y}, jq::output_stream(out)); },
             jq::in_axes<jq::none, 0>)(jq::asarray(3.f), jq::asarray({0.f, 1.f, 2.f}));
  }) == "transforms: [('batch', {'batch_dims': (None, 0)})]\n( 3. [0. 1. 2.] )\n");
  CHECK(lines_of([](std::ostringstream& out) {
    jq::vmap(jq::grad([&](const array& x) { return jq::id_print(x * x, jq::output_stream(out), jq::kw("what", "x")) * x; }))(
        jq::asarray({1.0, 2.0}));
  }) == "transforms: [('batch', {'batch_dims': (0,)})] what: x\n[1. 4.]\n"
        "transforms: ['jvp', 'transpose', ('batch', {'batch_dims': (0,)})] what: x\n[1. 2.]\n");
}
TEST_CASE("id_print: tangents of integers are float0 zeros") {
  CHECK(lines_of([](std::ostringstream& out) {
    jq::jvp([&](const array& x, const array& n) { return jq::id_print(std::pair{x, n}, jq::output_stream(out)).first; },
            jq::primals(5.0, jq::asarray(2)), jq::tangents(1.0, jq::asarray(false)));
  }) == "( 5. 2 )\ntransforms: ['jvp']\n( 1. False )\n");
}
TEST_CASE("id_print: returns its argument, or the result given") {
  std::ostringstream out;
  CHECK(show(jq::id_print(jq::asarray({1, 2}), jq::output_stream(out))) == "i32[2] 1 2");
  CHECK(show(jq::jit([&](const array& x) { return jq::id_print(x * 2, jq::output_stream(out), jq::result(x)); })(jq::asarray(4))) == "i32[] 4");
  CHECK(out.str() == "[1 2]\n8\n");
}
TEST_CASE("id_print: to standard output by default") {
  std::string text;
  {
    captured_output captured(1);
    jq::id_print(jq::asarray({1, 2}), jq::kw("what", "x"));
    text = captured.text();
  }
  CHECK(text == "what: x\n[1 2]\n");
}
TEST_CASE("id_print: into any stream with write") {
  struct recorder {
    std::string text;
    recorder& write(const char* s, std::ptrdiff_t n) {
      text.append(s, std::size_t(n));
      return *this;
    }
  } mine;
  jq::id_print(jq::asarray(1), jq::output_stream(mine));
  CHECK(mine.text == "1\n");
}
