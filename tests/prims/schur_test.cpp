// schur: reconstruction, triangles and unitary vectors, known eigenvalues, matrices that iterations find hard, errors.
#include <jacquard/prims/schur.hpp>

#include "prim_testing.hpp"

using namespace prim_testing;
using jq::detail::adjoint, jq::detail::identity_like, jq::detail::product_of, jq::detail::upper_part;
using number = jq::complex128;

namespace {
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
/// A real form: the same, but for blocks of complex pairs, whose diagonal elements are equal and whose others have opposite signs.
void check_real_form(const array& x) {
  const jq::array_list y = lax::schur(x);
  const int n = int(x.shape()[0]);
  const double tolerance = 16 * n * precision(x.dtype());
  CHECK_CLOSE(product_of(product_of(y[1], y[0]), adjoint(y[1])), x, tolerance);
  CHECK_CLOSE(product_of(adjoint(y[1]), y[1]), identity_like(x), tolerance);
  CHECK_CLOSE(upper_part(y[0], -1), y[0], 0);
  const std::vector<c128> t = numbers(y[0]);
  const auto at = [&](int i, int j) { return t[std::size_t(i * n + j)].real(); };
  for (int i = 0; i + 1 < n; ++i) {
    if (at(i + 1, i) == 0) continue;
    CHECK(at(i, i) == at(i + 1, i + 1));
    CHECK(at(i, i + 1) * at(i + 1, i) < 0);
    if (i + 2 < n) CHECK(at(i + 2, i + 1) == 0);
  }
  CHECK_CLOSE(lax::schur(x, false)[0], y[0], 0);
}
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
TEST_CASE("schur: real matrices stay real, with blocks for complex pairs") {
  for (jq::dtype t : {jq::f32, jq::f64})
    for (std::int64_t n : {0, 1, 2, 3, 5, 8, 24}) check_real_form(noise(t, {n, n}, unsigned(n)));
  for (std::int64_t n : {2, 3, 4, 7}) {
    jq::buffer* b = jq::make_buffer(jq::aval(jq::f64, {n, n}));
    for (std::int64_t i = 0; i < n * n; ++i) static_cast<double*>(b->data)[i] = (i / n + 1) % n == i % n;
    const array cyclic(b);
    check_real_form(cyclic);
    check_real_form(upper_part(cyclic));
  }
  check_real_form(lax::zeros(jq::aval(jq::f64, {4, 4})));
  check_real_form(make<double>({0, 1, 0, 0}, {2, 2}));
  check_real_form(make<double>({0, 0, 1, 0}, {2, 2}));
  check_real_form(make<double>({1e-200, 1e200, 1e-200, 1e-200}, {2, 2}));
  const array triangle = make<double>({3, 1, 2, 0, 1, 5, 0, 0, 2}, {3, 3});
  CHECK_CLOSE(lax::schur(triangle)[0], triangle, 0);
  // scipy.linalg.schur([[1, 2, 0], [-2, 1, 3], [0, 0, 4]]): the block of 1 +- 2i, then 4
  const std::vector<c128> t = numbers(lax::schur(make<double>({1, 2, 0, -2, 1, 3, 0, 0, 4}, {3, 3}))[0]);
  CHECK(close(t[0].real(), 1, 1e-14));
  CHECK(close(t[1].real() * t[3].real(), -4, 1e-14));
  CHECK(close(t[8].real(), 4, 1e-14));
  CHECK_CLOSE(lax::schur(make<double>({not_a_number}, {1, 1}))[0], make<double>({not_a_number}, {1, 1}), 0);
}
TEST_CASE("schur: matrices of low rank, whose reflections come to the smallest numbers") {
  for (jq::dtype t : {jq::f32, jq::f64})
    for (std::int64_t n : {8, 10, 23, 24, 25}) {
      check_real_form(lax::full({n, n}, jq::literal(1, t, false)));
      check_real_form(product_of(noise(t, {n, 2}, unsigned(n)), noise(t, {2, n}, 3)));
    }
  for (jq::dtype t : {jq::c64, jq::c128})
    for (std::int64_t n : {8, 10, 23, 24, 25}) {
      check_form(lax::full({n, n}, jq::literal(1, t, false)));
      check_form(product_of(noise(t, {n, 2}, unsigned(n)), noise(t, {2, n}, 3)));
    }
}
TEST_CASE("schur: the form of a multiple is that multiple, also of huge and tiny ones") {
  const auto scaled = [](const array& x, int k) { return lax::mul(x, lax::full(x.shape(), jq::literal(std::ldexp(1.0, k), x.dtype(), false))); };
  for (jq::dtype t : {jq::f64, jq::c128})
    for (int k : {-1000, 515, 1020}) {
      const array x = noise(t, {5, 5}, 6);
      const jq::array_list y = lax::schur(scaled(x, k));
      CHECK_CLOSE(product_of(adjoint(y[1]), y[1]), identity_like(x), 80 * precision(t));
      CHECK_CLOSE(product_of(product_of(y[1], scaled(y[0], -k)), adjoint(y[1])), x, 80 * precision(t));
    }
}
TEST_CASE("schur: batching and errors") {
  check_batching([](const arrays& x) { const jq::array_list y = lax::schur(x[0]); return arrays{y[0], y[1]}; }, {noise(jq::f64, {3, 3})});
  check_batching([](const arrays& x) { const jq::array_list y = lax::schur(x[0]); return arrays{y[0], y[1]}; }, {noise(jq::c128, {3, 3})});
  CHECK_THROWS_WITH_AS(lax::schur(jq::ones({3, 3}, jq::i32)), doctest::Contains("schur does not accept dtype int32: wanted one and the same of float32"), jq::type_error);
  CHECK_THROWS_AS(lax::schur(noise(jq::c128, {3, 2})), jq::shape_error);
  CHECK_THROWS_AS(derivative(unary([](const array& x) { return lax::schur(x)[0]; }), {noise(jq::c128, {2, 2})}, {noise(jq::c128, {2, 2})}), jq::not_implemented);
}
