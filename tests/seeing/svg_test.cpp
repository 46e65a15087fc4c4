// Drawings: numbers and texts as XML, colours of places, what is drawn how. Whole pages are tested with seeing/html.
#include <jacquard/seeing/svg.hpp>

#include "../show.hpp"

using namespace jq::detail;

namespace {
std::string pixels(double v) {
  jq::text t;
  put_pixels(t, v);
  return std::string(t.view());
}
std::string xml(std::string_view s) {
  jq::text t;
  put_xml(t, s);
  return std::string(t.view());
}
}  // namespace

TEST_CASE("svg: numbers") {
  CHECK(pixels(0) == "0");
  CHECK(pixels(12.5) == "12.50");
  CHECK(pixels(-0.256) == "-0.26");
  CHECK(pixels(3.999) == "4");
  CHECK(pixels(1e6 + 0.01) == "1000000.01");
}
TEST_CASE("svg: texts") {
  CHECK(xml("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
  CHECK(xml("x\x01y\nz") == "x?y\nz");
  CHECK(xml("é") == "é");
}
TEST_CASE("svg: each place has its colour, the same everywhere") {
  place_colours c;
  const int a = c.hue("buffer 0"), b = c.hue("buffer 1");
  CHECK(a != b);
  CHECK(c.hue("buffer 0") == a);
  for (int i = 2; i < 40; ++i) CHECK(c.hue(jq::cat("buffer ", i)) < 360);
}
TEST_CASE("svg: boxes, edges and texts of a diagram") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](jq::array x) { return jq::lax::sin(x); })(jq::ones({3}));
  place_colours c;
  const std::string s(svg_writer().write(diagram_of(p), c).view());
  CHECK(testing::count(s, "<rect ") == 3);
  CHECK(testing::count(s, "marker-end") == 2);
  CHECK(testing::count(s, "<text ") == 4);
  CHECK(s.find(">sin a</text>") != std::string::npos);
  CHECK(s.find("b:f32[3]</text>") != std::string::npos);
}
