// lu: known factors, row exchanges, matrices of every shape by reconstruction, singular ones, derivatives, the compile-time lane.
#include <jacquard/prims/lu.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
const function factors = unary([](const array& x) { return lax::lu(x)[0]; });
arrays all(const array& x) {
  const jq::array_list y = lax::lu(x);
  return arrays(y.begin(), y.end());
}
/// L U, rows in their old places.
array rebuilt(const array& x) {
  const arrays y = all(x);
  const std::int64_t m = x.shape()[0], n = x.shape()[1], k = std::min(m, n);
  const std::vector<c128> lu = numbers(y[0]);
  const std::vector<int> order = values<int>(y[2]);
  jq::buffer* b = jq::make_buffer(jq::aval(jq::c128, x.shape()));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      c128 sum = 0;
      for (std::int64_t q = 0; q < k; ++q)
        sum += (q < i ? lu[std::size_t(i * n + q)] : q == i ? c128(1) : c128(0)) * (q <= j ? lu[std::size_t(q * n + j)] : c128(0));
      static_cast<jq::complex128*>(b->data)[order[std::size_t(i)] * n + j] = {sum.real(), sum.imag()};
    }
  return cast(array(b), x.dtype());
}
const array tall = make({1.0, 2.0, 3.0, 4.0, 7.0, 6.0}, {3, 2}), wide = make({1.0, 2.0, 3.0, 4.0, 7.0, 6.0}, {2, 3});
const array square = direction(jq::ones({4, 4}, jq::f64), 3), complex_one = direction(jq::ones({3, 3}, jq::c128), 4);
}  // namespace

TEST_CASE("lu: factors by hand") {
  const arrays y = all(make({1.0, 2.0, 3.0, 4.0}, {2, 2}));
  CHECK_CLOSE(y[0], make({3.0, 4.0, 1.0 / 3, 2.0 / 3}, {2, 2}), 1e-15);
  CHECK_CLOSE(y[1], make({1, 1}), 0);
  CHECK_CLOSE(y[2], make({1, 0}), 0);
  CHECK_CLOSE(all(make<double>({}, {0, 0}))[2], make<int>({}, {0}), 0);
}
TEST_CASE("lu: the product of the factors is the matrix") {
  for (const array& x : {tall, wide, square, complex_one, cast(square, jq::f32), cast(complex_one, jq::c64)})
    CHECK_CLOSE(rebuilt(x), x, 4 * precision(x.dtype()));
}
TEST_CASE("lu: multipliers are at most one, and a singular matrix has factors") {
  const arrays y = all(square);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) CHECK(std::abs(values<double>(y[0])[std::size_t(4 * i + j)]) <= 1);
  CHECK_CLOSE(factors({make({1.0, 2.0, 2.0, 4.0}, {2, 2})}), make({2.0, 4.0, 0.5, 0.0}, {2, 2}), 0);
  CHECK_CLOSE(factors({lax::zeros(jq::aval(jq::f64, {2, 2}))}), lax::zeros(jq::aval(jq::f64, {2, 2})), 0);
}
TEST_CASE("lu: derivatives and batching") {
  for (const array& x : {tall, wide, square, complex_one}) check_derivatives(factors, {x}, 2, 1e-7);
  check_batching([](const arrays& x) { return all(x[0]); }, {make({2.0, 1.5, 1.25, 3.0}, {2, 2})});
}
TEST_CASE("lu: errors") {
  CHECK_THROWS_WITH_AS(factors({make({1.0, 2.0})}), doctest::Contains("lu: got an operand of shape (2,), wanted matrices"), jq::shape_error);
}
constexpr auto there = jq::jvp([](const auto& a) { return lax::lu(a)[0]; }, jq::primals(jq::tensor<double, 2, 2>{1, 2, 4, 4}),
                               jq::tangents(jq::tensor<double, 2, 2>{1, 0, 0, 0}));
static_assert(there.first == jq::tensor<double, 2, 2>{4, 4, 0.25, 1});
static_assert(there.second == jq::tensor<double, 2, 2>{0, 0, 0.25, -1});
