// Graphs for Graphviz: golden texts of small programs, strings that need escapes.
#include <jacquard/seeing/dot.hpp>

#include "../show.hpp"
#include "identity.hpp"

using jq::array;

namespace {
const array x = jq::ones({3});
struct odd_p : identity_named<odd_p> {
  static constexpr std::string_view name = "a\"b\\c\n\x01";
};
}  // namespace

TEST_CASE("dot: a small program") {
  CHECK(jq::to_dot(jq::make_jaxpr([](array a, array b) { return lax::reduce_sum(lax::mul(a, b), {0}) * 2.f; })(x, x)) ==
        "digraph jaxpr {\n"
        "  node [shape=box, fontname=\"monospace\", fontsize=11];\n"
        "  compound=true;\n"
        "  n0 [label=\"a:f32[3]\", style=\"rounded\"];\n"
        "  n1 [label=\"b:f32[3]\", style=\"rounded\"];\n"
        "  n2 [label=\"mul a b\\lc:f32[3]\\l\"];\n"
        "  n3 [label=\"reduce_sum c\\laxes=(0,)\\ld:f32[]\\l\"];\n"
        "  n4 [label=\"mul d 2.0:f32[]\\le:f32[]\\l\"];\n"
        "  n5 [label=\"result 0: e\", style=\"bold\"];\n"
        "  n0 -> n2;\n"
        "  n1 -> n2;\n"
        "  n2 -> n3;\n"
        "  n3 -> n4;\n"
        "  n4 -> n5;\n"
        "}\n");
}
TEST_CASE("dot: programs within equations are clusters") {
  CHECK(jq::to_dot(jq::make_jaxpr([](array a) { return jq::jit([](array v) { return lax::sin(v); })(a); })(x)) ==
        "digraph jaxpr {\n"
        "  node [shape=box, fontname=\"monospace\", fontsize=11];\n"
        "  compound=true;\n"
        "  n0 [label=\"a:f32[3]\", style=\"rounded\"];\n"
        "  n1 [label=\"call a\\lname=f\\lb:f32[3]\\l\"];\n"
        "  subgraph cluster_n1_0 {\n"
        "    label=\"jaxpr of call\";\n"
        "    n1_0_0 [label=\"c:f32[3]\", style=\"rounded\"];\n"
        "    n1_0_1 [label=\"sin c\\ld:f32[3]\\l\"];\n"
        "    n1_0_2 [label=\"result 0: d\", style=\"bold\"];\n"
        "    n1_0_0 -> n1_0_1;\n"
        "    n1_0_1 -> n1_0_2;\n"
        "  }\n"
        "  n1 -> n1_0_0 [style=dotted, lhead=cluster_n1_0];\n"
        "  n2 [label=\"result 0: b\", style=\"bold\"];\n"
        "  n0 -> n1;\n"
        "  n1 -> n2;\n"
        "}\n");
}
TEST_CASE("dot: kernels are clusters, places are shown") {
  const jq::closed_jaxpr p = jq::make_jaxpr([](array a) { return jq::sort(lax::sin(a) * 2.f); })(x);
  jq::program_layout l{p.program, {0, 0, -1}, {"argument 0", "", "buffer 0", "result 0"}, {}, {}};
  const std::string s = jq::to_dot(l);
  CHECK(s.find("  subgraph cluster_n1 {\n    label=\"kernel 0\";\n    n1_0 [label=\"sin a\\lb:f32[3]\\l\"];\n"
               "    n1_1 [label=\"mul b 2.0:f32[]\\lc:f32[3]  in buffer 0\\l\"];\n    n1_0 -> n1_1;\n  }\n") != std::string::npos);
  CHECK(s.find("  n0 -> n1_0 [lhead=cluster_n1];\n") != std::string::npos);
  CHECK(s.find("  n1_1 -> n2 [ltail=cluster_n1];\n") != std::string::npos);
  CHECK(jq::to_dot(jq::jit([](array a) { return lax::sin(a); }).lower(x).compile()).find("in argument 0") != std::string::npos);
}
TEST_CASE("dot: strings") {
  const std::string s = jq::to_dot(jq::make_jaxpr([](array a) { return jq::bind<odd_p>({}, jq::location{}, a); })(x));
  CHECK(s.find("[label=\"a\\\"b\\\\c\\l? a\\lb:f32[3]\\l\"]") != std::string::npos);
}
