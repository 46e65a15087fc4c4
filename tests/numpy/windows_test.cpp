// Windows: closed forms, and the values of numpy's documentation.
#include <jacquard/numpy/windows.hpp>

#include "numpy_testing.hpp"

TEST_CASE("windows") {
  CHECK(show(jq::bartlett(5)) == "f64[5] 0 0.5 1 0.5 0");
  CHECK(distance(jq::hanning(5), asarray({0.0, 0.5, 1.0, 0.5, 0.0})) < 1e-15);
  CHECK(distance(jq::hamming(5), asarray({0.08, 0.54, 1.0, 0.54, 0.08})) < 1e-15);
  CHECK(distance(jq::blackman(5), asarray({0.0, 0.34, 1.0, 0.34, 0.0})) < 1e-15);
  // numpy.kaiser(12, 14), as documented.
  CHECK(distance(jq::kaiser(12, 14)(jq::slice(0, 6)),
                 asarray({7.72686684e-06, 3.46009194e-03, 4.65200189e-02, 2.29737120e-01, 5.99885316e-01, 9.45674898e-01})) < 1e-9);
  CHECK(distance(jq::kaiser(7, 3.5), jq::flip(jq::kaiser(7, 3.5))) < 1e-15);
  CHECK(show(jq::kaiser(1, 14)) == "f64[1] 1");
  CHECK(jq::hanning(0).shape() == jq::shape{0});
  CHECK(jq::hanning(4, jq::f32).dtype() == jq::f32);
  CHECK_ERROR(jq::value_error, jq::hamming(-1), "hamming", "-1");
}
TEST_CASE("i0") {
  CHECK(jq::i0(asarray(1.0)).item<double>() == doctest::Approx(1.2660658777520084).epsilon(1e-15));
  CHECK(jq::i0(asarray(-3.0)).item<double>() == doctest::Approx(4.880792585865024).epsilon(1e-15));
  CHECK(jq::i0(asarray(2)).dtype() == jq::f64);
}
