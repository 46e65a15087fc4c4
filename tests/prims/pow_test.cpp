// pow: C's special cases, integers, complex numbers, derivatives that stay finite at 0, batching, all dtypes.
#include <cmath>

#include <jacquard/fixed.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
array power(const array& x, const array& y) { return lax::pow(x, y); }
}  // namespace

static_assert(jq::pow_p::apply(2.0, 0.5) == 1.4142135623730951 && jq::pow_p::apply(3, 4) == 81);
// The rule is known where the table of the primitive is first made: clang asks for it at once.
static_assert(jq::grad([](auto x, auto n) { return jq::pow(x, n); })(2.0, 3) == 12.0);

TEST_CASE("pow: values") {
  const array x = make({2.0, -2.0, -2.0, 0.0, 0.0, 0.0, not_a_number, 1.0, inf, 10.0});
  const array y = make({0.5, 3.0, 0.5, 0.0, 2.0, -1.0, 0.0, not_a_number, -1.0, -300.0});
  CHECK_CLOSE(power(x, y), make({std::sqrt(2.0), -8.0, not_a_number, 1.0, 0.0, inf, 1.0, 1.0, 0.0, 1e-300}), 1e-15);
  CHECK_CLOSE(lax::pow(make({2.0f, 3.0f}), 2.0), make({4.0f, 9.0f}), 0);
  CHECK_CLOSE(power(make({2, -3, 2, -1, 0}), make({10, 3, -1, -3, 0})), make({1024, -27, 0, -1, 1}), 0);
  CHECK_CLOSE(power(make<std::uint8_t>({3}), make<std::uint8_t>({6})), make<std::uint8_t>({729 - 512}), 0);
  check_dtypes(binary(power), {make({1.5, 2.0, 3.0}), make({2.0, 0.5, 1.25})}, jq::numbers);
}
TEST_CASE("pow: complex numbers") {
  const array z = make<jq::complex128>({{1, 2}, {-1, 0.5}}), w = make<jq::complex128>({{0.5, -1}, {2, 0}});
  const std::vector<c128> got = numbers(power(z, w)), base = numbers(z), exponent = numbers(w);
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - std::pow(base[i], exponent[i])) < 1e-14);
  check_derivatives(binary(power), {z, w});
}
TEST_CASE("pow: derivative and batching") {
  const array x = make({0.5, 2.0, 3.0}), y = make({2.0, -1.5, 0.25}), s = scalar(1.5);
  for (const arrays& in : {arrays{x, y}, arrays{s, y}, arrays{x, s}}) {
    check_derivatives(binary(power), in);
    check_batching(binary(power), in);
  }
  const array slope =
      cotangents([](const arrays& in) { return lax::pow(in[0], 3.0); }, {make({-2.0, 0.0})}, make({1.0, 1.0}))[0];
  CHECK_CLOSE(slope, make({12.0, 0.0}), 1e-14);
}
TEST_CASE("pow: derivatives at base 0") {
  const arrays back = cotangents(binary(power), {make({0.0, 0.0, 0.0}), make({0.0, 1.0, 2.0})}, make({1.0, 1.0, 1.0}));
  CHECK_CLOSE(back[0], make({0.0, 1.0, 0.0}), 0);
  CHECK_CLOSE(back[1], make({0.0, 0.0, 0.0}), 0);
  // The second derivative of x^0 and of x^2 in x at 0.
  const array one = make({1.0, 1.0});
  const auto squared = [&](const arrays& x) { return lax::pow(x[0], make({0.0, 2.0})); };
  const auto slope = [&](const arrays& x) { return derivative(squared, x, {one}); };
  CHECK_CLOSE(derivative(slope, {make({0.0, 0.0})}, {one}), make({0.0, 2.0}), 0);
}
