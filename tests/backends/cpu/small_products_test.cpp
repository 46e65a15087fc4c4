// Products of small matrices as loops of kernels: every order of dimensions, batches, dtypes, fused with what is around them, and where
// they stay calls. Oracle: the interpreter, to the bit where results are strict.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/testing/comparison.hpp>

#include "same.hpp"

using jq::array;

namespace {

constexpr auto at_once = jq::compile_at::first_call;

template <class F, class... A>
void same(F f, const A&... x) {
  same_at_once(1e-5, f, x...);
}
template <class F, class... A>
bool is_fused(F f, const A&... x) {
  return jq::jit(f, jq::backend("cpu"), at_once).lower(x...).compile().as_text("clusters").find("alone") == std::string::npos;
}
array numbers(const jq::shape& s, std::uint64_t seed) { return jq::random::normal(jq::random::key(seed), s); }
array product(const array& x, const array& y) { return jq::matmul(x, y); }

}  // namespace

TEST_CASE("products of matrices and vectors, of every size up to 17") {
  for (std::int64_t n : {1, 2, 3, 4, 5, 8, 15, 16, 17}) {
    const array a = numbers({n, n}, 1), b = numbers({n, n}, 2), v = numbers({n}, 3);
    same(&product, a, b);
    same(&product, a, v);
    same(&product, v, a);
    same(&product, v, v);
    same([](const array& x, const array& y) { return jq::matmul(jq::transpose(x), y); }, a, b);
    same([](const array& x, const array& y) { return jq::matmul(x, jq::transpose(y)); }, a, b);
    if (jq::cpu::code_generator::get()) CHECK(is_fused(&product, a, b));
  }
  same(&product, numbers({3, 5}, 4), numbers({5, 7}, 5));
}
TEST_CASE("up to 32 where rows of the second factor lie as they are added up: whole vectors and rests of them, any number of rows") {
  const auto turned = [](const array& x, const array& y) { return jq::matmul(x, jq::transpose(y)); };
  for (std::int64_t n : {2, 15, 16, 17, 20, 24, 31, 32})
    for (std::int64_t rows : {1, 2, 3, 18, 32})
      for (const jq::dtype t : {jq::dtype::f32, jq::dtype::f64}) {
        const array x = numbers({rows, 19}, 1).astype(t), y = numbers({19, n}, 2).astype(t);
        same(&product, x, y);
        same([](const array& a, const array& b) { return jq::tanh(jq::matmul(a, b)) + b[0]; }, x, y);
      }
  for (const jq::dtype t : {jq::dtype::f16, jq::dtype::i32, jq::dtype::i64}) same(&product, (4 * numbers({30, 21}, 1)).astype(t), (4 * numbers({21, 29}, 2)).astype(t));
  same(jq::vmap(&product), numbers({70, 18, 20}, 3), numbers({70, 20, 24}, 4));
  same([](const array& x, const array& y) { return jq::matmul(jq::transpose(x), y); }, numbers({20, 28}, 5), numbers({20, 22}, 6));
  const auto sum = [](const array& x, const array& y, const array& c) { return jq::matmul(x, y) + c; };
  const array x = numbers({30, 20}, 7), y = numbers({20, 27}, 8), c = numbers({30, 27}, 9);
  const array want = jq::jit(sum, jq::backend("interpreter"))(x, y, c);
  array own = c + 0.0;
  const jq::testing::report in_place = jq::testing::all_close(jq::tree::flatten(jq::jit(sum, jq::backend("cpu"), at_once, jq::donate_argnums<2>)(x, y, own)), jq::tree::flatten(want), 1e-5, 1e-5);
  CHECK_MESSAGE(in_place.ok, in_place.text);
  CHECK(own.is_deleted());
  if (!jq::cpu::code_generator::get()) return;
  CHECK(is_fused(&product, numbers({32, 32}, 1), numbers({32, 32}, 2)));
  CHECK_FALSE(is_fused(&product, numbers({33, 32}, 1), numbers({32, 32}, 2)));
  CHECK_FALSE(is_fused(turned, numbers({20, 20}, 1), numbers({20, 20}, 2)));
}
TEST_CASE("batches of the smallest matrices: all sizes, factors transposed, broadcast or apart, on tiles and compiled") {
  const auto check = [](auto f, const array& x, const array& y) {
    same(f, x, y);
    const array want = jq::jit(f, jq::backend("interpreter"))(x, y), got = jq::jit(f, jq::backend("cpu"), jq::compile_at::never)(x, y);
    const jq::testing::report r = jq::testing::all_close(got, want, 1e-5, 1e-5);
    CHECK_MESSAGE(r.ok, r.text);
  };
  for (const jq::dtype t : {jq::dtype::f32, jq::dtype::f64})
    for (std::int64_t depth = 1; depth <= 5; ++depth)
      for (std::int64_t n = 1; n <= 5; ++n) {
        const std::int64_t rows = (n + depth) % 4 + 1;
        const array x = numbers({40, rows, depth}, 1).astype(t), y = numbers({40, depth, n}, 2).astype(t);
        check(&product, x, y);
        check([](const array& a, const array& b) { return jq::einsum("bki,bkj->bij", a, b); }, jq::swapaxes(x, 1, 2) + 0.0, y);
        check([](const array& a, const array& b) { return jq::einsum("bik,bjk->bij", a, b); }, x, jq::swapaxes(y, 1, 2) + 0.0);
        check([](const array& a, const array& b) { return jq::einsum("bik,kbj->bij", a, b); }, x, jq::swapaxes(y, 0, 1) + 0.0);
        check([](const array& a, const array& b) { return jq::einsum("bcik,bckj->bcij", jq::reshape(a, {8, 5, a.shape()[1], a.shape()[2]}), jq::reshape(b, {8, 5, b.shape()[1], b.shape()[2]})); }, x, y);
      }
  const array many = numbers({60000, 3, 3}, 3);  // shared between threads, where results lie next to each other
  same(&product, many, many);
}
TEST_CASE("dimensions in every order, several of them, and batches") {
  const array x = numbers({2, 3, 4, 2}, 1), y = numbers({4, 2, 3, 3}, 2);
  for (const jq::dot_dimension_numbers& n : {jq::dot_dimension_numbers{{1, 2}, {3, 0}, {}, {}}, {{2}, {0}, {3}, {1}}, {{2, 3}, {0, 1}, {1}, {2}},
                                             {{1}, {2}, {0, 3}, {1, 1}}, {{3}, {1}, {2, 1}, {0, 3}}})
    if (n.rhs_batch.size() < 2 || n.rhs_batch[0] != n.rhs_batch[1]) same([&](const array& a, const array& b) { return lax::dot_general(a, b, n); }, x, y);
  same(&product, numbers({50, 4, 3}, 3), numbers({50, 3, 4}, 4));
}
TEST_CASE("dtypes: numbers of 16 bits are summed in 32, whole numbers wrap") {
  const array x = jq::reshape(jq::arange(12), {3, 4}), y = jq::reshape(jq::arange(20), {4, 5}) - 7;
  for (const jq::dtype t : {jq::dtype::f16, jq::dtype::bf16, jq::dtype::f64, jq::dtype::i8, jq::dtype::i32, jq::dtype::u64, jq::dtype::c64})
    same(&product, x.astype(t), y.astype(t));
  same([](const array& a, const array& b) { return lax::dot(a, b); }, x > 5, y > 5);
}
TEST_CASE("products among other operations, after one another and shared") {
  const array w = numbers({8, 8}, 1), v = numbers({8, 8}, 2), b = numbers({8}, 3), x = numbers({8}, 4);
  same([](const array& m, const array& n, const array& c, const array& a) { return jq::matmul(n, jq::tanh(jq::matmul(m, a) + c)) * 2.f; }, w, v, b, x);
  same([](const array& m, const array& n, const array& a) { return std::tuple{jq::matmul(m, a), jq::matmul(n, a), jq::matmul(m, a) * jq::matmul(n, a)}; }, w, v, x);
  same([](const array& m, const array& n) {
    const array p = jq::matmul(m, n);
    return std::tuple{jq::nn::softmax(p), jq::sum(p, {0}), p * jq::transpose(p), jq::max(p)};
  }, w, v);
  same([](const array& m, const array& n) { return jq::matmul(jq::matmul(m, m), jq::sin(n)) + jq::sum(m); }, w, v);
  same([](const array& m, const array& a) {
    return jq::grad([&](const array& k) { return jq::sum(jq::tanh(jq::matmul(k, a))); })(m);
  }, w, x);
  same(jq::vmap([](const array& m, const array& n) { return jq::matmul(m, n); }), numbers({9, 4, 4}, 5), numbers({9, 4, 4}, 6));
}
TEST_CASE("a product in a loop is part of its function") {
  const array w = numbers({6, 6}, 1) * 0.3f, h = numbers({6}, 2), xs = numbers({10, 6}, 3);
  const auto cell = [](const array& m, const array& s0, const array& stack) {
    return lax::scan([&](const array& s, const array& e) { return std::pair{jq::tanh(jq::matmul(m, s) + e), s}; }, s0, stack);
  };
  same(cell, w, h, xs);
  if (jq::cpu::code_generator::get())
    CHECK(jq::jit(cell, jq::backend("cpu"), at_once).lower(w, h, xs).compile().as_text("llvm").find("%v0") != std::string::npos);
}
TEST_CASE("a product whose loops are more than a kernel may have runs by itself") {
  const array k = jq::reshape(jq::arange(64), {1, 2, 2, 4, 4}), l = jq::reshape(jq::arange(64), {2, 1, 2, 1, 16});
  same([](const array& x, const array& y) { return jq::lax::dot_general(-x, y, {{1}, {2}, {}, {}}); }, k, l);
}
