// The walk through a program's memory: what it says a run takes is what a run takes. Oracle: the library's count of host memory.
#include <jacquard/exec/lowering/memory_walk.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

/// What a run of the interpreter takes at most, beside its arguments.
template <class F, class... O, class... A>
void check_peak(F f, const std::tuple<O...>& options, const A&... x) {
  const auto compiled = std::apply([&](const O&... o) { return jq::jit(f, jq::backend("interpreter"), o...); }, options).lower(x...).compile();
  const jq::program_memory m = compiled.memory_analysis();
  REQUIRE(m.exact);
  jq::reset_peak_memory();
  const std::int64_t before = jq::host_memory().live;
  const auto results = jq::tree::flatten(compiled(x...));
  std::int64_t bytes = 0;
  for (const array& r : results) bytes += r.aval().bytes();
  CHECK(m.outputs == bytes);
  CHECK(jq::host_memory().peak - before == m.temporaries + m.outputs - m.aliased);
}
array data(const jq::shape& s) { return jq::full(s, 0.5f) + 0.f; }

}  // namespace

TEST_CASE("memory walk: chains write over what is dead, other steps do not") {
  const array m = data({16, 16}), v = data({16});
  check_peak([](array x) { return jq::sin(jq::cos(x) * 2.f) + 1.f; }, std::tuple{}, m);
  check_peak([](array x) { return lax::rev(jq::exp(x), {0}) + x; }, std::tuple{}, m);
  check_peak([](array x, array y) { return jq::matmul(jq::matmul(x, x), jq::transpose(x)) + y; }, std::tuple{}, m, v);
  check_peak([](array x) { const array y = jq::sin(x); return y * y; }, std::tuple{}, m);  // read twice: not written over
  check_peak([](array x) { const array y = jq::sin(x); return std::pair{y, jq::sum(y * 2.f)}; }, std::tuple{}, m);
  check_peak([](array x) { return jq::softmax(x, 1); }, std::tuple{}, m);
}
TEST_CASE("memory walk: donated arguments give their memory to results") {
  check_peak([](array x) { return x * 2.f + 1.f; }, std::tuple{jq::donate_argnums<0>}, data({32}));
  check_peak([](array x, array y) { return std::pair{x + y, y * 2.f}; }, std::tuple{jq::donate_argnums<0, 1>}, data({32}), data({32}));
}
TEST_CASE("memory walk: results that are arguments, the same result twice, constants") {
  const array constant = data({8});
  check_peak([](array x) { return x; }, std::tuple{}, data({8}));
  check_peak([&](array x) { return x + constant; }, std::tuple{}, data({8}));
  const auto twice = jq::jit([](array x) { const array y = jq::sin(x); return std::pair{y, y}; }, jq::backend("interpreter")).lower(data({8})).compile();
  CHECK(twice.memory_analysis().outputs == 64);
  CHECK(twice.memory_analysis().temporaries == 0);
  const auto same = jq::jit([](array x) { return x; }).lower(data({8})).compile().memory_analysis();
  CHECK(same.alias.size() == 1);
  CHECK(same.alias[0] == 0);
  CHECK(same.aliased == 32);
  CHECK(same.arguments == 32);
}
TEST_CASE("memory walk: where values lie") {
  const auto f = jq::jit([](array x) { return jq::sum(jq::sin(jq::cos(x) * 2.f)) + lax::rev(x, {0}); }, jq::backend("interpreter"));
  CHECK(f.lower(data({4})).compile().as_text("buffers") ==
        "v0:f32[4] in argument 0\n"
        "v1:f32[4] in result 0\n"
        "v2:f32[4] in buffer 0\n"
        "v3:f32[4] in buffer 0\n"
        "v4:f32[4] in buffer 0\n"
        "v5:f32[] in buffer 1\n"
        "v6:f32[4] in result 0\n");
}
TEST_CASE("memory walk: loops are estimates, and say so") {
  const auto f = jq::jit([](array x) { return lax::fori_loop(0, 3, [](array, array c) { return jq::sin(c) * 2.f; }, x); }, jq::backend("interpreter"));
  const jq::program_memory m = f.lower(data({8})).compile().memory_analysis();
  CHECK_FALSE(m.exact);
  CHECK(m.temporaries >= 32);
}
