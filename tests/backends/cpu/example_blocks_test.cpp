// Loops that compute the same for each of many examples, block after block of them: layouts, dtypes, lengths that fill no block, loops within
// loops, stacks, loops that end when all examples are done, and loops whose examples need one another, which must go on trip by trip. Oracles:
// the interpreter, to the bit where results are strict, loops over plain numbers, and the code.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/control/loops.hpp>
#include <jacquard/exec/jit.hpp>
#include <jacquard/numpy/vocabulary.hpp>
#include <jacquard/testing/comparison.hpp>
#include <jacquard/transforms/grad.hpp>
#include <jacquard/transforms/vmap.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include "same.hpp"

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr auto at_once = jq::compile_at::first_call;

/// Runs f natively and by the interpreter. `blocks`: its loop is one function of blocks.
template <class F, class... A>
void same(bool blocks, F f, const A&... x) {
  const auto native = same_at_once(1e-12, f, x...);
  if (!jq::cpu::code_generator::get()) return;
  const std::string code = native.lower(x...).compile().as_text("llvm");
  CHECK_MESSAGE((code.find("finished:") != std::string::npos) == blocks, code);
}
array numbers(std::int64_t n) { return jq::linspace(0.1, 0.9, n); }

const auto logistic = [](const array& x) { return lax::fori_loop(0, 20, [](const array&, const array& s) { return 3.7 * s * (1.0 - s); }, x); };
const auto pendulum = [](const array& y) { return jq::stack({array(y[1]), array(-jq::sin(y[0]))}); };
const auto heun = [](const array& y) {
  return lax::fori_loop(0, 9, [](const array&, const array& s) {
    const array k = pendulum(s);
    return s + 0.05 * (k + pendulum(s + 0.1 * k));
  }, y);
};
/// The square root of a, by as many steps as it takes.
const auto root = [](const array& a) {
  return lax::while_loop([&](const array& s) { return jq::abs(s * s - a) > 1e-9; }, [&](const array& s) { return 0.5 * (s + a / s); }, a + 1.0);
};
/// As many steps as a point takes to leave a circle, at most 50.
const auto trips = [](const array& cr, const array& ci) {
  using state = std::tuple<array, array, array>;
  return std::get<2>(lax::while_loop([](const state& s) { return std::get<0>(s) * std::get<0>(s) + std::get<1>(s) * std::get<1>(s) < 4.0 && std::get<2>(s) < 50; },
                                     [&](const state& s) {
                                       const auto& [a, b, n] = s;
                                       return state{a * a - b * b + cr, 2.0 * a * b + ci, n + 1};
                                     }, state{array(0.0), array(0.0), array(0)}));
};

}  // namespace

TEST_CASE("elements of long arrays make all their trips in registers, however many there are") {
  for (const std::int64_t n : {65, 100, 127, 128, 1000, 4099}) same(true, logistic, numbers(n));
  same(true, logistic, jq::reshape(numbers(600), {20, 30}));
  same(false, logistic, numbers(64));  // few enough for registers as they are
}
TEST_CASE("dtypes keep their rounding and their widths") {
  for (const jq::dtype t : {jq::dtype::f16, jq::dtype::bf16, jq::dtype::f32, jq::dtype::f64, jq::dtype::i8, jq::dtype::u16, jq::dtype::i64, jq::dtype::u64})
    same(true, [](const array& x) { return lax::fori_loop(0, 3, [](const array&, const array& s) { return s * 3 + 1; }, x); }, (numbers(301) * 10.0).astype(t));
  same(true, [](const array& x, const array& b) {
    return lax::fori_loop(0, 7, [](const array&, const std::pair<array, array>& s) {
      return std::pair{array(jq::where(s.second, s.first * 1.5, s.first - 0.25)), array(s.first > 0.5)};
    }, std::pair{x, b});
  }, numbers(301), numbers(301) > 0.5);
  same(true, [](const array& z) { return lax::fori_loop(0, 9, [&](const array&, const array& s) { return s * s * 0.5 + z * 0.1; }, z); }, lax::complex(numbers(301), numbers(301) * 0.3));
}
TEST_CASE("rows of a few elements are examples, whichever dimension they lie along") {
  const array x = numbers(203), rows = jq::stack({x, x * 0.5}, 1), columns = jq::stack({x, x * 0.5}, 0);
  same(true, [](const array& y) { return jq::vmap(heun)(y); }, rows);
  same(true, [](const array& y) { return jq::vmap(heun, jq::in_axes<1>, jq::out_axes<1>)(y); }, columns);
  same(true, [](const array& y) { return heun(y); }, columns);
  const array w = jq::reshape(jq::linspace(-1.0, 1.0, 9), {3, 3});
  same(true, [](const array& y, const array& m) {
    return jq::vmap([&](const array& v) { return lax::fori_loop(0, 5, [&](const array&, const array& s) { return jq::tanh(jq::matmul(m, s)); }, v); })(y);
  }, jq::stack({x, x * 0.5, x * 0.2}, 1), w);
  same(true, [](const array& y) {  // a matrix of each
    return jq::vmap([&](const array& m) { return lax::fori_loop(0, 5, [&](const array&, const array& s) { return jq::matmul(s, m) * 0.5; }, m); })(y);
  }, jq::reshape(numbers(4 * 203), {203, 2, 2}));
}
TEST_CASE("stacks are read and written where they lie, either way round") {
  const array x = numbers(301), k = numbers(6);
  for (const bool reverse : {false, true}) {
    same(true, [&](const array& y, const array& c) { return lax::scan([](const array& s, const array& t) { return std::pair{array(s * 0.5 + t), array(s * t)}; }, y, c, {.reverse = reverse}); }, x, k);
    same(true, [&](const array& y, const array& c) { return lax::scan([](const array& s, const array& t) { return std::pair{array(s * 0.5 + t), array(s * t)}; }, y, c, {.reverse = reverse}); }, x,
         jq::expand_dims(k, 1) * x);
  }
  same(true, [](const array& y) {  // two numbers of each
    return jq::vmap([](const array& s0) { return lax::scan([](const array& s, const array& t) { return std::pair{array(s + t * pendulum(s)), s}; }, s0, jq::full({5}, 0.1)); })(y);
  }, jq::stack({x, x * 0.5}, 1));
}
TEST_CASE("gradients of such loops are such loops") {
  same(true, [](const array& x) { return jq::vmap(jq::grad(logistic))(x); }, numbers(301));
}
TEST_CASE("loops within loops, with counters and stacks of their own") {
  same(true, [](const array& x) {
    return lax::fori_loop(0, 7, [](const array& i, const array& s) {
      return lax::fori_loop(0, 3, [&](const array& j, const array& t) { return t * 0.9 + 0.01 * (i + j); }, s);
    }, x);
  }, numbers(301));
  same(true, [](const array& x) {
    return jq::vmap([](const array& s0) {
      return lax::fori_loop(0, 4, [](const array&, const array& s) {
        const auto [last, all] = lax::scan([](const array& t, const array& h) { return std::pair{array(t * (1.0 - h * t)), t}; }, s, jq::linspace(0.1, 0.2, 3));
        return last + 0.1 * jq::sum(all);
      }, s0);
    })(x);
  }, numbers(301));
}
TEST_CASE("few elements in a loop within a loop, whose counter or stack is read") {
  const auto f = [](const array& x) {
    return lax::fori_loop(0, 7, [](const array& i, const array& s) {
      const auto [last, all] = lax::scan([](const array& t, const array& h) { return std::pair{array(t * 0.5 + h), array(t > h)}; }, s, jq::linspace(0.1, 0.2, 3));
      return lax::fori_loop(0, 3, [&](const array& j, const array& t) { return t * 0.9 + 0.01 * (i + j); }, last) + jq::sum(all.astype(jq::dtype::f64), 0);
    }, x);
  };
  same(false, f, numbers(5));
  if (jq::cpu::code_generator::get()) CHECK(std::string(jq::jit(f, jq::backend("cpu"), at_once).lower(numbers(5)).compile().as_text("llvm")).find("alloca") != std::string::npos);
}
TEST_CASE("examples that are done wait for those of their block only") {
  same(true, [](const array& a) { return jq::vmap(root)(a); }, numbers(1003));
  same(true, [](const array& a) { return jq::vmap(jq::vmap(root))(a); }, jq::reshape(numbers(1000), {40, 25}));
  same(true, [](const array& a) { return jq::vmap([](const array& x) { return jq::jvp(root, jq::primals(x), jq::tangents(array(1.0))); })(a); }, numbers(1003));
  // As many trips as a loop over plain numbers makes.
  const array x = jq::linspace(-2.0, 0.5, 77), y = jq::linspace(0.0, 1.0, 77);
  const array got = jq::jit([&](const array& a, const array& b) { return jq::vmap(trips)(a, b); }, jq::backend("cpu"), at_once)(x, y);
  for (int i = 0; i < 77; ++i) {
    double a = 0, b = 0;
    const double cr = x[i].item<double>(), ci = y[i].item<double>();
    int n = 0;
    for (; a * a + b * b < 4.0 && n < 50; ++n) {
      const double next = a * a - b * b + cr;
      b = 2.0 * a * b + ci, a = next;
    }
    CHECK(got[i].item<int>() == n);
  }
}
TEST_CASE("values of fewer dimensions than the examples are spread over them") {
  const array x = numbers(40), y = numbers(30);
  same(true, [](const array& a, const array& b) { return jq::vmap(jq::vmap(trips, jq::in_axes<0, jq::none>), jq::in_axes<jq::none, 0>)(a, b); }, x * 3.0 - 2.0, y);
  same(true, [](const array& a, const array& b) {
    return lax::fori_loop(0, 9, [&](const array&, const array& s) { return s * jq::expand_dims(a, 0) + b; }, jq::zeros({30, 40}, jq::dtype::f64));
  }, x, jq::expand_dims(y, 1));
  same(true, [](const array& b) { return lax::fori_loop(0, 9, [&](const array&, const array& s) { return jq::where(jq::expand_dims(b, 1), s * 0.5, s + 1.0); }, jq::zeros({30, 40}, jq::dtype::f64)); }, y > 0.5);
  same(false, [](const array& a) { return lax::fori_loop(0, 9, [&](const array&, const array& s) { return (s * 0.5 + a) * a[3]; }, jq::zeros({400, 40}, jq::dtype::f64)); }, numbers(40));
  const auto with_sum = [](const array& a) { return lax::fori_loop(0, 9, [&](const array&, const array& s) { return s * 0.5 + a + jq::sum(jq::sin(a) * jq::max(s[0])); }, jq::zeros({400, 8}, jq::dtype::f64)); };
  same(false, with_sum, numbers(8));
  same(false, [](const array& a) { return lax::fori_loop(0, 9, [&](const array&, const array& s) { return s * a + jq::flip(a, 0); }, jq::zeros({400, 40}, jq::dtype::f64)); }, numbers(40));
}
TEST_CASE("systems of a few equations, one for each example") {
  for (const std::int64_t n : {2, 3, 4}) {
    const array m = jq::sin(jq::reshape(jq::arange(double(101 * n * n)), {101, n, n}) * 1.7) + 2.0 * jq::eye(int(n)), v = jq::reshape(numbers(101 * n), {101, n});
    same(true, [](const array& a, const array& b) { return jq::vmap([](const array& x, const array& y) { return jq::linalg::solve(x, y); })(a, b); }, m, v);
    same(true, [](const array& a, const array& b) {
      return jq::vmap([](const array& x, const array& y) { return lax::fori_loop(0, 5, [&](const array&, const array& s) { return jq::linalg::solve(x + 0.1 * s[0], y) * 0.5 + 0.1 * s; }, y); })(a, b);
    }, m, v);
    same(true, [](const array& a) { return jq::linalg::inv(a); }, m);
    same(true, [](const array& a) { return jq::vmap([](const array& x) { return jq::linalg::slogdet(x); })(a); }, m);
    same(true, [](const array& a) { return jq::vmap(jq::vmap([](const array& x) { return jq::linalg::inv(x); }))(a); }, jq::reshape(m[jq::slice(0, 100)], {10, 10, n, n}));
    same(true, [](const array& a) { return jq::vmap(jq::grad([](const array& x) { return jq::sum(jq::linalg::inv(x)); }))(a); }, m);
  }
  same(false, [](const array& a) { return jq::linalg::inv(a); }, jq::reshape(numbers(6 * 9), {6, 3, 3}) + jq::eye(3));  // few of them
}
TEST_CASE("the places of extremes in many short rows") {
  const double none = std::nan("");
  for (const jq::dtype t : {jq::dtype::f32, jq::dtype::f64})
    for (const std::int64_t n : {2, 3, 8, 16}) {
      array x = jq::floor(jq::sin(jq::reshape(jq::arange(double(100 * n)), {100, n}) * 1.7) * 4.0);  // many are equal
      x = jq::where(x == -3.0, none, x).astype(t);
      same(true, [](const array& a) { return std::pair{array(jq::argmax(a, 1)), array(jq::argmin(a, -1))}; }, x);
    }
  same(false, [](const array& a) { return jq::argmax(a, 0); }, jq::reshape(numbers(800), {8, 100}));
  same(false, [](const array& a) { return jq::argmax(a, 1); }, jq::reshape(numbers(3200), {100, 32}));
}
TEST_CASE("rows of each example that are looked up at places of its own") {
  const array x = numbers(203), i = jq::arange(203);
  same(true, [](const array& y, const array& k) {
    return jq::vmap([](const array& s0, const array& at) { return lax::fori_loop(0, 5, [&](const array& t, const array& s) { return s * 0.5 + s[jq::remainder(at + t, 3)]; }, s0); })(y, k);
  }, jq::stack({x, x * 2.0, x * 3.0}, 1), i);
}
TEST_CASE("values that are spread over examples, and read in another way as well") {
  const array a = numbers(40), x = jq::reshape(numbers(1200), {30, 40});
  const auto both = [&](auto second) {
    same(false, [=](const array& v, const array& s0) {
      return lax::fori_loop(0, 5, [&](const array&, const std::pair<array, array>& s) { return std::pair{array(s.first * jq::expand_dims(v, 0) + s.second), array(second(v, s.second))}; }, std::pair{s0, array(0.0)});
    }, a, x);
  };
  both([](const array& v, const array& s) { return s * 0.5 + v[0]; });
  both([](const array& v, const array& s) { return s * 0.5 + 0.01 * jq::sum(v * s); });
  both([](const array& v, const array& s) { return lax::fori_loop(0, 3, [&](const array& j, const array& t) { return t * 0.5 + v[j]; }, s); });
  same(false, [](const array& v, const array& s0) { return lax::scan([&](const array& s, const array& h) { return std::pair{array(s * jq::expand_dims(v, 0) + h), v}; }, s0, numbers(3)); }, a, x);
}
TEST_CASE("values without elements beside examples") {
  same(false, [](const array& x) {
    return lax::fori_loop(0, 5, [](const array&, const std::pair<array, array>& s) { return std::pair{array(s.first * 0.5), array(s.second * 2.0)}; }, std::pair{x, jq::zeros({301, 0}, jq::dtype::f64)});
  }, numbers(301));
  same(false, [](const array& x) {
    return lax::fori_loop(0, 5, [](const array&, const std::pair<array, array>& s) { return std::pair{array(s.first * 0.5), array(s.second * 2.0)}; }, std::pair{x, jq::zeros({0, 301}, jq::dtype::f64)});
  }, numbers(301));
}
TEST_CASE("stacked results that all examples have alike") {
  same(true, [](const array& x, const array& h) { return lax::scan([](const array& s, const array& k) { return std::pair{array(s * 0.5 + k), array(k * 2.0)}; }, x, h); }, numbers(301), numbers(6));
}
TEST_CASE("what all examples have alike is read before a result is written over it") {
  // A loop whose trips are counted by what it carries, beside the examples.
  const auto f = [](const array& x, const array& n, const array& w) {
    const auto r = lax::while_loop([&](const std::tuple<array, array, array>& s) { return std::get<0>(s) < n; },
                                   [](const std::tuple<array, array, array>& s) {
                                     const auto& [i, y, v] = s;
                                     return std::tuple{array(i + 1), array(y * 0.5 + v[0] + i), array(v + 1.0)};
                                   }, std::tuple{array(0), x, w});
    return std::tuple{std::get<0>(r), std::get<1>(r), std::get<2>(r)};
  };
  const array w = jq::asarray({1.0, 2.0, 3.0});
  same(true, f, numbers(301), array(7), w);
  same(true, f, numbers(320), array(7), w);
  same(true, [&](const array& x, const array& n, const array& v) {  // of values that are the loop's own
    const auto [i, y, u] = f(x + 1.0, n, v * 2.0);
    return std::tuple{array(y + i), array(u * 1.5)};
  }, numbers(5003), array(7), w);
  const auto donated = jq::jit(f, jq::backend("cpu"), at_once, jq::donate_argnums<0, 2>);
  array x = numbers(5003), v = w + 0.0;
  const jq::testing::report close = jq::testing::all_close(jq::tree::flatten(donated(x, array(7), v)), jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(numbers(5003), array(7), w)), 1e-12, 1e-12);
  CHECK_MESSAGE(close.ok, close.text);
}
TEST_CASE("examples that need one another go on trip by trip") {
  same(false, [](const array& x) { return lax::fori_loop(0, 5, [](const array&, const array& s) { return s * 0.5 + jq::mean(s); }, x); }, numbers(301));
  same(false, [](const array& x) { return lax::fori_loop(0, 5, [](const array&, const array& s) { return jq::roll(s, 1) * 0.5; }, x); }, numbers(301));
  same(false, [](const array& x) { return lax::fori_loop(0, 5, [](const array&, const array& s) { return s + jq::arange(301) * 0.1; }, x); }, numbers(301));
  // One that goes on by itself as long as any other does.
  same(false, [](const array& x) { return lax::while_loop([](const array& s) { return jq::any(s < 2.0); }, [](const array& s) { return s * 1.5; }, x); }, numbers(301));
  // One that is done, and begins again.
  same(false, [](const array& x) {
    return lax::while_loop([](const std::pair<array, array>& s) { return jq::any(s.first); },
                           [](const std::pair<array, array>& s) {
                             const array next = jq::where(s.first, s.second * 1.5, s.second);
                             return std::pair{array(next < 2.0), next};
                           },
                           std::pair{array(x > 0.5), x});
  }, numbers(301));
}
TEST_CASE("arguments that are donated are changed in place, and threads share the blocks") {
  const auto f = jq::jit(logistic, jq::backend("cpu"), at_once, jq::donate_argnums<0>);
  const array want = jq::jit(logistic, jq::backend("interpreter"))(numbers(40000));
  array x = numbers(40000);
  const array got = f(x);
  CHECK(x.is_deleted());
  const jq::testing::report close = jq::testing::all_close(got, want, 1e-12, 1e-12);
  CHECK_MESSAGE(close.ok, close.text);
}
