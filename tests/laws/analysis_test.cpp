// Laws of analysis: what a compiled program says it takes is what a run takes; costs are those of the rules, on every backend.
#include "row.hpp"

#include <jacquard/backends/cpu/cpu.hpp>

using namespace laws;
using jq::testing::report;

namespace {

constexpr dtype_set some = only(jq::bool_, jq::i32, jq::f32, jq::c128);

std::int64_t bytes_of(const leaves& x) {
  std::int64_t n = 0;
  for (const array& a : x) n += a.aval().bytes();
  return n;
}
report check_memory(const leaf_function& f, const leaves& x, const char* platform) {
  report r;
  const auto compiled = jq::jit(f, jq::backend(platform)).lower(x).compile();
  const jq::program_memory m = compiled.memory_analysis();
  compiled(x);
  jq::reset_peak_memory();
  const std::int64_t before = jq::host_memory().live;
  const leaves y = compiled(x);
  const std::int64_t peak = jq::host_memory().peak - before;
  if (m.arguments != bytes_of(x)) r.fail("arguments: ", m.arguments, " bytes, wanted ", bytes_of(x));
  if (m.outputs != bytes_of(y)) r.fail("outputs: ", m.outputs, " bytes, wanted ", bytes_of(y));
  if (m.exact && m.temporaries + m.outputs - m.aliased != peak)
    r.fail(platform, ": ", m.temporaries, " bytes of temporaries, ", m.outputs, " of outputs, ", m.aliased, " aliased, but the run took ", peak);
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k) {
      const bool same = x[k].as_buffer() && y[i].as_buffer() == x[k].as_buffer();
      if (m.exact && same && m.alias[i] != std::int32_t(k)) r.fail(platform, ": output ", i, " is argument ", k, ", which the analysis does not say");
    }
  return r;
}
bool has_host_function(const instance& i) {
  const jq::param_pack p = i.at->params_for ? i.at->params_for(i.type) : i.at->params;
  return !p.functions.empty();
}

}  // namespace

TEST_CASE("memory analysis is what a run takes") {
  for_each_instance(some, [](const instance& i) {
    report r;
    if (has_host_function(i)) return r;  // what functions of the host take is theirs
    const leaves x = operands_of(i);
    const leaf_function f = function_of(i);
    // Operands that are made within the program may be written over.
    const leaf_function own = [&](const leaves& z) {
      leaves copies;
      for (const array& a : z) copies.push_back(lax::rev(a, {}));
      return f(copies);
    };
    for (const char* platform : {"interpreter", "cpu"}) {
      r.add("by itself", check_memory(f, x, platform));
      r.add("of values of the program", check_memory(own, x, platform));
    }
    return r;
  });
}
TEST_CASE("costs: one operation per element where nothing else is said, the same on every backend") {
  for_each_instance(some, [](const instance& i) {
    report r;
    const leaves x = operands_of(i);
    const leaf_function f = function_of(i);
    const auto cost = [&](const char* platform) { return jq::jit(f, jq::backend(platform)).lower(x).compile().cost_analysis(); };
    const jq::program_cost a = cost("interpreter"), b = cost("cpu");
    double elements = 0;
    for (const jq::aval& t : jq::make_jaxpr(f)(x).out_avals()) elements += double(t.elements());
    if (!(a.flops >= 0) || !(a.bytes_accessed >= 0)) r.fail("negative or no number");
    if (i.of->op->elementwise && !i.of->op->cost && !is_collective(*i.of) && a.flops != elements)
      r.fail(std::int64_t(a.flops), " operations for ", std::int64_t(elements), " elements");
    if (a.flops != b.flops) r.fail(std::int64_t(a.flops), " operations on one backend, ", std::int64_t(b.flops), " on the other");
    if (b.counted != a.counted) r.fail("counted on one backend only");
    return r;
  });
}
