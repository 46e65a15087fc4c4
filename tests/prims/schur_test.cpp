// schur: reconstruction, triangles and unitary vectors, known eigenvalues, matrices that iterations find hard, errors.
#include <jacquard/prims/schur.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
using jq::detail::adjoint, jq::detail::identity_like, jq::detail::product_of, jq::detail::upper_part;
using number = jq::complex128;

namespace {
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
void check_form(const array& x) {
  const jq::array_list y = lax::schur(x);
  const double tolerance = 16 * double(x.shape()[0]) * precision(x.dtype());
  CHECK_CLOSE(product_of(product_of(y[1], y[0]), adjoint(y[1])), x, tolerance);
  CHECK_CLOSE(product_of(adjoint(y[1]), y[1]), identity_like(x), tolerance);
  CHECK_CLOSE(upper_part(y[0]), y[0], 0);
  CHECK_CLOSE(lax::schur(x, false)[0], y[0], 0);
}
}  // namespace

TEST_CASE("schur: unitary vectors, a triangle, and both make the matrix") {
  for (jq::dtype t : {jq::c64, jq::c128})
    for (std::int64_t n : {1, 2, 3, 5, 8, 24}) check_form(noise(t, {n, n}, unsigned(n)));
}
TEST_CASE("schur: shifts of cyclic matrices, defective and zero ones") {
  for (std::int64_t n : {2, 3, 4, 7}) {
    jq::buffer* b = jq::make_buffer(jq::aval(jq::c128, {n, n}));
    for (std::int64_t i = 0; i < n * n; ++i) static_cast<number*>(b->data)[i] = {double((i / n + 1) % n == i % n), 0};
    const array cyclic(b);
    check_form(cyclic);
    check_form(upper_part(cyclic));  // one Jordan block
  }
  check_form(lax::zeros(jq::aval(jq::c128, {4, 4})));
  CHECK_CLOSE(lax::schur(make<number>({}, {0, 0}))[0], make<number>({}, {0, 0}), 0);
  CHECK_CLOSE(lax::schur(make<number>({{not_a_number, 0}}, {1, 1}))[0], make<number>({{not_a_number, 0}}, {1, 1}), 0);
}
TEST_CASE("schur: a triangle is its own form") {
  const array t = make<number>({{1, 1}, {2, 0}, {0, 0}, {3, -1}}, {2, 2});
  CHECK_CLOSE(lax::schur(t)[0], t, 1e-15);
}
TEST_CASE("schur: batching and errors") {
  check_batching([](const arrays& x) { const jq::array_list y = lax::schur(x[0]); return arrays{y[0], y[1]}; }, {noise(jq::c128, {3, 3})});
  CHECK_THROWS_WITH_AS(lax::schur(noise(jq::f64, {3, 3})), doctest::Contains("schur does not accept dtype float64: wanted complex64"), jq::type_error);
  CHECK_THROWS_AS(lax::schur(noise(jq::c128, {3, 2})), jq::shape_error);
  CHECK_THROWS_AS(derivative(unary([](const array& x) { return lax::schur(x)[0]; }), {noise(jq::c128, {2, 2})}, {noise(jq::c128, {2, 2})}), jq::not_implemented);
}
