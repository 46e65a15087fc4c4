// Programs that consist of kernels alone: values that lie between them in shared memory, results that are arguments, constants,
// literals, views or other results, scalars as arguments, many pointers, several calls at once.
#include <jacquard/backends/cpu/cpu.hpp>

#include <jacquard/testing/comparison.hpp>
#include <thread>

#include "../../show.hpp"

using jq::array;

namespace {

template <class F, class... A>
void same(F f, const A&... x) {
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  const auto native = jq::jit(f, jq::backend("cpu"));
  for (int call = 0; call < 3; ++call) {
    const jq::testing::leaves got = jq::tree::flatten(native(x...));
    const jq::testing::report r = jq::testing::all_close(got, want, 1e-5, 1e-5);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
array numbers(const jq::shape& s, std::uint64_t seed = 3) { return jq::random::normal(jq::random::key(seed), s); }

/// Rows that are made to sum up to one, again and again: every round needs the values of the one before at once.
array rounds(const array& x, int count) {
  array y = x;
  for (int i = 0; i < count; ++i) {
    const array e = jq::exp(y - jq::expand_dims(jq::max(y, {1}), 1));
    y = jq::sin(e / jq::expand_dims(jq::sum(e, {1}), 1) + x);
  }
  return y;
}

}  // namespace

TEST_CASE("values between kernels overlap only where they are not alive at the same time") {
  for (int count : {1, 2, 3, 7}) same([&](const array& x) { return rounds(x, count); }, numbers({5, 9}));
  same([](const array& x) {
    const array a = jq::sum(x, {0}), b = jq::max(x, {0}), c = jq::sum(x * x, {0});
    const array d = jq::sum(jq::exp(x - b), {1}), e = jq::sum(x * c, {1});
    return std::tuple{a * jq::sum(d), b + jq::sum(e), jq::sum(d * e), jq::sum(c) + a};
  }, numbers({6, 4}));
}
TEST_CASE("results that are arguments, constants, literals, views or each other") {
  const array x = numbers({2, 6}), held = numbers({3}, 5);
  same([](const array& a) { return std::tuple{a, jq::sin(a), a}; }, x);
  same([&](const array& a) { return std::tuple{held, jq::sum(a), held * 2.0f}; }, x);
  same([](const array& a) { return std::tuple{array(3.0f), jq::cos(a)}; }, x);
  same([](const array& a) { return jq::reshape(jq::sin(a), {3, 4}); }, x);
  same([](const array& a) {
    const array s = jq::sin(a);
    return std::tuple{s, jq::reshape(s, {12}), jq::reshape(a, {4, 3}), jq::sum(jq::reshape(s, {12}) * 2.0f)};
  }, x);
}
TEST_CASE("a result that is an argument stays as it is when the caller drops the argument") {
  const auto f = jq::jit([](const array& a) { return std::tuple{a, a * 2.0f}; }, jq::backend("cpu"));
  array x = jq::asarray({1.f, 2.f});
  const auto [same_one, twice] = f(x);
  x = array();
  CHECK(show(same_one) == show(jq::asarray({1.f, 2.f})));
  CHECK(show(twice) == show(jq::asarray({2.f, 4.f})));
}
TEST_CASE("scalars as arguments, more than fit on the stack") {
  same([](const array& a, const array& b) { return a * 2.0f + jq::sin(b); }, array(1.5f), array(2));
  std::vector<array> many;
  for (int i = 0; i < 60; ++i) many.push_back(i % 3 == 0 ? array(0.5f * float(i)) : numbers({4}, std::uint64_t(i)));
  same([](const std::vector<array>& v) {
    std::vector<array> r;
    for (std::size_t i = 0; i + 1 < v.size(); i += 2) r.push_back(jq::sin(v[i]) * v[i + 1]);
    return r;
  }, many);
}
TEST_CASE("an argument that was donated is an error") {
  const auto f = jq::jit([](const array& a) { return a + 1.0f; }, jq::backend("cpu"));
  const auto take = jq::jit([](const array& a) { return a * 2.0f; }, jq::backend("cpu"), jq::donate_argnums<0>);
  const array x = numbers({4});
  const array kept = f(x);
  take(x);
  CHECK_THROWS_AS(f(x), jq::deleted_error);
}
TEST_CASE("several threads run one plan") {
  const auto f = jq::jit([](const array& a) { return rounds(a, 3); }, jq::backend("cpu"));
  std::vector<array> in, want(4), got(4);
  for (std::uint64_t i = 0; i < 4; ++i) in.push_back(numbers({8, 16}, i));
  for (std::size_t i = 0; i < 4; ++i) want[i] = f(in[i]);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 50; ++k) got[i] = f(in[i]);
    });
  for (std::thread& t : threads) t.join();
  for (std::size_t i = 0; i < 4; ++i) CHECK(show(got[i]) == show(want[i]));
}
