// Denormal numbers: kept by default, flushed where that is asked for, on every thread and tier; the mode of the calling thread comes back.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/exec/executable_file.hpp>

#include <cmath>

#include "../../show.hpp"

using jq::array;

namespace {

const auto times_four = [](const array& v) { return v * 4.f; };  // normal, of what is not quite
const auto half = [](const array& v) { return v * 0.5f; };       // the other way round
std::size_t zeros_in(const array& v) {
  std::size_t n = 0;
  for (float e : v.data<float>()) n += e == 0;
  return n;
}
struct threads {
  int before = jq::cpu::threads();
  explicit threads(int n) { jq::cpu::set_threads(n); }
  ~threads() { jq::cpu::set_threads(before); }
};

}  // namespace

TEST_CASE("denormals: kept by default, flushed by option, on both tiers") {
  const threads four(4);
  for (std::int64_t n : {7, 3'000'000})
    for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
      const array small = jq::full({n}, 1e-38f), least = jq::full({n}, 1.5e-38f);
      const auto count = [&](auto f, const array& v, auto... options) { return zeros_in(jq::jit(f, jq::backend("cpu"), when, options...)(v)); };
      CHECK(count(times_four, small) == 0);
      CHECK(count(half, least) == 0);
      CHECK(count(times_four, small, jq::denormals::keep) == 0);
#if defined(__x86_64__)
      CHECK(count(times_four, small, jq::denormals::flush) == std::size_t(n));
      CHECK(count(half, least, jq::denormals::flush) == std::size_t(n));
#endif
      CHECK(count(times_four, least, jq::denormals::flush) == 0);
      CHECK(count(half, least) == 0);  // helpers do not stay in that mode
    }
}
TEST_CASE("denormals: the sign of one is 1 where they are kept, a zero of its sign where they are flushed") {
  const auto sign = [](const array& v) { return jq::sign(v); };
  const array v = jq::tile(jq::asarray({1e-38f, -1e-38f, 0.f, -0.f, std::nanf(""), -3.f}), {50});
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const array kept = jq::jit(sign, jq::backend("cpu"), when)(v), flushed = jq::jit(sign, jq::backend("cpu"), when, jq::denormals::flush)(v);
    for (std::size_t i = 0; i < 300; i += 6) {
      const float* of = kept.data<float>().data() + i;
      CHECK(of[0] == 1);
      CHECK(of[1] == -1);
#if defined(__x86_64__)
      of = flushed.data<float>().data() + i;
      CHECK(of[0] == 0);
      CHECK(of[1] == 0);
      CHECK_FALSE(std::signbit(of[0]));
      CHECK(std::signbit(of[1]));
#endif
      CHECK_FALSE(std::signbit(of[2]));
      CHECK(std::signbit(of[3]));
      CHECK(std::isnan(of[4]));
      CHECK(of[5] == -1);
    }
  }
}
#if defined(__x86_64__)
TEST_CASE("denormals: the mode of the caller comes back, after errors too, and what happened stays recorded") {
  const array small = jq::full({5}, 1e-38f);
  const unsigned before = __builtin_ia32_stmxcsr();
  CHECK(zeros_in(jq::jit(times_four, jq::backend("cpu"), jq::denormals::flush)(small)) == 5);
  CHECK((__builtin_ia32_stmxcsr() & ~0x3Fu) == (before & ~0x3Fu));
  const auto fails = jq::jit([](const array& v) {
    return jq::pure_callback([](const array&) -> array { throw std::runtime_error("no luck"); }, v, v);
  }, jq::backend("cpu"), jq::denormals::flush);
  CHECK_THROWS_WITH(fails(small), doctest::Contains("no luck"));
  CHECK((__builtin_ia32_stmxcsr() & ~0x3Fu) == (before & ~0x3Fu));
  const jq::detail::float_mode kept;
  __builtin_ia32_ldmxcsr(before | 0x20u | 0x8040u);  // inexact, and flushing
  kept.apply();
  CHECK(__builtin_ia32_stmxcsr() == ((before | 0x20u)));
}
TEST_CASE("denormals: donation, loading and queues keep the option") {
  const auto step = jq::jit(times_four, jq::backend("cpu"), jq::denormals::flush, jq::donate_argnums<0>);
  const array small = jq::full({5}, 1e-38f);
  const auto loaded = jq::load_executable(step.lower(small).compile().serialize());
  CHECK(zeros_in(loaded(jq::full({5}, 1e-38f))) == 5);
  jq::set_dispatch(jq::dispatch::asynchronous);
  CHECK(zeros_in(step(small)) == 5);
  CHECK(small.is_deleted());
  CHECK(zeros_in(jq::jit(times_four, jq::backend("cpu"))(jq::full({5}, 1e-38f))) == 0);
  jq::set_dispatch(jq::dispatch::by_default);
}
#endif
TEST_CASE("denormals: not with the bits of the interpreter") {
  const auto f = jq::jit(half, jq::backend("cpu"), jq::precision::strict, jq::denormals::flush);
  CHECK_THROWS_WITH_AS(f(jq::ones({2})), doctest::Contains("got precision::strict and denormals::flush"), jq::value_error);
}
