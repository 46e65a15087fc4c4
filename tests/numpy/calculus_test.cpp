// Differences, gradients on grids, trapezoids, interpolation, cross and kron: numpy's documented results, exactness, derivatives.
#include <jacquard/numpy/calculus.hpp>

#include "numpy_testing.hpp"

static_assert(traced([](array x) { return jq::diff(x) + jq::gradient(x)[0](jq::slice(0, 3)) + jq::interp(x, x, x)(0) + jq::trapezoid(x); }, {4}) > 0);

TEST_CASE("diff and ediff1d") {
  const array x = asarray({1, 2, 4, 7, 0});
  CHECK(show(jq::diff(x)) == "i32[4] 1 2 3 -7");
  CHECK(show(jq::diff(x, 2)) == "i32[3] 1 1 -10");
  CHECK(show(jq::diff(x, 0)) == show(x));
  CHECK(show(jq::diff(x, 7)) == "i32[0]");
  CHECK(show(jq::diff(asarray({{1, 3, 6, 10}, {0, 5, 6, 8}}), 1, 0)) == "i32[1,4] -1 2 0 -2");
  CHECK(show(jq::diff(asarray({true, false, false}))) == "bool[2] 1 0");
  CHECK(show(jq::ediff1d(asarray({{1, 2}, {4, 8}}))) == "i32[3] 1 2 4");
  CHECK_ERROR(jq::value_error, jq::diff(x, -1), "diff", "order -1");
  CHECK_ERROR(jq::value_error, jq::diff(x, 1, 1), "diff", "axis 1");
}
TEST_CASE("gradient: even and uneven spacing") {
  const array f = asarray({1.0, 2.0, 4.0, 7.0, 11.0, 16.0});
  CHECK(show(jq::gradient(f)) == "f64[6] 1 1.5 2.5 3.5 4.5 5");
  CHECK(show(jq::gradient(f, 2.0)) == "f64[6] 0.5 0.75 1.25 1.75 2.25 2.5");
  CHECK(distance(jq::gradient(f, asarray({0.0, 1.0, 1.5, 3.5, 4.0, 6.0}), 0), asarray({1.0, 3.0, 3.5, 6.7, 6.9, 2.5})) < 1e-14);
  const array both = asarray({{1, 2, 6}, {3, 4, 5}});
  CHECK(show(jq::gradient(both)) == "f64[2,3] 2 2 -1 2 2 -1, f64[2,3] 1 2.5 4 1 1 1");
  // Exact for parabolas inside, whatever the spacing.
  const array x = asarray({0.0, 0.3, 1.0, 1.2, 2.0});
  CHECK(distance(jq::gradient(x * x, x, 0)(jq::slice(1, 4)), 2 * x(jq::slice(1, 4))) < 1e-15);
  CHECK_ERROR(jq::shape_error, jq::gradient(asarray({1.0})), "gradient", "(1,)", "at least 2");
}
TEST_CASE("trapezoid") {
  CHECK(show(jq::trapezoid(asarray({1, 2, 3}))) == "f64[] 4");
  CHECK(show(jq::trapezoid(asarray({1, 2, 3}), asarray({4, 6, 8}), -1)) == "f64[] 8");
  CHECK(show(jq::trapezoid(asarray({1, 2, 3}), 2)) == "f64[] 8");
  CHECK(show(jq::trapezoid(asarray({{0, 1, 2}, {3, 4, 5}}), 1, 0)) == "f64[3] 1.5 2.5 3.5");
  CHECK(show(jq::trapezoid(asarray({1.0}))) == "f64[] 0");
  CHECK_ERROR(jq::shape_error, jq::trapezoid(asarray({1, 2}), asarray({1, 2, 3}), -1), "trapezoid", "(3,)");
}
TEST_CASE("interp: inside, beyond, derivative") {
  const array xp = asarray({1.0, 2.0, 3.0}), fp = asarray({3.0, 2.0, 0.0});
  CHECK(show(jq::interp(2.5, xp, fp)) == "f64[] 1");
  CHECK(show(jq::interp(asarray({0.0, 1.0, 1.5, 2.72, 3.14}), xp, fp)) == "f64[5] 3 3 2.5 0.56 0");
  CHECK(show(jq::interp(asarray({0.0, 3.14, 3.0}), xp, fp, -99.0, 99.0)) == "f64[3] -99 99 0");
  CHECK(show(jq::interp(asarray({not_a_number}), xp, fp)) == "f64[1] nan");
  CHECK(show(jq::interp(asarray({0.0, 2.0}), asarray({1.0}), asarray({7.0}))) == "f64[2] 7 7");
  const auto at = [&](const array& x) { return jq::sum(jq::interp(x, xp, fp)); };
  CHECK(show(jq::grad(at)(asarray({0.5, 1.5, 2.5, 3.5}))) == "f64[4] 0 -1 -2 0");
  CHECK(show(jq::grad([&](const array& f) { return jq::interp(1.25, xp, f); })(fp)) == "f64[3] 0.75 0.25 0");
  CHECK_ERROR(jq::shape_error, jq::interp(1.0, xp, asarray({1.0})), "interp", "(3,)", "(1,)");
}
TEST_CASE("cross and kron") {
  CHECK(show(jq::cross(asarray({1, 2, 3}), asarray({4, 5, 6}))) == "i32[3] -3 6 -3");
  CHECK(show(jq::cross(asarray({1, 2}), asarray({4, 5}))) == "i32[] -3");
  CHECK(show(jq::cross(asarray({{1, 2, 3}, {4, 5, 6}}), asarray({4, 5, 6}))) == "i32[2,3] -3 6 -3 0 0 0");
  CHECK_ERROR(jq::shape_error, jq::cross(jq::zeros({4}), jq::zeros({4})), "cross", "(4,)");
  CHECK(show(jq::kron(asarray({1, 10, 100}), asarray({5, 6, 7}))) == "i32[9] 5 6 7 50 60 70 500 600 700");
  CHECK(show(jq::kron(jq::eye(2), jq::ones({2, 2}))) == "f32[4,4] 1 1 0 0 1 1 0 0 0 0 1 1 0 0 1 1");
  CHECK(show(jq::kron(asarray({{1, 2}}), asarray({1, 3}))) == "i32[1,4] 1 3 2 6");
}
TEST_CASE("matvec and vecmat") {
  const array a = jq::reshape(jq::arange(6), {2, 3}), x = asarray({1, 2, 3}), y = asarray({1, -1});
  CHECK(show(jq::matvec(a, x)) == "i64[2] 8 26");
  CHECK(show(jq::vecmat(y, a)) == "i64[3] -3 -3 -3");
  CHECK(jq::matvec(jq::zeros({4, 2, 3}), jq::zeros({5, 1, 3})).shape() == jq::shape{5, 4, 2});
  CHECK(show(jq::vecmat(asarray({jq::complex128(0, 1)}), asarray({{2.0, 3.0}}))) == "c128[2] 0-2i 0-3i");  // x^H a
  CHECK_ERROR(jq::shape_error, jq::matvec(x, x), "matvec", "(3,)", "(..., m, n)");
}
TEST_CASE("unwrap: as in numpy's documentation") {
  const double pi = 3.14159265358979323846;
  CHECK(distance(jq::unwrap(asarray({0.0, 0.78539816, 1.57079633, 5.49778714, 6.28318531})),
                 asarray({0.0, 0.78539816, 1.57079633, -0.78539816, 0.0})) < 1e-7);
  CHECK(show(jq::unwrap(asarray({0, 1, 2, -1, 0}), -1, -1, 4)) == "f64[5] 0 1 2 3 4");
  CHECK(show(jq::unwrap(asarray({1, 2, 3, 4, 5, 6, 1, 2, 3}), -1, -1, 6)) == "f64[9] 1 2 3 4 5 6 7 8 9");
  CHECK(show(jq::unwrap(asarray({0.0, 5.0}), 6)) == "f64[2] 0 5");  // a jump below discont
  const array steps = 2.5 * jq::arange(20), wrapped = jq::mod(steps + pi, 2 * pi) - pi;
  CHECK(distance(jq::unwrap(wrapped), steps) < 1e-12);
  CHECK(distance(jq::unwrap(jq::stack({wrapped, wrapped}, 1), -1, 0)(jq::all, 1), steps) < 1e-12);
  CHECK(show(jq::grad([](const array& x) { return jq::sum(jq::square(jq::unwrap(x))); })(asarray({0.0, 6.0}))).substr(0, 8) == "f64[2] 0");
  CHECK(show(jq::unwrap(asarray({7.0}))) == "f64[1] 7");
  CHECK_ERROR(jq::value_error, jq::unwrap(steps, -1, 2), "unwrap", "axis 2");
}
TEST_CASE("trapezoid and gradient: infinite values reach the results that they enter alone") {
  CHECK(show(jq::trapezoid(asarray({inf}))) == "f64[] 0");
  CHECK(show(jq::trapezoid(asarray({inf}), asarray({1.0}))) == "f64[] 0");
  CHECK(show(jq::trapezoid(jq::zeros({2, 0}))) == "f32[2] 0 0");
  CHECK(show(jq::gradient(asarray({1.0, 2.0, inf, 6.0, 3.0}), 2.0)[0]) == "f64[5] 0.5 inf 1 -inf -1.5");
}
TEST_CASE("cross of vectors in the plane and in space") {
  CHECK(show(jq::cross(asarray({1, 2}), asarray({4, 5, 6}))) == "i32[3] 12 -6 -3");
  CHECK(show(jq::cross(asarray({{1.0, 2.0, 3.0}}), asarray({4.0, 5.0}))) == "f64[1,3] -15 12 -3");
}
TEST_CASE("whole values or places yield to floating point") {
  CHECK(show(jq::trapezoid(asarray({1, 2, 3}), asarray({4.f, 6.f, 8.f}), -1)) == "f32[] 8");
  CHECK(show(jq::interp(asarray({1, 5}), asarray({0.f, 2.f}), asarray({0, 4}))) == "f32[2] 2 4");
}
