// Tiers: when a program gets machine code, what stays the same when it does, and that strict programs compute what the interpreter does
// on each. Threads that run while code is made and taken over; processes that fork or exit in the middle of it.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "../../show.hpp"

using jq::array;
using jq::compile_at;
using jq::precision;

namespace {

const jq::cpu::native_executable& native(const jq::ref<jq::executable>& e) { return dynamic_cast<const jq::cpu::native_executable&>(*e); }
jq::ref<jq::executable> compiled(const jq::closed_jaxpr& p, jq::compile_time when) {
  jq::compile_options o;
  o.device = {jq::find_backend("cpu").second, 0};
  o.when = when;
  return jq::find_backend("cpu").first->compile(p, o);
}
array chain(const array& x) { return jq::maximum(jq::exp(x) * x + 0.5, x) - jq::sum(x * x, 0, jq::keepdims); }
array data(const jq::shape& s, jq::dtype t = jq::f32) { return jq::random::normal(jq::random::key(5), s).astype(t); }
/// How a process of its own ends that runs one test case, with a variable in its environment that tells it so.
int status_of(const char* variable, const std::string& value, const std::string& test_case) {
  const pid_t child = fork();
  if (child == 0) {
    setenv(variable, value.c_str(), 1);
    alarm(60);
    execl("/proc/self/exe", "child", ("--test-case=" + test_case).c_str(), nullptr);
    _exit(127);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}
const bool has_compiler = jq::cpu::code_generator::get() != nullptr;

}  // namespace

TEST_CASE("tiers: at the first call, when hot, never") {
  const array x = data({100, 300});
  const auto p = jq::make_jaxpr(chain)(x);
  using jq::cpu::tier;
  const tier best = has_compiler ? tier::compiled : tier::tiles;
  CHECK(native(compiled(p, jq::compile_time::first_call)).runs_on() == best);
  const auto hot = compiled(p, jq::compile_time::when_hot), never = compiled(p, jq::compile_time::never);
  CHECK(native(hot).runs_on() == tier::tiles);
  const array arguments[] = {x};
  hot->run(arguments, {});
  jq::cpu::finish_compiling();
  CHECK(native(hot).runs_on() == tier::tiles);  // far from 10 ms
  for (int i = 0; i < 20000 && native(hot).runs_on() != best; ++i) hot->run(arguments, {}), never->run(arguments, {});
  jq::cpu::finish_compiling();
  CHECK(native(hot).runs_on() == best);
  CHECK(native(never).runs_on() == tier::tiles);
  const auto r = jq::testing::all_close(hot->run(arguments, {})[0], never->run(arguments, {})[0], 1e-5, 1e-5);
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("tiers: the environment may do without a compiler" * doctest::skip(!std::getenv("JACQUARD_LLVM"))) {
  const std::string library = std::getenv("JACQUARD_LLVM");
  if (library == "none" || library.starts_with("/nowhere/")) CHECK_FALSE(has_compiler);
}
TEST_CASE("tiers: the default can be set, and an option has the last word") {
  const array x = data({8});
  const auto runs_on = [&](auto... options) {
    const auto c = jq::jit(chain, jq::backend("cpu"), options...).lower(x).compile();
    return c.as_text("loops");  // compiles, whichever tier it is
  };
  jq::cpu::set_compile_at(jq::compile_time::never);
  CHECK(native(compiled(jq::make_jaxpr(chain)(x), jq::compile_time::by_default)).runs_on() == jq::cpu::tier::tiles);
  CHECK(runs_on() == runs_on(compile_at::first_call));
  jq::cpu::set_compile_at(jq::compile_time::by_default);
}
TEST_CASE("tiers: strict programs have the bits of the interpreter, whatever they run on") {
  const auto same = [](auto f, const auto&... x) {
    const auto want = jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...)));
    for (const compile_at when : {compile_at::never, compile_at::first_call}) {
      const auto got = jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), precision::strict, when)(x...)));
      const auto r = jq::testing::identical(got, want);
      CHECK_MESSAGE(r.ok, r.text);
    }
  };
  for (jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64})
    for (std::int64_t n : {1, 15, 64, 1000, 5000}) {
      CAPTURE(jq::name(t));
      CAPTURE(n);
      const array x = data({n}, t), y = data({n}, t) * 3 - 1;
      same([](array a, array b) { return std::tuple{a * b + a, a / b - b * a, jq::sqrt(jq::abs(a)) + b, jq::where(a < b, a * 2, b), jq::floor(a * 7)}; }, x, y);
      same([](array a, array b) { return std::tuple{jq::exp(a), jq::tanh(a) * b, jq::sin(b), jq::log1p(jq::abs(b)), jq::erf(a), jq::sigmoid(b)}; }, x, y);
      same([](array a) { return std::tuple{jq::sum(a), jq::max(a), jq::mean(a * a), jq::softmax(a)}; }, x);
      same([](array a) { return std::tuple{a.astype(jq::i32), a.astype(jq::bf16), a.astype(jq::f64) * 3.0}; }, x);
    }
  same([](array a) { return std::pair{jq::lax::cosh(array(1.0f)), jq::lax::cosh(jq::full({40}, 1.0f)) + a}; }, data({40}));  // a compiler knows cosh otherwise than the C library
  same([](array a, array b) { return jq::matmul(a, b) + 1; }, data({40, 50}), data({50, 30}));
  same([](array a) { return jq::lax::fori_loop(0, 9, [](array, array v) { return jq::sin(v) * 1.25 + v; }, a); }, data({100}));
}
TEST_CASE("tiers: tiles of rows of any length compute what the interpreter does") {
  const auto norm = [](array x) {
    const array d = x - jq::mean(x, 1, jq::keepdims);
    return d / jq::sqrt(jq::mean(d * d, 1, jq::keepdims) + 1e-3);
  };
  const auto softmax = [](array x) { return std::pair{jq::softmax(x, 1), jq::sum(x * (x + 1), 1) / 3.0}; };
  const auto stencil = [](array u) {
    const auto part = [&](std::int64_t row, std::int64_t column) { return u(jq::slice(row, row + u.shape()[0] - 2), jq::slice(column, column + u.shape()[1] - 2)); };
    const array c = part(1, 1);
    return jq::minimum(c + 0.1 * (part(0, 1) + part(2, 1) + part(1, 0) + part(1, 2) - 4 * c), 2.5 - c * c) * (c + 1.0 - part(0, 0));
  };
  const auto check = [](auto f, const array& x, double tolerance) {
    const auto want = jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x)));
    const auto strict = jq::testing::identical(jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), precision::strict, compile_at::never)(x))), want);
    CHECK_MESSAGE(strict.ok, strict.text);
    const auto got = jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), compile_at::never)(x)));
    for (std::size_t i = 0; i < want.size(); ++i) {
      const auto r = jq::testing::all_close(got[i], want[i], tolerance, tolerance);
      CHECK_MESSAGE(r.ok, r.text);
    }
  };
  for (const auto& [t, tolerance] : {std::pair{jq::f32, 3e-5}, std::pair{jq::f64, 1e-12}, std::pair{jq::bf16, 5e-2}})
    for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 31, 33, 47, 64, 127, 130, 513, 1000, 1030, 2049, 5003}) {
      CAPTURE(jq::name(t));
      CAPTURE(n);
      const array x = data({3, n}, t);
      check(norm, x, tolerance);
      check(softmax, x, tolerance);
      check(stencil, data({4, n + 2}, t), 2 * tolerance);
      check([](array v) { return std::pair{jq::sum(v * v, 0), v / jq::sum(jq::abs(v), 0)}; }, x, tolerance);
    }
}
TEST_CASE("tiers: wide numbers are rounded to 16 bits once") {
  // Just above the middle between two bfloat16 numbers, by less than f32 can tell.
  const array above = jq::asarray(std::vector<double>{1.00390625 + 1e-12, -1.00390625 - 1e-12, 1.00390625, 65519.9999999, 65520});
  const array whole = jq::asarray(std::vector<std::int64_t>{(std::int64_t(257) << 40) + 1, -(std::int64_t(257) << 40) - 1, std::int64_t(257) << 40,
                                                            (std::int64_t(257) << 54) + 1, std::numeric_limits<std::int64_t>::min()});
  for (const compile_at when : {compile_at::never, compile_at::first_call})
    for (jq::dtype t : {jq::bf16, jq::f16}) {
      const auto f = [t](array a, array b) { return std::pair{(a * 1.0).astype(t), (b + 0).astype(t)}; };
      const auto r = jq::testing::identical(jq::jit(f, jq::backend("cpu"), when)(above, whole), jq::jit(f, jq::backend("interpreter"))(above, whole));
      CHECK_MESSAGE(r.ok, r.text);
    }
}
TEST_CASE("tiers: what is computed once more is still equal to the maximum of it that was stored") {
  // A mean weighted by exponentials that are shifted by the maximum: what is added to all numbers is added to it.
  const auto mean = [](const array& x, int axis) {
    const array e = jq::exp(x - jq::max(x, axis, jq::keepdims));
    return jq::sum(jq::sum(e * x, axis) / jq::sum(e, axis));
  };
  // The difference of two extremes and twice the larger one: the same, once.
  const auto extremes = [](const array& x, int axis) {
    const array top = jq::max(x, axis), low = jq::min(jq::transpose(x), 1 - axis);
    return jq::sum(3.0 * top - 2.0 * low) + 0.0 * jq::sum(jq::tanh(top - low));
  };
  const auto check = [](auto f, jq::dtype t, int axis, const jq::shape& s, compile_at when) {
    // What the numbers are made of is stored, and read once more elsewhere; their product may be contracted with the sum in one place alone.
    const auto slope = [f, axis](const array& c, const array& a) {
      const auto value = [&](const array& added, const array& v) {
        const array product = jq::exp(jq::tanh(v)) * v;
        return f(product + added, axis) + 0.0 * jq::sum(jq::sin(product)) + 0.0 * jq::sum(jq::max(product + added, 1 - axis));
      };
      const auto [by_added, by_v] = jq::grad(value, jq::argnums<0, 1>)(c, a);
      return std::tuple{jq::sum(by_added.astype(jq::f32), axis), by_added, by_v};
    };
    const array got = std::get<0>(jq::jit(slope, jq::backend("cpu"), when)(data(s, t), data(s, t)));
    const auto r = jq::testing::all_close(got, jq::full(got.shape(), 1, jq::f32), 0, 0.1);
    INFO(jq::name(t), " ", axis, " ", s[0]);
    CHECK_MESSAGE(r.ok, r.text);
  };
  for (const compile_at when : {compile_at::never, compile_at::first_call})
    for (jq::dtype t : {jq::f16, jq::bf16, jq::f32, jq::f64})
      for (int axis : {0, 1})
        for (const jq::shape& s : {jq::shape{7, 300}, jq::shape{300, 7}, jq::shape{1, 40}}) {
          check(mean, t, axis, s, when);
          check(extremes, t, axis, s, when);
        }
}
TEST_CASE("tiers: a reduction over no axes is its operand, also beside others") {
  const auto f = [](const array& x) {
    const jq::location here = jq::location::current();
    const array y = x.astype(jq::i32);
    const array same[] = {jq::bind<jq::reduce_or_p>({jq::int_list{}}, here, y), jq::bind<jq::reduce_prod_p>({jq::int_list{}}, here, y),
                          jq::bind<jq::reduce_max_p>({jq::int_list{}}, here, y), jq::bind<jq::reduce_sum_p>({jq::int_list{}}, here, x)};
    std::vector<array> r;
    for (const array& s : same) r.push_back(s), r.push_back(jq::sum(s, 1));
    return r;
  };
  const array x = 100.0 * data({8, 17});
  for (const precision p : {precision::strict, precision::fast})
    for (const compile_at when : {compile_at::never, compile_at::first_call}) {
      const std::vector<array> got = jq::jit(f, jq::backend("cpu"), p, when)(x), want = f(x);
      for (std::size_t i = 0; i < want.size(); ++i) CHECK(jq::testing::all_close(got[i], want[i], 1e-6, 1e-4).ok);
    }
}
TEST_CASE("tiers: a maximum that is put among constants is still equal to what it was chosen from") {
  const auto found = [](const array& a, const array& v) {
    const array product = jq::exp(jq::tanh(v)) * v, y = product + a, top = jq::max(y);
    const array among = jq::zeros({300}, jq::f32).at(jq::array(7)).set(top), looked_up = jq::zeros({300}, jq::f32).at(jq::asarray({7})).set(top);
    return std::tuple{jq::sum((y == among[7]).astype(jq::f32)), jq::sum((y == jq::max(looked_up)).astype(jq::f32)), jq::sum(jq::sin(product))};
  };
  for (const compile_at when : {compile_at::never, compile_at::first_call}) {
    const auto [slice, maximum, other] = jq::jit(found, jq::backend("cpu"), when)(data({300}), data({300}));
    CHECK(slice.item<float>() == 1);
    CHECK(maximum.item<float>() == 1);
  }
}
TEST_CASE("tiers: calls that run while machine code takes over get the same results") {
  const auto f = jq::jit([](array x) { return jq::maximum(x * x + 0.25, x) * x; }, jq::backend("cpu"), precision::strict, compile_at::when_hot);
  const array x = data({20000});
  const array want = f(x);
  std::vector<int> wrong(3, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1500; ++i) wrong[t] += !jq::testing::identical(f(x), want).ok && i % 16 == 0;
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == std::vector<int>(3, 0));
  jq::cpu::finish_compiling();
  CHECK(jq::testing::identical(f(x), want).ok);
}
TEST_CASE("tiers: a process may fork, and exit, while code is made") {
  const array x = data({20000});
  for (int round = 0; round < 3; ++round) {
    const auto f = jq::jit([round](array v) { return jq::tanh(v * float(round)) + v; }, jq::backend("cpu"), precision::strict, compile_at::when_hot);
    const array want = f(x);
    for (int i = 0; i < 400; ++i) f(x);
    const pid_t child = fork();
    if (child == 0) {
      bool same = true;
      const auto own = jq::jit([](array v) { return jq::tanh(v) - v; }, jq::backend("cpu"), compile_at::when_hot);
      for (int i = 0; i < 400; ++i) own(x), same = same && jq::testing::identical(f(x), want).ok;
      if (round != 0) jq::cpu::finish_compiling();
      _exit(same ? 0 : 1);
    }
    int status = 1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(jq::testing::identical(f(x), want).ok);
  }
}
TEST_CASE("tiers: a process may fork while other threads make code for their first calls, and its child may make some") {
  const array x = data({40});
  (void)compiled(jq::make_jaxpr(chain)(x), jq::compile_time::first_call);
  bool ends = false;
  std::thread maker([&] {
    for (int i = 0; !__atomic_load_n(&ends, __ATOMIC_RELAXED); ++i) {
      const double salt = 100.0 + i;
      (void)compiled(jq::make_jaxpr([=](const array& v) { return jq::tanh(v * salt) + v; })(x), jq::compile_time::first_call);
    }
  });
  for (int round = 0; round < 20; ++round) {
    usleep(2000);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      const double salt = -1.0 - round;
      const auto p = jq::make_jaxpr([=](const array& v) { return jq::tanh(v * salt) - v; })(x);
      const array arguments[] = {x};
      const array got = compiled(p, jq::compile_time::first_call)->run(arguments, {})[0];
      _exit(jq::testing::identical(got, compiled(p, jq::compile_time::first_call)->run(arguments, {})[0]).ok ? 0 : 1);
    }
    int status = 1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  __atomic_store_n(&ends, true, __ATOMIC_RELAXED);
  maker.join();
}
TEST_CASE("tiers: a program is compiled a second time while the code of the first is in use, long after it") {
  const array x = data({40});
  const auto p = jq::make_jaxpr(chain)(x);
  const auto first = compiled(p, jq::compile_time::first_call);
  for (int i = 0; i < 70; ++i) {
    const double salt = 1.0 + i;
    (void)compiled(jq::make_jaxpr([=](const array& v) { return v * salt; })(x), jq::compile_time::first_call);
  }
  const array arguments[] = {x};
  const auto r = jq::testing::identical(compiled(p, jq::compile_time::first_call)->run(arguments, {})[0], first->run(arguments, {})[0]);
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("tiers: a process may return from main while its first code is made") {
  if (const char* microseconds = std::getenv("JACQUARD_TEST_EXIT")) {  // this process is the one that exits
    const array x = data({20000});
    const auto f = jq::jit([](array v) { return jq::tanh(v) * jq::exp(v) + v; }, jq::backend("cpu"), compile_at::when_hot);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(12)) f(x);  // it is hot after ten
    usleep(unsigned(std::atoi(microseconds)));
    std::exit(0);
  }
  for (int round = 0; round < 40; ++round) {
    CHECK(status_of("JACQUARD_TEST_EXIT", std::to_string(1500 * round), "tiers: a process may return from main*") == 0);
  }
}
TEST_CASE("tiers: what is compiled when the process has destroyed the compiler runs on tiles") {
  static const auto sum_of_sines = [](std::int64_t n) {
    return jq::jit([](array v) { return jq::sum(jq::sin(v)); }, jq::backend("cpu"), compile_at::first_call)(jq::full({n}, 1.0)).item<double>();
  };
  if (std::getenv("JACQUARD_TEST_LATE")) {  // this process is the one that exits
    std::atexit([] { _exit(std::abs(sum_of_sines(300) - 300 * std::sin(1.0)) < 1e-9 ? 0 : 1); });  // runs after what the compiler registers
    (void)sum_of_sines(3);
    std::exit(2);
  }
  CHECK(status_of("JACQUARD_TEST_LATE", "1", "tiers: what is compiled when the process has destroyed*") == 0);
}
