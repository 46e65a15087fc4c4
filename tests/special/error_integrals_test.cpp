// The scaled complementary error function, Dawson's integral and Faddeeva's function, against values computed in 30-digit arithmetic; derivatives; edges.
#include <jacquard/special/error_integrals.hpp>

#include <jacquard/testing/gradients.hpp>

#include <complex>

#include "../numpy/numpy_testing.hpp"

namespace sp = jacquard::special;

static_assert(traced([](array x) { return sp::erfcx(x) + sp::dawsn(x) + sp::owens_t(x, x); }, {3}) > 0);

namespace {
double at(const array& x) { return x.item<double>(); }
struct known {
  double x, scaled, dawson;
};
const known values[] = {{-20, 1.0442939379528289e+174, -0.02503136792640365}, {-3, 16205.988853999586, -0.17827103061055827},
                        {-0.7, 2.7387021025613167, -0.5105040575592318},      {0.3, 0.7345993345676554, 0.282631665021312},
                        {1.9, 0.26650937366167254, 0.3229743193228179},       {2.1, 0.24511912334517244, 0.2818849389255278},
                        {4.99, 0.11091837045388811, 0.10234793983865857},     {5.01, 0.11049171315279298, 0.10192112294380624},
                        {12, 0.04685422101489376, 0.04181287645398826},       {80, 0.007051818957039102, 0.006250488395735646},
                        {1e6, 5.641895835474742e-07, 5.000000000002501e-07}};
}  // namespace

TEST_CASE("erfcx and dawsn") {
  for (const known& k : values) {
    CHECK(at(sp::erfcx(asarray(k.x))) == doctest::Approx(k.scaled).epsilon(2e-14));
    CHECK(at(sp::dawsn(asarray(k.x))) == doctest::Approx(k.dawson).epsilon(2e-15));
    if (k.x > -9) CHECK(at(sp::erfcx(asarray(float(k.x))).astype(jq::f64)) == doctest::Approx(k.scaled).epsilon(3e-6));
    CHECK(at(sp::dawsn(asarray(float(k.x))).astype(jq::f64)) == doctest::Approx(k.dawson).epsilon(2e-6));
  }
  for (const double tiny : {1e-300, 1e-9, 0.2499, 0.2501}) {  // x - 2/3 x^3 + 4/15 x^5 - ..., both sides of the change of method
    double term = tiny, want = 0;
    for (int n = 1; n < 60; n += 2) want += term, term *= -2 * tiny * tiny / (n + 2);
    CHECK(at(sp::dawsn(asarray(tiny))) == doctest::Approx(want).epsilon(2e-15));
  }
  CHECK(show(sp::erfcx(asarray({inf, -inf, not_a_number, 0.0}))) == "f64[4] 0 inf nan 1");
  CHECK(show(sp::dawsn(asarray({inf, -inf, not_a_number, 0.0}))) == "f64[4] 0 -0 nan 0");
  CHECK(sp::dawsn(jq::ones({2}, jq::f16)).dtype() == jq::f16);
  CHECK(sp::erfcx(asarray(2)).dtype() == jq::f64);
  CHECK_ERROR(jq::type_error, sp::dawsn(asarray(jq::complex128(1, 1))), "dawsn", "c128", "real numbers");
}
TEST_CASE("erfcx and dawsn: derivatives, also where they are differences of nearly equal numbers") {
  const auto slope = [](auto f, double x) { return at(jq::grad([f](const array& v) { return f(v); })(asarray(x))); };
  const auto scaled = [](const array& v) { return sp::erfcx(v); };
  const auto dawson = [](const array& v) { return sp::dawsn(v); };
  for (const known& k : values) {
    if (k.x > 5) continue;
    CHECK(slope(scaled, k.x) == doctest::Approx(2 * k.x * k.scaled - 1.1283791670955126).epsilon(1e-12));
    CHECK(slope(dawson, k.x) == doctest::Approx(1 - 2 * k.x * k.dawson).epsilon(1e-12));
  }
  const double third = 1e-4 * 1e-4;  // at 100: -1 / (sqrt(pi) x^2) (1 - 3 / (2 x^2) + 15 / (4 x^4)), 1 / (2 x^2) for the other
  CHECK(slope(scaled, 100) == doctest::Approx(-5.641895835477563e-5 * (1 - 1.5e-4 + 3.75 * third)).epsilon(1e-11));
  CHECK(slope(dawson, 100) == doctest::Approx(-5e-5 * (1 + 1.5e-4 + 3.75 * third)).epsilon(1e-11));
  CHECK(slope(scaled, 49.9) == doctest::Approx(slope(scaled, 50.1)).epsilon(0.01));
}

TEST_CASE("owens_t: values in 40-digit arithmetic, symmetries, limits, derivatives") {
  const struct {
    double h, a, value;
  } points[] = {
      {0.0, 0.75, 0.10241638234956673},
      {1.0, 0.5, 0.043064691120785366},
      {0.3, 2.0, 0.16260430593277239},
      {5.0, 0.9, 1.4332524965861534e-7},
      {2.0, -3.0, -0.011375065971545041},
      {-0.7, 10.0, 0.12098182611153107},
      {20.0, 1.0, 1.3768120593031168e-89},
      {0.01, 0.001, 0.00015914693249206531},
      {3.0, 1.01, 0.00067413134555114447}};
  for (const auto& k : points) {
    INFO(k.h << " " << k.a);
    CHECK(at(sp::owens_t(asarray(k.h), k.a)) == doctest::Approx(k.value).epsilon(2e-14));
    CHECK(at(sp::owens_t(asarray(float(k.h)), float(k.a)).astype(jq::f64)) == doctest::Approx(k.value).epsilon(2e-4));
  }
  CHECK(at(sp::owens_t(asarray(0.5), inf)) == doctest::Approx(0.25 * std::erfc(0.5 / std::sqrt(2.0))).epsilon(1e-15));
  CHECK(at(sp::owens_t(asarray(0.0), inf)) == doctest::Approx(0.25).epsilon(1e-15));
  CHECK(at(sp::owens_t(asarray(inf), 1.0)) == 0);
  CHECK(std::isnan(at(sp::owens_t(asarray(not_a_number), 1.0))));
  for (const jq::dtype t : {jq::f16, jq::bf16})  // in f32, since squares and small bounds do not fit
    for (const auto& [h, a] : {std::pair{inf, 0.0}, {400.0, 0.5}, {1.0, 3000.0}, {-0.5, inf}})
      CHECK(show(sp::owens_t(asarray(h).astype(t), asarray(a).astype(t))) ==
            show(sp::owens_t(asarray(h).astype(t).astype(jq::f32), asarray(a).astype(t).astype(jq::f32)).astype(t)));
  const auto f = [](const array& h, const array& a) { return sp::owens_t(h, a); };
  for (const double a : {0.4, -2.5}) {
    const jq::testing::report r = jq::testing::check_grads(f, std::tuple{asarray(0.8), asarray(a)});
    CHECK_MESSAGE(r.ok, r.text);
  }
  CHECK_ERROR(jq::shape_error, sp::owens_t(jq::ones({2}), jq::ones({3})), "owens_t", "(2,)", "(3,)");
}
TEST_CASE("wofz: values of S. G. Johnson's Faddeeva package in all quadrants, the functions it contains, far away") {
  struct point {
    double x, y, re, im;
  };
  for (const point& k : {point{0.5, 0.5, 0.53315670791217484, 0.23048823138445851}, {3.0, -1.0, -0.064673574793859753, 0.17373084850174422},
                         {-2.0, 0.1, 0.040201398161451296, -0.3315826873345632}, {0.001, 4.0, 0.13699945015962856, 3.2383504413840569e-05},
                         {6.3, 1e-08, 1.478934550372365e-10, 0.090727659684128187}, {-7.0, -2.0, -0.021853396687438291, -0.075009635935424812},
                         {100.0, 100.0, 0.0028210184361467869, 0.0028208773887522217}, {1e300, 0, 0, 5.6418958354775629e-301}}) {
    const array w = sp::wofz(asarray(jq::complex128(k.x, k.y)));
    CHECK(at(jq::real(w)) == doctest::Approx(k.re).epsilon(1e-13));
    CHECK(at(jq::imag(w)) == doctest::Approx(k.im).epsilon(1e-13));
  }
  for (const double end : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    CHECK(at(jq::abs(sp::wofz(asarray(end)))) == 0);
    const auto size = [](const array& x) { return jq::imag(sp::wofz(x)); };
    CHECK(at(jq::grad(size)(asarray(end))) == 0);
  }
  const array x = jq::linspace(-6, 9, 331), on_axis = sp::wofz(x);  // exp(-x^2) + 2 i / sqrt(pi) dawsn(x)
  CHECK(distance(jq::real(on_axis), jq::exp(-x * x)) < 1e-15);
  CHECK(distance(jq::imag(on_axis), 1.1283791670955126 * sp::dawsn(x)) < 2e-15);
  const array up = sp::wofz(lax::complex(x * 0.0, x));
  CHECK(distance(jq::real(up) / sp::erfcx(x), jq::ones({331})) < 2e-14);
  CHECK(sp::wofz(asarray({1.0f})).aval() == jq::aval{jq::c64, {1}});
  CHECK(at(jq::real(sp::wofz(asarray(0)))) == 1);
  CHECK(std::isnan(at(jq::real(sp::wofz(asarray(not_a_number))))));
}
TEST_CASE("wofz: w' = 2 i / sqrt(pi) - 2 z w, near and far; batching") {
  const auto f = [](const array& z) { return sp::wofz(z); };
  const auto slope = [&](double re, double im) {
    const array z = asarray(jq::complex128(re, im));
    return array(jq::jvp(f, jq::primals(z), jq::tangents(asarray(jq::complex128(1, 0)))).second).item<jq::complex128>();
  };
  const auto close = [](jq::complex128 a, std::complex<double> b) { return std::abs(std::complex<double>(a.re, a.im) - b) <= 1e-12 * std::abs(b); };
  using z = std::complex<double>;
  CHECK(close(slope(0, 0), z(0, 1.1283791670955126)));
  CHECK(close(slope(0.5, 0.5), z(0, 1.1283791670955126) - 2.0 * z(0.5, 0.5) * z(0.53315670791217484, 0.23048823138445851)));
  CHECK(close(slope(3, -1), z(0, 1.1283791670955126) - 2.0 * z(3, -1) * z(-0.064673574793859753, 0.17373084850174422)));
  const z far(300, 400);  // -i / (sqrt(pi) z^2) (1 + 3 / (2 z^2) + 15 / (4 z^4) + ...)
  CHECK(close(slope(300, 400), z(0, -0.56418958354775629) / (far * far) * (1.0 + 1.5 / (far * far) + 3.75 / (far * far * far * far))));
  const array many = asarray({jq::complex128(0.5, 0.5), jq::complex128(-3, -1), jq::complex128(60, 2)});
  CHECK(distance(jq::abs(jq::vmap(f)(many) - f(many)), jq::zeros({3})) < 1e-15);
  CHECK(distance(jq::abs(jq::jit(f)(many) - f(many)), jq::zeros({3})) < 1e-14);
}
