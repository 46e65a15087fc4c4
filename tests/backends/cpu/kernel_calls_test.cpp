// Functions that call kernels of equations: types and several results, loops and choices around them, many in one body, frames that are too
// large, what such kernels throw, several threads. Oracles: the interpreter, to the bit, and the listing of the code.
#include <atomic>
#include <stdexcept>
#include <thread>

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/backends/interpreter/eager.hpp>
#include <jacquard/control/branches.hpp>
#include <jacquard/control/loops.hpp>
#include <jacquard/exec/jit.hpp>
#include <jacquard/numpy/fft.hpp>
#include <jacquard/numpy/linalg.hpp>
#include <jacquard/numpy/vocabulary.hpp>
#include <jacquard/testing/comparison.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;

namespace {

constexpr auto at_once = jq::compile_at::first_call;
std::string code_of(const auto& f, const auto&... x) { return f.lower(x...).compile().as_text("llvm"); }
int calls_in(const std::string& code) {
  int n = 0;
  for (std::size_t at = 0; (at = code.find("call i32 %", at)) != std::string::npos; ++at) ++n;
  return n;
}

/// Runs f natively and by the interpreter. `calls`: how many are written.
template <class F, class... A>
void same(int calls, F f, const A&... x) {
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x...));
  const auto strict = jq::jit(f, jq::backend("cpu"), at_once, jq::precision::strict);
  const auto native = jq::jit(f, jq::backend("cpu"), at_once);
  const double tolerance = size_of(want[0].dtype()) == 2 ? 0.02 : 1e-4;  // numbers of 16 bits are not rounded within a kernel
  for (int call = 0; call < 2; ++call) {
    const jq::testing::report equal = jq::testing::all_close(jq::tree::flatten(strict(x...)), want, 0, 0);
    CHECK_MESSAGE(equal.ok, equal.text);
    const jq::testing::report close = jq::testing::all_close(jq::tree::flatten(native(x...)), want, tolerance, tolerance);
    CHECK_MESSAGE(close.ok, close.text);
  }
  if (!jq::cpu::code_generator::get()) return;
  const std::string code = code_of(native, x...);
  CHECK_MESSAGE(calls_in(code) == calls, code);
}
auto loop(auto body) {
  return [=](const array& x) { return lax::fori_loop(0, 7, body, x); };
}

/// The operand; an error where it exceeds 5.
struct bounded_p {
  static constexpr std::string_view name = "bounded";
  static constexpr jq::type_set domain = jq::floats;
  static constexpr jq::aval abstract_eval(jq::inference& c) { return c.in[0]; }
  template <class T>
  static constexpr void kernel(const jq::kernel_args<T>& a) {
    for (std::int64_t i = 0; i < a.out_types[0].elements(); ++i) {
      if (a.in[0][i] > T(5)) throw std::runtime_error("beyond five");
      a.out[0][i] = a.in[0][i];
    }
  }
};

/// More than what registers do without a call, see prims/row_pairs.
const array few = jq::asarray({1.f, 7.f, 3.f, 4.f, 2.f, 8.f, 5.f, 6.f, 0.f, 9.f, 2.f, 3.f});

}  // namespace

TEST_CASE("kernels of complex numbers") {
  const array z = lax::complex(jq::asarray({1.0f, -2.0f, 0.5f, 3.0f}), jq::asarray({0.25f, 1.0f, -1.0f, 2.0f}));
  same(1, loop([](const array&, const array& v) { return jq::fft::fft(v) * 0.5f; }), z);
  same(1, loop([](const array& i, const array& v) { return lax::cumsum(v, 0) * 0.5f + i.astype(jq::f32); }), z);
  same(1, loop([](const array&, const array& v) { return jq::sort(jq::abs(v)) + v; }), jq::tile(z, {3}).astype(jq::c128));
}
TEST_CASE("kernels of one operand are called in loops, of every type") {
  for (const jq::dtype t : {jq::dtype::i8, jq::dtype::u16, jq::dtype::i32, jq::dtype::u64, jq::dtype::f16, jq::dtype::bf16, jq::dtype::f32, jq::dtype::f64}) {
    same(1, loop([](const array&, const array& s) { return jq::sort(s * 3 - 1); }), few.astype(t));
    same(1, loop([](const array&, const array& s) { return s + jq::argmax(s).astype(s.dtype()); }), few.astype(t));
  }
  same(1, loop([](const array&, const array& s) { return jq::cumsum(s * 0.3f); }), few);
  same(1, loop([](const array&, const array& s) { return jq::sort(jq::logical_not(s)); }), few > 3);
}
TEST_CASE("numbers that are none, infinities and zeros of both signs are sorted as they are, by a call and in registers") {
  const float none = std::numeric_limits<float>::quiet_NaN(), most = std::numeric_limits<float>::infinity();
  const auto f = loop([](const array&, const array& s) { return jq::sort(-s); });
  const array x = jq::asarray({none, -0.f, 0.f, most, -most, 1.f, -1.f});
  const array want = jq::jit(f, jq::backend("interpreter"))(x);
  for (const jq::precision& p : {jq::precision::strict, jq::precision::fast}) {
    const array y = jq::jit(f, jq::backend("cpu"), at_once, p)(x);
    for (std::size_t i = 0; i < 7; ++i)
      CHECK(std::bit_cast<std::uint32_t>(y.data<float>()[i]) == std::bit_cast<std::uint32_t>(want.data<float>()[i]));
  }
}
TEST_CASE("several operands, results and calls of a body") {
  const array matrix = jq::eye(5).astype(jq::f32) * 2.0f + 0.3f;
  same(1, loop([=](const array&, const array& s) { return lax::cholesky(s * 0.001f + matrix); }), matrix);
  same(1, [](const array& x) {
    return lax::fori_loop(0, 5, [](const array& i, const std::pair<array, array>& s) {
      const jq::array_list y = lax::sort(std::vector<array>{s.first * -1.0f + i.astype(jq::f32), s.second}, 0);
      return std::pair{y[0], y[1]};
    }, std::pair{x, jq::arange(12)});
  }, few);
  same(3, loop([](const array&, const array& s) { return jq::cumsum(jq::sort(1.0f - s)) * 0.1f + jq::argmin(s).astype(jq::f32); }), few);
}
TEST_CASE("calls in loops within loops, in choices, of stacks") {
  same(2, loop([](const array& i, const array& s) {
    return lax::cond(i % 2 == 0, [](const array& v) { return jq::sort(-v); }, [](const array& v) { return jq::cumsum(v) * 0.5f; }, s);
  }), few);
  same(1, loop([](const array&, const array& s) {
    return lax::while_loop([](const array& v) { return jq::max(v) < 100.f; }, [](const array& v) { return jq::cumsum(v) + 1.0f; }, s) * 0.01f;
  }), few);
  same(1, loop([](const array&, const array& s) {  // in the condition
    return lax::while_loop([](const array& v) { return jq::argmax(v) > 2; }, [](const array& v) { return v - jq::arange(12).astype(jq::f32); }, s);
  }), few);
  same(1, [](const array& x, const array& stack) {
    return lax::scan([](const array& s, const array& e) {
      const array y = jq::sort(s + e);
      return std::pair{y, array(y * 2.0f)};
    }, x, stack);
  }, few, jq::reshape(jq::arange(60.f), {5, 12}));
}
TEST_CASE("frames beyond what lies on the stack are no function's") {
  const array x = jq::arange(64.0);
  const auto many = [](int count) {
    return loop([=](const array&, array s) {
      for (int i = 0; i < count; ++i) s = jq::cumsum(s * 0.5) * 0.1;
      return s;
    });
  };
  same(2, many(2), x);
  same(0, many(9), x);
}
TEST_CASE("what a kernel throws arrives at the caller, and the next call runs") {
  const auto f = jq::jit(loop([](const array&, const array& s) { return jq::sort(jq::bind<bounded_p>({}, jq::location{}, s) + 0.5f); }), jq::backend("cpu"), at_once);
  const array small = jq::zeros({12}), large = small + 3.f;
  for (int i = 0; i < 3; ++i) {
    CHECK(f(small)[0].item<float>() == 3.5f);
    CHECK_THROWS_WITH_AS(f(large), "beyond five", std::runtime_error);
  }
  if (jq::cpu::code_generator::get()) CHECK(calls_in(code_of(f, small)) == 2);
}
TEST_CASE("several threads run such a function at once") {
  const auto f = jq::jit(loop([](const array&, const array& s) { return jq::cumsum(jq::sort(1.0f - s)) * 0.1f; }), jq::backend("cpu"), at_once);
  const array want = f(few);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) wrong += !jq::array_equal(f(few), want).item<bool>();
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}
