// Random functions of arrays in the compile-time lane: vectors that loops on lanes run over, small ones and matrices that are taken apart, sums,
// extremes, slices and products between them. What the compiler makes of value and gradient is what the interpreter gives for the same function of
// arrays. Few, since each is compiled.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>
#include <jacquard/testing/sample.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace jq = jacquard;
using jq::array;

namespace {

/// The same choices each time, which depend on nothing but the seed and shapes. All values stay within a few units.
template <std::uint64_t Seed>
struct random_function {
  static constexpr array pick(jq::testing::sampler& s, const std::vector<array>& all) {
    const std::int64_t n = std::int64_t(all.size());
    return all[std::size_t(s.below(3) ? n - 1 - s.below(n < 3 ? n : 3) : s.below(n))];
  }
  static constexpr array elementwise(jq::testing::sampler& s, const array& x) {
    switch (s.below(7)) {
      case 0: return jq::sin(x);
      case 1: return jq::tanh(2.0 * x);
      case 2: return jq::exp(-x * x);
      case 3: return 1.0 / (1.5 + x * x);
      case 4: return jq::sqrt(x * x + 0.25);
      case 5: return jq::maximum(x, 0.125 * x);
      default: return -0.5 * x;
    }
  }
  static constexpr array step(jq::testing::sampler& s, const std::vector<array>& all) {
    const array x = pick(s, all), y = pick(s, all);
    const std::int64_t kind = s.below(9);
    if (kind < 2) return elementwise(s, x);
    if (kind < 4 && x.shape() == y.shape()) return s.below(2) ? jq::tanh(x * y) : 0.5 * (s.below(2) ? x + y : x - y);
    if (kind == 4 && x.ndim() == 0) return jq::tanh(x * y);
    if (kind == 4 && y.ndim() == 0) return 0.5 * (x - y);
    if (x.ndim() == 0) return elementwise(s, x);
    if (kind == 5) {
      const int axis = int(s.below(x.ndim()));
      return s.below(3) == 0 ? jq::max(x, axis) : jq::tanh(0.25 * jq::sum(x, axis));
    }
    if (x.ndim() == 1 && kind == 6) {
      const std::int64_t n = x.shape()[0], first = s.below(n), count = 1 + s.below(n - first);
      return jq::lax::slice(x, {first}, {first + count});
    }
    if (x.ndim() == 2 && y.ndim() == 2 && x.shape()[1] == y.shape()[0] && kind == 6) return jq::tanh(0.25 * jq::matmul(x, y));
    if (x.ndim() == 2 && kind == 7) return jq::transpose(x);
    if (x.ndim() == 1 && kind == 7 && x.shape()[0] % 4 == 0) return jq::reshape(x, {x.shape()[0] / 4, 4});
    if (x.ndim() == 2 && kind == 8) return jq::reshape(x, {x.shape()[0] * x.shape()[1]});
    if (x.ndim() == 1 && y.ndim() == 1 && x.shape()[0] + y.shape()[0] <= 64) return jq::concatenate({x, y});
    return elementwise(s, x);
  }
  template <class X, class Y>
  constexpr auto operator()(const X& x, const Y& y) const {
    jq::testing::sampler s(Seed);
    std::vector<array> all{array(x), array(y)};
    for (std::int64_t n = 6 + s.below(8); n > 0; --n) {
      jq::testing::sampler own(s.bits());
      all.push_back(step(own, all));
    }
    array total = jq::sum(all.back());
    for (std::size_t i = 2; i + 1 < all.size(); i += 3) total = total + 0.1 * jq::sum(all[i]);
    return total;
  }
};

template <std::uint64_t Seed, class X, class Y>
int wrong(const X& x, const Y& y) {
  constexpr auto both = jq::value_and_grad(random_function<Seed>{}, jq::argnums<0, 1>);
  const auto [value, slopes] = both(x, y);
  const auto [wanted, wanted_slopes] = both(array(x), array(y));
  int r = 0;
  const auto compare = [&r](const char* what, double got, double want) {
    if (std::abs(got - want) <= 1e-12 * (1 + std::abs(want))) return;
    std::printf("seed %llu, %s: got %.17g, wanted %.17g\n", static_cast<unsigned long long>(Seed), what, got, want);
    ++r;
  };
  compare("value", value, wanted.template item<double>());
  const auto compare_all = [&](const auto& got, const array& want) {
    const auto numbers = want.template data<double>();
    std::size_t i = 0;
    for (const double g : got) compare("slope", g, numbers[i++]);
  };
  compare_all(std::get<0>(slopes), std::get<0>(wanted_slopes));
  compare_all(std::get<1>(slopes), std::get<1>(wanted_slopes));
  return r;
}
template <std::size_t N>
jq::tensor<double, N> numbers(std::uint64_t seed) {
  jq::testing::sampler s(seed);
  jq::tensor<double, N> r;
  for (double& x : r) x = s.between(-1, 1);
  return r;
}

}  // namespace

TEST_CASE("random functions of arrays: both lanes give the same") {
  CHECK(wrong<1>(numbers<40>(1), numbers<3>(2)) == 0);
  CHECK(wrong<2>(numbers<12>(3), numbers<16>(4)) == 0);
  CHECK(wrong<3>(numbers<64>(5), numbers<64>(6)) == 0);
  CHECK(wrong<4>(numbers<7>(7), numbers<8>(8)) == 0);
  CHECK(wrong<5>(numbers<100>(9), numbers<100>(10)) == 0);
  CHECK(wrong<6>(numbers<36>(11), numbers<4>(12)) == 0);
  CHECK(wrong<7>(numbers<48>(13), numbers<48>(14)) == 0);
  CHECK(wrong<8>(numbers<20>(15), numbers<20>(16)) == 0);
}
