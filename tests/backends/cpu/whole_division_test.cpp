// Quotients and remainders of whole numbers within kernels, on both tiers: the interpreter's for every dtype, whatever is divided by, 0 and
// the least number by -1 among it; parts of what is around them, also in loops.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/comparison.hpp>
#include <jacquard/testing/sample.hpp>

#include "../../show.hpp"

using jq::array;

namespace {

const jq::dtype whole[] = {jq::i8, jq::i16, jq::i32, jq::i64, jq::u8, jq::u16, jq::u32, jq::u64};
constexpr double odd[] = {0, 1, -1, 2, 3, 7, -7, 100, 127, -128, 32767, -32768, 65535, 2147483647.0, -2147483648.0, 4294967295.0, 1e9, -123456789, 6e18, -9223372036854775808.0};

array numbers(jq::dtype t, std::int64_t n, std::uint64_t seed) {
  const array some = jq::testing::sample({t, {n}}, seed, -1000, 1000), edges = jq::testing::picked({jq::f64, {n}}, seed + 1, odd).astype(t);
  return jq::where(jq::testing::sample({jq::i32, {n}}, seed + 2, 0, 3) == 0, edges, some);
}
/// The results of f on both tiers are those of the interpreter.
template <class F>
void check(F f, const array& x, const array& y) {
  const auto want = jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x, y)));
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto r = jq::testing::identical(jq::testing::leaves(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), when)(x, y))), want);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
const auto both = [](const array& a, const array& b) { return std::pair{lax::div(a, b), lax::rem(a, b)}; };

}  // namespace

TEST_CASE("whole division: of any numbers by any others, in vectors and rests of them") {
  for (const jq::dtype t : whole)
    for (const std::int64_t n : {1, 7, 16, 37, 200}) {
      CAPTURE(jq::name(t));
      CAPTURE(n);
      check(both, numbers(t, n, 1), numbers(t, n, 5));
      for (const double one : {0, 1, -1, 2, 3, 7, -7, 100}) check(both, numbers(t, n, 1), array(one).astype(t));  // known when it runs
    }
}
TEST_CASE("whole division: by constants, and of them") {
  for (const jq::dtype t : whole)
    for (const int one : {0, 1, -1, 2, 3, -7, 16, 100, 127}) {
      CAPTURE(jq::name(t));
      CAPTURE(one);
      const array x = numbers(t, 37, 1);
      check([&](const array& a, const array& b) {
        const array d = jq::full({37}, one, jq::i64).astype(a.dtype());
        return std::tuple{lax::div(a, d), lax::rem(a, d), lax::div(d, b), lax::rem(d, b)};
      }, x, numbers(t, 37, 9));
    }
}
TEST_CASE("whole division: with floors, among other operations, where rows are reduced") {
  const array x = numbers(jq::i32, 60, 3), y = numbers(jq::i32, 60, 4);
  check([](const array& a, const array& b) { return std::pair{a % 7 + jq::floor_divide(a, b), b % a}; }, x, y);
  check([](const array& a, const array& b) { return jq::sum(jq::reshape((a % 10) * b, {6, 10}), 1); }, x, y);
  check([](const array& a, const array&) { return jq::sin((a % 6).astype(jq::f32)); }, x, y);
}
TEST_CASE("whole division: it is part of the kernels around it, and of loops") {
  const auto f = [](const array& a, const array& b) { return (lax::rem(a, array(3)) + lax::div(b, array(5))) * 2; };
  const array x = numbers(jq::i32, 40, 3);
  const std::string clusters = jq::jit(f, jq::backend("cpu")).lower(x, x).as_text("clusters");
  CHECK(clusters.find("kernel 0") != std::string::npos);
  CHECK(clusters.find("kernel 1") == std::string::npos);
  check([](const array& a, const array& b) {
    return lax::fori_loop(0, 20, [&](const array& i, const array& c) {
      return lax::cond(i % 3 == 0, [&](const array& v) { return array(v + lax::rem(b, i)); }, [&](const array& v) { return array(v - lax::div(v, i)); }, c);
    }, a);
  }, numbers(jq::i32, 4, 3), numbers(jq::i32, 4, 4));
}
