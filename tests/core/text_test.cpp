// The text buffer: what each << writes, in constant evaluation and at run time.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <jacquard/core/text.hpp>

using jacquard::cat;
using jacquard::text;

namespace {

template <class I>
constexpr text lowest() {
  return cat(std::numeric_limits<I>::min());
}
template <class I>
constexpr text highest() {
  return cat(std::numeric_limits<I>::max());
}

constexpr text doubled(std::string_view s, int times) {
  text t(s);
  for (; times > 0; --times) t << t;
  return t;
}

constexpr bool edits() {
  text t = "abc";
  t.append(3, '-').drop_back(2);
  t.reserve(100);
  const bool kept = t == "abc-" && t.back() == '-' && t[1] == 'b' && t.size() == 4 && !t.empty();
  t.clear();
  return kept && t.empty() && t == "";
}

static_assert(text().empty() && text().view().empty());
static_assert(cat() == "");
static_assert(cat("a", 1, ' ', true, false, text("x"), std::string_view("y")) == "a1 truefalsexy");
static_assert(cat(0, -1, 10u, 'c', char(65)) == "0-110cA");
static_assert(lowest<std::int8_t>() == "-128" && highest<std::uint8_t>() == "255");
static_assert(lowest<std::int32_t>() == "-2147483648" && highest<std::int32_t>() == "2147483647");
static_assert(lowest<std::int64_t>() == "-9223372036854775808");
static_assert(highest<std::uint64_t>() == "18446744073709551615");
static_assert(doubled("ab", 3) == "abababababababab");
static_assert(edits());
static_assert(text("a") == text("a") && text("a") != text("b") && text("a") != "ab");
static_assert("a" == text("a") && std::string_view("a") == text("a"));
static_assert(std::string_view(text("longer than nothing")).size() == 19);

// A pointer is not a bool.
template <class T>
concept writable = requires(text t, T x) { t << x; };
static_assert(writable<const char*> && writable<char> && writable<bool> && writable<long long>);
static_assert(!writable<void*> && !writable<int*> && !writable<double>);

}  // namespace

TEST_CASE("a text becomes a std::string and back") {
  text t = "shape ";
  t << '(' << 2 << ", " << std::int64_t{-3} << ')';
  CHECK(std::string(t) == "shape (2, -3)");
  CHECK(std::string(t.view()) == "shape (2, -3)");
  CHECK(t == std::string("shape (2, -3)"));
  CHECK(cat(std::string("a"), "b") == "ab");
}

TEST_CASE("writing a text into itself doubles it") { CHECK(doubled("xyz", 10).size() == 3 << 10); }

TEST_CASE("copies do not share characters") {
  text a = "a";
  text b = a;
  b << "b";
  CHECK(a == "a");
  CHECK(b == "ab");
}
