// Random programs of complex numbers: elementwise functions, views, parts side by side, sums, lookups, updates, small products, loops and branches.
// On tiles, compiled, and with the first argument donated; the oracle is the interpreter. Numbers stay near one, so that results may differ by
// rounding of the number as a whole, and by what later steps make of that.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>
#include <jacquard/testing/sample.hpp>

#include "../captured_output.hpp"
#include "../show.hpp"
#include "random_trials.hpp"

namespace jq = jacquard;
namespace lax = jq::lax;
using jq::array;
using arrays = std::vector<array>;
using jq::testing::sampler;

namespace {

class complex_program {
 public:
  complex_program(std::uint64_t seed, int steps) : seed_(seed), steps_(steps) {}

  static arrays arguments(std::uint64_t seed) {
    sampler s(seed);
    static constexpr std::int64_t sizes[] = {1, 2, 3, 5, 8, 17, 40, 129};
    const std::int64_t m = sizes[s.below(8)], n = sizes[s.below(7)];
    const jq::dtype t = s.below(3) == 0 ? jq::c128 : jq::c64;
    arrays r;
    for (const jq::shape& dims : {jq::shape{m, n}, jq::shape{n}, jq::shape{m}, jq::shape{}}) {
      const array re = jq::testing::sample({jq::real_dtype(t), dims}, seed + r.size()), im = jq::testing::sample({jq::real_dtype(t), dims}, seed + 50 + r.size());
      r.push_back(lax::complex(re, im) * 0.5);
    }
    r.push_back(jq::testing::sample({jq::i32, {1 + s.below(20)}}, seed + 99, 0, 100));
    return r;
  }
  arrays operator()(const arrays& given) const {
    arrays pool(given.begin(), given.end() - 1);
    sampler s(seed_);
    for (int i = 0; i < steps_; ++i) {
      const array made = step(s, pool, given.back(), true);
      if (made.aval().elements() <= 20000 && made.aval().elements() > 0) pool.push_back(made);
    }
    arrays out{pool.back()};
    for (std::int64_t n = s.below(4); n > 0; --n) out.push_back(pick(s, pool));
    out.push_back(jq::abs(pick(s, pool)));
    return out;
  }

 private:
  static const array& pick(sampler& s, const arrays& pool) {
    const std::int64_t n = std::int64_t(pool.size());
    return pool[std::size_t(s.below(2) ? n - 1 - s.below(n < 3 ? n : 3) : s.below(n))];
  }
  /// Numbers of another shape from those of x.
  static array fitted(const array& x, const jq::shape& dims) {
    if (x.shape() == dims) return x;
    if (x.ndim() == 0) return lax::broadcast_in_dim(x, dims, {});
    if (x.ndim() == 1 && dims.rank() == 2 && x.shape()[0] == dims[0]) return lax::broadcast_in_dim(x, dims, {0});
    if (x.ndim() == 1 && dims.rank() == 2 && x.shape()[0] == dims[1]) return lax::broadcast_in_dim(x, dims, {1});
    const array flat = lax::reshape(x, {x.aval().elements()});
    return lax::broadcast_in_dim(lax::reshape(lax::slice(flat, {0}, {1}), {}), dims, {});
  }
  static array damped(const array& z) { return z / (1.0 + jq::abs(z)).astype(z.dtype()); }

  static array step(sampler& s, const arrays& pool, const array& places, bool may_loop) {
    const array x = pick(s, pool), y = fitted(pick(s, pool), x.shape());
    switch (s.below(may_loop ? 30 : 26)) {
      case 0: return (x + y) * 0.5;
      case 1: return x - y;
      case 2: return damped(x * y);
      case 3: return x / (y * jq::conj(y) + 1.0);
      case 4: return jq::conj(x) * jq::complex64(0, 1);
      case 5: return lax::complex(jq::imag(x), jq::real(y));
      case 6: return jq::exp(damped(x));
      case 7: return jq::sin(damped(x)) * y;
      case 8: return jq::sqrt(x * jq::conj(x) + 1.0);
      case 9: return jq::tanh(damped(y));
      case 10: return jq::log(jq::exp(damped(x)) + 3.0);
      case 11: return jq::where(jq::real(x) * jq::real(x) < 2.0, x, -y);
      case 12: return x.ndim() == 2 ? jq::transpose(x) : -x;
      case 13: return x.ndim() > 0 ? lax::rev(x, {0}) : x * 0.5;
      case 14: return x.ndim() > 0 ? jq::roll(x, 1, 0) + y * 0.5 : y;
      case 15: return x.ndim() > 0 ? jq::concatenate({x, y * 0.5}, int(s.below(x.ndim()))) : x + 1.0;
      case 16: return x.ndim() > 0 ? lax::pad(x, array(jq::literal(0.25, x.dtype(), false)), jq::int_list::filled(x.ndim(), 1), jq::int_list::filled(x.ndim(), 2)) : y;
      case 17: return x.ndim() > 0 && x.shape()[0] > 1 ? jq::take(x, jq::asarray({1, 0}), 0) : x;
      case 18: return damped(jq::sum(x));
      case 19: return x.ndim() > 0 ? damped(jq::sum(x, 0)) : y;
      case 20: return x.ndim() > 1 ? x - jq::mean(x, 1, jq::keepdims) : x;
      case 21: return x.ndim() > 0 ? jq::take(x, places, 0, "clip") : y;
      case 22: return x.ndim() == 1 ? (x * 0.5).at(places % int(x.shape()[0])).set(array(jq::literal(0.5, x.dtype(), false))) : x;
      case 23: return x.ndim() == 1 ? x.at(places(0) % int(x.shape()[0])).add(y(0)) : y;
      case 24: return x.ndim() == 2 && x.shape()[1] <= 20 ? damped(jq::matmul(x, jq::transpose(y))) : x * x * 0.25;
      case 25: return lax::dynamic_slice_in_dim(lax::reshape(x, {x.aval().elements()}), places(0), 1 + s.below(x.aval().elements()), 0);
      case 26: {
        const double factor = s.between(0.1, 0.5);
        return lax::fori_loop(0, int(s.below(6)), [&](array, array z) { return damped(z * z * factor + y); }, x);
      }
      case 27: return lax::cond(jq::real(jq::sum(x)) > 0.123,  // which no sum of what its mean was taken from is near
                              [](array a, array b) { return a * 2.0 - b; }, [](array a, array b) { return jq::conj(a) + b; }, x, y);
      case 28:
        if (x.ndim() == 0) return x;
        return lax::scan([](array c, array row) { return std::pair{damped(c + row), c * row}; }, lax::full({}, jq::literal(0.5, x.dtype(), false)), lax::reshape(x, {x.aval().elements()})).second;
      default: {
        const sampler inside = s;
        return lax::fori_loop(0, 3, [&](array, array z) {
          sampler own = inside;
          arrays all(pool.begin(), pool.end());
          all.push_back(z);
          return damped(fitted(step(own, all, places, false), z.shape())) + z * 0.25;
        }, x);
      }
    }
  }
  std::uint64_t seed_;
  int steps_;
};

/// The largest difference, by the size of the largest number.
double difference(const array& got, const array& want) {
  const array x = got.astype(jq::c128), y = want.astype(jq::c128);
  return (jq::max(jq::abs(x - y)) / (1e-3 + jq::max(jq::abs(y)))).item<double>();
}
jq::testing::report compare(std::uint64_t seed) {
  jq::testing::report r;
  const arrays x = complex_program::arguments(seed);
  const complex_program f(seed, 4 + int(seed % 9));
  const arrays want = jq::jit(f, jq::backend("interpreter"))(x);
  const double room = x[0].dtype() == jq::c128 ? 1e-11 : 2e-4;
  for (const bool tiles : {true, false}) {
    const jq::compile_at when = tiles ? jq::compile_at::never : jq::compile_at::first_call;
    const auto check = [&](const arrays& got, const char* how) {
      for (std::size_t i = 0; i < want.size(); ++i)
        if (const double d = difference(got[i], want[i]); !(d <= room))
          r.fail("seed ", seed, ", ", how, tiles ? " on tiles" : " compiled", ", result ", i, " of ", want.size(), ": ", std::string_view(std::to_string(d)));
    };
    check(jq::jit(f, jq::backend("cpu"), when)(x), "called");
    arrays given;
    for (const array& a : x) given.push_back(jq::copy(a));
    const captured_output quiet(2);  // not all of them can be used
    check(jq::jit(f, jq::backend("cpu"), when, jq::donate_argnums<0>)(given), "donated");
  }
  return r;
}

}  // namespace

TEST_CASE("laws: random programs of complex numbers") { laws::try_seeds(&compare, 100); }
