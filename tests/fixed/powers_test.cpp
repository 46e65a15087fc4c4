// How high the powers of a value rise in a program, and which products would rise higher. Oracle: exponents counted by hand.
#include <jacquard/fixed.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;

namespace {

constexpr std::uint32_t constant = jq::atom::literal_bit;
constexpr std::uint32_t x = 0, y = 1;

// x^2 is 2, 5 x^2 is 3, x^3 is 4, x y is 5.
struct cubes : jq::detail::powers {
  constexpr cubes() : powers(16) {
    multiply(x, x, 2);
    multiply(constant, 2, 3);
    multiply(3, x, 4);
    multiply(x, y, 5);
    multiply(constant, constant, 6);
  }
};

}  // namespace

TEST_CASE("powers rise as high as the program makes them") {
  const cubes p;
  CHECK_FALSE(p.rise_too_high(x, x));
  CHECK_FALSE(p.rise_too_high(x, 2));
  CHECK_FALSE(p.rise_too_high(3, x));
  CHECK(p.rise_too_high(2, 2));
  CHECK(p.rise_too_high(4, x));
}
TEST_CASE("a value that the program does not square is not squared") {
  const cubes p;
  CHECK(p.rise_too_high(y, y));
  CHECK_FALSE(p.rise_too_high(y, x));
  CHECK_FALSE(p.rise_too_high(y, constant));
  CHECK_FALSE(p.rise_too_high(constant, constant));
}
TEST_CASE("a product of two is a value of its own") {
  const cubes p;
  CHECK_FALSE(p.rise_too_high(5, x));
  CHECK(p.rise_too_high(5, 5));
}
TEST_CASE("powers of one value have one base") {
  const cubes p;
  CHECK(p.have_one_base(x, 4));
  CHECK(p.have_one_base(2, 3));
  CHECK(p.have_one_base(constant, constant));
  CHECK_FALSE(p.have_one_base(x, y));
  CHECK_FALSE(p.have_one_base(x, 5));
  CHECK_FALSE(p.have_one_base(x, constant));
}
static_assert(cubes{}.rise_too_high(4, 4));
