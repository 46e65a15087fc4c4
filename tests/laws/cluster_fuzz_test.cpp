// Differential fuzzing where compiled code may round as it likes: random programs, their derivatives and their vmaps, run on tiles and compiled
// without precision::strict, so with blocks of rows, sums in another order, contracted products and libraries. What is right is the same program
// in f64 on the interpreter; how far from it a result may lie is how far noise of the size of rounding, put in after each step, moves it
// (Parker, "Monte Carlo arithmetic", UCLA CSD 970002, 1997). Derivatives of smooth programs are compared with difference quotients. A run of ctest tries
// a few programs; JACQUARD_FUZZ="count seed" in the environment tries that many from that seed on.
#include "cluster_programs.hpp"
#include "random_trials.hpp"

#include <doctest/doctest.h>
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/testing/batching.hpp>
#include <jacquard/testing/comparison.hpp>

#include <algorithm>
#include <cmath>

using namespace laws;
using jq::array;
using jq::testing::leaf_function;
using jq::testing::report;
using jq::testing::sampler;

namespace {

enum class seen_as { program, gradient, batch };
const char* const kinds[] = {"", "gradient, ", "batch, "};

/// One thing to try.
struct trial {
  std::uint64_t seed;
  cluster_options options;
  seen_as what = seen_as::program;
  bool donates = false;

  double unit() const { return options.type == jq::f64 ? 0x1p-52 : options.type == jq::f32 ? 0x1p-23 : 0x1p-7; }
  double smallest() const { return jq::size_of(options.type) == 2 ? 0x1p-24 : options.type == jq::f32 ? 1e-38 : 0; }
  static constexpr std::int64_t examples = 3;

  std::vector<int> axes(const leaves& x) const {
    std::vector<int> r;
    sampler s(seed + 5);
    for (std::size_t k = 0; k < x.size(); ++k) r.push_back(jq::is_inexact(x[k].dtype()) && (k == 0 || s.below(3)) ? 0 : jq::none);
    return r;
  }
  leaves arguments(std::uint64_t values) const {
    leaves x = cluster_program::arguments(seed, options.type, values);
    if (what != seen_as::batch) return x;
    const std::vector<int> mapped = axes(x);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (mapped[k] == 0) x[k] = jq::testing::sample({options.type, cluster_program::with_dimension(x[k].shape(), 0, examples)}, values + 13 * k);
    return x;
  }
  /// What is evaluated; of a batch, where it only says what is right, one example after the other.
  leaf_function function(evaluation how, bool is_oracle) const {
    const leaf_function f = cluster_program(seed, options, how);
    if (what == seen_as::program) return f;
    if (what == seen_as::gradient)
      return [f, s = seed](const leaves& x) {
        auto [y, pullback] = jq::vjp(f, x);
        leaves ct;
        for (const array& v : y) {
          static constexpr double numbers[] = {-1, -0.5, 0.25, 0.5, 1};
          ct.push_back(jq::testing::picked({v.dtype(), v.shape()}, s + ct.size(), numbers));
        }
        leaves back = std::get<0>(pullback(ct));
        std::erase_if(back, [](const array& v) { return !jq::is_inexact(v.dtype()); });
        return back;
      };
    return [f, *this, is_oracle](const leaves& x) {
      std::vector<int> mapped = axes(x);
      if (!is_oracle) return jq::testing::mapped(f, mapped)(x);
      std::vector<leaves> results;
      for (std::int64_t n = 0; n < examples; ++n) {
        const leaves y = f(jq::testing::example(x, mapped, n));
        results.resize(y.size());
        for (std::size_t k = 0; k < y.size(); ++k) results[k].push_back(lax::reshape(y[k], cluster_program::with_dimension(y[k].shape(), 0, 1)));
      }
      leaves r;
      for (const leaves& each : results) r.push_back(lax::concatenate(jq::view<const array>(each), 0));
      return r;
    };
  }
  leaves exact(const leaves& x, evaluation how) const {
    how.is_widened = true;
    return jq::jit(function(how, true), jq::backend("interpreter"))(cluster_program::widened(x));
  }
};

/// What is right, and how far off results may be: noise does not reach what rules of derivatives take away from numbers near one.
class oracle {
 public:
  oracle(const trial& t, const leaves& x, int runs, double scale) : unit_(t.unit() * scale), smallest_(t.smallest() * scale), floor_(t.what == seen_as::gradient ? 64 : 1) {
    for (const array& a : t.exact(x, {})) want_.push_back(numbers(a)), off_.emplace_back(want_.back().size(), 0.0);
    for (int n = 0; n < runs; ++n) {
      const leaves moved = t.exact(x, {true, 2 * unit_, smallest_, std::uint64_t(n) * 100003 + 17});
      for (std::size_t k = 0; k < moved.size(); ++k) {
        const std::vector<double> v = numbers(moved[k]);
        for (std::size_t i = 0; i < v.size(); ++i) off_[k][i] = std::max(off_[k][i], std::abs(v[i] - want_[k][i]));
      }
    }
    for (const std::vector<double>& off : off_) {
      std::vector<double> sorted = off;
      std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(sorted.size() / 2), sorted.end());
      typical_.push_back(sorted.empty() ? 0 : sorted[sorted.size() / 2]);
    }
  }
  /// Whether all numbers are of moderate size.
  bool is_moderate() const {
    for (const std::vector<double>& v : want_)
      for (double n : v)
        if (!(std::abs(n) < 1000)) return false;
    return true;
  }
  report check(const leaves& got) const {
    report r;
    if (got.size() != want_.size()) return r.fail("got ", got.size(), " results, wanted ", want_.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      const std::vector<double> v = numbers(got[k]);
      if (v.size() != want_[k].size()) return r.fail("result ", k, ": got ", v.size(), " elements, wanted ", want_[k].size());
      int wrong = 0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        const double most = 16 * off_[k][i] + 8 * typical_[k] + 4 * unit_ * (std::abs(want_[k][i]) + floor_) + 8 * smallest_;
        if (std::abs(v[i] - want_[k][i]) <= most) continue;
        if (++wrong <= 3)
          r.fail("result ", k, " ", got[k].aval(), ", element ", jq::testing::detail::index_of(got[k].shape(), std::int64_t(i)), ": got ", jq::testing::number(v[i]), ", wanted ",
                 jq::testing::number(want_[k][i]), " within ", jq::testing::number(most));
      }
      if (wrong > 3) r.fail("result ", k, ": ", wrong, " of ", v.size(), " elements are off");
    }
    return r;
  }

 private:
  static std::vector<double> numbers(const array& x) {
    std::vector<double> r;
    for (const jq::complex128& v : jq::testing::elements(x)) r.push_back(v.re);
    return r;
  }
  std::vector<std::vector<double>> want_, off_;
  std::vector<double> typical_;
  double unit_, smallest_, floor_;
};

/// Arrays that hold the same, one twice where `x` has one twice.
leaves copies(const leaves& x) {
  leaves r;
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::size_t first = 0;
    while (first < k && x[first].as_buffer() != x[k].as_buffer()) ++first;
    r.push_back(first < k ? r[first] : jq::testing::detail::fill(x[k].aval(), [v = jq::testing::elements(x[k])](std::int64_t i) { return v[std::size_t(i)]; }));
  }
  return r;
}

const jq::compile_at ways[] = {jq::compile_at::never, jq::compile_at::first_call};
const char* const names[] = {"tiles", "compiled"};
unsigned long long skipped_programs = 0;

/// Three calls each way, the second one with other numbers.
report compared(const trial& t) {
  report r;
  const leaves values[] = {t.arguments(t.seed), t.arguments(t.seed + 1)};
  bool donates = t.donates;  // no array twice
  for (std::size_t k = 1; k < values[0].size(); ++k) donates = donates && values[0][k].as_buffer() != values[0][0].as_buffer();
  const oracle first[] = {{t, values[0], 3, 1}, {t, values[1], 3, 1}};
  if (!first[0].is_moderate() || !first[1].is_moderate()) return ++skipped_programs, r;
  for (int way = 0; way < 2; ++way) {
    const leaf_function f = t.function({}, false);
    const auto plain = jq::jit(f, jq::backend("cpu"), ways[way]);
    const auto donating = jq::jit(f, jq::backend("cpu"), ways[way], jq::donate_argnums<0>);
    for (const int which : {0, 1, 0}) {
      const leaves given = copies(values[which]);
      const leaves got = donates ? donating(given) : plain(given);
      if (!donates)
        for (std::size_t k = 0; k < given.size(); ++k) r.add("arguments afterwards", jq::testing::identical(given[k], values[which][k]));
      if (first[which].check(got)) continue;
      // Once more, with more noise; and what is off by its types' own rounding is no fault of a compiler.
      const oracle careful(t, values[which], 12, 4);
      const report again = careful.check(got);
      if (!again && careful.check(jq::jit(f, jq::backend("interpreter"))(values[which]))) r.add(names[way], again);
    }
  }
  return r;
}
/// Compares one program; of one that differs the shortest beginning that does.
report tried(std::uint64_t seed) {
  sampler s(seed);
  trial t{seed, {}};
  static constexpr jq::dtype types[] = {jq::f32, jq::f32, jq::f32, jq::f64, jq::f64, jq::bf16, jq::f16};
  t.options.type = types[s.below(7)];
  t.options.steps = int(2 + s.below(11));
  const std::int64_t kind = s.below(5);
  t.what = kind == 3 ? seen_as::gradient : kind == 4 ? seen_as::batch : seen_as::program;
  t.options.is_reversible = t.what == seen_as::gradient;
  t.donates = s.below(3) == 0;
  report r = compared(t);
  if (r.ok) return r;
  const int steps = t.options.steps;
  report all;
  for (int n = 1; n <= steps + 1; ++n) {
    t.options.steps = std::min(n, steps);
    t.options.shows_all = n <= steps;
    const report part = n > steps ? r : compared(t);
    if (part.ok) continue;
    return all.fail("seed ", seed, ", ", kinds[int(t.what)], t.options.steps, t.donates ? " steps, donating:\n" : " steps:\n", part.text, '\n',
                    jq::to_text(jq::make_jaxpr(t.function({}, false))(t.arguments(seed))));
  }
  return all;
}
/// The derivative of a smooth program along a line, by reverse mode and by differences.
report slopes(const trial& t) {
  report r;
  const leaves x = t.arguments(t.seed), to = jq::testing::directions(x, t.seed + 3);
  const auto on_tiles = [](const leaf_function& f) { return leaf_function(jq::jit(f, jq::backend("cpu"), jq::compile_at::never)); };
  trial all = t;
  all.options.shows_all = true;
  const leaf_function f = t.function({}, false), compiled = on_tiles(f);
  for (const array& v : on_tiles(all.function({}, false))(x))
    for (const jq::complex128& n : jq::testing::elements(v))
      if (!(std::abs(n.re) < 1000)) return ++skipped_programs, r;
  leaves ct;
  for (const array& v : compiled(x)) ct.push_back(jq::testing::direction(v, t.seed + 7 + ct.size()));
  const leaf_function reverse = on_tiles([&](const leaves& z) { return jq::testing::cotangents_of(f, z, ct); });
  double size = 0, near[3];
  const double got = jq::testing::inner_product(reverse(x), to, &size);
  for (int n = 0; n < 3; ++n) near[n] = jq::testing::inner_product(ct, jq::testing::difference_quotient(compiled, x, to, 1e-3 / double(1 << (2 * n))), &size);
  const double spread = std::max(std::abs(near[0] - near[1]), std::abs(near[1] - near[2]));
  if (!(std::abs(near[2] - got) <= 4 * spread + 1e-7 * size + 1e-9)) {
    const double forward = jq::testing::inner_product(ct, jq::testing::tangents_of(f, x, to)), exact = jq::testing::inner_product(jq::testing::cotangents_of(f, x, ct), to);
    r.fail("seed ", t.seed, ", derivative after ", t.options.steps, " steps: got ", jq::testing::number(got), " on tiles, ", jq::testing::number(exact), " step by step, ",
           jq::testing::number(forward), " in forward mode; differences say ", jq::testing::number(near[0]), ", ",
           jq::testing::number(near[1]), ", ", jq::testing::number(near[2]), '\n', jq::to_text(jq::make_jaxpr(f)(x)));
  }
  return r;
}
report differentiated(std::uint64_t seed) {
  sampler s(seed);
  trial t{seed, {jq::f64, int(2 + s.below(9)), false, true, true}};
  const report r = slopes(t);
  if (r.ok) return r;
  t.options.shows_all = true;
  const int steps = t.options.steps;
  for (t.options.steps = 1; t.options.steps < steps; ++t.options.steps)
    if (const report part = slopes(t); !part.ok) return part;
  return r;
}

void try_all(report (*one)(std::uint64_t), unsigned long long count) {
  skipped_programs = 0;
  count = laws::try_seeds(one, count);
  CHECK_MESSAGE(2 * skipped_programs < count + (count < 10 ? 2 * count : 0), skipped_programs, " of ", count, " programs were not compared");
}

}  // namespace

TEST_CASE("random programs, derivatives and vmaps are right within rounding on tiles and compiled") { try_all(tried, 25); }
TEST_CASE("derivatives of random smooth programs are limits of differences") { try_all(differentiated, 25); }
