// Differential fuzzing of loops that change what they carry: random loops, their vmaps and their gradients, run by the interpreter, by the tile
// interpreter and by compiled code. With jq::precision::strict all three must agree in every bit, but for which NaN a NaN is; of whole
// numbers without it, too. A run of ctest tries some; JACQUARD_FUZZ="count seed" in the environment tries that many from that seed on.
#include "bits.hpp"
#include "loop_programs.hpp"
#include "random_trials.hpp"

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/comparison.hpp>

using namespace laws;
using jq::array;
using jq::testing::leaf_function;
using jq::testing::report;
using jq::testing::sampler;

namespace {

enum class seen_as { program, gradient, batch, whole };
const char* const kinds[] = {"", "gradient, ", "batch, ", "whole numbers, "};
loop_program program_of(std::uint64_t seed, seen_as what) {
  using numbers = loop_program::numbers;
  return loop_program(seed, what == seen_as::gradient ? numbers::inexact : what == seen_as::whole ? numbers::whole : numbers::any);
}

/// Along what arguments a batch is mapped: the first one, and most others.
std::vector<int> axes_of(std::uint64_t seed, std::size_t count) {
  sampler s(seed + 5);
  std::vector<int> axes;
  for (std::size_t k = 0; k < count; ++k) axes.push_back(s.below(4) == 0 && k != 0 ? jq::none : 0);
  return axes;
}
leaf_function function_of(std::uint64_t seed, seen_as what) {
  const loop_program f = program_of(seed, what);
  if (what == seen_as::program || what == seen_as::whole) return f;
  if (what == seen_as::batch)
    return [f, seed](const leaves& x) {
      return jq::testing::mapped(f, axes_of(seed, x.size()))(x);
    };
  return [f, seed](const leaves& x) {
    auto [y, pullback] = jq::vjp(f, x);
    leaves ct;
    static constexpr double numbers[] = {-1, -0.5, 0.25, 0.5, 1};
    for (const array& v : y) ct.push_back(jq::testing::picked({v.dtype(), v.shape()}, seed + ct.size(), numbers));
    leaves back = std::get<0>(pullback(ct));
    std::erase_if(back, [](const array& v) { return !jq::is_inexact(v.dtype()); });
    for (const array& v : y) back.push_back(v);
    return back;
  };
}
leaves arguments_of(std::uint64_t seed, seen_as what) {
  const leaves x = program_of(seed, what).arguments();
  if (what != seen_as::batch) return x;
  const std::vector<int> axes = axes_of(seed, x.size());
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k)
    r.push_back(axes[k] == 0 ? jq::testing::sample({x[k].dtype(), loop_program::many_of(3, x[k].shape())}, seed + 13 * k, -4, 9) : x[k]);
  return r;
}

const jq::compile_at ways[] = {jq::compile_at::never, jq::compile_at::first_call};
const char* const names[] = {"tiles", "compiled"};

report tried(std::uint64_t seed) {
  sampler s(seed);
  report r;
  static constexpr seen_as views[] = {seen_as::program, seen_as::program, seen_as::program, seen_as::batch, seen_as::gradient, seen_as::whole, seen_as::whole};
  const seen_as what = views[s.below(7)];
  const bool donates = s.below(3) == 0;
  const leaf_function f = function_of(seed, what);
  const leaves x = arguments_of(seed, what);
  const leaves want = jq::jit(f, jq::backend("interpreter"))(x);
  const auto compare = [&](const char* name, auto... options) {
    const auto plain = jq::jit(f, jq::backend("cpu"), options...);
    const auto donating = jq::jit(f, jq::backend("cpu"), options..., jq::donate_argnums<0>);
    for (int call = 0; call < 2; ++call) {
      const leaves given = copies(x, !donates);
      r.add(name, same_bits(donates ? donating(given) : plain(given), want));
      if (!donates) r.add("arguments afterwards", same_bits(given, x));
    }
  };
  for (int way = 0; way < 2; ++way) {
    if (what == seen_as::whole) compare(names[way], ways[way]);
    else compare(names[way], jq::precision::strict, ways[way]);
  }
  if (!r.ok) r.fail("seed ", seed, ", ", kinds[int(what)], donates ? "donating\n" : "\n", jq::to_text(jq::make_jaxpr(f)(x)));
  return r;
}

}  // namespace

TEST_CASE("random loops give the same bits on the interpreter, on tiles and compiled") { laws::try_seeds(tried, 60); }
