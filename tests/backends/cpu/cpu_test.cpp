// The native backend against closed forms and against the interpreter: shapes that do not fill vectors, every dtype, NaN and
// infinities, memory that is shared, taken over or read twice, several threads. Without a libLLVM it is the interpreter.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>
#include <algorithm>
#include <thread>

#include "../../show.hpp"

using jq::array;

namespace {

/// Runs f on both backends and compares; `ulps` counts units of the results' precision.
template <class F, class... A>
jq::testing::report same_as_interpreter(F f, double ulps, const A&... x) {
  const jq::testing::leaves got = jq::tree::flatten(jq::jit(f, jq::backend("cpu"))(x...));
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  double unit = 0;
  for (const array& a : want) unit = std::max(unit, ulps * jq::testing::precision(a.dtype()));
  return jq::testing::all_close(got, want, unit, unit);
}
#define CHECK_LIKE_INTERPRETER(...)                                    \
  do {                                                     \
    const jq::testing::report r = same_as_interpreter(__VA_ARGS__); \
    CHECK_MESSAGE(r.ok, r.text);                    \
  } while (false)

array data(const jq::shape& s, jq::dtype t = jq::f32) { return jq::random::normal(jq::random::key(3), s).astype(t); }

}  // namespace

TEST_CASE("cpu: extents around the width of a vector") {
  for (std::int64_t n : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 1000}) {
    CAPTURE(n);
    CHECK_LIKE_INTERPRETER([](array x, array y) { return jq::maximum(x * y + 0.5, y) - x; }, 4, data({n}), data({n}) + 1);
    CHECK_LIKE_INTERPRETER([](array x) { return jq::exp(jq::sin(x)) + jq::tanh(x) * jq::erf(x) + jq::log1p(jq::abs(x)); }, 16, data({n}));
    CHECK_LIKE_INTERPRETER([](array x) { return jq::sum(x * x); }, 16.0 * double(n), data({n}));
    CHECK_LIKE_INTERPRETER([](array x) { return std::pair{jq::softmax(x, 0), jq::softmax(x, 1)}; }, 16, data({3, n}));
    CHECK_LIKE_INTERPRETER([](array x) { return std::tuple{jq::max(x, 0), jq::min(x, 1), jq::prod(x * 0.1 + 1, 0)}; }, 64, data({n, 5}));
    CHECK_LIKE_INTERPRETER([](array x) { return jq::transpose(x) * 2 + 1; }, 2, data({n, 3}));
  }
}
TEST_CASE("cpu: every dtype, in and out") {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    CAPTURE(jq::name(t));
    const array x = (jq::arange(19) % 5).astype(t), y = ((jq::arange(19) * 3) % 4 + 1).astype(t);
    CHECK_LIKE_INTERPRETER([](array a, array b) { return jq::where(a == b, a, b); }, 0, x, y);
    if (t == jq::bool_) {
      CHECK_LIKE_INTERPRETER([](array a, array b) { return std::tuple{a & b, a | b, a ^ b, ~a, jq::all(a), jq::any(b)}; }, 0, x, y);
      continue;
    }
    CHECK_LIKE_INTERPRETER([](array a, array b) { return std::tuple{a + b, a * b, a - b, -a, a + 1}; }, 2, x, y);
    CHECK_LIKE_INTERPRETER([](array a) { return std::pair{jq::sum(a), jq::prod(a + 1)}; }, 8, x);
    for (jq::dtype to : {jq::bool_, jq::i8, jq::i64, jq::u16, jq::bf16, jq::f32, jq::f64})
      if (!jq::is_complex(t)) CHECK_LIKE_INTERPRETER([&](array a) { return (a + a).astype(to); }, 2, x);
    if (jq::is_complex(t)) continue;
    CHECK_LIKE_INTERPRETER([](array a, array b) { return std::tuple{jq::maximum(a, b), a < b, a >= b, jq::abs(a), jq::sign(a)}; }, 0, x, y);
  }
}
TEST_CASE("cpu: NaN, infinities and signed zeros") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const array x = jq::asarray(std::vector<double>{nan, inf, -inf, 0.0, -0.0, 1e-310, 1e300, -1e300});
  const array y = jq::asarray(std::vector<double>{1.0, nan, -inf, -0.0, 0.0, 1.0, nan, 2.0});
  CHECK_LIKE_INTERPRETER([](array a, array b) { return std::tuple{jq::maximum(a, b), jq::minimum(a, b), a < b, a == b, jq::isfinite(a)}; }, 0, x, y);
  CHECK_LIKE_INTERPRETER([](array a) { return std::tuple{jq::exp(a), jq::sqrt(a), jq::tanh(a), jq::floor(a), jq::sign(a)}; }, 4, x);
  CHECK_LIKE_INTERPRETER([](array a) { return std::pair{jq::max(a), jq::sum(a)}; }, 0, x);
  CHECK_LIKE_INTERPRETER([](array a) { return std::pair{a.astype(jq::i32), a.astype(jq::u8)}; }, 0, x);
}
TEST_CASE("cpu: the same value read at several places, written once") {
  CHECK_LIKE_INTERPRETER([](array u) {
    using jq::slice;
    const array c = u(slice(1, -1), slice(1, -1));
    return c + 0.1 * (u(slice(0, -2), slice(1, -1)) + u(slice(2, jq::none), slice(1, -1)) + u(slice(1, -1), slice(0, -2)) +
                      u(slice(1, -1), slice(2, jq::none)) - 4 * c);
  }, 8, data({13, 37}));
}
TEST_CASE("cpu: donated arguments are overwritten only where they are read as they are written") {
  const auto f = jq::jit([](array x, array y) { return x * 2 + y; }, jq::backend("cpu"), jq::donate_argnums<0>);
  array x = jq::ones({1000}), y = jq::ones({1000});
  const void* memory = x.data<float>().data();
  const array z = f(x, y);
  CHECK(x.is_deleted());
  CHECK(z.data<float>().data() == memory);
  CHECK(z(999).item<float>() == 3);
  const auto reversed = jq::jit([](array v) { return lax::rev(v, {0}) + v; }, jq::backend("cpu"), jq::donate_argnums<0>);
  CHECK(show(reversed(jq::asarray({1.f, 2.f, 3.f, 4.f}))) == "f32[4] 5 5 5 5");
}
TEST_CASE("cpu: an argument that one result overwrites is read for the others before") {
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto both = [](array v) { return std::pair{jq::ceil(v), jq::erf(v)}; };
    const auto f = jq::jit(both, jq::backend("cpu"), jq::precision::strict, when, jq::donate_argnums<0>);
    for (std::int64_t n : {3, 100, 1000}) {
      const array x = data({n}), want = jq::erf(x);
      CHECK(jq::testing::identical(f(x + 0).second, want).ok);
    }
  }
}
TEST_CASE("cpu: a result that is written before an operand is read does not take its memory") {
  const auto sum_first = [](const array& s, const array& e) {
    const array y = jq::broadcast_to(jq::sum(s * e) * 4.0, {3});
    return std::pair{s + e, y};
  };
  CHECK_LIKE_INTERPRETER([=](array c, array xs) { return jq::lax::scan(sum_first, c, xs); }, 64, data({3}), data({2, 3}));
  const array a = data({3}) + 0, b = data({3}) * 2, want = a + b;
  CHECK(bool(jq::all(jq::jit(sum_first, jq::backend("cpu"), jq::donate_argnums<0>)(a, b).first == want)));
}
TEST_CASE("cpu: reshaped results share memory and survive their argument") {
  const auto f = jq::jit([](array x) { return jq::reshape(x, {3, 2}); }, jq::backend("cpu"));
  array y;
  {
    const array x = jq::asarray({1.f, 2.f, 3.f, 4.f, 5.f, 6.f});
    y = f(x);
    const auto take = jq::jit([](array v) { return v * 10; }, jq::backend("cpu"), jq::donate_argnums<0>);
    CHECK(show(take(x)) == "f32[6] 10 20 30 40 50 60");  // not in place: y still shows the memory
  }
  CHECK(show(y) == "f32[3,2] 1 2 3 4 5 6");
}
TEST_CASE("cpu: loops, branches and calls run their bodies natively") {
  CHECK_LIKE_INTERPRETER([](array x) {
    return jq::lax::fori_loop(0, 5, [](array, array v) { return jq::sin(v) + v * 0.5; }, x);
  }, 16, data({33}));
  CHECK_LIKE_INTERPRETER([](array x) {
    return jq::lax::scan([](array c, array v) { return std::pair{c + v, jq::exp(c) * v}; }, jq::zeros({7}), x);
  }, 16, data({5, 7}) * 0.1);
  CHECK_LIKE_INTERPRETER([](array x) {
    return jq::lax::cond(jq::sum(x) > 0, [](array v) { return v * 2; }, [](array v) { return -v; }, x);
  }, 2, data({9}));
}
TEST_CASE("cpu: taps see values in the order of the program") {
  std::vector<float> seen;
  const auto f = jq::jit([&](array x) {
    const array y = jq::id_tap([&](array v) { seen.push_back(v(0).item<float>()); }, x * 2);
    return jq::id_tap([&](array v) { seen.push_back(v(0).item<float>()); }, y + 1);
  }, jq::backend("cpu"));
  f(jq::ones({4}));
  jq::barrier_wait();
  CHECK(seen == std::vector<float>{2, 3});
}
TEST_CASE("cpu: one program, many threads") {
  const auto f = jq::jit([](array x) { return jq::softmax(jq::sin(x) * 3, 1); }, jq::backend("cpu"), jq::compile_at::first_call);
  const array x = data({32, 100}), want = f(x);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) wrong[std::size_t(t)] += !jq::testing::identical(jq::testing::leaves{f(x)}, jq::testing::leaves{want}).ok;
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
TEST_CASE("cpu: empty arrays and scalars") {
  CHECK_LIKE_INTERPRETER([](array x) { return std::pair{x * 2, jq::sum(x)}; }, 0, jq::zeros({0, 3}));
  CHECK_LIKE_INTERPRETER([](array x) { return jq::exp(x) + 1; }, 4, jq::asarray(0.5));
  CHECK_LIKE_INTERPRETER([](array x) { return x; }, 0, jq::asarray(0.5));
  CHECK_LIKE_INTERPRETER([](array x) { return jq::ones({3}) * x; }, 0, jq::asarray(0.5));
}
TEST_CASE("cpu: the listing shows the program, its kernels and what runs by itself") {
  const std::string t = jq::jit([](array x) { return jq::sum(x * x); }, jq::backend("cpu")).lower(jq::ones({4})).compile().as_text();
  CHECK(t.find("reduce_sum") != std::string::npos);
  if (jq::cpu::code_generator::get()) CHECK(t.find("kernel 0: loops *4") != std::string::npos);
}
TEST_CASE("cpu: a function of the host may keep another shape of an argument that is only lent") {
  std::vector<double> v{1, 2, 3, 4};
  array kept;
  const auto f = jq::jit([&](const array& x) { return jq::id_tap([&](const array& y) { kept = y; }, jq::reshape(x, {2, 2})); }, jq::backend("cpu"));
  f(v);
  jq::barrier_wait();
  v.assign(4, 0);
  CHECK(show(kept) == "f64[2,2] 1 2 3 4");
}
TEST_CASE("cpu: sums of millions of floats, which one sum after the other would lose to rounding") {
  const array x = jq::copy(jq::full({4'000'000}, 0.1f));
  const double each = 0.1f, all = 4e6 * each;
  const auto sums = [](array a) { return std::tuple{jq::sum(a), jq::sum(a * a), jq::var(a + 1000), jq::sum(jq::reshape(a, {2, -1}), 1)}; };
  for (const bool compiles : {false, true}) {
    CAPTURE(compiles);
    const auto [sum, squares, variance, rows] = compiles ? jq::jit(sums, jq::backend("cpu"), jq::compile_at::first_call)(x)
                                                         : jq::jit(sums, jq::backend("cpu"), jq::compile_at::never)(x);
    CHECK(std::abs(double(sum) - all) < 2e-5 * all);
    CHECK(std::abs(double(squares) - each * all) < 2e-5 * each * all);
    CHECK(double(variance) < 1e-3);
    CHECK(std::abs(double(rows(1)) - all / 2) < 1e-5 * all);
  }
}
