// Chapter 24: seeing
//
// What is a program, what became of it, what does it cost, and what happens while it runs? Everything here is
// for people; nothing of it costs anything while nobody looks.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include <jacquard/jacquard.hpp>
#include <jacquard/seeing/seeing.hpp>

namespace jq = jacquard;

int main() {
  const auto step = [](const jq::array& state, const jq::array& w, const jq::array& x) {
    const jq::array h = jq::tanh(jq::matmul(w, x) + 1.f);
    return std::pair{state * 0.9f + h, jq::sum(h)};
  };
  const jq::array state = jq::zeros({64}), w = jq::ones({64, 32}), x = jq::ones({32});
  const auto f = jq::jit(step, jq::donate_argnums<0, 2>, jq::backend("interpreter"));

  // Before anything runs: which argument gives its memory to which result, which cannot, and why.
  std::cout << jq::donation_report(f, state, w, x).as_text() << '\n';

  // A compiled function says what a run takes and costs. A product of matrices is two operations for each
  // element it sums, a sum one for each; moving elements costs none.
  const auto compiled = jq::jit(step, jq::backend("interpreter")).lower(state, w, x).compile();
  const jq::program_memory memory = compiled.memory_analysis();
  const jq::program_cost cost = compiled.cost_analysis();
  std::cout << "bytes: " << memory.arguments << " of arguments, " << memory.outputs << " of results, "
            << memory.temporaries << " in between\n"
            << "operations: " << cost.flops << ", bytes accessed: " << cost.bytes_accessed << "\n\n";

  // Compilation has stages, each of which has a text: "buffers" says where values lie. Values of one buffer
  // follow each other: each is written over the one before. The native backend, <jacquard/backends/cpu/cpu.hpp>,
  // also shows "clusters" (what became one loop), "loops" and "llvm".
  std::cout << compiled.as_text("buffers") << '\n';

  // Programs can be drawn: to_dot for Graphviz, to_html as a page that needs nothing else. Both take programs
  // as they were traced, or compiled functions, and then show kernels and memory too.
  const auto loss = [](const jq::array& v) { return jq::sum(jq::sin(v) * 2.f); };
  std::cout << jq::to_dot(jq::make_jaxpr(loss)(x)) << '\n';
  const std::string page = jq::to_html(compiled, "one step");
  std::cout << "a page: " << page.substr(0, page.find('\n')) << " ... " << (page.size() > 5000 ? "long" : "short") << "\n\n";

  // While a profile lives, traces, compilations, calls, kernels, taps and copies are recorded, in all threads.
  // The file opens in ui.perfetto.dev or chrome://tracing.
  const std::string path = "chapter_24_trace.json";
  {
    const jq::profile recording(path);
    const auto g = jq::jit(loss, jq::backend("interpreter"));
    for (int i = 0; i < 3; ++i) g(x);
  }
  std::ifstream file(path);
  int calls = 0, compilations = 0, kernels = 0;
  for (std::string line; std::getline(file, line);) {
    calls += line.find("\"cat\":\"dispatch\"") != std::string::npos;
    compilations += line.find("\"cat\":\"compile\"") != std::string::npos;
    kernels += line.find("\"cat\":\"kernel\"") != std::string::npos;
  }
  std::remove(path.c_str());
  std::cout << "profile: " << compilations << " compilation, " << calls << " calls, " << kernels << " kernels\n";

  // And JACQUARD_LOG=compile,dispatch,taps before a program's name makes it write a line to stderr for each of
  // these, without a change to it; jq::set_logging does the same from within.
}

// output:
// argument  type        bytes  output  saved
// 0         f32[64]       256       0    256  in place
// 1         f32[64,32]   8192       -      0  not donated
// 2         f32[32]       128       -      0  no output of this dtype and shape
// saved: 256 bytes
//
// bytes: 8576 of arguments, 260 of results, 256 in between
// operations: 4416, bytes accessed: 11148
//
// v0:f32[64] in argument 0
// v1:f32[64,32] in argument 1
// v2:f32[32] in argument 2
// v3:f32[64] in buffer 0
// v4:f32[64] in buffer 0
// v5:f32[64] in buffer 0
// v6:f32[64] in result 0
// v7:f32[64] in result 0
// v8:f32[] in result 1
//
// digraph jaxpr {
//   node [shape=box, fontname="monospace", fontsize=11];
//   compound=true;
//   n0 [label="a:f32[32]", style="rounded"];
//   n1 [label="sin a\lb:f32[32]\l"];
//   n2 [label="mul b 2.0:f32[]\lc:f32[32]\l"];
//   n3 [label="reduce_sum c\laxes=(0,)\ld:f32[]\l"];
//   n4 [label="result 0: d", style="bold"];
//   n0 -> n1;
//   n1 -> n2;
//   n2 -> n3;
//   n3 -> n4;
// }
//
// a page: <!DOCTYPE html> ... long
//
// profile: 1 compilation, 3 calls, 9 kernels
