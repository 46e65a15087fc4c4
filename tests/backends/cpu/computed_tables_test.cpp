// Few elements looked up in what can be computed where they are wanted: only these are, whatever lies between memory and the table. Oracle: the
// interpreter, to the last bit; and what kernels write.
#include "same.hpp"

using jq::array;

namespace {

array data(const jq::shape& s) { return jq::random::normal(jq::random::key(3), s); }
/// Whole numbers, some of them outside of -n to n - 1.
array places(const jq::shape& s, std::int64_t n) { return jq::random::randint(jq::random::key(4), s, -2 * n, 2 * n); }
template <class F, class... A>
std::string loops(F f, const A&... x) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x...).compile().as_text("loops"); }
/// The most bytes of temporaries that a compiled function has.
template <class F, class... A>
std::int64_t temporary_bytes(F f, const A&... x) {
  return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x...).compile().memory_analysis().temporaries;
}
array pick(const array& x, const array& labels) { return jq::take_along_axis(x, jq::expand_dims(labels, 1), 1); }

}  // namespace

TEST_CASE("cpu: of a table that is computed, the elements that are looked up are") {
  const auto f = [](array x, array i) { return jq::take(jq::exp(x) - 2.0f, i); };
  CHECK_SAME(f, data({1000}), places({31}, 1000));
  CHECK_SAME([](array x, array i) { return jq::take(jq::exp(x) * jq::arange(40).astype(jq::f32), i, 1) + 1.0f; }, data({30, 40}), places({7}, 40));
  CHECK_SAME([](array x, array i) { return jq::take(x * 2.0f - 1.0f, i, 0); }, data({300, 5}), places({9, 2}, 300));
  const std::string text = loops(f, data({1000}), places({31}, 1000));
  CHECK(text.find("loops 31") != std::string::npos);
  CHECK(text.find("1000\n") == std::string::npos);
}
TEST_CASE("cpu: the cross entropy of rows keeps none of their logarithms") {
  const auto loss = [](array x, array i) { return -jq::mean(pick(jq::log_softmax(x, 1), i)); };
  for (const std::int64_t n : {3, 10, 33, 130}) {
    CHECK_SAME(loss, data({30, n}), places({30}, n));
    CHECK_SAME(jq::grad(loss), data({30, n}), places({30}, n));
    same_within(1e-5, loss, data({30, n}), places({30}, n));
    same_within(1e-5, jq::value_and_grad(loss), data({30, n}), places({30}, n));
  }
  CHECK(temporary_bytes(loss, data({200, 400}), places({200}, 400)) <= 4 * 200 * 8);
}
TEST_CASE("cpu: tables that are views, shifted, turned round, or broadcast, of what is computed") {
  const array x = data({24, 36}), i = places({5}, 20);
  CHECK_SAME([](array a, array k) { return jq::take(jq::transpose(jq::sin(a)), k, 0); }, x, i);
  CHECK_SAME([](array a, array k) { return jq::take(jq::flip(a * 2.0f, 1), k, 1); }, x, i);
  CHECK_SAME([](array a, array k) { return jq::take((a * 2.0f)(jq::slice(1, 20, 3), jq::slice(30, 2, -2)), k, 1); }, x, i);
  CHECK_SAME([](array a, array k) { return jq::take(a - jq::max(a, 1, jq::keepdims), k, 1); }, x, i);
  CHECK_SAME([](array a, array k) { return jq::take(a - jq::max(a, 0, jq::keepdims), k, 1); }, x, i);
  CHECK_SAME([](array a, array k) { return pick(jq::broadcast_to(jq::exp(jq::expand_dims(a, 0)), {24, 36}), jq::arange(24) + k(0)); }, data({36}), i);
  CHECK_SAME([](array a, array k) { return pick(jq::cos(a) / jq::sum(a * a, 0, jq::keepdims), jq::arange(24) * k(1)); }, x, i);
  CHECK_SAME([](array a, array k) { return jq::take(jq::concatenate({a * 2.0f, jq::sin(a)}, 1) + 1.0f, k, 1); }, x, i);
  CHECK_SAME([](array a, array k) { return jq::take(jq::pad(a * 2.0f, {{1, 2}, {3, 0}}, "edge") - 1.0f, k, 1); }, x, i);
}
TEST_CASE("cpu: lookups in what is looked up, and sums of it") {
  const array x = data({90}), i = places({40}, 90), k = places({11}, 40);
  CHECK_SAME([](array a, array first, array second) { return jq::take(jq::take(a * 3.0f, first) + 1.0f, second); }, x, i, k);
  CHECK_SAME([](array a, array first, array second) { return jq::sum(jq::take(jq::exp(a), jq::take(first * 2, second))); }, x, i, k);
  CHECK_SAME([](array a, array first, array second) { return jq::max(jq::take(a, second)) + jq::take(a + 1.0f, first(2)) + jq::take(a + 1.0f, first(3)); }, x, i, k);
  CHECK_SAME([](array a, array first, array) { return jq::sum(jq::take(a * 2.0f, first, 0), 1); }, data({90, 7}), i, k);
  CHECK_SAME([](array a, array first, array) { return jq::take(jq::sum(a, 1) * 2.0f, first(jq::slice(0, 9))); }, data({90, 7}), i, k);
}
TEST_CASE("cpu: elements outside of a computed table are what the mode says") {
  const auto rows = [](array x, array i) { return jq::lax::gather(x * 2.0f, jq::reshape(i, {-1, 1}), {{1}, {0}, {0}}, {1, 3}, jq::index_mode::fill_or_drop); };
  CHECK_SAME(rows, data({100, 3}), places({17}, 100));
  CHECK_SAME(rows, data({1, 3}), places({1}, 2));
  CHECK_SAME([](array x, array i) { return jq::lax::dynamic_slice(jq::sin(x), {i(0), i(1)}, {1, 1}); }, data({10, 20}), places({2}, 10));
  CHECK_SAME([](array x, array i) { return jq::lax::dynamic_slice(jq::sin(x), {i(0), i(1)}, {1, 12}); }, data({10, 20}), places({2}, 10));
  CHECK_SAME([](array x, array i) { return (jq::exp(x) + 1.0f)(i(0), i(1)); }, data({10, 20}), places({2}, 10));
}
TEST_CASE("cpu: tables that others read as well, that are results, or whose source is overwritten") {
  const array x = data({100}), i = places({9}, 100);
  CHECK_SAME([](array a, array k) { const array t = jq::exp(a); return std::pair{t, jq::take(t, k)}; }, x, i);
  CHECK_SAME([](array a, array k) { const array t = jq::exp(a); return std::pair{jq::sort(t), jq::take(t, k) * 2.0f}; }, x, i);
  CHECK_SAME([](array a, array k) { const array t = jq::exp(a); return std::pair{jq::cumsum(t), jq::sum(t) * jq::take(t, k)}; }, x, i);
  CHECK_SAME([](array a, array k) { return std::pair{a.at(k).set(7.0f), jq::take(a * 2.0f, k)}; }, x, i);
  CHECK_SAME([](array a, array k) { return a.at(k).set(jq::take(a * 2.0f + 1.0f, k)); }, x, i);
  CHECK_SAME([](array a, array k) { return a.at(k).set(jq::take(a * 2.0f + 1.0f, k + 1)); }, x, i);
  CHECK_SAME([](array a, array k) { return a * 2.0f + jq::take(a - 1.0f, k(3)); }, x, i);
  CHECK_SAME([](array a, array k) {
    return jq::lax::fori_loop(0, 13, [&](array n, array s) { return s.at(n * 3 % 100).set(jq::take(jq::sin(s) + 1.0f, k(n % 9))); }, a);
  }, x, i);
  CHECK_SAME([](array a, array k) { return jq::lax::fori_loop(0, 13, [&](array n, array s) { return s * 0.5f + jq::take(s * s, k(n % 9) + n); }, a); }, x, i);
}
TEST_CASE("cpu: computed tables of every dtype, whole numbers drawn at random, and complex numbers") {
  const array i = places({9}, 100);
  for (const jq::dtype t : {jq::u8, jq::i16, jq::f16, jq::bf16, jq::i32, jq::f64, jq::u64})
    CHECK_SAME([](array x, array k) { return jq::take(x * x - x, k); }, (10 * data({100})).astype(t), i);
  CHECK_SAME([](array x, array k) { return jq::take(x > 0.5f, k); }, data({100}), i);
  CHECK_SAME([](array x, array k) { return jq::take(jq::random::uniform(jq::random::key(5), {100}) + x, k); }, data({100}), i);
  const array z = jq::lax::complex(data({100}), data({100}) + 1.0f);
  same_within(1e-5, [](array a, array k) { return jq::take(a * a + jq::exp(a), k); }, z, i);
  same_within(1e-5, [](array a, array k) { return jq::take(jq::real(a) * jq::imag(a), k) * jq::take(a, k); }, z, i);
}
TEST_CASE("cpu: many elements of a small table are looked up in memory") {
  const std::string text = loops([](array x, array i) { return jq::take(jq::exp(x), i); }, data({100}), places({1000}, 100));
  CHECK(text.find("loops 100\n") != std::string::npos);
  CHECK(text.find("loops 1000\n") != std::string::npos);
}
