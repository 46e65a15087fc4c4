// Random functions in the compile-time lane itself: values, gradients and Hessians as the compiler makes them, one by one and mapped over many
// inputs in lanes of doubles and floats, compared with dual numbers in long double. Few, since each is compiled: frozen_fuzz_test tries thousands.
#include <doctest/doctest.h>
#include <jacquard/fixed.hpp>

#include <array>

#include "frozen_programs.hpp"

namespace jq = jacquard;
using laws::exact, laws::frozen_program, laws::transform;

namespace {

/// As a function without state.
template <std::uint64_t Seed, bool LongOnes>
struct random_function {
  static constexpr auto steps = [] {
    std::array<frozen_program::step, frozen_program(Seed, LongOnes).size()> r{};
    const frozen_program p(Seed, LongOnes);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = p.steps()[i];
    return r;
  }();
  template <class X>
  constexpr auto operator()(const X& x) const {
    return frozen_program::run(steps, std::vector<jq::array>{x[0], x[1], x[2]}, 1)[0];
  }
};

/// How many numbers are farther from what they should be than rounding allows.
template <class Got>
int wrong(const char* what, std::uint64_t seed, const Got& got, const std::vector<exact>& want, double unit) {
  int r = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::abs((long double)(got[i]) - want[i].v) <= 8 * unit * want[i].m) continue;
    std::printf("%s, seed %llu, number %zu: got %.17g, wanted %.17Lg\n", what, static_cast<unsigned long long>(seed), i, double(got[i]), want[i].v);
    ++r;
  }
  return r;
}
template <class T, class F>
int wrong_in_lanes(const char* what, std::uint64_t seed, const frozen_program& p, F gradient, double unit) {
  using place = jq::tensor<T, 3>;
  constexpr std::size_t n = 37;
  std::vector<place> x(n), slopes(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < 3; ++k) x[i][k] = T(p.arguments[k] + 0x1p-7 * double(int(i * (k + 1) % n) - 18));
  jq::map(gradient, std::span<const place>(x), std::span<place>(slopes));
  int r = 0, sure = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double at[] = {double(x[i][0]), double(x[i][1]), double(x[i][2])};
    const std::vector<exact> want = laws::expected(p, transform::gradient, at);
    if (laws::is_unsure) continue;
    ++sure;
    r += wrong(what, seed, slopes[i], want, unit);
  }
  return sure < 20 ? r + 1 : r;
}
template <std::uint64_t Seed, bool LongOnes>
void try_one() {
  const frozen_program p(Seed, LongOnes);
  const random_function<Seed, LongOnes> f;
  volatile double unknown[] = {p.arguments[0], p.arguments[1], p.arguments[2]};
  const jq::tensor<double, 3> x{unknown[0], unknown[1], unknown[2]};
  const auto [y, slope] = jq::value_and_grad(f)(x);
  const std::array<double, 4> all{y, slope[0], slope[1], slope[2]};
  CHECK(wrong("value and gradient", Seed, all, laws::expected(p, transform::value_and_gradient, p.arguments), 0x1p-53) == 0);
  if constexpr (!LongOnes) {
    const auto h = jq::hessian(f)(x);
    std::array<double, 9> second;
    for (std::size_t i = 0; i < 9; ++i) second[i] = h(i / 3, i % 3);
    CHECK(wrong("hessian", Seed, second, laws::expected(p, transform::hessian, p.arguments), 0x1p-53) == 0);
  }
  CHECK(wrong_in_lanes<double>("gradient in lanes of doubles", Seed, p, jq::grad(f), 0x1p-53) == 0);
  CHECK(wrong_in_lanes<float>("gradient in lanes of floats", Seed, p, jq::grad(f), 0x1p-24) == 0);
}

}  // namespace

TEST_CASE("random functions: values, gradients and Hessians made by the compiler, alone and in lanes") {
  try_one<1, false>();
  try_one<2, false>();
  try_one<3, false>();
  try_one<4, false>();
  try_one<5, false>();
  try_one<6, false>();
}
TEST_CASE("random functions with long sums and chains: values and gradients made by the compiler, alone and in lanes") {
  try_one<11, true>();
  try_one<12, true>();
  try_one<13, true>();
}
