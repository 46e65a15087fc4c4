// Integer arithmetic: wrapping, and division that never traps. Exhaustive over 8 bits against arithmetic in
// int.
#include "jacquard/core/math/integer.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace math = jacquard::math;

constexpr auto int_min = std::numeric_limits<int>::min();
constexpr auto int_max = std::numeric_limits<int>::max();

static_assert(math::add(int_max, 1) == int_min && math::subtract(int_min, 1) == int_max &&
              math::negate(int_min) == int_min);
static_assert(math::multiply(std::uint16_t{65535}, std::uint16_t{65535}) == 1 &&
              math::multiply(int_min, -1) == int_min);
static_assert(math::int_div(7, -2) == -3 && math::int_div(5, 0) == -1 && math::int_div(5U, 0U) == ~0U);
static_assert(math::int_div(int_min, -1) == int_min && math::int_rem(int_min, -1) == 0 &&
              math::int_rem(-7, 2) == -1);
static_assert(math::int_rem(7, 0) == 7 && math::int_rem(std::uint8_t{7}, std::uint8_t{0}) == 7);
static_assert(math::int_pow(3, 4) == 81 && math::int_pow(2, 31) == int_min && math::int_pow(2, 40) == 0);
static_assert(math::int_pow(0, 0) == 1 && math::int_pow(-1, -3) == -1 && math::int_pow(5, -1) == 0 &&
              math::int_pow(1, -9) == 1);
static_assert(math::int_pow(-3LL, 39U) == -4052555153018976267LL);
static_assert(math::abs(int_min) == int_min && math::abs(-3L) == 3 && math::sign(-9) == -1 &&
              math::sign(std::uint8_t{200}) == 1);
static_assert(math::max(-1, 2) == 2 && math::min(3U, 2U) == 2U && math::max(false, true));
static_assert(math::is_finite(1) && !math::is_nan(1) && !math::is_inf(1));
static_assert(!math::integer_scalar<bool> && !math::integer_scalar<double>);

namespace {

template <class T>
int wrong_results() {
  int wrong = 0;
  for (int x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) {
    for (int y = std::numeric_limits<T>::min(); y <= std::numeric_limits<T>::max(); ++y) {
      const auto a = static_cast<T>(x);
      const auto b = static_cast<T>(y);
      wrong += math::add(a, b) != static_cast<T>(x + y);
      wrong += math::subtract(a, b) != static_cast<T>(x - y);
      wrong += math::multiply(a, b) != static_cast<T>(x * y);
      wrong += math::int_div(a, b) != static_cast<T>(y == 0 ? -1 : x / y);
      wrong += math::int_rem(a, b) != static_cast<T>(y == 0 ? x : x % y);
      wrong += math::max(a, b) != (x < y ? y : x) || math::min(a, b) != (x < y ? x : y);
    }
    wrong += math::abs(static_cast<T>(x)) != static_cast<T>(x < 0 ? -x : x);
    wrong += math::sign(static_cast<T>(x)) != (x > 0) - (x < 0);
  }
  return wrong;
}

}  // namespace

TEST_CASE("all pairs of 8-bit integers") {
  CHECK(wrong_results<std::int8_t>() == 0);
  CHECK(wrong_results<std::uint8_t>() == 0);
}

TEST_CASE("powers equal repeated products") {
  int wrong = 0;
  for (int base = -128; base < 128; ++base) {
    auto product = std::int8_t{1};
    for (int n = 0; n < 100; ++n) {
      wrong += math::int_pow(static_cast<std::int8_t>(base), n) != product;
      product = math::multiply(product, static_cast<std::int8_t>(base));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("division of many by one is that of each: edges of both ranges, and chance") {
  std::vector<std::uint64_t> numbers{0, 1, 2, 3, 7, 10, 1000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, ~0ULL - 1, ~0ULL};
  std::uint64_t state = 1;
  for (int i = 0; i < 200; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    numbers.push_back((state ^ (state >> 29)) >> (i % 64));
  }
  const auto check = [&]<class T>(T) {
    std::vector<T> a, quotients(numbers.size()), rest(numbers.size());
    for (std::uint64_t x : numbers) a.push_back(static_cast<T>(x));
    const auto n = std::int64_t(a.size());
    for (T divisor : a) {
      const std::vector<T> b(a.size(), divisor);
      math::divide_all(a.data(), b.data(), quotients.data(), n);
      math::rem_all(a.data(), b.data(), rest.data(), n);
      bool same = true;
      for (std::size_t i = 0; i < a.size(); ++i) same = same && quotients[i] == math::int_div(a[i], divisor) && rest[i] == math::int_rem(a[i], divisor);
      CAPTURE(divisor);
      CHECK(same);
    }
    math::divide_all(a.data(), a.data() + 1, quotients.data(), n - 1);  // divisors of their own
    math::rem_all(a.data(), a.data() + 1, rest.data(), n - 1);
    for (std::size_t i = 0; i + 1 < a.size(); ++i) CHECK((quotients[i] == math::int_div(a[i], a[i + 1]) && rest[i] == math::int_rem(a[i], a[i + 1])));
  };
  check(std::uint64_t{});
  check(std::int64_t{});
}
