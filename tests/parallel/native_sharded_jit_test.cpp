// Partitioned programs as machine code.
#include <jacquard/backends/cpu/cpu.hpp>

#include "sharding.hpp"

using namespace sharding;

TEST_CASE("what members run as machine code, and on tiles") {
  const array x = grid(), w = weights();
  for (const jq::compile_time when : {jq::compile_time::first_call, jq::compile_time::never}) {
    jq::cpu::set_compile_at(when);
    check("layer", [](const array& v, const array& u) { return jq::tanh(jq::matmul(v, u) + jq::sum(v, 0)); }, x, w);
    check("softmax", [](const array& v) { return jq::nn::softmax(v); }, x);
    check("gradient", [](const array& v, const array& u) { return jq::grad([&](const array& k) { return jq::mean(jq::square(jq::matmul(v, k))); })(u); }, x, w);
    check("loop", [](const array& v) { return lax::fori_loop(0, 3, [](const array&, const array& c) { return jq::tanh(c) * 0.5 + 1.0; }, v); }, x);
  }
  jq::cpu::set_compile_at(jq::compile_time::by_default);
}
