// tridiagonal_solve: the product with the solution, a known solution, row exchanges, derivatives, batching, the compile-time lane, errors.
#include <jacquard/prims/tridiagonal_solve.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
const function solve = [](const arrays& x) { return lax::tridiagonal_solve(x[0], x[1], x[2], x[3]); };
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
/// The matrix times x, element by element.
array applied(const arrays& a, const array& x) {
  const std::int64_t n = x.shape()[0], k = x.shape()[1];
  const std::vector<c128> l = numbers(a[0]), d = numbers(a[1]), u = numbers(a[2]), v = numbers(x);
  jq::buffer* b = jq::make_buffer(jq::aval(jq::c128, x.shape()));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < k; ++j) {
      const auto at = [&](std::int64_t row) { return v[std::size_t(row * k + j)]; };
      c128 sum = d[std::size_t(i)] * at(i);
      if (i > 0) sum += l[std::size_t(i)] * at(i - 1);
      if (i + 1 < n) sum += u[std::size_t(i)] * at(i + 1);
      static_cast<jq::complex128*>(b->data)[i * k + j] = {sum.real(), sum.imag()};
    }
  return cast(array(b), x.dtype());
}
}  // namespace

TEST_CASE("tridiagonal_solve: the matrix times the solution is the right-hand side") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for (std::int64_t n : {1, 2, 3, 10}) {
      arrays a;
      for (unsigned k = 0; k < 3; ++k) a.push_back(noise(t, {n}, k + 1));  // no diagonal dominates: rows are exchanged
      const array b = noise(t, {n, 2}, 7);
      CHECK_CLOSE(applied(a, solve({a[0], a[1], a[2], b})), b, 1000 * precision(t));
    }
}
TEST_CASE("tridiagonal_solve: a zero pivot, what lies outside, nothing") {
  CHECK_CLOSE(solve({make({not_a_number, 1.0}), make({0.0, 0.0}), make({2.0, not_a_number}), make({4.0, 3.0}, {2, 1})}), make({3.0, 2.0}, {2, 1}), 0);
  CHECK_CLOSE(solve({make<double>({}), make<double>({}), make<double>({}), make<double>({}, {0, 2})}), make<double>({}, {0, 2}), 0);
  // -x'' = 1 on five inner points of [0, 6]: parabola i (6 - i) / 2.
  const array ones = lax::full({5}, jq::literal(-1, jq::f64, false)), b = lax::full({5, 1}, jq::literal(1, jq::f64, false));
  CHECK_CLOSE(solve({ones, lax::mul(-2.0, ones), ones, b}), make({2.5, 4.0, 4.5, 4.0, 2.5}, {5, 1}), 1e-14);
}
TEST_CASE("tridiagonal_solve: derivatives and batching") {
  for (jq::dtype t : {jq::f64, jq::c128}) {
    const arrays x{noise(t, {4}, 1), lax::add(noise(t, {4}, 2), cast(scalar(3.0), t)), noise(t, {4}, 3), noise(t, {4, 2}, 4)};
    check_derivatives(solve, x, 2, 1e-7);
  }
  check_batching(solve, {noise(jq::f64, {3}, 1), make({4.0, 5.0, 6.0}), noise(jq::f64, {3}, 3), noise(jq::f64, {3, 2}, 4)});
}
TEST_CASE("tridiagonal_solve: errors") {
  const array v = make({1.0, 2.0});
  CHECK_THROWS_WITH_AS(solve({v, v, v, v}), doctest::Contains("tridiagonal_solve: got operands of shapes (2,), (2,), (2,), (2,), wanted three diagonals"), jq::shape_error);
  CHECK_THROWS_AS(solve({v, v, v, make<float>({1, 2}, {2, 1})}), jq::type_error);
}
constexpr auto there = jq::jvp([](const auto& b) { return lax::tridiagonal_solve(b, lax::mul(4.0, b), lax::mul(0.0, b), lax::broadcast_in_dim(b, {2, 1}, {0})); },
                               jq::primals(jq::tensor<double, 2>{1, 1}), jq::tangents(jq::tensor<double, 2>{0, 0}));
static_assert(there.first[0] == 0.25 && there.first[1] == 0.1875);
