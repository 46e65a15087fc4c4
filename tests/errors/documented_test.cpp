// docs/errors.md tells the truth: each of its programs is below, letter by letter but for spaces, with the message that it throws, and so is each
// repair, which must not throw; the sentences of the compiler's errors stand in the headers. What the compiler refuses in the compile-time lane is a
// program of tests/fail, which expects the sentence beside it.

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace jq = jacquard;

namespace broken {
struct half_p : jq::elementwise<half_p, jq::floats, 1> {
  static constexpr std::string_view name = "half";
  template <class T>
  static constexpr T apply(T x) {
    return x / T(2);
  }
};
}  // namespace broken
namespace repaired {
struct half_p : jq::elementwise<half_p, jq::floats, 1> {
  static constexpr std::string_view name = "half";
  static constexpr std::uint32_t linear = 0b1;
  template <class T>
  static constexpr T apply(T x) {
    return x / T(2);
  }
  static constexpr jq::array transpose(int, const jq::array& ct, const jq::transpose_call&) {
    return jq::bind<half_p>({}, {}, ct);
  }
};
}  // namespace repaired
namespace compile_time_lane {
static_assert(jq::grad([](auto x, auto a) { return a * x; })(2.0, 5.0) == 5.0);
static_assert(jq::grad([](auto x) { return jq::where(x > 0, x * x, x); })(2.0) == 4.0);
static_assert(jq::grad([](auto x) { return jq::sum(x * jq::ones_like(x)); })(jq::tensor<double, 2>{1, 2}) == jq::tensor<double, 2>{1, 1});
struct one_way_p : jq::elementwise<one_way_p, jq::floats, 1> {
  static constexpr std::string_view name = "one_way";
  template <class T>
  static constexpr T apply(T x) {
    return x;
  }
};
constexpr auto with_rule = jq::custom_jvp([](jq::array x) { return jq::bind<one_way_p>({}, jq::location::current(), x); },
                                          [](auto x, auto t) { return std::pair{std::get<0>(x), std::get<0>(t)}; });
static_assert(jq::grad(with_rule)(2.0) == 1.0);
constexpr auto chain = [](auto x) { return jq::lax::fori_loop(0, 10, [](auto, auto y) { return jq::sin(y); }, x); };
static_assert(jq::grad(chain)(0.0) == 1.0);
}  // namespace compile_time_lane

namespace {

std::string contents(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}
std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}
/// The blocks of the document between ``` lines, with the words behind the first.
std::vector<std::pair<std::string, std::string>> blocks() {
  std::ifstream file("docs/errors.md");
  std::vector<std::pair<std::string, std::string>> found;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      if (!inside) found.push_back({line.substr(3), ""});
      inside = !inside;
    } else if (inside) found.back().second += line + "\n";
  }
  return found;
}
/// Whether a program of tests/fail has this code and expects the sentence, all of it or a part; where the program's line is told is left out.
bool is_refused(const std::string& code, const std::string& sentence, bool all) {
  const std::string wanted = without_spaces(code);
  for (const auto& file : std::filesystem::directory_iterator("tests/fail")) {
    if (file.path().extension() != ".cpp") continue;
    const std::string text = contents(file.path());
    if (without_spaces(text).find(wanted) == std::string::npos) continue;
    const std::string first = text.substr(0, text.find('\n')), start = "// expect: ";
    const std::regex expected(first.substr(start.size(), first.find(" \\[.*") - start.size()), std::regex::extended);
    if (all ? std::regex_match(sentence, expected) : std::regex_search(sentence, expected)) return true;
  }
  return false;
}
/// What f throws, without the place at its end.
template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const jq::error& e) {
    const std::string what = e.what();
    return what.ends_with("]") ? what.substr(0, what.rfind(" [")) : what;
  }
  return "no error";
}
/// The messages in the order of the document.
const std::vector<void (*)()> programs = {
    [] {
      const auto f = [](const jq::array& x) { return x * x; };
      jq::grad(f)(jq::array(3));
    },
    [] { jq::zeros({3, 4}) + jq::zeros({3}); },
    [] {
      const jq::array x = jq::zeros({2, 3});
      jq::sum(x, 2);
    },
    [] {
      const auto magnitude = [](const jq::array& x) { return x > 0 ? x : -x; };
      jq::jit(magnitude)(jq::array(2.0));
    },
    [] {
      const auto step = jq::jit([](const jq::array& x) { return x + 1; }, jq::donate_argnums<0>);
      const jq::array x = jq::zeros({2});
      const jq::array y = step(x);
      x + y;
    },
    [] {
      const auto check = [](const jq::array& loss) {
        if (!(float(loss) >= 0)) throw std::runtime_error("the loss is negative");
      };
      jq::id_tap(check, jq::asarray(-1.f));
      jq::barrier_wait();
    },
    [] {
      using broken::half_p;
      const auto half = [](const jq::array& x) { return jq::bind<half_p>({}, jq::location::current(), x); };
      jq::grad(half)(jq::array(1.0));
    },
    [] {
      jq::array kept;
      const auto f = [&](const jq::array& x) {
        kept = jq::sin(x);
        return x * kept;
      };
      jq::grad(f)(jq::array(1.0));
      kept + 1.0;
    }};
const std::vector<void (*)()> repairs = {
    [] {
      const auto f = [](const jq::array& x) { return x * x; };
      jq::grad(f)(jq::array(3.0));
    },
    [] { jq::zeros({3, 4}) + jq::expand_dims(jq::zeros({3}), 1); },
    [] {
      const jq::array x = jq::zeros({2, 3});
      jq::sum(x, 1);
    },
    [] {
      const auto magnitude = [](const jq::array& x) { return jq::where(x > 0, x, -x); };
      jq::jit(magnitude)(jq::array(2.0));
    },
    [] {
      const auto step = jq::jit([](const jq::array& x) { return x + 1; }, jq::donate_argnums<0>);
      jq::array x = jq::zeros({2});
      x = step(x);
    },
    [] {
      int negative = 0;
      const auto check = [&](const jq::array& loss) { negative += float(loss) < 0; };
      jq::id_tap(check, jq::asarray(-1.f));
      jq::barrier_wait();
    },
    [] {
      using repaired::half_p;
      const auto half = [](const jq::array& x) { return jq::bind<half_p>({}, jq::location::current(), x); };
      jq::grad(half)(jq::array(1.0));
    },
    [] {
      const auto f = [](const jq::array& x) {
        const jq::array kept = jq::sin(x);
        return std::pair{x * kept, kept};
      };
      const auto [gradient, kept] = jq::grad(f, jq::has_aux)(jq::array(1.0));
      kept + 1.0;
    }};

}  // namespace

TEST_CASE("the programs of the document are those of this file") {
  const std::string here = without_spaces(contents("tests/errors/documented_test.cpp"));
  int count = 0;
  for (const auto& [kind, text] : blocks()) {
    if (!kind.starts_with("cpp") || kind == "cpp refused") continue;
    CAPTURE(text);
    CHECK(here.find(without_spaces(text)) != std::string::npos);
    ++count;
  }
  CHECK(count >= 22);
}
TEST_CASE("each throws the message beside it, and its repair nothing") {
  std::vector<std::string> want;
  for (const auto& [kind, text] : blocks())
    if (kind == "text") want.push_back(text);
  REQUIRE(want.size() == programs.size());
  jq::set_tap_logging(jq::tap_logging::nothing);
  for (std::size_t i = 0; i < want.size(); ++i) CHECK(message(programs[i]) + "\n" == want[i]);
  for (const auto& repair : repairs) CHECK(message(repair) == "no error");
  jq::set_tap_logging(jq::tap_logging::failures);
}
TEST_CASE("what the compiler refuses is refused, with the sentence beside it") {
  const auto all = blocks();
  int count = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].first != "cpp refused") continue;
    CAPTURE(all[i].second);
    REQUIRE(i + 1 < all.size());
    REQUIRE(all[i + 1].first == "text printed");
    const std::string& sentence = all[i + 1].second;
    CHECK(is_refused(all[i].second, sentence.substr(0, sentence.size() - 1), true));
    ++count;
  }
  CHECK(count >= 5);
}
TEST_CASE("the sentences of the compiler's errors are in the headers") {
  std::string headers;
  for (const auto& file : std::filesystem::recursive_directory_iterator("include/jacquard"))
    if (file.is_regular_file()) headers += contents(file.path());
  std::string joined;  // string literals in parts become one
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const std::size_t next = headers[i] == '"' ? headers.find_first_not_of(" \n", i + 1) : std::string::npos;
    if (next != std::string::npos && next > i + 1 && headers[next] == '"') i = next;
    else joined += headers[i];
  }
  std::istringstream document(contents("docs/errors.md"));
  int count = 0, refused = 0;
  for (std::string line; std::getline(document, line);) {
    const std::size_t middle = line.find("` | `"), end = line.rfind("` |");
    if (!line.starts_with("| `") || middle == std::string::npos) continue;
    CAPTURE(line);
    const std::string sentence = line.substr(middle + 5, end - middle - 5);
    CHECK(joined.find(sentence) != std::string::npos);
    ++count;
    if (end + 3 >= line.size()) continue;  // no third column
    CHECK(is_refused(line.substr(3, middle - 3), sentence, false));
    ++refused;
  }
  CHECK(count >= 20);
  CHECK(refused >= 12);
}
