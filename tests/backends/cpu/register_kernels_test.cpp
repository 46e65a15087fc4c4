// Kernels of few elements that are one function: single numbers, short vectors, boxes of them, between other equations, donated. Oracle: the
// interpreter, to the last bit.
#include <cmath>

#include "same.hpp"

using jq::array;

namespace {

template <class F, class... A>
std::string loops(F f, const A&... x) {
  return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x...).compile().as_text("loops");
}
std::size_t count(const std::string& t, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = t.find(what); at != std::string::npos; at = t.find(what, at + 1)) ++n;
  return n;
}
/// y' = a - b y^2 in so many steps.
template <int steps>
array run(const array& x) {
  array y = x(0);
  for (int i = 0; i < steps; ++i) y = y + 0.01 * (x(1) - x(2) * y * y);
  return y;
}
const array x = jq::asarray({.3, .9, 1.1});

}  // namespace

TEST_CASE("cpu: a long program of single numbers is few functions, and its values stay in registers") {
  const std::string t = loops(jq::grad(&run<60>), x);
  CHECK(count(t, "kernel ") == 1);
  CHECK(t.find("in registers:\n") != std::string::npos);
  CHECK(count(loops(jq::grad(&run<200>), x), "kernel ") <= 8);
}
TEST_CASE("cpu: many values of a few dozen elements are no function in registers, of which there are not so many") {
  const auto step = [](const std::vector<array>& all) {
    std::vector<array> r;
    for (const array& v : all) r.push_back(v * 0.999 + 0.001);
    return r;
  };
  const std::vector<array> all(40, jq::arange(36.0));
  CHECK(loops(step, all).find("in registers:") == std::string::npos);
  CHECK(loops(step, std::vector<array>(8, all[0])).find("in registers:") == std::string::npos);  // one kernel
  for (const array& y : jq::jit(step, jq::backend("cpu"), jq::precision::strict, jq::compile_at::first_call)(all))
    CHECK(jq::testing::identical(jq::testing::leaves{y}, jq::testing::leaves{step(all)[0]}).ok);
}
TEST_CASE("cpu: programs of few elements compute what the interpreter does, call after call") {
  CHECK_SAME(jq::grad(&run<60>), x);
  CHECK_SAME(&run<200>, x);
  const auto f = jq::jit(jq::grad(&run<100>), jq::backend("cpu"), jq::precision::strict, jq::compile_at::first_call);
  const array want = jq::jit(jq::grad(&run<100>), jq::backend("interpreter"))(x);
  for (int i = 0; i < 3; ++i) CHECK(jq::testing::identical(jq::testing::leaves{f(x)}, jq::testing::leaves{want}).ok);
}
TEST_CASE("cpu: what other equations read or make lies in memory") {
  const auto f = [](array v) {
    const array s = jq::sort(v * v - 1), y = jq::cumsum(s * v), z = jq::reshape(y + s, {2, 3});
    return std::tuple{z * 2, jq::concatenate({s, jq::reshape(z, {6}) + 1}), jq::sort(jq::reshape(z, {6}))};
  };
  CHECK_SAME(f, jq::asarray({3.f, -1.f, .5f, 2.f, 0.f, -0.f}));
  CHECK_SAME(f, jq::asarray({1.f, NAN, -INFINITY, 2.f, 0.f, -0.f}));
}
TEST_CASE("cpu: what runs between the kernels of two boxes of a value, since the first one was the last to read what it changes") {
  const auto f = [](array v, array few, array at) {
    const array b = jq::sort(v), w = jq::lax::dynamic_update_slice_in_dim(b, few, at, 0), u = jq::concatenate({b * 2, few * 3});
    return std::tuple{w, u, u(jq::slice(jq::none, jq::none, -1)) * u};
  };
  CHECK_SAME(f, jq::asarray({1., 4., 2., 3.}), jq::asarray({5., 6.}), jq::asarray(1));
}
TEST_CASE("cpu: few elements of many dtypes, in long chains") {
  const auto f = [](array v) {
    array y = v;
    for (int i = 0; i < 150; ++i) y = jq::where(y > v, y - v, y * v + 1);
    return jq::stack({y, y + v});
  };
  for (const jq::dtype t : {jq::bf16, jq::f64, jq::u16}) CHECK_SAME(f, jq::arange(5).astype(t));
  CHECK_SAME(f, jq::asarray(2.5));
}
TEST_CASE("cpu: a small state that is donated is updated where it lies") {
  const auto step = [](array s) {
    array y = s;
    for (int i = 0; i < 150; ++i) y = y + 0.01 * (1 - y * y(jq::slice(jq::none, jq::none, -1)));
    return y;
  };
  const auto f = jq::jit(step, jq::backend("cpu"), jq::compile_at::first_call, jq::donate_argnums<0>);
  array s = jq::ones({4}, jq::f64);
  s = f(s);
  const void* const before = s.data<double>().data();
  s = f(s);
  CHECK(s.data<double>().data() == before);
}
// LLVM ends the process where it makes a permutation of such reads, in registers of other sizes than the result's.
TEST_CASE("cpu: elements of few numbers at computed places") {
  const auto f = [](array v, array i) { return std::tuple{v + v, v(i), v(i + 1)}; };
  for (const jq::dtype t : {jq::f32, jq::f64, jq::i32, jq::u8})
    for (const int n : {2, 3, 4, 6, 8, 12, 16})
      for (const int count : {2, 3, 5, 6, 7, 15}) CHECK_SAME(f, jq::arange(n).astype(t), jq::arange(count) * 3 % n);
}
// LLVM ends the process where it looks for a computed place in a vector of one bool.
TEST_CASE("cpu: one bool, as a reduction leaves it, at computed places") {
  const auto f = [](array v, array i) {
    const array one = jq::reshape(jq::any(v > 1), {1}), found = jq::take(one, i % 3, 0);
    return std::pair{jq::where(found, v(0), 2 * i.astype(v.dtype())), found};
  };
  for (const jq::dtype t : {jq::f64, jq::f32, jq::i32})
    for (const int n : {1, 4, 16})
      for (const int count : {1, 4, 5}) CHECK_SAME(f, jq::arange(n).astype(t), jq::arange(count) - 1);
}
TEST_CASE("cpu: short rows are repeated") {
  for (const jq::dtype t : {jq::i8, jq::u8, jq::i16, jq::f16, jq::i32, jq::f32, jq::i64, jq::f64})
    for (const std::int64_t n : {2, 4, 8, 3, 16})
      for (const std::int64_t rows : {2, 7, 9, 16}) {
        const array a = jq::reshape((jq::arange(n * rows) % 5 - 2).astype(t), {rows, n}), b = jq::reshape((jq::arange(n * rows) % 7).astype(t), {rows, n});
        const auto f = [](array x, array y, array i) {
          const array row = lax::sub(x(0), y(0)), places = jq::expand_dims(jq::arange(x.shape()[0]), 1);
          return jq::where(places == i, row, y) + jq::where(places < i, row, x);
        };
        CHECK_SAME(f, a, b, array(1));
        CHECK_SAME([&](array x, array y, array i) { return lax::fori_loop(0, 3, [&](array k, array z) { return f(z, y, k + i); }, x); }, a, b, array(1));
      }
}
TEST_CASE("cpu: elements that are looked up in a view that runs backwards") {
  const array six = jq::asarray({.3, .9, 1.1, -2., 5., 7.}), big = jq::arange(1000.0);
  for (int i = 0; i < 6; ++i)
    CHECK_SAME(([](array v, array at, array b) { return std::tuple{array(jq::flip(v, 0)[at]), array(v + 1.0), array(b * 2.0)}; }), six, array(i), big);
}
