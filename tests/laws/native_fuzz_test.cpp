// Random functions of numbers in native code that need not round as the interpreter does: by tiles and by machine code, with and without fast
// math, their values and gradients over many elements are those of dual numbers in long double, but for what rounding every operation and
// elementary functions of a few units may do. JACQUARD_FUZZ="count seed" in the environment tries that many from that seed on.
#include <doctest/doctest.h>
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include "frozen_programs.hpp"
#include "random_trials.hpp"

namespace jq = jacquard;
using jq::array;
using jq::testing::report;
using laws::exact, laws::expected, laws::frozen_program, laws::transform;

namespace {

constexpr int inputs = frozen_program::inputs;
struct tally {
  int compared = 0, unsure = 0;
} counted;

/// Elementwise, of three rows.
struct rows_function {
  const frozen_program* p;
  array operator()(const array& x) const { return (*p)(std::vector<array>{x(0), x(1), x(2)}, 1)[0]; }
};

/// What a jitted function gives of rows of numbers: the value of each column, then its gradient.
template <class... O>
std::vector<double> run(const frozen_program& p, const array& x, const O&... options) {
  const rows_function f{&p};
  const auto both = jq::jit([f](const array& v) { return std::pair(f(v), jq::grad([f](const array& u) { return jq::sum(f(u)); })(v)); }, jq::backend("cpu"), options...);
  const auto [values, slopes] = both(x);
  std::vector<double> r;
  for (const array& part : {values, slopes}) {
    const array all = jq::ravel(part).astype(jq::f64);
    const auto numbers = all.data<double>();
    r.insert(r.end(), numbers.begin(), numbers.end());
  }
  return r;
}
/// `allowed`: roundings of each operation.
report same(const frozen_program& p, const array& x, const std::vector<double>& got, double unit, double allowed) {
  report r;
  const std::int64_t n = x.shape()[1];
  const array given = x.astype(jq::f64);
  const auto at = given.data<double>();
  for (std::int64_t i = 0; i < n; ++i) {
    const double place[inputs] = {at[std::size_t(i)], at[std::size_t(n + i)], at[std::size_t(2 * n + i)]};
    const std::vector<exact> want = expected(p, transform::value_and_gradient, place);
    if (!laws::is_sure(want, unit)) {
      ++counted.unsure;
      continue;
    }
    ++counted.compared;
    std::vector<double> here;
    for (std::size_t k = 0; k < want.size(); ++k) here.push_back(got[std::size_t(n) * k + std::size_t(i)]);
    const report part = laws::compared(here, want, unit, allowed);
    if (!part) return r.add(jq::cat("element ", i, " of ", n).view(), part);
  }
  return r;
}

report one(std::uint64_t seed) {
  jq::testing::sampler s(seed * 104729);
  const bool single = s.below(2) != 0;
  const double unit = single ? 0x1p-24 : 0x1p-53;
  const frozen_program p(seed, s.below(4) == 0);
  constexpr std::int64_t sizes[] = {1, 3, 8, 16, 37, 70};
  const std::int64_t n = sizes[s.below(6)];
  std::vector<double> numbers;
  for (double a : p.arguments)
    for (std::int64_t i = 0; i < n; ++i) numbers.push_back(a + 0x1p-9 * double(s.below(65) - 32));
  const array x = jq::reshape(jq::asarray(numbers), {inputs, n}).astype(single ? jq::f32 : jq::f64);
  report r;
  const auto add = [&](std::string_view how, double allowed, const auto&... options) {
    r.add(jq::cat("seed ", seed, ", ", how, ", ", p.size(), " operations").view(), same(p, x, run(p, x, options...), unit, allowed));
  };
  add("tiles", 4, jq::compile_at::never);
  add("machine code", 4, jq::compile_at::first_call);
  add("fast math", 8, jq::compile_at::first_call, jq::precision::fast_math);
  return r;
}

}  // namespace

TEST_CASE("random functions in native code give what dual numbers in long double give") {
  laws::try_seeds(&one, 100);
  MESSAGE(counted.compared, " elements compared, ", counted.unsure, " unsure");
  CHECK(counted.compared > 4 * counted.unsure);
}
