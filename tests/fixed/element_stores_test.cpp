// Stores of small results: what is stored at once, and that every element arrives where it belongs, zeros among others with their signs.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace jq = jacquard;
using jq::tensor;

namespace {

/// How elements are stored that are computed by the operations with these names; '0' is the constant zero.
template <std::size_t N>
constexpr auto stores(const char (&names)[N], bool in_pairs = true) {
  std::array<jq::detail::stored_element, N - 1> x{};
  for (std::size_t i = 0; i + 1 < N; ++i) x[i] = {names[i] == '0', std::uint32_t(names[i])};
  return jq::detail::stores_of(x, in_pairs);
}
template <std::size_t N>
using counts = std::array<std::uint8_t, N>;

static_assert(stores("a") == counts<1>{1});
static_assert(stores("ab") == counts<2>{2, 0});
static_assert(stores("aba") == counts<3>{2, 0, 1});
static_assert(stores("ab", false) == counts<2>{1, 1});
// Four by one operation are the compiler's.
static_assert(stores("aaab") == counts<4>{2, 0, 2, 0});
static_assert(stores("aaaab") == counts<5>{1, 1, 1, 1, 1});
static_assert(stores("baaaab") == counts<6>{1, 1, 1, 1, 1, 1});
static_assert(stores("bbaaaacc") == counts<8>{2, 0, 1, 1, 1, 1, 2, 0});
// Zeros are rows as wide as there are lanes, up to four; what is left of them goes with others.
constexpr bool wide = jq::detail::zero_row == 4;
static_assert(!wide || stores("a0000b", false) == counts<6>{1, 4, 0, 0, 0, 1});
static_assert(!wide || stores("ab0000ba") == counts<8>{4, 0, 0, 0, 4, 0, 0, 0});
static_assert(!wide || stores("abc0000cba") == counts<10>{2, 0, 2, 0, 4, 0, 0, 0, 2, 0});
static_assert(!wide || stores("abc00000") == counts<8>{2, 0, 2, 0, 4, 0, 0, 0});
// So are four of which half are zeros, but for what is the compiler's.
static_assert(!wide || stores("a0b00cd0") == counts<8>{4, 0, 0, 0, 4, 0, 0, 0});
static_assert(!wide || stores("a0b00cd0", false) == counts<8>{1, 1, 1, 1, 1, 1, 1, 1});
static_assert(!wide || stores("00aaaa00") == counts<8>{2, 0, 1, 1, 1, 1, 2, 0});
static_assert(!wide || stores("a0000000b") == counts<9>{4, 0, 0, 0, 4, 0, 0, 0, 1});
static_assert(!wide || stores("a0000000b", false) == counts<9>{1, 4, 0, 0, 0, 1, 1, 1, 1});
static_assert(!wide || stores("000") == counts<3>{2, 0, 1});
static_assert(wide || stores("a000b") == counts<5>{1, 2, 0, 2, 0});

constexpr auto run = [](auto f, const auto&... x) { return jq::detail::run_static<decltype(f), jq::detail::own_result>(x...); };

// Sums, products, quotients, arguments, constants and a function next to each other; the Jacobian has zeros among them.
constexpr auto mixed = [](auto x) {
  return jq::stack({x[0] + x[1], x[0] * x[1], x[1] / x[2], x[2], -x[0], x[0] - x[2], x[1] * 3.0, x[0] + 1.0, x[2] * x[2], x[2] + x[1], x[1] + x[1] * x[0]});
};
constexpr auto jacobian = jq::jacfwd(mixed);
constexpr auto narrow = [](auto x) { return jq::stack({x[0] + x[1], x[0] * x[1], x[1], -x[0], x[0] - x[1]}); };

constexpr tensor<double, 3> some{2, -3, 5};
constexpr tensor<double, 11> values{-1, -6, -0.6, 5, -2, -3, -9, 3, 25, 2, -9};
constexpr tensor<double, 11, 3> derivatives{1, 1, 0, -3, 2, 0, 0, 0.2, 0.12, 0, 0, 1, -1, 0, 0, 1, 0, -1, 0, 3, 0, 1, 0, 0, 0, 0, 10, 0, 1, 1, -3, 3, 0};
constexpr bool equal(const auto& a, const auto& b) {
  bool r = true;
  for (std::size_t i = 0; i < a.size(); ++i) r = r && std::bit_cast<std::uint64_t>(a.data()[i]) == std::bit_cast<std::uint64_t>(b.data()[i]);
  return r;
}
static_assert(equal(run(mixed, some), values));

}  // namespace

TEST_CASE("elements of all kinds arrive where they belong") {
  tensor<double, 3> x = some;
  asm volatile("" : "+m"(x));
  CHECK(equal(run(mixed, x), values));
  const auto d = run(jacobian, x);
  for (std::size_t i = 0; i < derivatives.size(); ++i) CHECK(d.data()[i] == doctest::Approx(derivatives.data()[i]).epsilon(1e-15));
  tensor<float, 2> y{1.5f, -0.25f};
  asm volatile("" : "+m"(y));
  CHECK(run(narrow, y) == tensor<float, 5>{1.25f, -0.375f, -0.25f, -1.5f, 1.75f});
}
TEST_CASE("zeros keep their signs next to others") {
  tensor<double, 3> x{-0.0, 1, 2};
  asm volatile("" : "+m"(x));
  const auto y = run(mixed, x);
  CHECK((y[1] == 0 && std::signbit(y[1])));
  CHECK((y[4] == 0 && !std::signbit(y[4])));
}
TEST_CASE("numbers that the compiler learns late are as often in a row as they should be") {
  constexpr auto rows = [](auto x) { return jq::stack({x[2], x[2], 0.0 * x[0], 0.0 * x[0], x[1], x[1] + x[0], 0.0 * x[1], 0.0 * x[1]}); };
  constexpr auto twice = [](auto x) { return jq::where(jq::arange(8) < 2, jq::full_like(jq::arange(8.0), 1.0) * x[2], 0.0); };
  tensor<double, 10> x{};
  for (std::size_t i = 0; i < 10; ++i) x[i] = double(i + 1);
  CHECK(run(rows, x) == tensor<double, 8>{3, 3, 0, 0, 2, 3, 0, 0});
  CHECK(run(twice, x) == tensor<double, 8>{3, 3, 0, 0, 0, 0, 0, 0});
}
