// jq::linalg: norms of every order against numpy's documented results, condition numbers, expm in closed form, chains of products, tensor
// equations.
#include <jacquard/numpy/matrix_norms.hpp>

#include <jacquard/testing/gradients.hpp>

#include "numpy_testing.hpp"

namespace linalg = jq::linalg;
using linalg::ord;

namespace {
// numpy.linalg.norm's documentation: a = arange(9) - 4, b = a.reshape(3, 3).
const array a = asarray({-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0}), b = jq::reshape(a, {3, 3});
double value(const array& x) { return x.item<double>(); }
/// Operations that f takes.
template <class F, class... A>
double flops(const F& f, const A&... x) {
  const auto compiled = jq::jit(f);
  return compiled.lower(x...).compile().cost_analysis().flops;
}
array numbers(const jq::shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s, jq::f64); }
}  // namespace

TEST_CASE("norms: second derivatives where elements are zero") {
  // The Hessian of |x| is (1 - x x^T / |x|^2) / |x|.
  const array x = asarray({0.0, 1.0, 2.0, 0.0}), want = (jq::eye(4, jq::f64) - jq::outer(x, x) / 5.0) / std::sqrt(5.0);
  CHECK(distance(jq::hessian([](const array& v) { return linalg::vector_norm(v); })(x), want) < 1e-15);
  CHECK(distance(jq::hessian([](const array& v) { return linalg::norm(v); })(x), want) < 1e-15);
  CHECK(distance(jq::hessian([](const array& v) { return linalg::matrix_norm(jq::reshape(v, {2, 2})); })(x), want) < 1e-15);
  const auto of_parts = [](const array& v) { return jq::lax::complex(v(jq::slice(0, 2)), v(jq::slice(2, 4))); };
  CHECK(distance(jq::hessian([&](const array& v) { return linalg::vector_norm(of_parts(v)); })(x), want) < 1e-15);
  CHECK(distance(jq::hessian([&](const array& v) { return linalg::norm(of_parts(v)); })(x), want) < 1e-15);
  CHECK(distance(jq::hessian([&](const array& v) { return linalg::matrix_norm(jq::reshape(of_parts(v), {2, 1})); })(x), want) < 1e-15);
}
TEST_CASE("norms of vectors and matrices, as numpy documents them") {
  CHECK(value(linalg::norm(a, ord(2))) == doctest::Approx(7.745966692414834));
  CHECK(value(linalg::norm(b, ord("fro"))) == doctest::Approx(7.745966692414834));
  CHECK(value(linalg::norm(a, ord(inf))) == 4);
  CHECK(value(linalg::norm(b, ord(inf))) == 9);
  CHECK(value(linalg::norm(a, ord(-inf))) == 0);
  CHECK(value(linalg::norm(b, ord(-inf))) == 2);
  CHECK(value(linalg::norm(a, ord(1))) == 20);
  CHECK(value(linalg::norm(b, ord(1))) == 7);
  CHECK(value(linalg::norm(b, ord(-1))) == 6);
  CHECK(value(linalg::norm(b, ord(2))) == doctest::Approx(7.3484692283495345));
  CHECK(value(linalg::norm(b, ord(-2))) < 1e-14);
  CHECK(value(linalg::norm(a, ord(3))) == doctest::Approx(5.8480354764257312));
  CHECK(value(linalg::norm(a, ord(0))) == 8);
  CHECK(value(linalg::norm(b, ord("nuc"))) == doctest::Approx(9.797958971132712));
}
TEST_CASE("norms along axes, with kept dimensions") {
  const array c = asarray({{1.0, 2.0, 3.0}, {-1.0, 1.0, 4.0}});
  CHECK(show(linalg::norm(c, ord(1), 1)) == "f64[2] 6 6");
  CHECK(show(linalg::norm(c, ord(inf), 0, jq::keepdims)) == "f64[1,3] 1 2 4");
  const array m = jq::reshape(jq::arange(8, jq::f64), {2, 2, 2});
  const array fro = linalg::norm(m, ord("fro"), {1, 2});
  CHECK(value(fro(0)) == doctest::Approx(3.74165738677));
  CHECK(value(fro(1)) == doctest::Approx(11.22497216032));
  CHECK(linalg::norm(m, ord("nuc"), {0, 2}, jq::keepdims).shape() == jq::shape{1, 2, 1});
  CHECK(value(linalg::norm(m, ord(1), {2, 1})(1)) == value(linalg::norm(jq::swapaxes(m, 1, 2), ord(1), {1, 2})(1)));
  CHECK(value(linalg::vector_norm(m)) == doctest::Approx(std::sqrt(140.0)));
  CHECK(show(linalg::matrix_norm(m, ord(inf))) == "f64[2] 5 13");
  CHECK(value(linalg::vector_norm(asarray({jq::complex128(3, 4)}), 1)) == 5);
}
TEST_CASE("derivatives of norms at 0 are 0") {
  for (const double p : {1.0, 2.0, 3.0, inf}) CHECK(show(jq::grad([p](const array& x) { return linalg::norm(x, ord(p)); })(jq::zeros({2}))) == "f32[2] 0 0");
  CHECK(show(jq::jit(jq::grad([](const array& x) { return linalg::matrix_norm(x); }))(jq::zeros({2, 2}))) == "f32[2,2] 0 0 0 0");
  for (const ord o : {ord(1), ord(-1), ord(2), ord(-2), ord("nuc"), ord("fro")})
    CHECK(show(jq::grad([o](const array& x) { return linalg::norm(x, o); })(jq::zeros({2, 2}))) == "f32[2,2] 0 0 0 0");
}
TEST_CASE("derivatives of norms by singular values: zero ones, whose vectors are arbitrary, have no part") {
  const auto slope = [](ord o, const array& x) { return jq::grad([o](const array& a) { return linalg::norm(a, o); })(x); };
  const array u = asarray({0.6, 0.8, 0.0}), v = asarray({1.0, 2.0, 2.0}) / 3.0, low = 7.0 * jq::outer(u, v), nothing = jq::zeros({3, 3}, jq::f64);
  CHECK(distance(slope(ord("nuc"), low), jq::outer(u, v)) < 1e-14);
  CHECK(distance(slope(ord(2), low), jq::outer(u, v)) < 1e-14);
  CHECK(distance(slope(ord(-2), low), nothing) == 0);
  CHECK(distance(jq::vmap(jq::grad([](const array& a) { return linalg::norm(a, ord("nuc")); }))(jq::stack({low, nothing})), jq::stack({jq::outer(u, v), nothing})) < 1e-14);
  CHECK(distance(slope(ord("nuc"), jq::eye(3, jq::f64)), jq::eye(3, jq::f64)) < 1e-14);
  CHECK(std::isnan(value(slope(ord("nuc"), asarray({{not_a_number, 1.0}, {0.0, 1.0}}))(0, 0))));
  CHECK(value(linalg::norm(jq::zeros({0, 3}, jq::f64), ord("nuc"))) == 0);
}
TEST_CASE("condition numbers") {
  CHECK(value(linalg::cond(jq::zeros({2, 2}, jq::f64))) == inf);
  CHECK(value(linalg::cond(asarray({{1.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 1.0}}))) == doctest::Approx(std::sqrt(2.0)));
  CHECK(value(linalg::cond(asarray({{1.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 1.0}}), ord("fro"))) == doctest::Approx(3.1622776601683795));
  CHECK(value(linalg::cond(asarray({{1.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 1.0}}), ord(1))) == 2);
  CHECK(value(linalg::cond(numbers({4, 2}), ord(-2))) == doctest::Approx(1 / value(linalg::cond(numbers({4, 2})))));
}
TEST_CASE("expm: rotations, triangles, inverses, large and small matrices, leading dimensions") {
  for (double t : {1e-3, 0.5, 3.0, 40.0, 1000.0}) {
    const array r = linalg::expm(asarray({{0.0, -t}, {t, 0.0}}));
    CHECK(value(r(0, 0)) == doctest::Approx(std::cos(t)).epsilon(1e-11));
    CHECK(value(r(1, 0)) == doctest::Approx(std::sin(t)).epsilon(1e-11));
  }
  CHECK(distance(linalg::expm(asarray({{0.0, 1.0}, {0.0, 0.0}})), asarray({{1.0, 1.0}, {0.0, 1.0}})) < 1e-15);
  const array x = numbers({2, 4, 4}) * asarray({1.0, 9.0})(jq::slice(), jq::newaxis, jq::newaxis);
  CHECK(distance(linalg::expm(x)(0), linalg::expm(x(0))) < 1e-12);
  CHECK(distance(jq::matmul(linalg::expm(x(0)), linalg::expm(-x(0))), jq::eye(4, jq::f64)) < 1e-12);
  CHECK(value(linalg::det(linalg::expm(x(0)))) == doctest::Approx(std::exp(value(linalg::trace(x(0))))));
  CHECK(std::isnan(value(linalg::expm(jq::eye(2, jq::f64) * 1e9)(0, 0))));
  const jq::testing::report r = jq::testing::check_grads([](const array& m) { return linalg::expm(m); }, std::tuple{numbers({3, 3})});
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("multi_dot takes the best order") {
  const array p = numbers({10, 100}), q = numbers({100, 5}, 2), r = numbers({5, 50}, 3);
  CHECK(distance(linalg::multi_dot({p, q, r}), jq::matmul(jq::matmul(p, q), r)) < 1e-11);
  const array v = numbers({10}, 4), w = numbers({50}, 5);
  CHECK(linalg::multi_dot({v, p, q, r, w}).ndim() == 0);
  CHECK(flops([](const array& x, const array& y, const array& z) { return linalg::multi_dot({x, y, z}); }, p, q, r) ==
        flops([](const array& x, const array& y, const array& z) { return jq::matmul(jq::matmul(x, y), z); }, p, q, r));
  CHECK_ERROR_ANYWHERE(jq::value_error, linalg::multi_dot({p}), "multi_dot", "at least 2");
  CHECK_ERROR_ANYWHERE(jq::shape_error, linalg::multi_dot({p, v, q}), "multi_dot", "array 1", "(10,)");
}
TEST_CASE("tensorsolve and tensorinv") {
  const array t = numbers({2, 3, 6}), y = numbers({2, 3}, 2);
  CHECK(distance(jq::tensordot(t, linalg::tensorsolve(t, y), 1), y) < 1e-12);
  const array u = numbers({4, 6, 8, 3}), inverse = linalg::tensorinv(u);
  CHECK(inverse.shape() == jq::shape{8, 3, 4, 6});
  CHECK(distance(jq::reshape(jq::tensordot(inverse, u, 2), {24, 24}), jq::eye(24, jq::f64)) < 1e-10);
  CHECK_ERROR(jq::shape_error, linalg::tensorsolve(t, numbers({3})), "tensorsolve");
  CHECK_ERROR(jq::shape_error, linalg::tensorinv(t, 1), "tensorinv", "(2, 3, 6)");
}
TEST_CASE("cross, vecdot and the names that numpy.linalg repeats") {
  CHECK(show(linalg::cross(asarray({1, 2, 3}), asarray({4, 5, 6}))) == "i32[3] -3 6 -3");
  CHECK(show(linalg::vecdot(asarray({jq::complex128(0, 1), jq::complex128(1, 0)}), asarray({2.0, 3.0}))) == "c128[] 3-2i");
  CHECK(linalg::outer(asarray({1, 2}), asarray({1, 2, 3})).shape() == jq::shape{2, 3});
  CHECK(show(linalg::diagonal(asarray({{1, 2}, {3, 4}}))) == "i32[2] 1 4");
  CHECK_ERROR(jq::shape_error, linalg::cross(asarray({1, 2}), asarray({4, 5})), "cross", "3 elements");
}
TEST_CASE("orders by name as they are written; an order between 0 and 1 where elements are 0") {
  CHECK(value(linalg::norm(jq::eye(3), "nuc")) == doctest::Approx(3));
  CHECK(value(linalg::matrix_norm(jq::eye(4), "fro")) == doctest::Approx(2));
  CHECK(value(linalg::cond(jq::eye(4), "fro")) == doctest::Approx(4));
  CHECK(linalg::norm(jq::eye(3), 0).shape() == jq::shape{3});
  CHECK_ERROR(jq::value_error, linalg::norm(b, "max"), "matrix_norm", "\"fro\"");
  const auto half = [](const array& x) { return linalg::norm(x, ord(0.5)); };
  CHECK(value(half(asarray({0.0, 0.0}))) == 0);
  CHECK(value(half(asarray({1.0, 4.0}))) == doctest::Approx(9));
  CHECK(show(jq::grad(half)(asarray({0.0, 0.0}))) == "f64[2] 0 0");
  CHECK(show(jq::grad(half)(asarray({0.0, 1.0, -4.0}))) == "f64[3] 0 3 -1.5");
}
TEST_CASE("errors of norms") {
  CHECK_ERROR(jq::value_error, linalg::norm(b, ord("max")), "matrix_norm", "\"fro\"");
  CHECK_ERROR(jq::value_error, linalg::norm(b, ord(3)), "no such order");
  CHECK_ERROR(jq::shape_error, linalg::norm(numbers({2, 2, 2}), ord(2)), "norm", "(2, 2, 2)");
  CHECK_ERROR(jq::value_error, linalg::norm(b, ord("fro"), 0), "norm", "1 axes");
  CHECK_ERROR(jq::value_error, linalg::norm(b, ord(1), 5), "norm");
}
TEST_CASE("vecdot keeps the dtype of the operands") {
  CHECK(show(jq::linalg::vecdot(asarray({1, 2}), asarray({3, 4}))) == "i32[] 11");
  CHECK(show(jq::linalg::vecdot(asarray({true, true}), asarray({true, true}))) == "bool[] 1");
}
