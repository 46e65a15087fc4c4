// fft: the sum by definition for every kind and many lengths, several dimensions, derivatives and transposes, batching, the
// compile-time lane, errors.
#include <jacquard/prims/fft.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
using jq::fft_type;
using jq::int_list;

namespace {
function transform(fft_type t, const int_list& n) {
  return unary([=](const array& x) { return lax::fft(x, t, n); });
}
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
/// The sums themselves, along the last dimension of a matrix.
std::vector<c128> by_definition(const std::vector<c128>& x, std::int64_t n, double sign) {
  std::vector<c128> y(x.size());
  for (std::size_t row = 0; row < x.size() / std::size_t(n); ++row)
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j)
        y[row * std::size_t(n) + std::size_t(k)] += x[row * std::size_t(n) + std::size_t(j)] * std::polar(1.0, sign * 2 * M_PI * double(j * k % n) / double(n));
  return y;
}
double largest_difference(const std::vector<c128>& a, const std::vector<c128>& b) {
  double r = a.size() == b.size() ? 0 : inf;
  for (std::size_t i = 0; i < a.size(); ++i) r = std::max(r, std::abs(a[i] - b[i]));
  return r;
}
using number = jq::complex128;
}  // namespace

TEST_CASE("fft: by definition, for lengths with every kind of factor") {
  for (std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 30, 31, 32, 37, 49, 64, 74, 97, 100, 121, 128, 210, 341, 1009}) {
    INFO("length " << n);
    const array x = noise(jq::c128, {2, n});
    const double tolerance = 1e-15 * std::sqrt(double(n)) * (10 + double(n) / 20);  // the sums above err more than what they check
    CHECK(largest_difference(numbers(lax::fft(x, fft_type::fft, {n})), by_definition(numbers(x), n, -1)) < tolerance);
    CHECK(largest_difference(numbers(lax::mul(double(n), lax::fft(x, fft_type::ifft, {n}))), by_definition(numbers(x), n, 1)) < tolerance);
    CHECK_CLOSE(lax::fft(lax::fft(x, fft_type::fft, {n}), fft_type::ifft, {n}), x, 1e-14);
  }
}
TEST_CASE("fft: exact values") {
  CHECK_CLOSE(lax::fft(make<number>({{1, 0}, {2, 0}, {3, 0}, {4, 0}}), fft_type::fft, {4}), make<number>({{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}}), 0);
  CHECK_CLOSE(lax::fft(make({1.0, 2.0, 3.0, 4.0}), fft_type::rfft, {4}), make<number>({{10, 0}, {-2, 2}, {-2, 0}}), 0);
  CHECK_CLOSE(lax::fft(make<number>({{10, 5}, {-2, 2}, {-2, 7}}), fft_type::irfft, {4}), make({1.0, 2.0, 3.0, 4.0}), 0);  // ignores 5 and 7
  CHECK_CLOSE(lax::fft(make<float>({1, 1, 1}), fft_type::rfft, {3}), make<jq::complex64>({{3, 0}, {0, 0}}), 1e-7);
}
TEST_CASE("fft: real transforms are the half of complex ones, and their inverses") {
  for (std::int64_t n : {1, 2, 3, 8, 9, 37}) {
    const array x = noise(jq::f64, {3, n}), half = lax::fft(x, fft_type::rfft, {n});
    const array all = lax::fft(cast(x, jq::c128), fft_type::fft, {n});
    CHECK_CLOSE(half, lax::slice(all, {0, 0}, {3, n / 2 + 1}), 1e-14);
    CHECK_CLOSE(lax::fft(half, fft_type::irfft, {n}), x, 1e-14);
  }
}
TEST_CASE("fft: several dimensions are one after another") {
  const array x = noise(jq::c128, {2, 4, 3, 5});
  array y = x;
  for (int d = 1; d < 4; ++d) y = jq::detail::move_axis(lax::fft(jq::detail::move_axis(y, d, 3), fft_type::fft, {x.shape()[d]}), 3, d);
  CHECK_CLOSE(lax::fft(x, fft_type::fft, {4, 3, 5}), y, 1e-14);
  const array r = noise(jq::f64, {2, 3, 6}), half = lax::fft(r, fft_type::rfft, {3, 6});
  CHECK_CLOSE(half, lax::slice(lax::fft(cast(r, jq::c128), fft_type::fft, {3, 6}), {0, 0, 0}, {2, 3, 4}), 1e-14);
  CHECK_CLOSE(lax::fft(half, fft_type::irfft, {3, 6}), r, 1e-14);
}
TEST_CASE("fft: derivatives, transposes and batching") {
  check_derivatives(transform(fft_type::fft, {5}), {noise(jq::c128, {2, 5})});
  check_derivatives(transform(fft_type::ifft, {2, 3}), {noise(jq::c128, {2, 3})});
  for (std::int64_t n : {4, 5}) {
    check_derivatives(transform(fft_type::rfft, {n}), {noise(jq::f64, {2, n})});
    check_derivatives(transform(fft_type::irfft, {n}), {noise(jq::c128, {2, n / 2 + 1})});
    check_derivatives(transform(fft_type::rfft, {2, n}), {noise(jq::f64, {2, n})});
    check_derivatives(transform(fft_type::irfft, {2, n}), {noise(jq::c128, {2, n / 2 + 1})});
  }
  check_batching(transform(fft_type::rfft, {4}), {noise(jq::f64, {2, 4})});
}
TEST_CASE("fft: errors") {
  CHECK_THROWS_WITH_AS(lax::fft(noise(jq::f64, {4}), fft_type::fft, {4}), doctest::Contains("fft does not accept dtype float64"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::fft(noise(jq::c128, {4}), fft_type::rfft, {4}), doctest::Contains("real transform"), jq::type_error);
  CHECK_THROWS_WITH_AS(lax::fft(noise(jq::c128, {4}), fft_type::fft, {5}), doctest::Contains("fft: got an operand of shape (4,) for lengths (5,)"), jq::shape_error);
  CHECK_THROWS_AS(lax::fft(noise(jq::c128, {0}), fft_type::fft, {0}), jq::value_error);
  CHECK_THROWS_AS(lax::fft(noise(jq::c128, {4}), fft_type::fft, {}), jq::value_error);
}
constexpr auto there = jq::jvp([](const auto& x) { return lax::fft(x, fft_type::rfft, {4}); }, jq::primals(jq::tensor<double, 4>{1, 2, 3, 4}),
                               jq::tangents(jq::tensor<double, 4>{1, 0, 0, 0}));
static_assert(there.first[0] == number(10, 0) && there.first[1] == number(-2, 2) && there.first[2] == number(-2, 0));
static_assert(there.second[0] == number(1, 0) && there.second[1] == number(1, 0) && there.second[2] == number(1, 0));
