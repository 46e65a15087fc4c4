// Question: what do fused kernels of the cpu backend cost, called through jit, compared with loops written by hand?
// Tasks: a chain of multiplications, additions and a maximum of three inputs; exp, tanh, log, sin and erf; gelu (T6); sums,
// softmax and layer norm of rows of 1024; a five-point stencil; products of matrices against calls of OpenBLAS, where the build has it. f32,
// one thread. The hand-written loops get their memory ready made, but in rows named fresh.
// Compiled code; with the argument "tiles", or where there is no libLLVM, the tile interpreter.
// Unit: nanoseconds per element, and the ratio to the baseline in the same round (interleaved.hpp). Values are compared first.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/jacquard.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "interleaved.hpp"
#include "openblas_hint.hpp"

#ifdef JACQUARD_WITH_OPENBLAS
#include <cblas.h>
#endif

namespace jq = jacquard;
using jq::array;

void hand_chain(const float* x, const float* y, const float* z, float* out, std::size_t n);
void hand_functions(const float* x, float* out, std::size_t n);
void hand_gelu(const float* x, float* out, std::size_t n);
void hand_row_sums(const float* x, float* out, std::size_t rows, std::size_t columns);
void hand_softmax(const float* x, float* out, std::size_t rows, std::size_t columns);
void hand_layer_norm(const float* x, float* out, std::size_t rows, std::size_t columns);
void hand_stencil(const float* u, float* out, std::size_t n);

namespace {

const float* read(const array& x) { return x.data<float>().data(); }

/// Compares f(x...) with `hand`, which fills a result of the same shape. Where memory is part of the time, two rows compare like with like
/// and have the bar: with loops that take fresh memory in each call, as ours does, and of calls that are bound to memory that is ready, as the loops'.
template <class F, class Hand, class... A>
void task(const char* name, double bar, F f, Hand hand, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"));
  const array ours = compiled(x...);
  std::vector<float> memory(std::size_t(ours.size()), 0);
  float* const out = memory.data();
  const auto by_hand = [&] {
    hand(out);
    interleaved::observe(out);
  };
  const auto by_hand_afresh = [&] {
    const std::unique_ptr<float[]> fresh(new float[memory.size()]);
    hand(fresh.get());
    interleaved::observe(fresh.get());
  };
  const auto by_library = [&] {
    const array y = compiled(x...);  // given back before the next call, which writes there
    interleaved::observe(read(y));
  };
  by_hand();
  const array theirs = jq::asarray(memory, ours.shape());
  const double difference = double(jq::max(jq::abs(ours - theirs) / (1 + jq::abs(theirs))).item<float>());
  const int n = int(ours.size());
  char line[64];
  std::snprintf(line, sizeof line, "%s, n = %d", name, n);
  const double error = difference < 1e-5 ? 0 : difference;
  if (n < 1000) bar = interleaved::no_bar;
  const bool is_small = n < 10000;
  interleaved::compare(line, n, error, by_hand, by_library, is_small ? interleaved::no_bar : bar);
  if (!is_small) return;
  interleaved::compare((std::string(line) + ", fresh").c_str(), n, error, by_hand_afresh, by_library, bar);
  std::vector<float> own(std::size_t(n), 0);
  auto bound = compiled.lower(x...).compile().bind({x...}, {own});
  const auto by_bound_call = [&] {
    bound();
    interleaved::observe(own.data());
  };
  by_bound_call();
  const bool same = std::equal(own.begin(), own.end(), read(ours));
  interleaved::compare((std::string(line) + ", bound").c_str(), n, same ? error : 1, by_hand, by_bound_call, bar);
}

}  // namespace

int main(int argc, char** argv) {
  openblas_hint::start(argv);
  jq::cpu::set_threads(1);  // the time of others is not counted
  const bool tiles = (argc > 1 && std::string_view(argv[1]) == "tiles") || !jq::cpu::code_generator::get();
  jq::cpu::set_compile_at(tiles ? jq::compile_time::never : jq::compile_time::first_call);
  std::puts(tiles ? "tier 0: the tile interpreter" : "tier 1: compiled code");
  for (const std::int64_t n : {8, 1000, 100000, 10000000}) {
    const array x = jq::random::normal(jq::random::key(0), {n}), y = x * 0.5 + 1.0, z = x - 0.3;
    const std::size_t count = std::size_t(n);
    task("multiply, add, maximum", 1.0, [](array a, array b, array c) { return jq::maximum(a * b + c, b) * a + c * 0.5; },
         [&](float* out) { hand_chain(read(x), read(y), read(z), out, count); }, x, y, z);
    task("exp, tanh, log, sin, erf", 0.8, [](array a) {
      const array e = jq::exp(a), t = jq::tanh(a);
      return jq::erf(jq::sin(jq::log(e + t * t))) * a;
    }, [&](float* out) { hand_functions(read(x), out, count); }, x);
    task("gelu", 0.8, [](array a) { return 0.5 * a * (1 + jq::tanh(0.79788456 * (a + 0.044715 * a * a * a))); },
         [&](float* out) { hand_gelu(read(x), out, count); }, x);
  }
  const array m = jq::random::normal(jq::random::key(1), {1024, 1024});
  const array positive = jq::abs(m);  // sums without cancellation, which the order of additions cannot change beyond rounding
  task("sums of rows of 1024", 1.1, [](array a) { return jq::sum(a, 1); }, [&](float* out) { hand_row_sums(read(positive), out, 1024, 1024); },
       positive);
  task("softmax of rows", 1.1, [](array a) { return jq::softmax(a, 1); }, [&](float* out) { hand_softmax(read(m), out, 1024, 1024); }, m);
  task("layer norm of rows", 1.1, [](array a) {
    const array d = a - jq::mean(a, 1, jq::keepdims);
    return d / jq::sqrt(jq::mean(d * d, 1, jq::keepdims) + 1e-5);
  }, [&](float* out) { hand_layer_norm(read(m), out, 1024, 1024); }, m);
  task("five-point stencil", 1.1, [](array u) {
    using jq::slice;
    const auto part = [&](jq::slice rows, jq::slice columns) { return u(rows, columns); };
    const array c = part(slice(1, -1), slice(1, -1));
    return c + 0.1 * (part(slice(0, -2), slice(1, -1)) + part(slice(2, jq::none), slice(1, -1)) + part(slice(1, -1), slice(0, -2)) +
                      part(slice(1, -1), slice(2, jq::none)) - 4 * c);
  }, [&](float* out) { hand_stencil(read(m), out, 1024); }, m);
#ifdef JACQUARD_WITH_OPENBLAS
  openblas_set_num_threads(1);
  for (const std::int64_t n : {32, 64, 256, 512}) {
    const array a = jq::random::normal(jq::random::key(2), {n, n}), b = jq::random::normal(jq::random::key(3), {n, n});
    task("product of matrices", 1.1, [](array x, array y) { return jq::matmul(x, y); }, [&](float* out) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(n), int(n), int(n), 1, read(a), int(n), read(b), int(n), 0, out, int(n));
    }, a, b);
  }
#endif
}
