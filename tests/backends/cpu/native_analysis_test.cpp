// What the native backend says of its programs: stages as texts, memory, cost, layout. Without a libLLVM there are none of its own.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

bool is_native() { return jq::cpu::code_generator::get() != nullptr; }
template <class F, class... A>
auto compiled(F f, const A&... x) {
  return jq::jit(f, jq::backend("cpu")).lower(x...).compile();
}
/// What a run takes at most, beside its arguments, as the library counts it.
template <class Compiled, class... A>
std::int64_t measured(const Compiled& c, const A&... x) {
  c(x...);
  jq::reset_peak_memory();
  const std::int64_t before = jq::host_memory().live;
  c(x...);
  return jq::host_memory().peak - before;
}
array data(const jq::shape& s) { return jq::full(s, 0.5f) + 0.f; }

}  // namespace

TEST_CASE("native analysis: stages") {
  if (!is_native()) return;
  const auto c = compiled([](const array& x, const array& w) { return jq::exp(jq::matmul(x, w)) * 2.f + jq::sum(x); }, data({2, 2}), data({2, 2}));
  CHECK(c.as_text("clusters") ==
        "alone:\n"
        "  v3 = dot_general v0 v1\n"
        "kernel 0:\n"
        "  v2 = reduce_sum v0\n"
        "  v4 = exp v3\n"
        "  v5 = mul v4 2.0:f32[]\n"
        "  v6 = add v5 v2\n");
  CHECK(c.as_text("jaxpr").find("dot_general") != std::string::npos);
  CHECK(c.as_text().find(c.as_text("loops")) != std::string::npos);
  CHECK(c.as_text("buffers").find("v6:f32[2,2] in result 0") != std::string::npos);
  CHECK(c.as_text("llvm").find("define void @jq.0(") != std::string::npos);
  CHECK_THROWS_WITH_AS(c.as_text("ptx"), doctest::Contains("wanted one of: jaxpr clusters loops buffers llvm"), jq::value_error);
}
TEST_CASE("native analysis: stages of loops show their bodies") {
  if (!is_native()) return;
  const auto c = compiled([](const array& x) { return lax::fori_loop(0, 5, [](const array&, const array& v) { return jq::sin(v) * 2.f; }, x); }, data({4}));
  for (const char* stage : {"clusters", "loops", "llvm", "buffers"}) {
    CAPTURE(stage);
    CHECK(testing::count(c.as_text(stage), "\nprogram 0 of ") == 1);
  }
  CHECK_THROWS_AS(c.as_text("ptx"), jq::value_error);
  CHECK(c.cost_analysis().flops >= 5 * 8);
  CHECK(c.layout().bodies.size() == 1);
}
TEST_CASE("native analysis: memory is what a run takes") {
  if (!is_native()) return;
  const auto check = [](auto f, const auto&... x) {
    const auto c = compiled(f, x...);
    const jq::program_memory m = c.memory_analysis();
    REQUIRE(m.exact);
    CHECK(measured(c, x...) == m.temporaries + m.outputs - m.aliased);
  };
  const array m = data({16, 16}), v = data({16});
  check([](array x) { return jq::sin(x) * 2.f + jq::sum(x); }, m);                         // one block of memory for all in between
  check([](array x) { return jq::softmax(x, 1) + jq::transpose(x) * jq::sum(x, 0); }, m);
  check([](array x, array y) { return jq::matmul(jq::exp(x), jq::matmul(x, x)) + y; }, m, v);  // with other equations
  check([](array x) { return lax::reshape(jq::cumsum(jq::sin(x), 0), {256}); }, m);
}
TEST_CASE("native analysis: a donated argument is written over, also where others of its type come first") {
  const auto f = jq::jit([](const array& x, const array& y) { return (x + y) * 2.f; }, jq::backend("cpu"), jq::donate_argnums<1>);
  const array x = data({100}), y = data({100});
  const float* const at = y.data<float>().data();
  CHECK(f.lower(x, y).compile().memory_analysis().aliased == 400);
  CHECK(f(x, y).data<float>().data() == at);
}
TEST_CASE("native analysis: a loop over a donated state holds one state, on both tiers") {
  const auto check = [](auto f, const auto&... more) {
    for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
      const array x = data({100000});
      const float* const at = x.data<float>().data();
      const auto c = jq::jit(f, jq::backend("cpu"), jq::donate_argnums<0>, when).lower(x, more...).compile();
      CHECK(c.memory_analysis().aliased == 400000);
      CHECK(c.memory_analysis().temporaries < 10000);
      jq::reset_peak_memory();
      const std::int64_t before = jq::host_memory().live;
      const array y = c(x, more...);
      CHECK(jq::host_memory().peak - before < 10000);
      CHECK(y.data<float>().data() == at);
    }
  };
  const auto halve = [](const array&, const array& v) { return v * 0.5f + 1.f; };
  check([&](const array& x) { return lax::fori_loop(0, 1000000, halve, x); });
  check([&](const array& x, const array& n) { return lax::fori_loop(0, n, halve, x); }, jq::asarray(3));
  check([](const array& x, const array& n) { return lax::fori_loop(0, n, [](const array& i, const array& v) { return v.at(i % 10).add(1.f); }, x); }, jq::asarray(30));
  check([](const array& x, const array& n) {
    return lax::fori_loop(0, n, [](const array& i, const array& v) { return lax::dynamic_update_slice(v, jq::ones({1}), {i}); }, x);
  }, jq::asarray(30));
}
TEST_CASE("native analysis: bytes are those of what lies in memory") {
  if (!is_native()) return;
  const auto c = compiled([](array x) { return jq::exp(jq::sin(x) * 2.f) + x; }, data({100}));
  CHECK(c.cost_analysis().bytes_accessed == 2 * 400);
  CHECK(c.cost_analysis().flops == 400);
  const auto product = compiled([](array x, array y) { return jq::matmul(x, y); }, data({3, 4}), data({4, 5}));
  CHECK(product.cost_analysis().bytes_accessed == 4 * (12 + 20 + 15));
  CHECK(product.cost_analysis().flops == 2 * 60);
}
TEST_CASE("native analysis: layout") {
  if (!is_native()) return;
  const jq::program_layout l = compiled([](const array& x) { return jq::sort(jq::sin(x) * 2.f); }, data({8})).layout();
  REQUIRE(l.program);
  REQUIRE(l.cluster.size() == 3);
  CHECK(l.cluster[0] == 0);
  CHECK(l.cluster[1] == 0);
  CHECK(l.cluster[2] == -1);
  CHECK(l.place[0] == "argument 0");
  CHECK(l.place[1] == "");
  CHECK(std::string(l.place[2].view()).rfind("frame + ", 0) == 0);
  CHECK(l.place[3] == "result 0");
}
