// Polynomials: numpy's documented results, derivatives, errors.
#include <jacquard/numpy/polynomials.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::polyval(x, 2.0) + jq::polyadd(x, x) + jq::polyint(jq::polyder(x)); }, {3}) > 0);

TEST_CASE("polyval") {
  CHECK(show(jq::polyval(asarray({3, 0, 1}), 5)) == "i32[] 76");
  CHECK(show(jq::polyval(asarray({3, 0, 1}), asarray({5, 1}))) == "i32[2] 76 4");
  CHECK(show(jq::polyval(asarray({2.0}), asarray({5.0, 1.0}))) == "f64[2] 2 2");
  CHECK(show(jq::polyval(asarray({{1, 2}, {3, 4}}), asarray({10, 100}))) == "i32[2] 13 204");
  CHECK(show(jq::polyval(jq::zeros({0}), asarray({5.f}))) == "f32[1] 0");
  CHECK(show(jq::grad([](const array& x) { return jq::polyval(asarray({1.0, -2.0, 3.0}), x); })(array(5.0))) == "f64[] 8");
  CHECK_ERROR(jq::shape_error, jq::polyval(1, 2), "polyval", "()");
}
TEST_CASE("sums, products, derivatives and integrals") {
  CHECK(show(jq::polyadd(asarray({1, 2}), asarray({9, 5, 4}))) == "i32[3] 9 6 6");
  CHECK(show(jq::polysub(asarray({2, 10, -2}), asarray({3, 10, -4}))) == "i32[3] -1 0 2");
  CHECK(show(jq::polymul(asarray({1.0, 2.0, 3.0}), asarray({9.0, 5.0, 1.0}))) == "f64[5] 9 23 38 17 3");
  CHECK(show(jq::polyder(asarray({1, 1, 1, 1}))) == "i32[3] 3 2 1");
  CHECK(show(jq::polyder(asarray({1, 1, 1, 1}), 2)) == "i32[2] 6 2");
  CHECK(show(jq::polyder(asarray({1, 1}), 4)) == "i32[0]");
  CHECK(show(jq::polyint(asarray({1, 1, 1}))) == "f64[4] 0.33333 0.5 1 0");
  CHECK(distance(jq::polyder(jq::polyint(asarray({1.0, 2.0, 3.0}), 2), 2), asarray({1.0, 2.0, 3.0})) < 1e-15);
  CHECK_ERROR(jq::shape_error, jq::polyadd(jq::zeros({2, 2}), jq::zeros({2})), "polyadd", "(2, 2)");
  CHECK_ERROR(jq::value_error, jq::polyder(jq::zeros({2}), -1), "polyder", "order -1");
}
TEST_CASE("poly: known products") {
  CHECK(show(jq::poly(asarray({1.0, 2.0, -3.0}))) == "f64[4] 1 0 -7 6");
  CHECK(show(jq::poly(asarray({jq::complex128(0, 1), jq::complex128(0, -1)}))) == "c128[3] 1+0i 0+0i 1+0i");
  CHECK(show(jq::poly(jq::zeros({0}))) == "f32[1] 1");
  CHECK(show(jq::poly(asarray({2, 3}))) == "f64[3] 1 -5 6");
  // p(x) = (x - a)(x - b): the derivatives of its coefficients at (2, 3).
  CHECK(distance(jq::jacfwd([](const array& r) { return jq::poly(r); })(asarray({2.0, 3.0})), asarray({{0.0, 0.0}, {-1.0, -1.0}, {3.0, 2.0}})) == 0);
  CHECK_ERROR(jq::shape_error, jq::poly(jq::eye(2)), "poly", "(2, 2)", "eigvals");
}
TEST_CASE("polydiv: numpy's example, and a = q b + r") {
  const auto d = jq::polydiv(asarray({3.0, 5.0, 2.0}), asarray({2.0, 1.0}));
  CHECK(show(d.quotient) == "f64[2] 1.5 1.75");
  CHECK(show(d.remainder) == "f64[1] 0.25");
  const array a = asarray({4.0, -3.0, 2.0, 7.0, 1.0, -5.0}), b = asarray({2.0, 1.0, -1.0});
  const auto e = jq::polydiv(a, b);
  CHECK(distance(jq::polyadd(jq::polymul(e.quotient, b), e.remainder), a) < 1e-13);
  CHECK(e.remainder.shape() == jq::shape{2});
  const auto longer = jq::polydiv(asarray({1, 2}), asarray({1, 2, 3})), constant = jq::polydiv(asarray({2, 4}), asarray({2}));
  CHECK(show(longer.quotient) == "f64[1] 0");
  CHECK(show(longer.remainder) == "f64[2] 1 2");
  CHECK(show(constant.quotient) == "f64[2] 1 2");
  CHECK(show(constant.remainder) == "f64[1] 0");
  CHECK_ERROR(jq::shape_error, jq::polydiv(a, jq::zeros({0})).quotient, "polydiv", "(0,)", "one dimension");
}
TEST_CASE("polydiv of whole numbers by floating point ones") {
  const auto [quotient, remainder] = jq::polydiv(asarray({2, 4}), asarray({2.f, 0.f}));
  CHECK(show(quotient) == "f32[1] 1");
  CHECK(show(remainder) == "f32[1] 4");
}
