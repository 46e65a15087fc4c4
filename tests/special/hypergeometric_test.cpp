// Kummer's function, rising factorials, Bernoulli's numbers, spherical harmonics: values and derivatives computed in 30-digit arithmetic, closed
// forms.
#include <jacquard/special/hypergeometric.hpp>

#include "../numpy/numpy_testing.hpp"

namespace sp = jacquard::special;

namespace {
double at(const array& x) { return x.item<double>(); }
}  // namespace

TEST_CASE("hyp1f1") {
  struct row {
    double a, b, x, y;
  };
  for (const row& k : {row{1, 2, 0.5, 1.2974425414002563}, {0.5, 1.5, -3, 0.50434356023143881}, {2.5, 0.7, 12, 17107415.26504707},
                       {-3, 2, 4, 0.33333333333333333}, {1.3, 2.7, -40, 0.014201139577619022}, {1.3, 2.7, 80, 2.0546683843851311e+32}})
    CHECK(at(sp::hyp1f1(k.a, k.b, asarray(k.x))) == doctest::Approx(k.y).epsilon(2e-13));
  CHECK(distance(sp::hyp1f1(2.0, 2.0, asarray({-1.0, 0.0, 3.0})), jq::exp(asarray({-1.0, 0.0, 3.0}))) < 1e-13);
  CHECK(sp::hyp1f1(1.0, 2.0, jq::ones({2}, jq::f32)).aval() == jq::aval{jq::f32, {2}});
  const auto slopes = [](double a, double b, double x) {
    return jq::grad([](const array& p, const array& q, const array& z) { return sp::hyp1f1(p, q, z); }, jq::argnums<0, 1, 2>)(asarray(a), asarray(b),
                                                                                                                              asarray(x));
  };
  const auto [a0, b0, x0] = slopes(0.5, 1.5, -3);
  CHECK(at(a0) == doctest::Approx(-0.763436841289292).epsilon(1e-12));
  CHECK(at(b0) == doctest::Approx(0.203591147824355).epsilon(1e-12));
  CHECK(at(x0) == doctest::Approx(0.0757594153105958).epsilon(1e-12));
  const auto [a1, b1, x1] = slopes(2.5, 0.7, 2);
  CHECK(at(a1) == doctest::Approx(55.7440812382346).epsilon(1e-12));
  CHECK(at(b1) == doctest::Approx(-144.305421035264).epsilon(1e-12));
  CHECK(at(x1) == doctest::Approx(98.3005555005229).epsilon(1e-12));
  const auto in_x = [](const array& x) { return sp::hyp1f1(1.5, 2.5, x); };
  CHECK(at(jq::grad(jq::grad(in_x))(asarray(0.4))) == doctest::Approx(1.5 * 2.5 / (2.5 * 3.5) * at(sp::hyp1f1(3.5, 4.5, asarray(0.4)))));
  const array xs = asarray({-2.0, 0.5, 30.0});
  CHECK(distance(jq::vmap(in_x)(xs) / in_x(xs), jq::ones({3})) < 1e-14);
  CHECK(distance(jq::jit(in_x)(xs) / in_x(xs), jq::ones({3})) < 1e-14);
  CHECK_ERROR(jq::shape_error, sp::hyp1f1(jq::ones({2}), 1.0, jq::ones({3})), "hyp1f1", "(2,)", "(3,)");
}
TEST_CASE("hyp1f1: b = 0, -1, ..., where the sum ends before and where it does not") {
  const array a = asarray({-3.0, -3.0, -2.0, 0.0, 0.0, -3.0}), b = asarray({-3.0, -3.0, -3.0, -3.0, 0.0, -5.0}), x = asarray({1.5, -1.5, 1.5, 1.0, 1.0, -2.0});
  CHECK(distance(sp::hyp1f1(a, b, x), asarray({4.1875, 0.0625, 2.375, 1.0, 1.0, 4.0 / 15})) < 1e-15);
  CHECK(show(sp::hyp1f1(asarray({1.0, -3.0, -3.0, 0.5}), asarray({-3.0, -2.0, 0.0, 0.0}), asarray({1.5, 1.5, -1.5, 0.0}))) == "f64[4] inf inf inf inf");
  CHECK(std::isnan(at(sp::hyp1f1(1.0, -3.0, asarray(not_a_number)))));
  const auto in_x = [](const array& v) { return sp::hyp1f1(-3.0, -3.0, v); };  // 1 + x + x^2 / 2 + x^3 / 6
  CHECK(at(jq::grad(in_x)(asarray(1.5))) == doctest::Approx(3.625).epsilon(1e-15));
  CHECK(at(jq::grad(jq::grad(jq::grad(jq::grad(in_x))))(asarray(1.5))) == 0);
}
TEST_CASE("hyp1f1: derivatives in x of every order, and of those in a and b, in both modes") {
  // The derivatives in x are (a)_n / (b)_n 1F1(a + n, b + n, x) (DLMF 13.3.16).
  const auto f = [](const array& x) { return sp::hyp1f1(1.5, 2.5, x); };
  const auto d = [&](const array& x) { return jq::jvp(f, jq::primals(x), jq::tangents(asarray(1.0))).second; };
  const auto dd = [&](const array& x) { return jq::jvp(d, jq::primals(x), jq::tangents(asarray(1.0))).second; };
  const double third = 1.5 * 2.5 * 3.5 / (2.5 * 3.5 * 4.5) * at(sp::hyp1f1(4.5, 5.5, asarray(0.5)));
  CHECK(at(jq::grad(dd)(asarray(0.5))) == doctest::Approx(third).epsilon(1e-13));
  const auto g = [&](const array& x) { return jq::grad(f)(x); };
  const auto gg = [&](const array& x) { return jq::grad(g)(x); };
  CHECK(at(jq::grad(gg)(asarray(0.5))) == doctest::Approx(third).epsilon(1e-13));
  CHECK(at(jq::jvp(gg, jq::primals(asarray(0.5)), jq::tangents(asarray(1.0))).second) == doctest::Approx(third).epsilon(1e-13));
  // Mixed ones, in either order, against differences of the derivative in x.
  const auto value = [](const array& a, const array& b, const array& x) { return sp::hyp1f1(a, b, x); };
  const auto slope_in_x = [&](double a, double b, double x) { return a / b * at(sp::hyp1f1(a + 1, b + 1, asarray(x))); };
  const double a = 0.7, b = 1.6, h = 1e-5;
  for (double x : {0.8, -1.3}) {
    INFO(x);
    const double in_a = (slope_in_x(a + h, b, x) - slope_in_x(a - h, b, x)) / (2 * h), in_b = (slope_in_x(a, b + h, x) - slope_in_x(a, b - h, x)) / (2 * h);
    const auto of_x = [&](const array& z) { return jq::grad(value, jq::argnums<0, 1>)(asarray(a), asarray(b), z); };
    CHECK(at(jq::grad([&](const array& z) { return std::get<0>(of_x(z)); })(asarray(x))) == doctest::Approx(in_a).epsilon(1e-8));
    CHECK(at(jq::grad([&](const array& z) { return std::get<1>(of_x(z)); })(asarray(x))) == doctest::Approx(in_b).epsilon(1e-8));
    const auto of_a = [&](const array& p) { return jq::grad([&](const array& z) { return value(p, asarray(b), z); })(asarray(x)); };
    const auto of_b = [&](const array& q) { return jq::grad([&](const array& z) { return value(asarray(a), q, z); })(asarray(x)); };
    CHECK(at(jq::grad(of_a)(asarray(a))) == doctest::Approx(in_a).epsilon(1e-8));
    CHECK(at(jq::grad(of_b)(asarray(b))) == doctest::Approx(in_b).epsilon(1e-8));
    const auto twice = [&](const array& z) { return jq::grad([&](const array& y) { return std::get<0>(of_x(y)); })(z); };
    const double up = at(twice(asarray(x + h))), down = at(twice(asarray(x - h)));
    CHECK(at(jq::grad(twice)(asarray(x))) == doctest::Approx((up - down) / (2 * h)).epsilon(1e-7));
  }
}
TEST_CASE("poch: the derivative in m at 0 is digamma(z)") {
  for (double z : {0.5, 2.0, 9.5, 250.0}) {
    INFO(z);
    const double slope = at(jq::grad([z](const array& m) { return sp::poch(z, m); })(asarray(0.0)));
    CHECK(slope == doctest::Approx(at(sp::digamma(asarray(z)))).epsilon(1e-12));
    CHECK(at(sp::poch(asarray(z), asarray(0.0))) == 1);
  }
  CHECK(show(sp::poch(asarray({0.0, -1.0, -2.5, inf}), asarray({0.0, 0.0, 0.0, 0.0}))) == "f64[4] 1 1 1 1");
}
TEST_CASE("poch") {
  CHECK(at(sp::poch(asarray(0.5), 2.5)) == doctest::Approx(1.1283791670955126).epsilon(1e-14));
  CHECK(at(sp::poch(asarray(-1.5), 3)) == doctest::Approx(0.375).epsilon(1e-14));
  CHECK(at(sp::poch(asarray(3.0), asarray(0.0))) == 1);
  CHECK(at(sp::poch(asarray(3), asarray(4))) == doctest::Approx(360).epsilon(1e-14));
  // d/dm log (z)_m = digamma(z + m).
  const double slope = at(jq::grad([](const array& m) { return sp::poch(2.0, m); })(asarray(1.5)));
  CHECK(slope == doctest::Approx(at(sp::poch(2.0, asarray(1.5)) * sp::digamma(3.5))));
}
TEST_CASE("poch at the poles of gamma: the limits for whole m, else infinite or 0") {
  const array y = sp::poch(asarray({-1.0, -3.0, -3.0, -3.0, -3.0, 0.0, -200.0}), asarray({1.0, 2.0, 3.0, -1.0, -2.0, -1.0, 3.0}));
  CHECK(distance(y, asarray({-1.0, 6.0, -6.0, -0.25, 0.05, -1.0, -7880400.0})) < 1e-7);
  CHECK(show(sp::poch(asarray({-3.0, -3.0, 0.0, -200.0, 1.0, 0.5, -3.5}), asarray({4.0, 0.5, 1.0, 300.0, -1.0, -2.5, 3.5}))) == "f64[7] 0 0 0 0 inf inf inf");
  CHECK(std::isnan(at(sp::poch(-3.0, asarray(not_a_number)))));
  CHECK(at(jq::grad([](const array& z) { return sp::poch(z, 2.0); })(asarray(-3.0))) == doctest::Approx(-5).epsilon(1e-13));  // of z (z + 1)
}
TEST_CASE("bernoulli") {
  const array b = sp::bernoulli(30);
  CHECK(b.aval() == jq::aval{jq::f64, {31}});
  CHECK(show(b(jq::slice(0, 5))) == "f64[5] 1 -0.5 0.16667 0 -0.033333");
  CHECK(at(b[10]) == doctest::Approx(0.075757575757575758).epsilon(2e-15));
  CHECK(at(b[20]) == doctest::Approx(-529.12424242424242).epsilon(4e-15));
  CHECK(at(b[30]) == doctest::Approx(601580873.90064237).epsilon(4e-15));
  CHECK(show(sp::bernoulli(0)) == "f64[1] 1");
  CHECK(show(sp::bernoulli(1)) == "f64[2] 1 -0.5");
  CHECK_ERROR(jq::value_error, sp::bernoulli(-1), "bernoulli", "-1");
}
TEST_CASE("spherical harmonics") {
  struct row {
    int n, m;
    double theta, phi, re, im;
  };
  for (const row& k : {row{0, 0, 0.3, 0.7, 0.28209479177387814, 0.0}, {2, 1, 0.3, 0.7, -0.1668172979122183, -0.1405082716917094},
                       {5, -3, 1.1, -0.4, 0.075576866549384621, 0.19439515989022398}, {8, 8, 2, 1, -0.035049322528259886, 0.23832527989312243},
                       {4, 0, 2.5, 0.1, -0.19430503879336196, 0.0}}) {
    const array y = sp::sph_harm_y(k.n, k.m, asarray(k.theta), asarray(k.phi));
    CHECK(at(jq::real(y)) == doctest::Approx(k.re).epsilon(1e-13));
    CHECK(at(jq::imag(y)) == doctest::Approx(k.im).epsilon(1e-13));
  }
  // The addition theorem: the squares of all orders add up to (2 n + 1) / (4 pi).
  double total = 0;
  for (int m = -9; m <= 9; ++m) total += at(jq::square(jq::abs(sp::sph_harm_y(9, m, asarray(0.8), asarray(2.0)))));
  CHECK(total == doctest::Approx(19 / (4 * std::acos(-1.0))).epsilon(1e-13));
  // Y_1^0 = sqrt(3 / (4 pi)) cos(theta).
  const auto real = [](const array& t) { return jq::real(sp::sph_harm_y(1, 0, t, 0.0)); };
  CHECK(at(jq::grad(real)(asarray(0.6))) == doctest::Approx(-std::sqrt(3 / (4 * std::acos(-1.0))) * std::sin(0.6)));
  CHECK_ERROR(jq::value_error, sp::sph_harm_y(2, 3, asarray(0.1), asarray(0.1)), "sph_harm_y", "degree 2", "order 3");
}
TEST_CASE("comb") {
  CHECK(sp::comb(asarray(49.0), 6).item<double>() == doctest::Approx(13983816).epsilon(1e-13));
  CHECK(sp::comb(asarray(5.5), 2.2).item<double>() == doctest::Approx(13.411817031137321).epsilon(1e-13));
  CHECK(sp::comb(asarray(100.0), 50).item<double>() == doctest::Approx(1.0089134454556419e29).epsilon(1e-12));
  CHECK(show(jq::round(sp::comb(asarray({4, 4, 4, -1, 3}), asarray({0, 4, 5, 1, -1})))) == "f64[5] 1 1 0 0 0");
  CHECK_ERROR(jq::shape_error, sp::comb(jq::ones({2}), jq::ones({3})), "comb", "(2,)", "(3,)");
}
TEST_CASE("lpmn_values: closed forms of low degrees, and the norm on the sphere") {
  const double x = 0.4, s = std::sqrt(1 - x * x);
  const array p = jq::squeeze(sp::lpmn_values(2, 3, asarray({x})), -1);
  CHECK(p.shape() == jq::shape{3, 4});
  const double want[3][4] = {{1, x, (3 * x * x - 1) / 2, (5 * x * x * x - 3 * x) / 2}, {0, -s, -3 * x * s, -1.5 * (5 * x * x - 1) * s}, {0, 0, 3 * s * s, 15 * x * s * s}};
  for (int m = 0; m <= 2; ++m)
    for (int n = 0; n <= 3; ++n) CHECK(p(m, n).item<double>() == doctest::Approx(want[m][n]));
  const array normal = sp::lpmn_values(2, 3, asarray({x}), true), harmonic = jq::real(sp::sph_harm_y(3, 2, asarray(std::acos(x)), asarray(0.0)));
  CHECK(normal(2, 3, 0).item<double>() == doctest::Approx(harmonic.item<double>()));
  const auto slope = jq::grad([](const array& z) { return jq::sum(sp::lpmn_values(0, 2, z)(0, 2)); })(asarray({x}));
  CHECK(slope(0).item<double>() == doctest::Approx(3 * x));
  CHECK_ERROR(jq::value_error, sp::lpmn_values(-1, 2, asarray({x})), "lpmn_values", "at least 0");
  CHECK_ERROR(jq::shape_error, sp::lpmn_values(1, 2, asarray(x)), "lpmn_values", "wanted a vector");
}
TEST_CASE("whole numbers yield to floating point") {
  CHECK(sp::poch(asarray({0.5f}), asarray({2})).dtype() == jq::f32);
  CHECK(sp::comb(asarray({5}), asarray({2.f})).dtype() == jq::f32);
  CHECK(sp::hyp1f1(asarray({1}), asarray({2}), asarray({0.5f})).dtype() == jq::f32);
}
