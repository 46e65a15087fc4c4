// eigh: closed forms, reconstruction, order, what is read of the operand, repeated eigenvalues, derivatives, the compile-time lane.
#include <jacquard/prims/eigh.hpp>

#include <algorithm>

#include "prim_testing.hpp"

using namespace prim_testing;

namespace {
using jq::detail::adjoint, jq::detail::along_columns, jq::detail::first_columns, jq::detail::first_rows, jq::detail::identity_like,
    jq::detail::in_type_of, jq::detail::product_of, jq::detail::rows_of;
arrays pairs(const array& x) {
  const jq::array_list y = lax::eigh(x);
  return {y[0], y[1]};
}
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
array hermitian(const array& x) { return lax::add(x, adjoint(x)); }
const function values_of = unary([](const array& x) { return lax::eigh(x, false)[0]; });
/// A function of the matrix that the vectors enter without their signs: v diag(exp(w)) v^H.
const function exponential = unary([](const array& x) {
  const arrays y = pairs(x);
  const array w = in_type_of(along_columns(lax::exp(y[0]), rows_of(x.shape())), x);
  return product_of(lax::mul(y[1], w), adjoint(y[1]));
});
}  // namespace

TEST_CASE("eigh: vectors are orthonormal, values ascend, and both make the matrix") {
  for (jq::dtype t : {jq::f32, jq::f64, jq::c64, jq::c128})
    for (std::int64_t n : {1, 2, 3, 6, 20}) {
      const array x = hermitian(noise(t, {n, n}, unsigned(n)));
      const arrays y = pairs(x);
      CHECK_CLOSE(product_of(lax::mul(y[1], in_type_of(along_columns(y[0], n), x)), adjoint(y[1])), x, 4 * double(n) * precision(t));
      CHECK_CLOSE(product_of(adjoint(y[1]), y[1]), identity_like(x), 4 * double(n) * precision(t));
      const std::vector<double> w = values<double>(y[0]);
      CHECK(std::is_sorted(w.begin(), w.end()));
      CHECK_CLOSE(lax::eigh(x, false)[0], y[0], 4 * double(n) * precision(t));
    }
}
TEST_CASE("eigh: the eigenvalues of the second difference are known") {
  const std::int64_t n = 12;
  std::vector<double> want;
  jq::buffer* b = jq::make_buffer(jq::aval(jq::f64, {n, n}));
  for (std::int64_t i = 0; i < n; ++i) {
    want.push_back(2 - 2 * std::cos(M_PI * double(i + 1) / double(n + 1)));
    for (std::int64_t j = 0; j < n; ++j) static_cast<double*>(b->data)[i * n + j] = i == j ? 2 : std::abs(i - j) == 1 ? -1 : 0;
  }
  const std::vector<double> got = values<double>(values_of({array(b)}));
  for (std::size_t i = 0; i < want.size(); ++i) CHECK(got[i] == doctest::Approx(want[i]).epsilon(1e-13));
}
TEST_CASE("eigh: by hand, with repeated values, of the lower triangle only, of nothing and of NaN") {
  const double h = std::sqrt(0.5);
  const arrays y = pairs(make({2.0, 99.0, 1.0, 2.0}, {2, 2}));
  CHECK_CLOSE(y[0], make({1.0, 3.0}), 1e-15);
  CHECK_CLOSE(y[1], make({h, h, -h, h}, {2, 2}), 1e-15);
  CHECK_CLOSE(pairs(identity_like(make({0.0, 0.0, 0.0, 0.0}, {2, 2})))[0], make({1.0, 1.0}), 0);
  CHECK_CLOSE(pairs(make<double>({}, {0, 0}))[0], make<double>({}, {0}), 0);
  CHECK_CLOSE(values_of({make({1.0, 0.0, not_a_number, 1.0}, {2, 2})}), make({not_a_number, not_a_number}), 0);
}
TEST_CASE("eigh: derivatives and batching") {
  for (jq::dtype t : {jq::f64, jq::c128}) {
    check_derivatives(values_of, {noise(t, {3, 3}, 2)}, 2, 1e-6);
    check_derivatives(unary([](const array& x) { return exponential({hermitian(x)}); }), {noise(t, {3, 3}, 2)}, 2, 1e-6);
  }
  check_derivatives(unary([](const array& x) { return pairs(x)[1]; }), {noise(jq::f64, {3, 3}, 4)}, 2, 1e-6);
  check_batching([](const arrays& x) { return pairs(x[0]); }, {make({2.0, 1.5, 1.25, 3.0}, {2, 2})});
}
TEST_CASE("eigh: where eigenvalues are equal, functions that treat them alike have derivatives") {
  const array x = identity_like(make({0.0, 0.0, 0.0, 0.0}, {2, 2}));
  const function trace = unary([](const array& a) { return lax::reduce_sum(lax::eigh(a)[0], {0}); });
  CHECK_CLOSE(cotangents(trace, {x}, scalar(1.0))[0], x, 1e-15);
  // The projection on the vectors of 1 and 1, next to 3: its tangent is v_i v_i^T da v_j v_j^T / (w_i - w_j) and that transposed, for i within and j not.
  const function projection = unary([](const array& a) {
    const array v = lax::slice(lax::eigh(a)[1], {0, 0}, {3, 2});
    return product_of(v, adjoint(v));
  });
  const array three = make({1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0}, {3, 3}), turn = make({7.0, 2.0, 1.0, 2.0, 5.0, -4.0, 1.0, -4.0, 6.0}, {3, 3});
  CHECK_CLOSE(derivative(projection, {three}, {turn}), make({0.0, 0.0, -0.5, 0.0, 0.0, 2.0, -0.5, 2.0, 0.0}, {3, 3}), 1e-15);
}
constexpr auto there = jq::jvp([](const auto& a) { return lax::eigh(a)[0]; }, jq::primals(jq::tensor<double, 2, 2>{2, 0, 1, 2}),
                               jq::tangents(jq::tensor<double, 2, 2>{1, 0, 0, 1}));
static_assert(there.first[0] > 0.999999 && there.first[0] < 1.000001 && there.second[1] > 0.999999 && there.second[1] < 1.000001);
TEST_CASE("eigh: errors") {
  CHECK_THROWS_WITH_AS(lax::eigh(make({1.0, 2.0}, {1, 2})), doctest::Contains("eigh: got an operand of shape (1, 2), wanted square"), jq::shape_error);
}
