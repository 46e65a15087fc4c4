// Products that sum over dimensions, against numpy's results and closed forms of their derivatives.
#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::matmul(x, jq::transpose(x)) + jq::linalg::trace(x); }, {3, 3}) > 0);
static_assert(traced([](array x) { return jq::dot(x, x) + jq::linalg::norm(x) + jq::sum(jq::outer(x, x)); }, {3}) > 0);
static_assert(traced([](array x) { return jq::matmul(x, jq::zeros({2})); }, {3}) == -1);

namespace {
array counted(const jq::shape& dims) { return jq::reshape(jq::arange(dims.elements()), dims); }
const array a = counted({2, 3}), b = counted({3, 4}), c = counted({2, 3, 4});
const array v = asarray({1.0, 2.0, 3.0});
}  // namespace

TEST_CASE("matmul: matrices and vectors") {
  CHECK(show(jq::matmul(a, b)) == "i64[2,4] 20 23 26 29 56 68 80 92");
  CHECK(show(jq::matmul(a, v)) == "f64[2] 8 26");
  CHECK(show(jq::matmul(v, b)) == "f64[4] 32 38 44 50");
  CHECK(show(jq::matmul(v, v)) == "f64[] 14");
  CHECK(show(jq::matmul(std::vector<double>{1, 2, 3}, v)) == "f64[] 14");
  CHECK(show(jq::matmul(jq::zeros({2, 0}), jq::zeros({0, 2}))) == "f32[2,2] 0 0 0 0");
}
TEST_CASE("matmul: leading dimensions broadcast") {
  CHECK(show(jq::matmul(c, jq::ones({4}, jq::i64))) == "i64[2,3] 6 22 38 54 70 86");
  CHECK(show(jq::matmul(asarray({1, 1, 1}), c)) == "i64[2,4] 12 15 18 21 48 51 54 57");
  CHECK(jq::matmul(jq::ones({5, 1, 2, 3}), jq::ones({4, 3, 2})).shape() == jq::shape{5, 4, 2, 2});
  CHECK(show(jq::matmul(jq::ones({2, 1, 3}), jq::ones({3, 1}))) == "f32[2,1,1] 3 3");
  const array batch = jq::matmul(c, jq::moveaxis(c, 1, 2));
  CHECK(show(batch[1]) == show(jq::matmul(c[1], jq::transpose(c[1]))));
  CHECK(show(jq::matmul(c[0], jq::moveaxis(c, 1, 2))[1]) == show(jq::matmul(c[0], jq::transpose(c[1]))));
}
TEST_CASE("matmul: errors") {
  CHECK_ERROR(jq::shape_error, jq::matmul(a, a), "matmul", "(2, 3) and (2, 3)", "Wanted", "3 is different from 2");
  CHECK_ERROR(jq::shape_error, jq::matmul(a, 2), "matmul", "(2, 3) and ()", "at least one dimension");
  CHECK_ERROR(jq::shape_error, jq::matmul(jq::ones({2, 3, 3}), jq::ones({4, 3, 3})), "matmul", "(2, 3, 3)", "equal or 1");
}
TEST_CASE("dot, vdot, inner, outer") {
  CHECK(show(jq::dot(a, b)) == show(jq::matmul(a, b)));
  CHECK(show(jq::dot(v, v)) == "f64[] 14");
  CHECK(show(jq::dot(2, v)) == "f64[3] 2 4 6");
  CHECK(jq::dot(a, c).shape() == jq::shape{2, 2, 4});
  CHECK(show(jq::dot(a, c)(1, 0)) == "i64[4] 56 68 80 92");
  CHECK(show(jq::vdot(asarray({jq::complex128(1, 2)}), asarray({jq::complex128(3, 4)}))) == "c128[] 11-2i");
  CHECK(show(jq::vdot(a, a)) == "i64[] 55");
  CHECK(show(jq::inner(a, a)) == "i64[2,2] 5 14 14 50");
  CHECK(show(jq::outer(asarray({1, 2}), v)) == "f64[2,3] 1 2 3 2 4 6");
  CHECK_ERROR(jq::shape_error, jq::dot(v, a), "dot", "(3,) and (2, 3)", "Wanted");
  CHECK_ERROR(jq::shape_error, jq::vdot(v, a), "vdot", "as many elements");
  CHECK_ERROR(jq::shape_error, jq::inner(a, b), "inner", "(2, 3) and (3, 4)", "last dimensions");
}
TEST_CASE("tensordot") {
  CHECK(show(jq::tensordot(a, c)) == "i64[4] 220 235 250 265");
  CHECK(show(jq::tensordot(a, c, {0, 1}, {0, 1})) == "i64[4] 220 235 250 265");
  CHECK(show(jq::tensordot(a, b, 1)) == show(jq::matmul(a, b)));
  CHECK(show(jq::tensordot(a, a, 0, -2)) == "i64[3,3] 9 12 15 12 17 22 15 22 29");
  CHECK(jq::tensordot(a, b, 0).shape() == jq::shape{2, 3, 3, 4});
  CHECK_ERROR(jq::shape_error, jq::tensordot(a, c, 0, 1), "tensordot", "(2, 3) and (2, 3, 4)", "equal sizes");
  CHECK_ERROR(jq::value_error, jq::tensordot(a, c, {0, 1}, 0), "tensordot", "2 and 1", "as many");
  CHECK_ERROR(jq::value_error, jq::tensordot(v, v, 2), "tensordot", "out of bounds");
  CHECK_ERROR(jq::shape_error, jq::tensordot(jq::ones({1, 1, 1, 1, 1}), jq::ones({1, 1, 1, 1}), 0), "more than 8");
}
TEST_CASE("norm: the second derivative where a complex number or a part of one is zero") {
  // sqrt(x^2 + y^2 + rest): at y = 0 its second derivative is 1 / sqrt(x^2 + rest).
  for (const double x : {0.0, 2.0}) {
    const auto f = [x](const array& y) { return jq::linalg::norm(jq::lax::complex(asarray({x, 2.0}), jq::stack({y, asarray(0.0)}))); };
    CHECK(jq::grad(jq::grad(f))(asarray(0.0)).item<double>() == doctest::Approx(1 / std::sqrt(4 + x * x)));
  }
}
TEST_CASE("trace and norm") {
  CHECK(show(jq::linalg::trace(counted({3, 3}))) == "i64[] 12");
  CHECK(show(jq::linalg::trace(counted({2, 2, 2}))) == "i64[2] 3 11");
  CHECK(show(jq::linalg::trace(counted({3, 3}), 1)) == "i64[] 6");
  CHECK(show(jq::linalg::norm(asarray({3, 4}))) == "f64[] 5");
  CHECK(show(jq::linalg::norm(asarray({{3.0, 4.0}, {5.0, 12.0}}), 1, jq::keepdims)) == "f64[2,1] 5 13");
  CHECK(show(jq::linalg::norm(asarray({jq::complex64(3, 4)}))) == "f32[] 5");
  CHECK_ERROR(jq::shape_error, jq::linalg::trace(v), "trace", "(3,)", "2 dimensions");
}
TEST_CASE("derivatives in closed form") {
  const array p = a.astype(jq::f64), q = b.astype(jq::f64);
  const auto [gp, gq] = jq::grad([](const array& x, const array& y) { return jq::sum(jq::matmul(x, y)); },
                                 jq::argnums<0, 1>)(p, q);
  CHECK(distance(gp, jq::matmul(jq::ones({2, 4}, jq::f64), jq::transpose(q))) == 0);
  CHECK(distance(gq, jq::matmul(jq::transpose(p), jq::ones({2, 4}, jq::f64))) == 0);
  const array g = jq::grad([](const array& x) { return jq::linalg::norm(x); })(asarray({3.0, 4.0}));
  CHECK(show(g) == "f64[2] 0.6 0.8");
  CHECK(show(jq::grad([](const array& x) { return jq::sum(jq::linalg::norm(x, 1)); })(asarray({{0.0, 0.0}, {3.0, 4.0}}))) == "f64[2,2] 0 0 0.6 0.8");
  CHECK(show(jq::grad([](const array& x) { return jq::linalg::trace(jq::matmul(x, x)); })(asarray({{1.0, 2.0}, {3.0, 4.0}}))) ==
        "f64[2,2] 2 6 4 8");
}
TEST_CASE("dot: shapes that do not fit") {
  CHECK_THROWS_WITH_AS(jq::dot(jq::ones({3}), jq::ones({4})), doctest::Contains("Incompatible shapes for dot: got (3,) and (4,)."), jq::shape_error);
}
