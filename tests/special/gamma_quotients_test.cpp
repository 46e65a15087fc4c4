// The gamma function and quotients of gamma functions against values computed in 40-digit arithmetic, where the difference of logarithms, or exp of
// it, loses digits.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/special/hypergeometric.hpp>

namespace sp = jacquard::special;

static_assert(traced([](array x) { return sp::gamma(x) + sp::beta(x, 2.0) + sp::poch(x, 1.5); }, {3}) > 0);

namespace {
double at(const array& x) { return x.item<double>(); }
/// The distance from a value, in units of the roundoff of f64.
double ulps(const array& got, double wanted) { return std::abs(at(got) - wanted) / (std::abs(wanted) * 0x1p-52); }
}  // namespace

TEST_CASE("gamma: small, negative and large numbers") {
  const std::pair<double, double> known[] = {{0.1, 9.5135076986687313}, {-0.1, -10.686287021193193}, {3.7, 4.170651783796604},
                                             {23.25, 2.4514442546722481e+21}, {170.5, 5.5620924145599996e+305}, {-50.3, -3.9331598319307154e-65},
                                             {1e-300, 9.9999999999999997e+299}, {-1e-300, -9.9999999999999997e+299}};
  for (const auto& [x, value] : known) CHECK(ulps(sp::gamma(asarray(x)), value) <= 6);
  double factorial = 1;
  for (int n = 1; n <= 17; factorial *= n++) CHECK(at(sp::factorial(asarray(n - 1))) == factorial);
  CHECK(show(sp::gamma(asarray({0.0, -0.0, inf, 172.0}))) == "f64[4] inf -inf inf inf");
  CHECK(std::isnan(at(sp::gamma(asarray(-inf)))));
  CHECK(sp::gamma(asarray(3.75f)).item<float>() == float(4.42298841046025));
  CHECK(sp::gamma(jq::astype(asarray(6.0), jq::f16)).dtype() == jq::f16);
  CHECK_ERROR(jq::type_error, sp::gamma(jq::ones({2}, jq::c64)), "gamma", "complex64", "loggamma");
}
TEST_CASE("gamma and factorial: derivatives, also at whole numbers") {
  CHECK(at(jq::grad([](const array& x) { return sp::gamma(x); })(asarray(-1.5))) == doctest::Approx(at(sp::gamma(asarray(-1.5)) * sp::digamma(asarray(-1.5)))));
  CHECK(at(jq::grad([](const array& n) { return sp::factorial(n); })(asarray(3.0))) == doctest::Approx(7.5367060105908028));
  CHECK(at(jq::grad([](const array& n) { return sp::comb(n, 2.0); })(asarray(5.0))) == doctest::Approx(4.5));
}
TEST_CASE("betaln and beta: one argument much larger than the other, and both large") {
  CHECK(ulps(sp::betaln(asarray(2e9), 0.125), -0.65763326960715446) <= 40);
  CHECK(ulps(sp::betaln(asarray(3e-7), 1.5e9), 15.019476850506301) <= 4);
  CHECK(ulps(sp::betaln(asarray(1e5), 3e8), -900658.25893687512) <= 4);
  CHECK(sp::betaln(asarray(1e7f), 0.5f).item<float>() == doctest::Approx(-7.4866828).epsilon(2e-7));
  const std::tuple<double, double, double> known[] = {
      {45.5, 36.125, 2.5775365535130614e-25}, {122.5, 0.0625, 11.465747645329573}, {1e-9, 3e-10, 4333333333.3333333}, {-0.5, 2.25, -4.3700959238201997}};
  for (const auto& [a, b, value] : known) CHECK(ulps(sp::beta(asarray(a), b), value) <= 12);
  CHECK(at(sp::beta(asarray(300.0), 200.0)) == doctest::Approx(1.6485491608664746e-147).epsilon(1e-12));
  const auto slope = jq::grad([](const array& a) { return sp::betaln(a, 2e9); })(asarray(0.125));
  CHECK(at(slope) == doctest::Approx(at(sp::digamma(asarray(0.125)) - sp::digamma(asarray(2e9 + 0.125)))).epsilon(1e-13));
  CHECK_ERROR(jq::shape_error, sp::betaln(jq::ones({2}), jq::ones({3})), "betaln", "(2,)", "(3,)");
  CHECK_ERROR(jq::type_error, sp::betaln(jq::ones({2}, jq::c128), 1.0), "betaln", "complex128", "loggamma");
}
TEST_CASE("poch and comb: large arguments") {
  const std::tuple<double, double, double> known[] = {
      {3e7, 0.75, 405360.04517536018}, {18.7, 18.6, 4.0975615347998751e+26}, {4e7, 5.75, 5.1504490863764347e+43}};
  for (const auto& [z, m, value] : known) CHECK(ulps(sp::poch(asarray(z), m), value) <= 120);
  CHECK(at(sp::poch(asarray(1e9f), 1.0f)) == 1e9f);
  CHECK(show(sp::comb(asarray({1000, 5, 1000}), asarray({1, 2, 999}))) == "f64[3] 1000 10 1000");
  CHECK(at(sp::comb(asarray(50), 25)) == 126410606437752.0);
  CHECK(sp::comb(asarray(1000.0f), 1.0f).item<float>() == 1000.0f);
  CHECK(ulps(sp::comb(asarray(1000.0), 10.0), 2.6340956046197021e+23) <= 60);
  CHECK(ulps(sp::comb(asarray(5.5), 2.25), 13.63040830080171) <= 10);
}
TEST_CASE("betaln and beta: second derivatives where the arguments are equal, zeros") {
  for (const double b : {1.0, 10.0}) {  // the second derivative in a is psi'(a) - psi'(a + b), the mixed one -psi'(a + b)
    const auto first = [](const array& x, const array& y) { return jq::grad([&](const array& a) { return sp::betaln(a, y); })(x); };
    const array x = asarray(b), twice = sp::polygamma(1.0, 2 * x);
    CHECK(at(jq::grad([&](const array& a) { return first(a, x); })(x)) == doctest::Approx(at(sp::polygamma(1.0, x) - twice)).epsilon(1e-12));
    CHECK(at(jq::grad([&](const array& y) { return first(x, y); })(x)) == doctest::Approx(-at(twice)).epsilon(1e-12));
  }
  CHECK(at(sp::beta(asarray(-0.5), -0.5)) == 0);
  CHECK(at(sp::beta(asarray(-1.5), 0.5)) == 0);
}
TEST_CASE("betaln, beta and poch: next to the largest numbers, and infinite ones") {
  CHECK(at(sp::betaln(asarray(2.0), 1e300)) == doctest::Approx(-1381.5510557964274).epsilon(1e-14));
  CHECK(at(sp::betaln(asarray(1e300), 1e5)) == doctest::Approx(-68026265.0808477136).epsilon(1e-14));
  CHECK(at(sp::beta(asarray(0.1), 1e300)) == doctest::Approx(9.513507698668732e-30).epsilon(1e-11));
  CHECK(at(sp::poch(asarray(1e300), 1.0)) == doctest::Approx(1e300).epsilon(1e-12));
  CHECK(show(sp::betaln(asarray({2.0, inf, inf, 0.5}), asarray({inf, 3.0, inf, inf}))) == "f64[4] -inf -inf -inf -inf");
  CHECK(show(sp::beta(asarray({2.0, inf, 20.0}).astype(jq::f32), asarray({inf, 0.5, inf}).astype(jq::f32))) == "f32[3] 0 0 0");
}
TEST_CASE("betaln and beta at the poles of gamma: limits along whole numbers, else infinite") {
  CHECK(show(sp::beta(asarray({-2.0, -2.0, 1.0, 2.0, -5.0}), asarray({1.0, 2.0, -1.0, -7.0, 3.0}))) == "f64[5] -0.5 0.5 -1 0.02381 -0.033333");
  CHECK(show(jq::exp(sp::betaln(asarray({-2.0, -2.0, 1.0}), asarray({1.0, 2.0, -1.0})))) == "f64[3] 0.5 0.5 1");
  const array a = asarray({0.0, -2.0, -1.0, -3.0, 1e-20, -0.5, 0.0, 1e-300}), b = asarray({0.0, 3.0, -1.0, 0.5, -3.0, -2.0, 1.0, -1.0});
  CHECK(show(sp::beta(a, b)) == "f64[8] inf inf inf inf inf inf inf inf");
  CHECK(show(sp::betaln(a, b)) == "f64[8] inf inf inf inf inf inf inf inf");
  CHECK(std::isnan(at(sp::beta(asarray(-1.0), not_a_number))));
  CHECK(at(jq::grad([](const array& v) { return sp::beta(v, 1.0); })(asarray(-2.0))) == doctest::Approx(-0.25).epsilon(1e-14));  // of 1 / a
}
TEST_CASE("comb: large values and their derivatives") {  // those of 1 / B, where the square of B is 0
  CHECK(at(sp::comb(asarray(1029.0), 514.0)) == doctest::Approx(1.4298206864989041e+308).epsilon(1e-11));
  const array n = asarray(1000.0), k = asarray(170.0);
  CHECK(at(jq::grad([&](const array& v) { return sp::comb(v, k); })(n)) == doctest::Approx(6.09306875212958835e+195).epsilon(1e-11));
  CHECK(at(jq::grad([&](const array& v) { return sp::comb(n, v); })(k)) == doctest::Approx(5.18028632658737637e+196).epsilon(1e-11));
}
