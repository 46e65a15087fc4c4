// Pieces of sums: how long they are, and that long sums of numbers that are alike, which all lose to the same side, stay near what they should be on
// tiles and in machine code, along rows, along columns and in products, with the same bits for any number of threads.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/sum_pieces.hpp>

#include <jacquard/testing/comparison.hpp>

#include <cmath>

#include "../../show.hpp"

using jq::array;

namespace {

/// The largest relative error of the elements of f(x), which all should be `want`, on both tiers; checks that threads do not matter.
template <class F>
double error_of(F f, const array& x, double want) {
  double worst = 0;
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto g = jq::jit(f, jq::backend("cpu"), when);
    jq::cpu::set_threads(1);
    const array y = g(x);
    for (const int n : {2, 5}) {
      jq::cpu::set_threads(n);
      const auto r = jq::testing::identical(g(x), y);
      CHECK_MESSAGE(r.ok, r.text);
    }
    for (const float v : y.data<float>()) worst = std::max(worst, std::abs(double(v) / want - 1));
  }
  return worst;
}

}  // namespace

TEST_CASE("sum_pieces: about as many as there are numbers in each") {
  using jq::cpu::numbers_in_piece;
  static_assert(numbers_in_piece(0) == 256 && numbers_in_piece(256 * 256) == 256 && numbers_in_piece(256 * 256 + 256) == 512);
  static_assert(numbers_in_piece(5'000'000) == 4096);
  static_assert(numbers_in_piece(std::int64_t(1) << 62) == std::int64_t(1) << 31);
}
TEST_CASE("sum_pieces: columns and rows of millions of equal numbers") {
  const int threads = jq::cpu::threads();
  constexpr std::int64_t n = 1'500'000;
  constexpr double tenth = double(0.1f), bound = 5e-5;
  const array three = jq::full({n, 3}, 0.1f), two = jq::full({n / 2, 2, 3}, 0.1f), rows = jq::full({16, n}, 0.1f);
  CHECK(error_of([](const array& v) { return jq::sum(v, 0); }, three, tenth * n) < bound);
  CHECK(error_of([](const array& v) { return jq::sum(v, {0, 1}); }, two, tenth * n) < bound);
  CHECK(error_of([](const array& v) { return jq::mean(v * v, 0); }, three, tenth * tenth) < bound);
  CHECK(error_of([](const array& v) { return jq::sum(jq::exp(v), 0); }, three, std::exp(tenth) * n) < bound);
  CHECK(error_of([](const array& v) { return jq::sum(v, 1); }, rows, tenth * n) < bound);
  CHECK(error_of([](const array& v) { return jq::sum(v); }, rows, tenth * n * 16) < bound);
  CHECK(error_of([](const array& v) { return jq::einsum("ij,i->j", v, jq::ones({n})); }, three, tenth * n) < bound);
  // A sum beside an extreme, of rows that are no whole vectors, whose last ones are taken in after all pieces.
  const auto beside = [](const array& v) { return jq::sum(v, 0) + 0.f * jq::max(v, 0); };
  CHECK(error_of(beside, jq::full({100'003, 19}, 0.1f), tenth * 100'003) < bound);
  CHECK(error_of([](const array& v) { return jq::sum(v, 1); }, jq::full({3, 1'000'003}, 0.1f), tenth * 1'000'003) < bound);
  jq::cpu::set_threads(threads);
}
TEST_CASE("sum_pieces: whole numbers and extremes are what they are in one piece") {
  const array x = jq::random::randint(jq::random::key(3), {70'001, 5}, -1000, 1000, jq::i64);
  const auto all = [](const array& v) { return std::tuple{jq::sum(v, 0), jq::max(v, 0), jq::min(v), jq::sum(v), jq::argmax(v, 0)}; };
  const auto want = jq::jit(all, jq::backend("interpreter"))(x);
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto r = jq::testing::identical(jq::jit(all, jq::backend("cpu"), when)(x), want);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
