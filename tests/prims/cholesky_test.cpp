// cholesky: closed forms and reconstruction, what is read of the operand, matrices that are not positive definite, derivatives,
// batching, the compile-time lane, errors.
#include <jacquard/prims/cholesky.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
const function factor = unary([](const array& x) { return lax::cholesky(x); });
using number = jq::complex128;
const array real3 = make({4.0, 12.0, -16.0, 12.0, 37.0, -43.0, -16.0, -43.0, 98.0}, {3, 3});
const array complex2 = make<number>({{4, 0}, {2, -2}, {2, 2}, {11, 0}}, {2, 2});
}  // namespace

TEST_CASE("cholesky: the factors in closed form") {
  CHECK_CLOSE(factor({real3}), make({2.0, 0.0, 0.0, 6.0, 1.0, 0.0, -8.0, 5.0, 3.0}, {3, 3}), 1e-15);
  CHECK_CLOSE(factor({complex2}), make<number>({{2, 0}, {0, 0}, {1, 1}, {3, 0}}, {2, 2}), 1e-15);
  CHECK_CLOSE(factor({cast(real3, jq::f32)}), make<float>({2, 0, 0, 6, 1, 0, -8, 5, 3}, {3, 3}), 1e-5);
  CHECK_CLOSE(factor({make({9.0, 16.0}, {2, 1, 1})}), make({3.0, 4.0}, {2, 1, 1}), 0);
  CHECK_CLOSE(factor({make<double>({}, {0, 0})}), make<double>({}, {0, 0}), 0);
}
TEST_CASE("cholesky: only the lower triangle and the real diagonal are read") {
  CHECK_CLOSE(factor({make({4.0, 99.0, 2.0, 10.0}, {2, 2})}), make({2.0, 0.0, 1.0, 3.0}, {2, 2}), 0);
  CHECK_CLOSE(factor({make<number>({{4, 7}, {9, 9}, {2, 2}, {11, -5}}, {2, 2})}), factor({complex2}), 0);
}
TEST_CASE("cholesky: NaN where a matrix is not positive definite, and only there") {
  const array y = factor({make({1.0, 2.0, 2.0, 1.0, 4.0, 0.0, 0.0, 9.0}, {2, 2, 2})});
  CHECK_CLOSE(y, make({not_a_number, 0.0, not_a_number, not_a_number, 2.0, 0.0, 0.0, 3.0}, {2, 2, 2}), 0);
}
TEST_CASE("cholesky: derivatives and batching") {
  check_derivatives(factor, {real3}, 2, 1e-7);
  check_derivatives(factor, {complex2}, 2, 1e-7);
  check_batching(factor, {make({2.0, 1.5, 1.25, 3.0}, {2, 2})});
}
TEST_CASE("cholesky: errors") {
  CHECK_THROWS_WITH_AS(factor({make({1.0, 2.0}, {1, 2})}), doctest::Contains("cholesky: got an operand of shape (1, 2), wanted square matrices"), jq::shape_error);
  CHECK_THROWS_WITH_AS(factor({make({1.0, 2.0})}), doctest::Contains("wanted square matrices"), jq::shape_error);
  CHECK_THROWS_WITH_AS(factor({make<int>({1}, {1, 1})}), doctest::Contains("cholesky does not accept dtype int32"), jq::type_error);
}
// In constant evaluation: the derivative of a closed form. chol([4 2; 2 5]) = [2 0; 1 2].
constexpr auto derivative_there = jq::jvp([](const auto& a) { return lax::cholesky(a); }, jq::primals(jq::tensor<double, 2, 2>{4, 2, 2, 5}),
                                          jq::tangents(jq::tensor<double, 2, 2>{4, 0, 0, 0}));
static_assert(derivative_there.first == jq::tensor<double, 2, 2>{2, 0, 1, 2});
static_assert(derivative_there.second == jq::tensor<double, 2, 2>{1, 0, -0.5, 0.25});
