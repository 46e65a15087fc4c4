// log gamma in the complex plane: values from 30-digit arithmetic (mpmath), the recurrence, the two sides of the cut, poles, derivatives,
// which are digamma's values.
#include "../numpy/numpy_testing.hpp"

#include <jacquard/special/complex_gamma.hpp>

namespace sp = jacquard::special;
using z128 = jq::complex128;

namespace {

struct known {
  z128 at, value;
};
const known values[] = {{z128(0.3, 0.4), z128(0.49665590338172577, -0.98274344760714671)},
                        {z128(1.1, 0.05), z128(-0.051662891471781498, -0.021149007244415596)},
                        {z128(2.05, -0.1), z128(0.018812333627671672, -0.045516944236652764)},
                        {z128(5.0, 3.0), z128(2.2442467170202178, 4.7140895389049291)},
                        {z128(10.0, -20.0), z128(-1.702980443956511, -52.660660425584716)},
                        {z128(-0.5, 0.01), z128(1.2650654639403971, -3.1412276157201284)},
                        {z128(-3.2, 1.5), z128(-4.6283718062919945, -9.6183763388293748)},
                        {z128(-3.2, -1.5), z128(-4.6283718062919945, 9.6183763388293748)},
                        {z128(-20.7, 6.9), z128(-63.19725089915012, -45.410443701783386)},
                        {z128(-20.7, 8.0), z128(-66.281399787585428, -41.986842714984824)},
                        {z128(0.05, -2.0), z128(-2.5336481985319512, 1.3507094948328373)},
                        {z128(0.001, 0.001), z128(6.5606044738375529, -0.78597373492965339)},
                        {z128(100.0, 1.0), z128(359.12918037083199, 4.6001786863946679)},
                        {z128(-100.5, -0.25), z128(-365.18177629525974, 316.14707660695592)},
                        {z128(3.0, 0.0), z128(0.69314718055994529, 0)},
                        {z128(2.0, 1e-08), z128(-3.2246703342411325e-17, 4.2278433509846712e-09)}};
z128 at(const array& x) { return x.item<z128>(); }
double distance_of(z128 a, z128 b) { return std::hypot(a.real() - b.real(), a.imag() - b.imag()); }
double size_of(z128 a) { return std::hypot(a.real(), a.imag()); }

}  // namespace

TEST_CASE("known values, next to the zeros at 1 and 2 too; of c64") {
  for (const known& k : values) {
    CAPTURE(k.at.real());
    CAPTURE(k.at.imag());
    CHECK(distance_of(at(sp::loggamma(asarray(k.at))), k.value) <= 2e-14 * size_of(k.value));
    const array narrow = sp::loggamma(asarray(k.at).astype(jq::c64));
    CHECK(narrow.dtype() == jq::c64);
    CHECK(distance_of(at(narrow.astype(jq::c128)), k.value) <= 2e-5 * (1 + size_of(k.value)));
  }
}
TEST_CASE("log gamma(z + 1) = log gamma(z) + log z, also where the formulas change") {
  for (double x : {-9.3, -2.0, -0.91, 0.0, 0.0999, 0.5, 0.87, 1.15, 1.9, 6.0, 6.99, 7.5})
    for (double y : {1e-3, 0.13, 0.15, 1.0, 6.99, 7.01, 30.0}) {
      const array z = asarray(z128(x, y)), left = sp::loggamma(z + 1.0), right = sp::loggamma(z) + jq::log(z);
      CAPTURE(x);
      CAPTURE(y);
      CHECK(distance_of(at(left), at(right)) <= 3e-14 * (1 + size_of(at(left))));
    }
}
TEST_CASE("the sides of the cut, poles, real numbers") {
  const z128 above = at(sp::loggamma(asarray(z128(-1.5, 0.0)))), below = at(sp::loggamma(asarray(z128(-1.5, -0.0))));
  CHECK(above.real() == doctest::Approx(0.8600470153764810).epsilon(1e-14));  // log of gamma(-3/2) = 4 sqrt(pi) / 3
  CHECK(above.imag() == doctest::Approx(-6.283185307179586).epsilon(1e-14));
  CHECK(below.imag() == doctest::Approx(6.283185307179586).epsilon(1e-14));
  for (double x : {0.0, -1.0, -7.0}) CHECK(std::isnan(at(sp::loggamma(asarray(z128(x, 0)))).real()));
  CHECK(sp::loggamma(asarray(10.5)).item<double>() == doctest::Approx(13.940625219403763).epsilon(4e-15));
  CHECK(std::isnan(sp::loggamma(asarray(-1.5)).item<double>()));
  CHECK(sp::loggamma(asarray({1, 2})).dtype() == jq::f64);
}
TEST_CASE("the derivative is digamma's value; under jit") {
  const known slopes[] = {{z128(0.3, 0.4), z128(-1.2800917888512822, 2.0301057780961798)},
                          {z128(-3.2, 1.5), z128(1.3867726698054643, 2.758384076625154)},
                          {z128(2.02, 0.01), z128(0.4356225665309561, 0.006369414670866084)}};
  const auto f = [](const array& z) { return sp::loggamma(z); };
  for (const known& k : slopes) {
    const array z = asarray(k.at), one = asarray(z128(1, 0));
    CHECK(distance_of(at(jq::jvp(f, jq::primals(z), jq::tangents(one)).second), k.value) <= 1e-12);
    CHECK(distance_of(at(jq::jit(f)(z)), at(f(z))) <= 1e-14 * (1 + size_of(at(f(z)))));
  }
}
