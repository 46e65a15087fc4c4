// Question: what does masking cost, compared with the same padded computation that pays no attention to lengths?
// Tasks: T21 sum, mean and softmax over ragged rows, and the gradient of the inner product of the last with weights (1000 rows of
// 1 to 128 of 128 f32); a batch of 64 sequences (1 to 128 of 128 steps of 64 features) through two layers, self-attention and a
// mean. On the interpreter, and where there is a libLLVM on the cpu backend.
// Unit: nanoseconds per call by the clock; ratios to the padded computation and to a hand-written loop over the true lengths.
// All run interleaved, compiled by jq::jit. Values are compared before anything is timed.
// Bars: T21 <= the padded computation; sequences <= 1.2 of it.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/code_generator.hpp>
#include <jacquard/jacquard.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "interleaved.hpp"

namespace jq = jacquard;
using jq::array;

namespace {

/// Times the masked computation in alternation with its baselines, by the clock: the processor time of a process counts what other threads
/// of it do, waiting awake too, in jumps of some milliseconds.
template <class Masked, class Dense, class... Hand>
void compare(const std::string& name, double bar, const Masked& masked, const Dense& dense, const Hand&... hand) {
  interleaved::terms how{name};
  how.clock = interleaved::timer::clock;
  interleaved::compare(how, {"ours", masked}, {interleaved::contender("padded", dense, 0, bar), interleaved::contender("by hand", hand)...});
}
void expect_close(const char* name, double got, double want) {
  if (std::abs(got - want) <= 1e-4 * (1 + std::abs(want))) return;
  std::printf("%s is wrong: %g instead of %g\n", name, got, want);
  std::exit(1);
}

constexpr std::int64_t rows = 1000, width = 128, batch = 64, features = 64;
std::mt19937 generator(21);

array random_array(const jq::shape& s, float scale = 1) {
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> v(std::size_t(s.elements()), 0.f);
  for (float& x : v) x = normal(generator);
  return jq::asarray(v, s);
}
std::vector<std::int64_t> random_lengths(std::int64_t count) {
  std::uniform_int_distribution<std::int64_t> uniform(1, width);
  std::vector<std::int64_t> v(std::size_t(count), 0);
  for (std::int64_t& n : v) n = uniform(generator);
  return v;
}

// T21.
array softmax_row(const array& x) {
  const array e = jq::exp(x - jq::max(x));
  return e / jq::sum(e);
}
array masked_row(const array& x, const array& n) {
  return jq::mask(softmax_row, jq::in_shapes<"n">, jq::out_shape<"n">)(jq::args(x), jq::dims{{"n", n}});
}
template <bool Gradient>
void by_hand(const float* x, const float* v, const std::int64_t* lengths, float* out) {
  for (std::int64_t r = 0; r < rows; ++r, x += width, v += width, out += width) {
    const std::int64_t n = lengths[r];
    float top = x[0], sum = 0, inner = 0;
    for (std::int64_t i = 1; i < n; ++i) top = std::max(top, x[i]);
    for (std::int64_t i = 0; i < n; ++i) sum += out[i] = std::exp(x[i] - top);
    for (std::int64_t i = 0; i < n; ++i) out[i] /= sum;
    std::fill(out + n, out + width, 0.f);
    if (!Gradient) continue;
    for (std::int64_t i = 0; i < n; ++i) inner += out[i] * v[i];
    for (std::int64_t i = 0; i < n; ++i) out[i] *= v[i] - inner;
  }
}
double total(const std::vector<float>& x) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) s += x[i] * double(i % 7);
  return s;
}
double total(const array& x) {
  const auto e = x.data<float>();
  return total(std::vector<float>(e.begin(), e.end()));
}

/// Numbers and their mean or sum, of rows.
template <bool Mean>
array total_of_row(const array& x) {
  if constexpr (Mean) return jq::mean(x);
  else return jq::sum(x);
}
template <bool Mean>
void ragged_sums(const jq::backend& on, const std::string& where) {
  const array x = random_array({rows, width});
  const std::vector<std::int64_t> lengths = random_lengths(rows);
  const array n = jq::asarray(lengths);
  const auto masked = jq::jit(jq::vmap([](const array& row, const array& k) {
    return jq::mask(total_of_row<Mean>, jq::in_shapes<"n">, jq::out_shape<"">)(jq::args(row), jq::dims{{"n", k}});
  }), on);
  const auto dense = jq::jit(jq::vmap(total_of_row<Mean>), on);
  std::vector<float> out(std::size_t(rows), 0.f);
  const float* px = x.data<float>().data();
  const auto hand = [&] {
    for (std::int64_t r = 0; r < rows; ++r) {
      float sum = 0;
      for (std::int64_t i = 0; i < lengths[std::size_t(r)]; ++i) sum += px[r * width + i];
      out[std::size_t(r)] = Mean ? sum / float(lengths[std::size_t(r)]) : sum;
    }
  };
  hand();
  expect_close(Mean ? "masked mean" : "masked sum", total(masked(x, n)), total(out));
  compare(std::string(Mean ? "T21 mean, " : "T21 sum, ") + where, 1.0, [&] { masked(x, n); }, [&] { dense(x); }, hand);
}

void ragged_softmax(const jq::backend& on, const std::string& where) {
  const array x = random_array({rows, width}), v = random_array({rows, width});
  const std::vector<std::int64_t> lengths = random_lengths(rows);
  const array n = jq::asarray(lengths);
  const auto masked = jq::jit(jq::vmap(masked_row), on);
  const auto dense = jq::jit(jq::vmap(softmax_row), on);
  std::vector<float> out(std::size_t(rows * width), 0.f);
  const float *px = x.data<float>().data(), *pv = v.data<float>().data();
  const auto hand = [&] { by_hand<false>(px, pv, lengths.data(), out.data()); };
  hand();
  expect_close("masked softmax", total(masked(x, n)), total(out));
  compare("T21 softmax, " + where, 1.0, [&] { masked(x, n); }, [&] { dense(x); }, hand);

  const auto masked_gradient = jq::jit(jq::grad([](const array& a, const array& w, const array& k) { return jq::sum(jq::vmap(masked_row)(a, k) * w); }), on);
  const auto dense_gradient = jq::jit(jq::grad([](const array& a, const array& w) { return jq::sum(jq::vmap(softmax_row)(a) * w); }), on);
  const auto hand_gradient = [&] { by_hand<true>(px, pv, lengths.data(), out.data()); };
  hand_gradient();
  expect_close("gradient of masked softmax", total(masked_gradient(x, v, n)), total(out));
  compare("T21 gradient, " + where, 1.0, [&] { masked_gradient(x, v, n); }, [&] { dense_gradient(x, v); }, hand_gradient);
}

// Sequences.
array score(const array& x, const array& w, const array& u) {
  const array h = jq::tanh(jq::matmul(jq::tanh(jq::matmul(x, w)), u));
  const array attention = jq::softmax(jq::matmul(h, jq::transpose(h)) * 0.125, 1);
  return jq::sum(jq::mean(jq::matmul(attention, h), 0));
}
void sequences(const jq::backend& on, const std::string& where) {
  const array x = random_array({batch, width, features}), w = random_array({features, features}, 0.1f), u = random_array({features, features}, 0.1f);
  const array n = jq::asarray(random_lengths(batch));
  const auto masked_score = [](const array& a, const array& k, const array& b, const array& c) {
    return jq::mask(score, jq::in_shapes<"(n, _)", "(_, _)", "(_, _)">, jq::out_shape<"">)(jq::args(a, b, c), jq::dims{{"n", k}});
  };
  const auto masked = [=](const array& b, const array& c, const array& a, const array& k) {
    return jq::sum(jq::vmap(masked_score, jq::in_axes<0, 0, jq::none, jq::none>)(a, k, b, c));
  };
  const auto dense = [](const array& b, const array& c, const array& a) {
    return jq::sum(jq::vmap(score, jq::in_axes<0, jq::none, jq::none>)(a, b, c));
  };
  double want = 0;
  for (std::int64_t i = 0; i < batch; ++i) want += score(x[i](jq::slice(0, n[i].item<std::int64_t>())), w, u).item<double>();
  expect_close("masked sequences", masked(w, u, x, n).item<double>(), want);
  const auto f = jq::jit(masked, on);
  const auto g = jq::jit(dense, on);
  compare("64 sequences, " + where, 1.2, [&] { f(w, u, x, n); }, [&] { g(w, u, x); });
  const auto df = jq::jit(jq::grad(masked, jq::argnums<0, 1>), on);
  const auto dg = jq::jit(jq::grad(dense, jq::argnums<0, 1>), on);
  compare("64 sequences, gradient, " + where, 1.2, [&] { df(w, u, x, n); }, [&] { dg(w, u, x); });
}

}  // namespace

int main() {
  jq::cpu::set_compile_at(jq::compile_time::first_call);
  for (const char* name : {"interpreter", "cpu"}) {
    if (name[0] == 'c' && !jq::cpu::code_generator::get()) std::puts("no libLLVM here: the cpu backend runs kernels on its tile interpreter");
    std::printf("%s\n", name);
    const jq::backend on(name);
    ragged_sums<false>(on, name);
    ragged_sums<true>(on, name);
    ragged_softmax(on, name);
    sequences(on, name);
  }
}
