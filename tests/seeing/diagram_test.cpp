// Diagrams: boxes and edges of small programs; names are those of the printed program.
#include <jacquard/seeing/diagram.hpp>

#include "../show.hpp"

using jq::array;
using jq::detail::box_kind;
using jq::detail::diagram;

namespace {

std::string text_of_box(const jq::detail::diagram_box& b) {
  std::string s(b.title.view());
  for (const jq::text& l : b.lines) s += (s.empty() ? "" : " | ") + std::string(l.view());
  return s;
}
/// "2: mul a b | c:f32[3] <- 0 1", a line for each box, inner programs indented.
std::string listing(const diagram& d, const std::string& indent = "") {
  std::string s;
  for (std::size_t i = 0; i < d.boxes.size(); ++i) {
    s += indent + std::to_string(i) + ": " + text_of_box(d.boxes[i]) + " <-";
    for (std::uint32_t from : d.boxes[i].reads) s += " " + std::to_string(from);
    s += "\n";
    for (const auto& inner : d.boxes[i].inner) s += indent + "  (" + std::string(inner.label.view()) + ")\n" + listing(inner.content, indent + "  ");
  }
  return s;
}
template <class F, class... A>
std::string drawn(F f, const A&... x) {
  return listing(jq::detail::diagram_of(jq::make_jaxpr(f)(x...)));
}
const array x = jq::ones({3});

}  // namespace

TEST_CASE("diagram: arguments, equations, literals, results") {
  CHECK(drawn([](array a, array b) { return std::pair{lax::mul(a, b) * 2.f, b}; }, x, x) ==
        "0: a:f32[3] <-\n"
        "1: b:f32[3] <-\n"
        "2: mul a b | c:f32[3] <- 0 1\n"
        "3: mul c 2.0:f32[] | d:f32[3] <- 2\n"
        "4: result 0: d <- 3\n"
        "5: result 1: b <- 1\n");
  CHECK(drawn([](array a) { return lax::mul(a, a); }, x) == "0: a:f32[3] <-\n1: mul a a | b:f32[3] <- 0\n2: result 0: b <- 1\n");
  CHECK(drawn([] { return array(1.f); }) == "0: result 0: 1.0:f32[] <-\n");
  const array captured = jq::ones({3}) + 1.f;
  CHECK(drawn([&](array a) { return a + captured; }, x).find("0: a:f32[3] <-\n1: b:f32[3] <-\n") == 0);
}
TEST_CASE("diagram: parameters, empty lists left out") {
  const diagram d = jq::detail::diagram_of(jq::make_jaxpr([](array a) { return lax::reduce_sum(lax::dot_general(a, a, {{1}, {0}, {}, {}}), {0}); })(jq::ones({2, 2})));
  CHECK(d.boxes[1].params == "lhs_contracting=(1,) rhs_contracting=(0,)");
  CHECK(d.boxes[2].params == "axes=(0,)");
}
TEST_CASE("diagram: names of variables are those of the text, also in nested programs") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](array v, array n) {
    return lax::scan([&](array c, array t) {
      const array d = lax::while_loop([](array z) { return jq::sum(z) < 10.f; }, [&](array z) { return jq::sin(z) + t; }, c);
      return std::pair{lax::cond(jq::sum(d) > 0.f, [](array z) { return jq::exp(z); }, [](array z) { return z / 3.f; }, d), jq::sum(d)};
    }, v, n);
  })(x, x);
  const std::string text = jq::to_string(p);
  int checked = 0;
  const auto check = [&](const auto& self, const diagram& d) -> void {
    for (const auto& b : d.boxes) {
      if (b.kind != box_kind::result)
        for (const jq::text& l : b.lines) {
          CAPTURE(std::string(l.view()));
          CHECK(text.find(std::string(l.view())) != std::string::npos);
          if (b.kind == box_kind::equation && b.lines.size() == 1 && b.inner.empty() && b.params.empty()) {
            CHECK(text.find(std::string(l.view()) + " = " + std::string(b.title.view())) != std::string::npos);
            ++checked;
          }
        }
      for (const auto& i : b.inner) self(self, i.content);
    }
  };
  check(check, jq::detail::diagram_of(p));
  CHECK(checked >= 5);
}
TEST_CASE("diagram: programs within equations, by the names of their parameters") {
  CHECK(drawn([](array v) { return lax::while_loop([](array z) { return lax::reduce_sum(z, {0}) < 9.f; }, [](array z) { return lax::sin(z); }, v); }, x) ==
        "0: a:f32[3] <-\n"
        "1: while a | b:f32[3] <- 0\n"
        "  (cond_jaxpr)\n"
        "  0: c:f32[3] <-\n"
        "  1: reduce_sum c | d:f32[] <- 0\n"
        "  2: lt d 9.0:f32[] | e:bool[] <- 1\n"
        "  3: result 0: e <- 2\n"
        "  (body_jaxpr)\n"
        "  0: f:f32[3] <-\n"
        "  1: sin f | g:f32[3] <- 0\n"
        "  2: result 0: g <- 1\n"
        "2: result 0: b <- 1\n");
}
TEST_CASE("diagram: kernels and places of a layout") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](array a) { return jq::sort(lax::sin(a) * 2.f)[0] * 3.f; })(x);
  jq::program_layout l;
  l.program = p.program;
  const std::size_t n = p->equations.size();
  for (std::size_t i = 0; i < n; ++i) l.cluster.push_back(i < 2 ? 0 : i + 1 == n ? 1 : -1);
  l.place.resize(p->avals.size());
  l.place[0] = "argument 0";
  l.place[2] = "buffer 0";
  const diagram d = jq::detail::diagram_of(l);
  CHECK(d.shows_places);
  CHECK(d.boxes[0].places[0] == "argument 0");
  REQUIRE(d.boxes[1].kind == box_kind::kernel);
  CHECK(d.boxes[1].title == "kernel 0");
  CHECK(d.boxes[1].inner[0].content.boxes.size() == 2);
  CHECK(d.boxes[1].inner[0].content.boxes[1].reads.size() == 1);
  CHECK(d.boxes[1].inner[0].content.boxes[0].places[0] == "");
  CHECK(d.boxes[1].inner[0].content.boxes[1].places[0] == "buffer 0");
  CHECK(d.boxes[1].reads.size() == 1);
  CHECK(d.boxes[2].reads[0] == 1);  // sort reads what the kernel made
}
