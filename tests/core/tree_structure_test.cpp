// Structures of trees: their text, and words that differ exactly where structures do.
#include <jacquard/core/tree_structure.hpp>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <map>
#include <optional>

namespace jq = jacquard;

namespace {
struct params {
  jq::array w, b;
};
template <class T>
std::string text_of(const T& t) {
  return std::string(jq::tree::structure(t).view());
}
template <class T>
std::vector<std::uint64_t> words_of(const T& t) {
  std::vector<std::uint64_t> r;
  jq::detail::structure_words(t, [&](std::uint64_t w) { r.push_back(w); });
  return r;
}
static_assert(jq::tree::structure(std::pair(1.0, 2)) == "PyTreeDef((*, *))");
}  // namespace

TEST_CASE("structures as text") {
  const jq::array x = jq::asarray(1.0);
  CHECK(text_of(x) == "PyTreeDef(*)");
  CHECK(text_of(2.5) == "PyTreeDef(*)");
  CHECK(text_of(std::vector<float>{1, 2}) == "PyTreeDef(*)");
  CHECK(text_of(std::tuple(x)) == "PyTreeDef((*,))");
  CHECK(text_of(std::tuple<>()) == "PyTreeDef(())");
  CHECK(text_of(std::vector<jq::array>{x, x}) == "PyTreeDef([*, *])");
  CHECK(text_of(std::array<jq::array, 1>{x}) == "PyTreeDef([*])");
  CHECK(text_of(std::optional<jq::array>()) == "PyTreeDef(None)");
  CHECK(text_of(std::optional<jq::array>(x)) == "PyTreeDef(*)");
  CHECK(text_of(std::map<std::string, jq::array>{{"b", x}, {"a", x}}) == "PyTreeDef({'a': *, 'b': *})");
  CHECK(text_of(std::pair(params{x, x}, std::vector<std::pair<jq::array, int>>{{x, 1}})) == "PyTreeDef(((*, *), [(*, *)]))");
}

TEST_CASE("words are equal exactly for equal structures of one type") {
  const jq::array x = jq::asarray(1.0), y = jq::asarray({1, 2, 3});
  using list = std::vector<jq::array>;
  CHECK(words_of(list{x, y}) == words_of(list{y, x}));
  CHECK_FALSE(words_of(list{x}) == words_of(list{x, x}));
  using lists = std::vector<list>;
  CHECK_FALSE(words_of(lists{{x}, {x, x}}) == words_of(lists{{x, x}, {x}}));
  CHECK_FALSE(words_of(lists{{}, {x}}) == words_of(lists{{x}, {}}));
  using map = std::map<std::string, jq::array>;
  CHECK_FALSE(words_of(map{{"a", x}, {"b", x}}) == words_of(map{{"a", x}, {"c", x}}));
  CHECK_FALSE(words_of(map{{"ab", x}, {"c", x}}) == words_of(map{{"a", x}, {"bc", x}}));
  using maybe = std::pair<std::optional<jq::array>, std::optional<jq::array>>;
  CHECK_FALSE(words_of(maybe{x, {}}) == words_of(maybe{{}, x}));
  CHECK(words_of(params{x, y}).empty());
}

TEST_CASE("jit tells structures apart") {
  const auto f = jq::jit([](const std::vector<std::optional<jq::array>>& v) {
    jq::array sum = jq::zeros({});
    for (const auto& x : v)
      if (x) sum = sum + *x;
    return sum;
  });
  const jq::array one = jq::asarray(1.f);
  CHECK(float(f(std::vector<std::optional<jq::array>>{one, one})) == 2.f);
  CHECK(float(f(std::vector<std::optional<jq::array>>{one, {}})) == 1.f);
  CHECK(float(f(std::vector<std::optional<jq::array>>{{}, one})) == 1.f);
  CHECK(float(f(std::vector<std::optional<jq::array>>{one, one})) == 2.f);
  CHECK(f.cache_size() == 3);
}
