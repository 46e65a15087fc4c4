// Arrays as text: numpy's layout (details are tested with core/array_text), and what has no value.
#include "../numpy/numpy_testing.hpp"

#include <sstream>

TEST_CASE("values of every category in numpy's layout") {
  CHECK(jq::to_string(asarray({1.0, 2.5})) == "[1.  2.5]");
  CHECK(jq::to_string(asarray({{1, 20}, {3, 4}})) == "[[ 1 20]\n [ 3  4]]");
  CHECK(jq::to_string(asarray({true, false})) == "[ True False]");
  CHECK(jq::to_string(asarray({jq::complex128(1, -2)})) == "[1.-2.j]");
  CHECK(jq::to_string(asarray({1e-7f, 1.0f})) == "[1.e-07 1.e+00]");
  CHECK(jq::to_string(asarray({jq::float16(0.1f)})) == "[0.1]");
  CHECK(jq::to_string(asarray({std::uint8_t(200)})) == "[200]");
  CHECK(jq::to_string(array(3.0)) == "3.");
  CHECK(jq::to_string(jq::zeros({0})) == "[]");
}
TEST_CASE("streams") {
  std::ostringstream out;
  out << asarray({1, 2}) << ' ' << jq::make_jaxpr([](const array& x) { return x; })(1.0f);
  CHECK(out.str() == "[1 2] { lambda ; a:f32[]. let  in (a,) }");
}
TEST_CASE("types as texts") {
  const array x = jq::zeros({2, 3});
  CHECK(jq::to_string(x.shape()) == "(2, 3)");
  CHECK(jq::to_string(x.dtype()) == "float32");
  CHECK(jq::to_string(x.aval()) == "f32[2,3]");
}
TEST_CASE("arrays without a value") {
  CHECK(jq::to_string(array()) == "<empty jq::array>");
  std::string seen;
  (void)jq::make_jaxpr([&](const array& x) {
    seen = jq::to_string(x);
    return x;
  })(jq::zeros({3}));
  CHECK(seen == "Tracer<f32[3]>");
  (void)jq::grad([&](const array& x) {
    seen = jq::to_string(x * 2);
    return x;
  })(asarray(1.5));
  CHECK(seen == "3.");
}
