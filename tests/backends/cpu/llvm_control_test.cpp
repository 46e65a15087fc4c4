// Loops and branches that are one native function: types, index maps, reductions, stacks either way round, loops in loops and choices in
// loops, equations that are called, and what must stay a program that runs step by step. Oracles: the interpreter, to the bit where results
// are strict, and the listing of the code.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/control/branches.hpp>
#include <jacquard/control/loops.hpp>
#include <jacquard/exec/jit.hpp>
#include <jacquard/numpy/vocabulary.hpp>
#include <jacquard/taps/taps.hpp>
#include <jacquard/testing/comparison.hpp>

#include <doctest/doctest.h>

#include "same.hpp"

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr auto at_once = jq::compile_at::first_call;

/// Runs f natively and by the interpreter. `written`: what changes from trip to trip, or comes out of a choice, is held in registers.
template <class F, class... A>
void same(bool written, F f, const A&... x) {
  const auto native = same_at_once(1e-5, f, x...);
  if (!jq::cpu::code_generator::get()) return;
  const std::string code = native.lower(x...).compile().as_text("llvm");
  CHECK_MESSAGE((code.find("%v0") != std::string::npos) == written, code);
}
const array three = jq::asarray({1.f, -2.f, 3.f});

}  // namespace

TEST_CASE("loops over a few elements are one function") {
  same(true, [](const array& x) { return lax::fori_loop(0, 100, [](const array& i, const array& s) { return s * 0.9f + i; }, x); }, three);
  same(true, [](const array& a, const array& x) {
    return lax::while_loop([&](const array& s) { return jq::abs(s * s - a) > 1e-9; }, [&](const array& s) { return 0.5 * (s + a / s); }, x);
  }, array(2.0), array(1000.0));
  same(true, [](const array& x) { return lax::while_loop([](const array& s) { return jq::max(s) < 0.f; }, [](const array& s) { return s + 1.f; }, x); }, three);
}
TEST_CASE("dtypes keep their rounding and their widths from trip to trip") {
  for (const jq::dtype t : {jq::dtype::f16, jq::dtype::bf16, jq::dtype::f32, jq::dtype::f64, jq::dtype::i8, jq::dtype::u16, jq::dtype::i64, jq::dtype::u64})
    same(true, [&](const array& x) { return lax::fori_loop(0, 9, [](const array& i, const array& s) { return s * 3 + i.astype(s.dtype()); }, x); }, three.astype(t));
  same(true, [](const array& x, const array& b) {
    return lax::fori_loop(0, 9, [](const array&, const std::pair<array, array>& s) {
      return std::pair{array(jq::where(s.second, s.first + 1, s.first * 2)), array(jq::logical_xor(s.second, s.first > 3))};
    }, std::pair{x, b});
  }, jq::asarray({1, 2, 3, 4, 5}), jq::asarray({true, false, true, false, false}));
}
TEST_CASE("elements of stacks are read and written where they lie, either way round") {
  const array xs = jq::reshape(jq::arange(18.f), {6, 3});
  for (bool reverse : {false, true})
    same(true, [&](const array& a, const array& b, const array& stack) {
      return lax::scan([](const std::pair<array, array>& s, const array& e) {
        return std::pair{std::pair{s.second, array(s.first + e)}, std::pair{array(s.second > s.first), s.first}};
      }, std::pair{a, b}, stack, {.reverse = reverse});
    }, three, three * 2.f, xs);
  same(true, [](const array& stack) { return lax::scan([](const array& s, const array& e) { return std::pair{s, e[0]}; }, array(1.f), stack); }, xs);
}
TEST_CASE("index maps and reductions of odd and even numbers of elements") {
  const array square = jq::reshape(jq::arange(25.), {5, 5}) * 0.01;
  same(true, [&](const array& x) {
    return lax::fori_loop(0, 4, [](const array&, const array& s) { return jq::transpose(s) * 0.5 + jq::flip(s, {0}); }, x);
  }, square);
  for (int n : {1, 2, 3, 5, 7, 8}) {
    const array x = jq::reshape(jq::arange(n * 7), {n, 7});
    same(true, [&](const array& y) {
      return lax::fori_loop(0, 3, [](const array&, const array& s) { return s + jq::max(s) - jq::expand_dims(jq::sum(s, {1}), 1) + jq::sum(s, {0}); }, y);
    }, x);
  }
  const array cell = jq::reshape(jq::arange(64.f), {8, 8}) * 0.01f - 0.3f;
  const auto step = [](const array& w, const array& h, const array& xs) {
    return lax::scan([&](const array& s, const array& e) { return std::pair{jq::tanh(jq::sum(w * s, {1}) + e), s}; }, h, xs);
  };
  const jq::testing::report r = jq::testing::all_close(jq::tree::flatten(jq::jit(step, jq::backend("cpu"), at_once)(cell, jq::ones({8}), jq::ones({10, 8}))),
                                                       jq::tree::flatten(jq::jit(step, jq::backend("interpreter"))(cell, jq::ones({8}), jq::ones({10, 8}))), 1e-5, 1e-6);
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("loops in loops, choices in loops and calls in them are parts of the same function") {
  same(true, [](const array& x) {
    return lax::fori_loop(0, 5, [](const array& i, const array& s) {
      return lax::while_loop([](const array& v) { return jq::max(v) < 100.f; }, [](const array& v) { return v * 1.5f + 1.0f; }, s) - i * 10;
    }, x);
  }, three);
  for (int first : {-3, 0, 1, 2, 9})
    same(true, [&](const array& x) {
      return lax::fori_loop(0, 6, [&](const array& i, const array& s) {
        return lax::switch_(i + first, std::tuple{[](const array& v) { return v + 1.f; }, [](const array& v) { return v * 2.f; }, [](const array& v) { return v - 3.f; }}, s);
      }, x);
    }, three);
  same(true, [](const array& x) { return lax::cond(x[0] > 0, [](const array& v) { return v + 1.f; }, [](const array& v) { return v * 2.f; }, x); }, three);
}
TEST_CASE("elements of carries that are replaced where they lie stay in registers") {
  const array x = jq::arange(9).astype(jq::f32);
  for (const jq::dtype t : {jq::dtype::bool_, jq::dtype::i8, jq::dtype::bf16, jq::dtype::f32, jq::dtype::f64, jq::dtype::u64})
    same(true, [&](const array& a) { return lax::fori_loop(0, 13, [](const array& i, const array& s) { return s.at(3 * i - 12).set(i.astype(s.dtype())); }, a); }, x.astype(t));
  same(true, [](const array& a) { return lax::fori_loop(0, 9, [](const array& i, const array& s) { return s.at(i).add(s(8 - i)).at(8 - i).multiply(0.5f).at(2).min(i.astype(jq::f32)); }, a); }, x);
  same(true, [](const array& a) {
    return lax::fori_loop(0, 13, [](const array& i, const array& s) { return lax::dynamic_update_slice(s, lax::dynamic_slice(s, {i}, {1}) * 2.0f, {3 * i - 12}); }, a);
  }, x);
  same(true, [](const array& a) {
    return lax::fori_loop(0, 9, [](const array& i, const array& s) { return lax::dynamic_update_slice(s, jq::sum(s, 0, jq::keepdims) * 0.5f, {i, array(0)}); }, a);
  }, jq::reshape(x, {3, 3}));
  same(true, [](const array& a) { return lax::fori_loop(0, 9, [](const array& i, const array& s) { return s.at(i + jq::arange(3)).add(1.0f); }, a); }, x);
}
TEST_CASE("random numbers are drawn in the function") {
  const array key = jq::random::key(7);
  same(true, [&](const array& x) {
    return lax::fori_loop(0, 9, [&](const array& i, const array& s) { return s + jq::random::uniform(jq::random::fold_in(key, i), {3}); }, x);
  }, three);
  same(true, [](const array& x, const array& k) {
    return lax::fori_loop(0, 9, [](const array&, const std::pair<array, array>& s) {
      const array keys = jq::random::split(s.second);
      return std::pair{array(s.first + jq::random::bits(array(keys(1)), {3}).astype(jq::f32)), array(keys(0))};
    }, std::pair{x, k});
  }, three, key);
}
TEST_CASE("equations with kernels of their own are called") {
  same(true, [](const array& x) { return lax::fori_loop(0, 3, [](const array&, const array& s) { return jq::sort(s) - jq::flip(s, {0}); }, x); }, three);
}
TEST_CASE("bodies with larger values or effects run step by step") {
  same(false, [](const array& x) { return lax::fori_loop(0, 3, [](const array&, const array& s) { return s * 2.f / jq::max(s); }, x); }, jq::ones({65}));
  int seen = 0;
  const auto tapped = jq::jit([&](const array& x) {
    return lax::fori_loop(0, 3, [&](const array&, const array& s) { return jq::id_tap([&](const array&) { ++seen; }, s + 1.f); }, x);
  }, jq::backend("cpu"), at_once);
  CHECK(tapped(array(1.f)).item<float>() == 4.f);
  CHECK(seen == 3);
}
TEST_CASE("small loops in programs that call the host are functions all the same") {
  int seen = 0;
  const auto f = jq::jit([&](const array& x) {
    const array y = jq::id_tap([&](const array&) { ++seen; }, x);
    return lax::fori_loop(0, 3, [](const array&, const array& s) { return s * 2.f; }, y + 1.f);
  }, jq::backend("cpu"), at_once);
  CHECK(f(array(1.f)).item<float>() == 16.f);
  CHECK(seen == 1);
}
TEST_CASE("values made of operands side by side stay in registers") {
  const auto slope = [](const array& s) {
    const array x = s[0], y = s[1], z = s[2];
    return jq::stack(std::vector<array>{10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3 * z});
  };
  const auto step = [&](const array& s) {
    const double h = 0.01;
    const array a = slope(s), b = slope(s + h / 2 * a), c = slope(s + h / 2 * b), d = slope(s + h * c);
    return s + h / 6 * (a + 2.0 * b + 2.0 * c + d);
  };
  same(true, [&](const array& s) { return lax::fori_loop(0, 50, [&](const array&, const array& v) { return step(v); }, s); }, jq::asarray({1.0, 1.0, 1.0}));
  same(true, [](const array& a, const array& b) {  // the carries themselves, and a pad within
    return lax::fori_loop(0, 5, [](const array&, const std::pair<array, array>& s) {
      const array both = jq::concatenate({s.first, s.second});
      return std::pair{array(both[jq::slice(2, 5)] * 0.5f), array(jq::pad(both[jq::slice(0, 1)] + s.second[jq::slice(0, 1)], {1, 0}))};
    }, std::pair{a, b});
  }, three, jq::asarray({0.5f, 4.f}));
}
