// Special functions against values computed in 30-digit arithmetic, closed forms, and the derivatives at singular points.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/special/functions.hpp>

namespace sp = jacquard::special;

namespace {
double at(const array& x) { return x.item<double>(); }
template <class F>
double slope(F f, double x) {
  return jq::grad([f](const array& v) { return f(v); })(asarray(x)).template item<double>();
}
}  // namespace

TEST_CASE("gamma and beta functions: known values") {
  CHECK(at(sp::gammaln(asarray(10.5))) == doctest::Approx(13.940625219403763).epsilon(4e-15));
  CHECK(at(sp::gamma(asarray(0.5))) == doctest::Approx(1.772453850905516).epsilon(4e-15));
  CHECK(at(sp::gamma(asarray(-1.5))) == doctest::Approx(2.363271801207355).epsilon(4e-15));
  CHECK(at(sp::digamma(asarray(2.5))) == doctest::Approx(0.7031566406452432).epsilon(4e-15));
  CHECK(at(sp::polygamma(1.0, asarray(2.5))) == doctest::Approx(0.49035775610023485).epsilon(4e-15));
  CHECK(at(sp::polygamma(3.0, asarray(0.7))) == doctest::Approx(25.879149678427737).epsilon(4e-15));
  CHECK(at(sp::zeta(asarray(2.0))) == doctest::Approx(1.6449340668482264).epsilon(4e-15));
  CHECK(at(sp::zeta(asarray(3.5), 2.25)) == doctest::Approx(0.08901224249238886).epsilon(4e-15));
  CHECK(at(sp::beta(asarray(2.0), asarray(3.0))) == doctest::Approx(0.08333333333333333).epsilon(4e-15));
  CHECK(at(sp::betaln(asarray(0.5), asarray(7.0))) == doctest::Approx(-0.3827480818239319).epsilon(4e-15));
  CHECK(at(sp::betainc(asarray(2.0), asarray(3.0), asarray(0.4))) == doctest::Approx(0.5248).epsilon(4e-15));
  CHECK(at(sp::gammainc(asarray(2.5), asarray(1.5))) == doctest::Approx(0.3000141641213725).epsilon(4e-15));
  CHECK(at(sp::gammaincc(asarray(2.5), asarray(30.0))) == doctest::Approx(1.215456977718304e-11).epsilon(4e-15));
  CHECK(at(sp::multigammaln(asarray(4.5), 3)) == doctest::Approx(7.1635644711916715).epsilon(4e-15));
  CHECK(at(sp::factorial(asarray(5))) == 120);
  CHECK(at(sp::gammasgn(asarray(-0.5))) == -1);
  CHECK(std::isnan(at(sp::gamma(asarray(-2.0)))));
  CHECK(sp::gammaln(asarray({1, 2})).dtype() == jq::f64);
  CHECK(sp::gammaln(jq::ones({2}, jq::f32)).dtype() == jq::f32);
  CHECK_ERROR(jq::value_error, sp::multigammaln(asarray(2.0), 0), "multigammaln", "at least 1");
}
TEST_CASE("error functions and the normal distribution: known values") {
  CHECK(at(sp::erfc(asarray(5.0))) == doctest::Approx(1.537459794428035e-12).epsilon(4e-15));
  CHECK(at(sp::ndtr(asarray(-10.0))) == doctest::Approx(7.619853024160525e-24).epsilon(4e-15));
  CHECK(at(sp::ndtr(asarray(1.0))) == doctest::Approx(0.8413447460685429).epsilon(4e-15));
  CHECK(at(sp::log_ndtr(asarray(-40.0))) == doctest::Approx(-804.6084420137538).epsilon(4e-15));
  CHECK(at(sp::log_ndtr(asarray(-5.5))) == doctest::Approx(-17.77937635262526).epsilon(4e-15));
  CHECK(at(sp::log_ndtr(asarray(-4.5))) == doctest::Approx(-12.59241973571308).epsilon(4e-15));
  CHECK(at(sp::log_ndtr(asarray(0.3))) == doctest::Approx(-0.4814101615884812).epsilon(4e-15));
  CHECK(at(sp::log_ndtr(asarray(6.0))) == doctest::Approx(-9.865876455243758e-10).epsilon(4e-15));
  CHECK(at(sp::ndtri(asarray(1e-300))) == doctest::Approx(-37.0470962993612).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(1e-5))) == doctest::Approx(-4.264890793922825).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(0.019))) == doctest::Approx(-2.07485473439331).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(0.3))) == doctest::Approx(-0.5244005127080408).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(0.5))) == doctest::Approx(0.0).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(0.9))) == doctest::Approx(1.2815515655446006).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(0.999))) == doctest::Approx(3.090232306167813).epsilon(2e-14));
  CHECK(at(sp::ndtri(asarray(0.0))) == -inf);
  CHECK(at(sp::ndtri(asarray(1.0))) == inf);
  CHECK(std::isnan(at(sp::ndtri(asarray(1.5)))));
  CHECK(at(sp::expit(asarray(-2.0))) == doctest::Approx(0.11920292202211756).epsilon(4e-15));
  CHECK(at(sp::logit(asarray(0.2))) == doctest::Approx(-1.3862943611198906).epsilon(4e-15));
}
TEST_CASE("entropies: values and derivatives at the edge of their domains") {
  CHECK(at(sp::xlogy(asarray(2.0), asarray(3.0))) == doctest::Approx(2.1972245773362196).epsilon(4e-15));
  CHECK(at(sp::xlog1py(asarray(2.0), asarray(1e-12))) == doctest::Approx(1.999999999999e-12).epsilon(4e-15));
  CHECK(at(sp::entr(asarray(0.5))) == doctest::Approx(0.34657359027997264).epsilon(4e-15));
  CHECK(at(sp::rel_entr(asarray(0.5), asarray(0.25))) == doctest::Approx(0.34657359027997264).epsilon(4e-15));
  CHECK(at(sp::kl_div(asarray(0.5), asarray(0.25))) == doctest::Approx(0.09657359027997266).epsilon(4e-15));
  CHECK(at(sp::xlogy(asarray(0.0), asarray(0.0))) == 0);
  CHECK(at(sp::xlog1py(asarray(0.0), asarray(-1.0))) == 0);
  CHECK(at(sp::entr(asarray(0.0))) == 0);
  CHECK(at(sp::entr(asarray(-1.0))) == -inf);
  CHECK(at(sp::rel_entr(asarray(0.0), asarray(1.0))) == 0);
  CHECK(at(sp::rel_entr(asarray(1.0), asarray(0.0))) == inf);
  CHECK(slope([](const array& x) { return sp::xlogy(x, 3.0); }, 0.0) == doctest::Approx(std::log(3.0)));
  CHECK(slope([](const array& y) { return sp::xlogy(0.0, y); }, 0.0) == 0);
  CHECK(std::isfinite(slope([](const array& x) { return sp::rel_entr(x, 0.0); }, 0.0)));
  CHECK_ERROR(jq::shape_error, sp::xlogy(jq::ones({2}), jq::ones({3})), "xlogy", "(2,), (3,)");
}
TEST_CASE("modified Bessel functions: known values and derivatives") {
  CHECK(at(sp::i0(asarray(1.0))) == doctest::Approx(1.2660658777520084).epsilon(4e-15));
  CHECK(at(sp::i0e(asarray(-20.0))) == doctest::Approx(0.08978031188482602).epsilon(4e-15));
  CHECK(at(sp::i1(asarray(2.5))) == doctest::Approx(2.5167162452886984).epsilon(4e-15));
  CHECK(at(sp::i1e(asarray(-3.0))) == doctest::Approx(-0.19682671329730086).epsilon(4e-15));
  CHECK(slope([](const array& x) { return sp::i0(x); }, 1.5) == doctest::Approx(at(sp::i1(asarray(1.5)))));
  CHECK(slope([](const array& x) { return sp::i1e(x); }, 0.0) == 0.5);
}
TEST_CASE("derivatives in closed form") {
  CHECK(slope([](const array& x) { return sp::gammaln(x); }, 3.5) == doctest::Approx(1.103156640645243).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::digamma(x); }, 3.5) == doctest::Approx(0.3303577561002349).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::polygamma(1.0, x); }, 3.5) == doctest::Approx(-0.1082040516417274).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::zeta(2.0, x); }, 1.5) == doctest::Approx(-0.82879664423432).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::gammainc(x, 1.5); }, 2.5) == doctest::Approx(-0.25217540042362785).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::gammainc(2.5, x); }, 1.5) == doctest::Approx(0.30836065960753856).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::betainc(2.0, 3.0, x); }, 0.4) == doctest::Approx(1.728).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::log_ndtr(x); }, -8.0) == doctest::Approx(8.121368112236112).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::log_ndtr(x); }, 0.3) == doctest::Approx(0.6172208536127345).epsilon(1e-13));
  CHECK(slope([](const array& x) { return sp::ndtri(x); }, 0.3) == doctest::Approx(2.8761036592642926).epsilon(1e-13));
  CHECK(slope([](const array& a) { return sp::betainc(a, 3.0, 0.5); }, 2.0) == doctest::Approx(-0.1952886866349624).epsilon(1e-13));
  CHECK(slope([](const array& b) { return sp::betainc(2.0, b, 0.5); }, 3.0) == doctest::Approx(0.15410849392498291).epsilon(1e-13));
  CHECK_ERROR_ANYWHERE(jq::not_implemented, slope([](const array& s) { return sp::zeta(s, 1.0); }, 2.0), "zeta", "exponent s");
}
TEST_CASE("sums of exponentials under the names of scipy.special") {
  const array x = asarray({1.0, 2.0});
  CHECK(at(sp::logsumexp(x)) == doctest::Approx(2.3132616875182228));
  CHECK(distance(sp::softmax(x), jq::softmax(x)) == 0);
  CHECK(distance(sp::log_softmax(x), jq::log(jq::softmax(x))) < 1e-15);
}
TEST_CASE("boxcox: derivatives in the power at 0") {
  // The series of (x^p - 1) / p in p is log x + p log(x)^2 / 2 + p^2 log(x)^3 / 6 + ...
  for (double x : {0.25, 3.0, 40.0}) {
    INFO(x);
    const double l = std::log(x);
    const auto first = [x](const array& p) { return jq::grad([x](const array& q) { return sp::boxcox(asarray(x), q); })(p); };
    CHECK(first(asarray(0.0)).item<double>() == doctest::Approx(l * l / 2).epsilon(1e-15));
    CHECK(jq::grad(first)(asarray(0.0)).item<double>() == doctest::Approx(l * l * l / 3).epsilon(1e-14));
    for (double p : {1e-9, 0.05, 0.06, 0.07, 0.2, -0.3, 1.5}) {
      const double y = std::pow(x, p), near = p * l;
      CHECK(sp::boxcox(asarray(x), p).item<double>() == doctest::Approx(std::expm1(near) / p).epsilon(1e-15));
      if (std::abs(p) > 0.01) CHECK(first(asarray(p)).item<double>() == doctest::Approx((y * l - (y - 1) / p) / p).epsilon(1e-11));
    }
  }
  const auto first = [](const array& p) { return jq::grad([](const array& q) { return sp::boxcox1p(asarray(2.0), q); })(p); };
  CHECK(first(asarray(0.0)).item<double>() == doctest::Approx(std::pow(std::log(3.0), 2) / 2).epsilon(1e-15));
  CHECK(show(sp::boxcox(asarray({0.0, 0.0, inf, inf, 0.0}), asarray({0.0, 2.0, 0.0, -0.5, -1.0}))) == "f64[5] -inf -0.5 inf 2 -inf");
}
TEST_CASE("i1: derivatives at 0 are those of its series") {
  // I1(x) = x / 2 + x^3 / 16 + x^5 / 384 + ... (DLMF 10.25.2)
  const auto f0 = [](const array& x) { return sp::i1(x); };
  const auto f1 = [&](const array& x) { return jq::grad(f0)(x); };
  const auto f2 = [&](const array& x) { return jq::grad(f1)(x); };
  const auto f3 = [&](const array& x) { return jq::grad(f2)(x); };
  CHECK(f1(asarray(0.0)).item<double>() == 0.5);
  CHECK(f2(asarray(0.0)).item<double>() == 0);
  CHECK(f3(asarray(0.0)).item<double>() == doctest::Approx(0.375).epsilon(1e-14));
  for (double x : {-0.2, 0.24, 0.26}) {
    const double want = 3.0 / 8 + 60 * x * x / 384 + 210 * std::pow(x, 4) / 18432 + 504 * std::pow(x, 6) / 1474560;
    CHECK(f3(asarray(x)).item<double>() == doctest::Approx(want).epsilon(1e-9));
  }
}
TEST_CASE("boxcox and boxcox1p") {
  const array y = sp::boxcox(asarray({0.5, 2.0, 3.0, -1.0}), asarray({0.0, 1.5, -0.3, 2.0}));
  CHECK(y(0).item<double>() == doctest::Approx(-0.6931471805599453));
  CHECK(y(1).item<double>() == doctest::Approx((std::pow(2.0, 1.5) - 1) / 1.5));
  CHECK(y(2).item<double>() == doctest::Approx((std::pow(3.0, -0.3) - 1) / -0.3));
  CHECK(std::isnan(y(3).item<double>()));
  CHECK(sp::boxcox1p(asarray(1e-9), 2.0).item<double>() == doctest::Approx(1e-9 + 5e-19).epsilon(1e-15));
  CHECK(sp::boxcox1p(asarray(0.5), 0.0).item<double>() == doctest::Approx(std::log(1.5)));
  const auto f = [](const array& x) { return sp::boxcox(x, 1.5); };
  CHECK(jq::grad(f)(asarray(2.0)).item<double>() == doctest::Approx(std::sqrt(2.0)));
  const auto at_zero = [](const array& l) { return sp::boxcox(asarray(2.0), l); };
  CHECK(std::isfinite(jq::grad(at_zero)(asarray(0.0)).item<double>()));
  CHECK_ERROR(jq::shape_error, sp::boxcox(jq::ones({2}), jq::ones({3})), "boxcox", "(2,)", "(3,)");
}
TEST_CASE("values next to the zeros of a function, in tails, and where a factor overflows, keep their digits") {
  const auto ulps = [](const array& got, double wanted) { return std::abs(at(got) - wanted) / (std::abs(wanted) * 0x1p-52); };
  CHECK(ulps(sp::ndtr(asarray(-35.7)), 1.9765810879591523e-279) <= 4);
  CHECK(ulps(sp::ndtr(asarray(-21.03)), 1.7432516313754926e-98) <= 4);
  CHECK(ulps(sp::ndtr(asarray(-3.766)), 8.2941895582915957e-5) <= 4);
  CHECK(slope([](const array& x) { return sp::ndtr(x); }, -5.0) == doctest::Approx(1.4867195147342979e-6).epsilon(1e-14));
  CHECK(ulps(sp::log_ndtr(asarray(2.5)), -0.0062290254858600024) <= 4);
  CHECK(ulps(sp::log_ndtr(asarray(4.75)), -1.017083759798215e-6) <= 6);
  CHECK(sp::log_ndtr(asarray(4.75f)).item<float>() == doctest::Approx(-1.017083759798215e-6).epsilon(1e-6));
  CHECK(ulps(sp::logit(asarray(0.50004)), 0.00016000000034149335) <= 2);
  CHECK(ulps(sp::logit(asarray(0.4999998)), -8.000000000230472e-7) <= 2);
  CHECK(ulps(sp::logit(asarray(0.3)), -0.84729786038720367) <= 2);
  CHECK(slope([](const array& p) { return sp::logit(p); }, 0.5) == doctest::Approx(4));
  const double x = 138.5, y = 138.5 * (1 + 0x1p-33);
  CHECK(ulps(sp::rel_entr(asarray(x), y), -1.6123522072091959e-8) <= 4);
  CHECK(ulps(sp::kl_div(asarray(x), y), 9.3851250548492662e-19) <= 6);
  CHECK(ulps(sp::kl_div(asarray(0.5), 0.6), 0.0088392216030226647) <= 12);
  CHECK(slope([](const array& q) { return sp::kl_div(0.5, q); }, 0.6) == doctest::Approx(1 - 0.5 / 0.6));
  CHECK(slope([](const array& p) { return sp::kl_div(p, 0.6); }, 0.5) == doctest::Approx(std::log(0.5 / 0.6)));
  CHECK(sp::i0(asarray(90.0f)).item<float>() == doctest::Approx(5.1392383455086638e37).epsilon(1e-6));
  CHECK(!std::signbit(at(sp::entr(asarray(0.0)))));
}
TEST_CASE("whole numbers yield to floating point in functions of several operands") {
  const array whole = asarray({1, 2}), narrow = asarray({0.25f, 0.5f});
  for (const array& y : {sp::xlogy(whole, narrow), sp::betaln(whole, narrow), sp::beta(whole, narrow), sp::zeta(asarray({2, 3}), narrow), sp::rel_entr(whole, narrow),
                         sp::kl_div(whole, narrow), sp::boxcox(whole, narrow), sp::xlog1py(whole, narrow), sp::polygamma(whole, narrow), sp::betainc(whole, whole, narrow)})
    CHECK(y.dtype() == jq::f32);
  CHECK(sp::xlogy(whole, whole).dtype() == jq::f64);
}
TEST_CASE("the sign of gamma at zeros is theirs") {
  CHECK(show(sp::gammasgn(asarray({0.0, -0.0, 3.0, -0.5, -1.5}))) == "f64[5] 1 -1 1 -1 1");
  const array lost = sp::gammasgn(asarray({-2.0, not_a_number}));
  CHECK(at(lost(0)) != at(lost(0)));
  CHECK(at(lost(1)) != at(lost(1)));
  CHECK(at(sp::beta(asarray(0.0), asarray(0.5))) == inf);
}
TEST_CASE("boxcox1p has a slope where the power vanishes") {
  CHECK(slope([](const array& x) { return sp::boxcox1p(x, -20.0); }, 2.0) / 9.5599066359748044e-11 == doctest::Approx(1).epsilon(1e-13));
}
TEST_CASE("kl_div is infinite where rel_entr is") {
  const array lower = asarray(-inf);
  CHECK(show(sp::kl_div(asarray({1.0, 0.0, -1.0, -inf}), asarray({-inf, -inf, -inf, -inf}))) == "f64[4] inf inf inf inf");
  CHECK(std::isnan(at(sp::kl_div(asarray(not_a_number), lower))));
}
TEST_CASE("boxcox and boxcox1p have the slopes of powers at zero") {
  const auto slopes = [](auto f, double x, double power) {
    const auto [in_x, in_power] = jq::grad([&](const array& v, const array& p) { return f(v, p); }, jq::argnums<0, 1>)(asarray(x), asarray(power));
    return std::pair{at(in_x), at(in_power)};
  };
  const auto plain = [](const array& v, const array& p) { return sp::boxcox(v, p); };
  const auto shifted = [](const array& v, const array& p) { return sp::boxcox1p(v, p); };
  CHECK(slopes(plain, 0, 1) == std::pair{1.0, 1.0});
  CHECK(slopes(plain, 0, 2) == std::pair{0.0, 0.25});
  CHECK(slopes(shifted, -1, 2) == std::pair{0.0, 0.25});
  CHECK(at(sp::boxcox(asarray(0.0), 0.5)) == -2);
  CHECK(at(sp::boxcox(asarray(0.0), 0.0)) == -inf);
}
TEST_CASE("factorial: reverse mode where it is 0") {
  CHECK(at(jq::grad([](const array& n) { return sp::factorial(n); })(asarray(-1.0))) == 0);
}
