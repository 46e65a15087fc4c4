// Exponential, sine, cosine and Fresnel's integrals and the dilogarithm, against values computed in 30-digit arithmetic; derivatives; edges.
#include <jacquard/special/integrals.hpp>

#include "../numpy/numpy_testing.hpp"

namespace sp = jacquard::special;

static_assert(traced([](array x) { return sp::exp1(x) + sp::spence(x) + sp::si(x); }, {3}) > 0);

namespace {
double at(const array& x) { return x.item<double>(); }
template <class F>
double slope(F f, double x) {
  return at(jq::grad([f](const array& v) { return f(v); })(asarray(x)));
}
struct known {
  double x, y, z = 0;
};
}  // namespace

TEST_CASE("exp1 and expi") {
  for (const known& k : {known{1e-10, 22.448635265138924}, {0.3, 0.90567665167584671}, {0.999, 0.21975218202294454}, {1.001, 0.21901642252746886},
                         {2.5, 0.024914917870269735}, {20, 9.8355252906498817e-11}, {600, 4.409989794509838e-264}}) {
    CHECK(at(sp::exp1(asarray(k.x))) == doctest::Approx(k.y).epsilon(5e-15));
    CHECK(at(sp::exp1(asarray(float(k.x))).astype(jq::f64)) == doctest::Approx(k.y).epsilon(k.x < 30 ? 2e-5 : 1));
  }
  for (const known& k : {known{-30, -3.0215520106888125e-15}, {-0.5, -0.55977359477616081}, {1e-8, -17.843465069050833}, {1.5, 3.3012854491297978},
                         {7.99, 436.66995575640332}, {8.01, 444.12244776080194}, {30, 368973209407.2742}, {700, 1.4509787360525609e+301}})
    CHECK(at(sp::expi(asarray(k.x))) == doctest::Approx(k.y).epsilon(5e-15));
  CHECK(show(sp::exp1(asarray({0.0, inf, -1.0, not_a_number}))) == "f64[4] inf 0 nan nan");
  CHECK(show(sp::expi(asarray({0.0, inf, -inf, not_a_number}))) == "f64[4] -inf inf -0 nan");
  CHECK(slope([](const array& x) { return sp::exp1(x); }, 0.7) == doctest::Approx(-std::exp(-0.7) / 0.7));
  CHECK(slope([](const array& x) { return sp::expi(x); }, -2) == doctest::Approx(-std::exp(-2.0) / 2));
  CHECK(sp::exp1(asarray(2)).dtype() == jq::f64);
  CHECK(sp::expi(jq::ones({2}, jq::f16)).dtype() == jq::f16);
  CHECK_ERROR(jq::type_error, sp::exp1(asarray(jq::complex128(1, 1))), "exp1", "c128", "real numbers");
}
TEST_CASE("expn") {
  struct row {
    int n;
    double x, y;
  };
  for (const row& k : {row{0, 2, 0.067667641618306346}, {1, 0.5, 0.55977359477616081}, {2, 0.5, 0.32664386232455302}, {3, 1, 0.10969196719776014},
                       {3, 1.01, 0.108217920318522}, {5, 0.01, 0.24669150254720258}, {30, 0.7, 0.016706348355961425}, {30, 8, 9.0130907078210762e-6},
                       {2, 50, 3.7117833188688274e-24}})
    CHECK(at(sp::expn(k.n, asarray(k.x))) == doctest::Approx(k.y).epsilon(2e-14));
  CHECK(show(sp::expn(asarray({0, 1, 2, 5}), 0.0)) == "f64[4] inf inf 1 0.25");
  CHECK(show(sp::expn(asarray({2.0, -1.0, 1.5}), asarray({-1.0, 1.0, 1.0}))) == "f64[3] nan nan nan");
  CHECK(sp::expn(2, jq::ones({3}, jq::f32)).aval() == jq::aval{jq::f32, {3}});
  CHECK(show(sp::expn(2, jq::ones({1}, jq::f16))) == show(sp::expn(2, jq::ones({1}, jq::f32)).astype(jq::f16)));
  CHECK(slope([](const array& x) { return sp::expn(3, x); }, 0.8) == doctest::Approx(-at(sp::expn(2, asarray(0.8)))));
  CHECK(slope([](const array& x) { return sp::expn(0, x); }, 0.8) == doctest::Approx(-std::exp(-0.8) * (1 + 1 / 0.8) / 0.8));
  const double endless = std::numeric_limits<double>::infinity();
  CHECK(show(sp::expn(asarray({0, 1, 3}), endless)) == "f64[3] 0 0 0");
  CHECK(slope([](const array& x) { return sp::expn(3, x); }, endless) == 0);
  CHECK_ERROR(jq::shape_error, sp::expn(asarray({1, 2}), jq::ones({3})), "expn", "(2,)", "(3,)");
}
TEST_CASE("sine and cosine integrals") {
  for (const known& k : {known{1e-6, 9.9999999999994444e-7, -13.238294893062991}, {1, 0.94608307036718301, 0.33740392290096813},
                         {3.99, 1.7600892984314866, -0.13933609432530843}, {4.01, 1.7563053683733345, -0.14260429630144631},
                         {25, 1.5314825509999613, -0.0068485971797025909}, {1000, 1.5702331219687712, 0.00082631551109068228}}) {
    const auto r = sp::sici(asarray(k.x));
    CHECK(at(r.si) == doctest::Approx(k.y).epsilon(4e-15));
    CHECK(std::abs(at(r.ci) - k.z) < 2e-15 * std::max(1.0, std::abs(k.z)));
    CHECK(at(sp::si(asarray(-k.x))) == -at(r.si));
    CHECK(at(sp::ci(asarray(-k.x))) == at(r.ci));
  }
  CHECK(show(sp::si(asarray({0.0, inf, -inf, not_a_number}))) == "f64[4] 0 1.5708 -1.5708 nan");
  CHECK(at(sp::ci(asarray(0.0))) == -inf);
  CHECK(slope([](const array& x) { return sp::si(x); }, 2) == doctest::Approx(std::sin(2.0) / 2));
  CHECK(slope([](const array& x) { return sp::si(x); }, 0) == 1);
  CHECK(slope([](const array& x) { return sp::ci(x); }, 5) == doctest::Approx(std::cos(5.0) / 5));
}
TEST_CASE("Fresnel's integrals") {
  for (const known& k : {known{1e-4, 5.2359877559829886e-13, 9.9999999999999998e-5}, {0.7, 0.17213645786347745, 0.65965235190451039},
                         {1.49, 0.70111322499827987, 0.45458652017763681}, {1.51, 0.69346142191597615, 0.43611616803601729},
                         {6.3, 0.45554543050439841, 0.47600445535306809}, {1000.25, 0.4996833020274881, 0.50003119192601795},
                         {123456.75, 0.49999836433687034, 0.50000199306129008}}) {
    const auto r = sp::fresnel(asarray(k.x));
    CHECK(at(r.s) == doctest::Approx(k.y).epsilon(4e-15));
    CHECK(at(r.c) == doctest::Approx(k.z).epsilon(4e-15));
    CHECK(at(sp::fresnel(asarray(-k.x)).s) == -at(r.s));
  }
  CHECK(show(sp::fresnel(asarray({0.0, inf, -inf})).c) == "f64[3] 0 0.5 -0.5");
  const double half_pi = std::acos(0.0);
  CHECK(slope([](const array& x) { return sp::fresnel(x).s; }, 1.3) == doctest::Approx(std::sin(half_pi * 1.69)));
  CHECK(slope([](const array& x) { return sp::fresnel(x).c; }, -2.1) == doctest::Approx(std::cos(half_pi * 4.41)));
}
TEST_CASE("spence") {
  for (const known& k : {known{1e-5, 1.6448089369929265}, {0.3, 0.88937762428603874}, {0.5, 0.58224052646501251}, {0.9, 0.10261779109939113},
                         {1.0000001, -9.9999997500000111e-8}, {1.7, -0.60515840233770528}, {2.1, -0.89083809026228261}, {1000, -25.495564102428909}})
    CHECK(at(sp::spence(asarray(k.x))) == doctest::Approx(k.y).epsilon(k.x == 1.0000001 ? 1e-9 : 4e-15));
  CHECK(at(sp::spence(asarray(0.0))) == doctest::Approx(1.6449340668482264));
  CHECK(show(sp::spence(asarray({1.0, inf, -1.0}))) == "f64[3] -0 -inf nan");
  CHECK(slope([](const array& x) { return sp::spence(x); }, 1) == -1);
  CHECK(slope([](const array& x) { return sp::spence(x); }, 3) == doctest::Approx(-std::log(3.0) / 2));
  // log(v) / (1 - v) = -1 + (v - 1) / 2 - (v - 1)^2 / 3 + ...; elsewhere its derivative is (1 / v + log(v) / (1 - v)) / (1 - v).
  const auto first = [](const array& x) { return jq::grad([](const array& v) { return sp::spence(v); })(x); };
  const auto second = [&](const array& x) { return jq::grad(first)(x); };
  CHECK(slope(first, 1) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(slope(second, 1) == doctest::Approx(-2.0 / 3).epsilon(1e-15));
  for (double x : {0.1, 0.74, 0.76, 0.9, 1.2, 1.24, 1.26, 5.0}) {
    INFO(x);
    CHECK(first(asarray(x)).item<double>() == doctest::Approx(std::log(x) / (1 - x)).epsilon(1e-14));
    CHECK(slope(first, x) == doctest::Approx((1 / x + std::log(x) / (1 - x)) / (1 - x)).epsilon(1e-12));
  }
}
TEST_CASE("the same under jit and vmap") {
  const array x = asarray({0.2, 1.4, 9.0});
  for (auto f : {+[](const array& v) { return sp::exp1(v); }, +[](const array& v) { return sp::expn(2, v); },
                 +[](const array& v) { return sp::fresnel(v).s; }}) {
    CHECK(distance(jq::jit(f)(x), f(x)) < 1e-14);
    CHECK(distance(jq::vmap(f)(x), f(x)) < 1e-14);
    CHECK(distance(jq::vmap(jq::grad(f))(x), jq::jvp(f, jq::primals(x), jq::tangents(jq::ones({3}, jq::f64))).second) < 1e-14);
  }
}
TEST_CASE("ci and si far away") {
  CHECK(sp::ci(asarray(1e20)).item<double>() == doctest::Approx(-6.452512852657808e-21).epsilon(1e-13));
  CHECK(sp::ci(asarray(inf)).item<double>() == 0);
  CHECK(sp::ci(asarray(std::numeric_limits<float>::infinity())).item<float>() == 0);
  CHECK(sp::si(asarray(-inf)).item<double>() == -std::acos(-1.0) / 2);
  CHECK(std::isnan(sp::ci(asarray(not_a_number)).item<double>()));
}
