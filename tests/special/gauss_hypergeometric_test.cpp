// Gauss's hypergeometric function: values and slopes computed in 30-digit arithmetic, elementary functions it is equal to, edges, both transforms.
#include <jacquard/special/gauss_hypergeometric.hpp>

#include "../numpy/numpy_testing.hpp"

namespace sp = jacquard::special;

namespace {
double at(const array& x) { return x.item<double>(); }
struct known {
  double a, b, c, x, y, slope;
};
}  // namespace

static_assert(traced([](array x) { return sp::hyp2f1(1.0, 2.0, 3.0, x); }, {3}) > 0);

TEST_CASE("hyp2f1: values and slopes") {
  for (const known& k : {known{0.5, 1.5, 2.5, 0.3, 1.10806255105693199, 0.435830291387308226},
                         {1.0, 1.0, 2.0, 0.9, 2.55842788110449539, 8.26841346543945183},
                         {2.0, -1.5, 0.7, 0.999, 0.817688130625584631, 164.419500577506028},
                         {0.5, 0.5, 1.0, 0.99999, 4.54723017156425139, 31830.0905355871838},
                         {1.2, 0.4, 3.1, -50.0, 0.348407747542134859, 0.00242029445403960467},
                         {3.5, 2.5, -1.3, -0.8, -1.12276038959798603, 1.91501821518917385},
                         {2.0, 3.0, 5.0, 0.75, 4.19807921037599965, 14.679471930826669},
                         {-4.0, 2.5, 1.5, 0.6, -0.0768000000000000076, 0.341333333333333319},
                         {-4.0, 2.5, 1.5, 3.0, 80.0, 149.333333333333333},
                         {0.25, 0.75, 1.3333333333333333, -1000000.0, 0.0426043148849242199, 1.06420500302423324e-8}}) {
    const auto f = [&](const array& x) { return sp::hyp2f1(k.a, k.b, k.c, x); };
    CHECK(at(f(asarray(k.x))) == doctest::Approx(k.y).epsilon(2e-13));
    CHECK(at(jq::grad(f)(asarray(k.x))) == doctest::Approx(k.slope).epsilon(1e-12));
  }
  // mpmath: a third parameter far beyond the others.
  CHECK(at(sp::hyp2f1(1.0, 1.0, 1030.0, asarray(0.5))) == doctest::Approx(1.00048590841972131).epsilon(1e-13));
  CHECK(at(sp::hyp2f1(1.0, 1.0, 1100.0, asarray(0.5))) == doctest::Approx(1.00045495886534359).epsilon(1e-13));
  CHECK(at(sp::hyp2f1(1.0, 1.0, 200.0, asarray(0.5f))) == doctest::Approx(1.00251253).epsilon(1e-6));
  CHECK(at(sp::hyp2f1(5.5, -2.25, 8.0, asarray(1.0))) == doctest::Approx(0.0983744894288532325).epsilon(1e-13));
}
TEST_CASE("hyp2f1: logarithms, arcs, powers and Legendre polynomials") {
  const array x = asarray({-30.0, -0.9, -1e-3, 0.0, 0.4, 0.9999}), small = asarray({-0.99, 0.2, 0.9});
  CHECK(distance(x * sp::hyp2f1(1.0, 1.0, 2.0, x), -jq::log1p(-x)) < 1e-13);
  CHECK(distance(small * sp::hyp2f1(0.5, 0.5, 1.5, small * small), jq::asin(small)) < 1e-14);
  CHECK(distance(small * sp::hyp2f1(0.5, 1.0, 1.5, -small * small), jq::atan(small)) < 1e-14);
  CHECK(distance(sp::hyp2f1(-0.7, 2.2, 2.2, x), jq::power(1.0 - x, 0.7)) < 1e-13);
  // c = a with a large b, of which the sum has no digit.
  for (const double at_x : {-1e6, -30.0, -2.0, 0.3, 0.999}) {
    const auto f = [](const array& v) { return sp::hyp2f1(1.0, 20.0, 1.0, v); };
    CHECK(at(f(asarray(at_x))) * std::pow(1 - at_x, 20) == doctest::Approx(1).epsilon(1e-13));
    CHECK(at(sp::hyp2f1(20.0, 2.5, 2.5, asarray(at_x))) * std::pow(1 - at_x, 20) == doctest::Approx(1).epsilon(1e-13));
    CHECK(at(jq::grad(f)(asarray(at_x))) * std::pow(1 - at_x, 21) == doctest::Approx(20).epsilon(1e-13));
  }
  CHECK(at(sp::hyp2f1(2.0, -3.0, 2.0, asarray(3.0))) == doctest::Approx(-8.0));
  CHECK(at(sp::hyp2f1(2.0, 0.5, 2.0, asarray(1.0))) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(at(sp::hyp2f1(2.0, 0.5, 2.0, asarray(1.5)))));
  CHECK(distance(sp::hyp2f1(-3.0, 4.0, 1.0, (1.0 - small) / 2.0), 0.5 * small * (5.0 * small * small - 3.0)) < 1e-14);
}
TEST_CASE("hyp2f1: large parameters, by the form whose terms cancel less") {
  struct place {
    double a, b, c, x, y;
  };
  for (const place& k : {place{-0.73, 27.97, -21.64, -0.86, 0.037057310272566944}, {-8.03, 14.79, -29.94, 0.57, -958539674.739629},
                         {-27.47, 14.29, 15.43, 0.5, 4.4964542692252723e-07}, {-24.93, 4.06, -4.27, 0.48, -8.576589809092777},
                         {-22.67, 22.8, 27.25, 0.64, 3.7701325547771214e-07}, {-24.23, 19.37, -25.32, 0.58, -506918.86412502447}})
    CHECK(at(sp::hyp2f1(k.a, k.b, k.c, asarray(k.x))) == doctest::Approx(k.y).epsilon(1e-13).scale(0));
}
TEST_CASE("hyp2f1: large parameters far out and next to 1, where Taylor series lose all digits") {
  struct place {
    double a, b, c, x, y;
  };
  for (const place& k : {place{-5.89, -22.47, -29.36, -10.46, -611130324.64516054}, {-18.52, -19.08, -25.77, 0.95, -1.7062834985169371e-13},
                         {-29.34, -14.8, 22.17, -12.81, -10358910434283.343}})
    CHECK(at(sp::hyp2f1(k.a, k.b, k.c, asarray(k.x))) == doctest::Approx(k.y).epsilon(1e-12).scale(0));
  // Of numbers a hundred million times as large.
  for (const place& k : {place{29.8, 25.78, -26.32, -18.42, 9.5093190155067551e-21}, {-28.49, -29.38, 19.63, -10.15, 99895375235364872.0}})
    CHECK(at(sp::hyp2f1(k.a, k.b, k.c, asarray(k.x))) == doctest::Approx(k.y).epsilon(1e-7).scale(0));
  CHECK(at(sp::hyp2f1(2.25, 3.0, 5.5, asarray(-12.0f)).astype(jq::f64)) == doctest::Approx(at(sp::hyp2f1(2.25, 3.0, 5.5, asarray(-12.0)))).epsilon(1e-5));
}
TEST_CASE("hyp2f1: polynomials times a power, far out and next to 1") {
  struct place {
    double a, b, c, x, y;
  };
  for (const place& k : {place{20, 7.5, 2.5, -1e6, -6.223675576767651e-118}, {20, 7, 2, -30, -1.6781973998782116e-27}, {7, 7, 2, -1e5, -1.6659667646588271e-36},
                         {8, 3, 2.5, 0.99, 1.8440454842620581e17}})
    CHECK(at(sp::hyp2f1(k.a, k.b, k.c, asarray(k.x))) / k.y == doctest::Approx(1).epsilon(1e-12));
}
TEST_CASE("hyp2f1: edges, transforms, dtypes, errors") {
  CHECK(at(sp::hyp2f1(1.0, 1.0, 2.0, asarray(1.0))) == inf);
  CHECK(at(sp::hyp2f1(1.0, 3.0, -4.0, asarray(0.3))) == inf);
  CHECK(at(sp::hyp2f1(-0.5, 2.0, 1.0, asarray(1.0))) == -inf);
  CHECK(at(sp::hyp2f1(1.0, 2.5, 3.0, asarray(-inf))) == 0);
  CHECK(at(sp::hyp2f1(-2.0, 3.0, -4.0, asarray(0.3))) == doctest::Approx(1.54));
  CHECK(at(sp::hyp2f1(0.0, 0.47, 0.0, asarray(-10.0))) == 1);  // a sum that has ended before it would divide by c
  CHECK(std::isnan(at(sp::hyp2f1(1.0, 1.0, 2.0, asarray(1.5)))));
  CHECK(std::isnan(at(sp::hyp2f1(1.0, 1.0, 2.0, asarray(not_a_number)))));
  const auto f = [](const array& x) { return sp::hyp2f1(0.5, 1.5, 2.5, x); };
  const array x = asarray({-3.0, 0.2, 0.97});
  CHECK(distance(jq::vmap(f)(x), f(x)) < 1e-15);
  CHECK(distance(jq::jit(f)(x), f(x)) < 1e-14);
  const double twice = 0.5 * 1.5 * 1.5 * 2.5 / (2.5 * 3.5) * at(sp::hyp2f1(2.5, 3.5, 4.5, asarray(0.2)));
  CHECK(at(jq::grad(jq::grad(f))(asarray(0.2))) == doctest::Approx(twice).epsilon(1e-13));
  CHECK(sp::hyp2f1(1, 2, 3, asarray({0.5f})).aval() == jq::aval{jq::f32, {1}});
  CHECK(sp::hyp2f1(1, 2, 3, jq::zeros({2}, jq::f16)).aval() == jq::aval{jq::f16, {2}});
  CHECK(distance(sp::hyp2f1(1.0, 2.0, 3.0, asarray({0.5f})), asarray({1.5451774444795623})) < 1e-6);
  CHECK_ERROR(jq::shape_error, sp::hyp2f1(jq::ones({2}), 1.0, 1.0, jq::ones({3})), "hyp2f1", "(2,)", "(3,)");
  CHECK_ERROR(jq::type_error, sp::hyp2f1(1.0, 1.0, 1.0, asarray(jq::complex128(0, 1))), "hyp2f1", "complex128", "real");
  CHECK_ERROR_ANYWHERE(jq::not_implemented, jq::grad([](const array& a) { return sp::hyp2f1(a, 1.0, 2.0, 0.5); })(asarray(1.0)), "hyp2f1", "parameter");
}
