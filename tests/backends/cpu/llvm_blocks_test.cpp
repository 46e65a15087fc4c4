// Kernels that run together in blocks of rows, in machine code: the numbers of the interpreter, for every rest of rows and columns, and the same
// bits on any number of threads.
#include "same.hpp"

#include <cstring>

using jq::array;

namespace {

array numbers(const jq::shape& s, jq::dtype t) {
  return jq::reshape(jq::astype(jq::sin(jq::astype(jq::arange(s.elements(), jq::i64), jq::f64) * 12.9898), t), s);
}
/// Both results of a regression whose weights are summed over rows.
struct results {
  array loss, gradient, residual;
};
results regression(const array& x, const array& w, const array& y) {
  const array z = jq::matmul(x, w), r = jq::tanh(z) - y;
  return {jq::mean(r * r), jq::matmul(r, x) * 0.5 - w, r};
}
array step(const array& w, const array& x, const array& y) {
  const auto loss = [&](const array& v) { return jq::mean(jq::log1p(jq::exp(jq::matmul(x, v))) - y * jq::matmul(x, v)); };
  return w - 0.1 * jq::grad(loss)(w);
}
std::vector<char> bytes_of(const jq::testing::leaves& all) {
  std::vector<char> r;
  for (const array& x : all) {
    const auto data = static_cast<const char*>(x.as_buffer()->data);
    r.insert(r.end(), data, data + x.as_buffer()->type.bytes());
  }
  return r;
}
/// Whether a program of these arguments runs in blocks.
template <class F, class... A>
bool runs_in_blocks(F f, const A&... x) {
  const std::string loops = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x...).compile().as_text("loops");
  return loops.find("in blocks of") != std::string::npos;
}

template <class F, class... A>
void check(double tolerance, F f, const A&... x) {
  CHECK(runs_in_blocks(f, x...));
  const auto fast = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  std::vector<char> first;
  const int before = jq::cpu::threads();
  for (int threads : {1, 2, 5}) {
    jq::cpu::set_threads(threads);
    for (int again = 0; again < 3; ++again) {
      const jq::testing::leaves got = jq::tree::flatten(fast(x...));
      const jq::testing::report r = jq::testing::all_close(got, want, tolerance, tolerance);
      CHECK_MESSAGE(r.ok, r.text);
      if (first.empty()) first = bytes_of(got);
      CHECK(bytes_of(got) == first);
    }
  }
  jq::cpu::set_threads(before);
}

}  // namespace

TEST_CASE("blocks of rows: every rest of rows and columns, f32 and f64") {
  for (jq::dtype t : {jq::f32, jq::f64})
    for (auto [rows, columns] : {std::pair{256, 64}, {1000, 64}, {1001, 65}, {1023, 33}, {4097, 17}, {300, 1000}, {6145, 16}}) {
      const array x = numbers({rows, columns}, t), w = numbers({columns}, t) * 0.1, y = numbers({rows}, t);
      check(t == jq::f32 ? 2e-4 : 1e-12, &regression, x, w, y);
      check(t == jq::f32 ? 1e-4 : 1e-12, &step, w, x, y);
    }
}
TEST_CASE("blocks of rows: matrices that lie the other way, of 16 bits, and of many blocks") {
  const auto turned = [](const array& a, const array& w) { return jq::matmul(jq::sin(jq::matmul(jq::transpose(a), w)), jq::transpose(a)); };
  same_within(1e-4, turned, numbers({64, 1001}, jq::f32), numbers({64}, jq::f32));
  const auto half = [](const array& x, const array& w) { return jq::matmul(jq::tanh(jq::matmul(x, w)), x); };
  same_within(0.1, half, numbers({1001, 64}, jq::bf16), numbers({64}, jq::bf16));
  check(5e-3, half, numbers({200003, 16}, jq::f32), numbers({16}, jq::f32));
}
TEST_CASE("blocks of rows: NaN and infinity go where the interpreter has them") {
  array x = numbers({999, 32}, jq::f32);
  x = jq::where(jq::expand_dims(jq::arange(999) == 998, 1), array(jq::literal(std::numeric_limits<float>::infinity())), x);
  check(1e-4, &regression, x, numbers({32}, jq::f32), numbers({999}, jq::f32));
}
TEST_CASE("blocks of rows: sums of rows that were just written, and rows that are kept") {
  const auto layer_norm = [](const array& x, const array& g, const array& dy) {
    const auto norm = [](const array& a, const array& scale) {
      const array c = a - jq::expand_dims(jq::mean(a, 1), 1);
      return c * jq::expand_dims(jq::rsqrt(jq::mean(c * c, 1) + 1e-5), 1) * scale;
    };
    const auto [out, back] = jq::vjp(norm, x, g);
    return std::tuple_cat(std::tuple{out}, back(dy));
  };
  const array x = numbers({1003, 96}, jq::f32);
  same_within(1e-3, layer_norm, x, numbers({96}, jq::f32), numbers({1003, 96}, jq::f32) * 0.25);
  const auto softmax = [](const array& a, const array& b) {
    const array e = jq::softmax(jq::exp(a) * jq::expand_dims(b, 1), 1);
    return std::pair{e, jq::sum(e * a, 0)};
  };
  check(1e-4, softmax, x, numbers({1003}, jq::f32));
}
TEST_CASE("blocks of rows: weights that are donated are updated in place") {
  const array x = numbers({1000, 64}, jq::f32), y = numbers({1000}, jq::f32);
  const auto fast = jq::jit(step, jq::backend("cpu"), jq::compile_at::first_call, jq::donate_argnums<0>);
  array w = numbers({64}, jq::f32) * 0.1, slow = w + 0.0;
  const auto plain = jq::jit(step, jq::backend("interpreter"));
  array next = fast(w + 0.0, x, y);
  for (int i = 0; i < 3; ++i) {
    const void* const before = next.as_buffer()->data;
    next = fast(next, x, y);
    CHECK(next.as_buffer()->data == before);
  }
  for (int i = 0; i < 4; ++i) slow = plain(slow, x, y);
  const jq::testing::report r = jq::testing::all_close(jq::tree::flatten(next), jq::tree::flatten(slow), 1e-4, 1e-5);
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("blocks of rows: the last vector of a block stays in it, whoever runs the one before") {
  const auto weighted = [](const array& x, const array& w, const array& a) {  // samples lie side by side
    const array z = jq::sum(x * jq::expand_dims(w, 1), 0);
    const array out = jq::sum(jq::expand_dims(a, 2) * jq::expand_dims(x, 0) * z, 1);
    return std::tuple{z, out, jq::sum(x * z, 1)};
  };
  for (int n : {1027, 3077, 6149}) check(1e-3, weighted, numbers({24, n}, jq::f32), numbers({24}, jq::f32), numbers({3, 24}, jq::f32));
}
