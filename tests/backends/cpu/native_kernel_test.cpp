// Compiled kernels on several threads: whole programs with more threads than processors, on many devices at once, in place, in loops;
// what calls the host stays on the calling thread.
#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/testing/comparison.hpp>

#include <set>
#include <thread>

#include "../../show.hpp"

using jq::array;

namespace {

struct with_threads {
  int before = jq::cpu::threads();
  explicit with_threads(int n) { jq::cpu::set_threads(n); }
  ~with_threads() { jq::cpu::set_threads(before); }
};
array numbers(const jq::shape& s) { return jq::random::normal(jq::random::key(1), s); }

/// Checks that 2, 3, 7 and 8 threads give the bits of one.
template <class F, class... A>
void same_bits(F f, const A&... x) {
  const auto compiled = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call);
  const with_threads scope(1);
  const jq::testing::leaves want = jq::tree::flatten(compiled(x...));
  for (int n : {2, 3, 7, 8}) {
    jq::cpu::set_threads(n);
    for (int i = 0; i < 5; ++i) CHECK(jq::testing::identical(jq::tree::flatten(compiled(x...)), want).ok);
  }
}
array norm_rows(const array& x) {
  const array d = x - jq::mean(x, 1, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, 1, jq::keepdims) + 1e-5);
}

}  // namespace

TEST_CASE("native kernel: programs of several kernels have the same bits for any number of threads") {
  same_bits([](const array& x, const array& w) {
    const array h = jq::tanh(jq::matmul(norm_rows(x), w));
    return std::tuple{jq::sum(h * h), jq::softmax(h, 1), jq::sum(h, {0}), jq::cumsum(x, 1)};
  }, numbers({700, 400}), numbers({400, 300}));
  same_bits(jq::grad([](const array& w, const array& x) { return jq::mean(jq::log1p(jq::exp(jq::matmul(x, w)))); }), numbers({300, 200}), numbers({900, 300}));
  same_bits([](const array& x) { return jq::lax::fori_loop(0, 5, [](const array&, const array& c) { return jq::sin(c) + jq::mean(c); }, x); }, numbers({150001}));
  same_bits([](const array& x) { return jq::sort(jq::exp(x) - jq::max(x)); }, numbers({100001}));
}

TEST_CASE("native kernel: batches of products have the same bits for any number of threads, and are right") {
  const auto f = [](const array& x, const array& y) { return jq::einsum("bhik,bhjk->bhij", x, y); };
  const array x = numbers({6, 5, 70, 40}), y = numbers({6, 5, 90, 40});
  for (jq::dtype t : {jq::f32, jq::f64, jq::i32}) {
    const array a = (x * 8.0).astype(t), b = (y * 8.0).astype(t);
    same_bits(f, a, b);
    CHECK(jq::testing::all_close(jq::jit(f, jq::backend("cpu"))(a, b), jq::jit(f, jq::backend("interpreter"))(a, b), 1e-4, 1e-3).ok);
  }
}
TEST_CASE("native kernel: in place") {
  const with_threads scope(4);
  const auto step = jq::jit([](const array& x) { return x * 0.5 + jq::sin(x); }, jq::backend("cpu"), jq::compile_at::first_call, jq::donate_argnums<0>);
  const auto copying = jq::jit([](const array& x) { return x * 0.5 + jq::sin(x); }, jq::backend("cpu"), jq::compile_at::first_call);
  array a = numbers({300001}), b = numbers({300001});
  const void* const memory = a.as_buffer()->data;
  for (int i = 0; i < 20; ++i) a = step(std::move(a)), b = copying(b);
  CHECK(a.as_buffer()->data == memory);
  CHECK(jq::testing::identical(a, b).ok);
}

TEST_CASE("native kernel: a result of few elements may take the memory of what larger ones are computed from") {
  const with_threads scope(4);
  const auto f = [](const array& v, const array& x) {
    return std::pair{jq::sum(x, {1}) + v, x * jq::expand_dims(v, 1) + jq::expand_dims(jq::sum(x, {1}), 1)};
  };
  const auto donating = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call, jq::donate_argnums<0>);
  const array x = numbers({3, 200000});
  const auto [sums, products] = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(numbers({3}), x);
  for (int i = 0; i < 5; ++i) {
    const auto [s, p] = donating(numbers({3}), x);
    CHECK(jq::testing::identical(s, sums).ok);
    CHECK(jq::testing::identical(p, products).ok);
  }
}

TEST_CASE("native kernel: many devices at once") {
  jq::set_host_device_count(8);
  const with_threads scope(3);
  const array x = numbers({400, 1000});
  const auto f = [](const array& y) { return std::pair{jq::sum(jq::exp(y)), norm_rows(y)}; };
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x));
  std::vector<int> wrong(8, 0);
  std::vector<std::thread> callers;
  for (int d = 0; d < 8; ++d)
    callers.emplace_back([&, d] {
      const auto own = jq::jit(f, jq::devices("cpu")[std::size_t(d)], jq::compile_at::first_call);
      for (int i = 0; i < 20; ++i) wrong[std::size_t(d)] += !jq::testing::identical(jq::tree::flatten(own(x)), want).ok;
    });
  for (std::thread& t : callers) t.join();
  CHECK(wrong == std::vector<int>(8, 0));
  jq::set_host_device_count(1);
}

TEST_CASE("native kernel: functions of the host run on the calling thread, and what they throw arrives there") {
  const with_threads scope(4);
  std::set<std::thread::id> seen;
  int calls = 0;
  const auto f = jq::jit([&](const array& x) {
    const array s = jq::sum(jq::exp(x));
    const array t = jq::pure_callback([&](const array& y) {
      seen.insert(std::this_thread::get_id());
      if (++calls == 3) throw std::runtime_error("enough");
      return y + 1.0f;
    }, jq::zeros({}), s);
    return jq::sin(x) * t;
  }, jq::backend("cpu"));
  const array x = numbers({400000});
  const array want = f(x);
  CHECK(jq::testing::identical(f(x), want).ok);
  CHECK_THROWS_WITH(f(x), doctest::Contains("enough"));
  CHECK(jq::testing::identical(f(x), want).ok);
  CHECK(seen == std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("native kernel: convolutions of several blocks have the same bits for any number of threads, and are right") {
  const array x = numbers({4, 40, 40, 16}), k = numbers({3, 3, 16, 24}) * 0.1;
  const auto f = [](const array& a, const array& b) {
    return jq::lax::conv_general_dilated(a, b, {1, 1}, "SAME", {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}});
  };
  same_bits(f, x, k);
  same_bits(jq::grad([&](const array& b, const array& a) { return jq::sum(jq::sin(f(a, b))); }), k, x);
  CHECK(jq::testing::all_close(jq::jit(f, jq::backend("cpu"))(x, k), jq::jit(f, jq::backend("interpreter"))(x, k), 1e-4, 1e-4).ok);
}
