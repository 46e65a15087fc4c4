// Pages: well-formed, self-contained, all texts of the program in them, none cut off.
#include <jacquard/seeing/html.hpp>

#include <jacquard/seeing/seeing.hpp>

#include <stdexcept>

#include "../show.hpp"
#include "identity.hpp"

using jq::array;

namespace {

/// Checks that tags are closed in order and attributes are quoted; calls f(name, attributes, text up to the next tag).
template <class F>
void read_tags(const std::string& s, F&& f) {
  std::vector<std::string> open;
  for (std::size_t at = s.find('<'); at != std::string::npos; at = s.find('<', at)) {
    std::size_t end = at;
    bool quoted = false;
    while (end < s.size() && (quoted || s[end] != '>')) quoted ^= s[end++] == '"';
    if (end == s.size()) throw std::runtime_error("a tag without end");
    std::string tag = s.substr(at + 1, end - at - 1);
    const std::string after = s.substr(end + 1, s.find('<', end) - end - 1);
    for (std::size_t i = after.find('&'); i != std::string::npos; i = after.find('&', i + 1))
      if (after.find(';', i) > i + 6) throw std::runtime_error("a bare & in: " + after);
    at = end;
    if (tag[0] == '!' || tag.rfind("meta", 0) == 0) continue;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) throw std::runtime_error("closed but not open: " + tag);
      open.pop_back();
      continue;
    }
    const bool alone = tag.back() == '/';
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    f(name, tag, after);
    if (!alone) open.push_back(name);
  }
  if (!open.empty()) throw std::runtime_error("not closed: " + open.back());
}
double attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  return at == std::string::npos ? 0 : std::stod(tag.substr(at + name.size() + 3));
}
/// Every line of text lies within a box and within the drawing.
void check_drawing(const std::string& page) {
  double width = 0, height = 0;
  struct box { double x, y, w, h; };
  std::vector<box> boxes;
  struct line { double x, y; std::size_t letters; std::string text; };
  std::vector<line> lines;
  read_tags(page, [&](const std::string& name, const std::string& tag, const std::string& after) {
    if (name == "svg") width = attribute(tag, "width"), height = attribute(tag, "height");
    if (name == "rect") boxes.push_back({attribute(tag, "x"), attribute(tag, "y"), attribute(tag, "width"), attribute(tag, "height")});
    if (name == "text") lines.push_back({attribute(tag, "x"), attribute(tag, "y"), after.size(), after});
    if (name == "tspan") lines.back().letters += after.size();
  });
  REQUIRE(width > 0);
  CHECK(!lines.empty());
  for (const line& l : lines) {
    CAPTURE(l.text);
    const double end = l.x + 7.23 * double(l.letters);  // of DejaVu Sans Mono, 12 pixels
    CHECK(end <= width);
    CHECK(l.y <= height);
    bool within = false;
    for (const box& b : boxes) within = within || (l.x >= b.x && end <= b.x + b.w && l.y - 9 >= b.y && l.y + 3 <= b.y + b.h);
    CHECK(within);
  }
}
const array x = jq::ones({3});
struct odd_p : identity_named<odd_p> {
  static constexpr std::string_view name = "<script>\"&\x02";
};

}  // namespace

TEST_CASE("html: a page that stands alone") {
  const std::string page = jq::to_html(jq::make_jaxpr([](array a, array b) { const array c = jq::matmul(a, b); return c + lax::reduce_sum(a, {0, 1}); })(jq::ones({2, 2}), jq::ones({2, 2})), "a title");
  CHECK(page.find("<title>a title</title>") != std::string::npos);
  for (const char* foreign : {"<script", "<link", "src=", "href=", "@import", "url(http"}) CHECK(page.find(foreign) == std::string::npos);
  for (const char* part : {">a:f32[2,2]<", ">dot_general a b<", ">lhs_contracting=(1,) rhs_contracting=(0,)<", ">result 0: e<", "{ lambda ; a:f32[2,2]"})
    CHECK(page.find(part) != std::string::npos);
  CHECK(page.find("<h2>Memory</h2>") == std::string::npos);
  CHECK(testing::count(page, "marker-end") == 6);
  check_drawing(page);
}
TEST_CASE("html: nested programs, long titles, many values") {
  const auto nested = [](array v, array n) {
    return lax::scan([&](array c, array t) {
      const array d = lax::while_loop([](array z) { return jq::sum(z) < 10.f; }, [&](array z) { return jq::sin(z) + t; }, c);
      return std::pair{lax::cond(jq::sum(d) > 0.f, [](array z) { return jq::exp(z); }, [](array z) { return z / 3.f; }, d), jq::sum(d)};
    }, v, n);
  };
  const std::string page = jq::to_html(jq::make_jaxpr(nested)(x, x), "nested");
  for (const char* label : {">jaxpr<", ">cond_jaxpr<", ">body_jaxpr<", ">branches 0<", ">branches 1<"}) CHECK(testing::count(page, label) == 1);
  check_drawing(page);
  const auto wide = [](const std::vector<array>& v) { return lax::concatenate(v, 0); };
  check_drawing(jq::to_html(jq::make_jaxpr(wide)(std::vector<array>(60, x))));
}
TEST_CASE("html: compiled programs show memory") {
  const auto f = [](array a) { return jq::sum(jq::sin(a) * 2.f) + lax::rev(a, {0}); };
  const std::string page = jq::to_html(jq::jit(f, jq::backend("interpreter")).lower(x).compile());
  CHECK(page.find("<h2>Memory</h2>") != std::string::npos);
  CHECK(page.find("<td>buffer 0</td><td>c:f32[3] &rarr; d:f32[3]</td>") != std::string::npos);
  check_drawing(page);
  const jq::closed_jaxpr p = jq::make_jaxpr([](array a) { return jq::sort(lax::sin(a) * 2.f); })(x);
  const std::string kernels = jq::to_html(jq::program_layout{p.program, {0, 0, -1}, {"argument 0", "", "buffer 0", "result 0"}, {}, {}});
  CHECK(kernels.find(">kernel 0<") != std::string::npos);
  CHECK(kernels.find("kernel: equations that run as one loop") != std::string::npos);
  CHECK(testing::count(kernels, "not in memory") == 1);
  check_drawing(kernels);
}
TEST_CASE("html: every stage can be drawn") {
  const auto lowered = jq::jit([](array a) { return lax::sin(a); }).lower(x);
  CHECK(jq::to_html(lowered) == jq::to_html(lowered.jaxpr()));
  CHECK(jq::to_html(*lowered.jaxpr()) == jq::to_html(lowered.jaxpr()));
  CHECK(jq::to_html(lowered.compile()) == jq::to_html(lowered.compile().layout()));
}
TEST_CASE("html: text of users is text") {
  const std::string page = jq::to_html(jq::make_jaxpr([](array a) { return jq::bind<odd_p>({}, jq::location{}, a); })(x), "<b>&\"");
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("&lt;script&gt;&quot;&amp;? a") != std::string::npos);
  CHECK(page.find("<title>&lt;b&gt;&amp;&quot;</title>") != std::string::npos);
}
TEST_CASE("html: a program of a thousand equations") {
  const std::string page = jq::to_html(jq::make_jaxpr([](array a) {
    array r = a;
    for (int i = 0; i < 500; ++i) r = jq::sin(r) * (i % 50 == 0 ? a : r);
    return r;
  })(x));
  read_tags(page, [](const auto&...) {});
  CHECK(testing::count(page, ">sin ") == 500);
}
