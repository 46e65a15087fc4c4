// Passes that need not run: which sums earlier passes stand in for, and that results are the interpreter's, whatever is finite.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/backends/cpu/sum_shortcuts.hpp>

#include <jacquard/testing/comparison.hpp>

#include <cmath>
#include <limits>

#include "same.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }
bool is_exp(jq::scalar_op op) { return op == jq::scalar_op::exp; }

/// How many stages the only kernel of f has before and after, and the passes that need not run, "1 3".
struct decisions {
  std::size_t before, after;
  std::string skipped;
};
template <class F, class... A>
decisions shortcuts_of(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const auto l = jq::lowering::lower(*p, &everything);
  REQUIRE(l.kernels.size() == 1);
  jq::lowering::loop_kernel k = l.kernels[0];
  decisions d{k.stages.size(), 0, {}};
  const jq::cpu::sum_shortcuts s(k, &is_exp);
  d.after = k.stages.size();
  const auto passes = jq::lowering::stage_passes(k);
  for (std::size_t n = 0; n < jq::lowering::count_passes(passes); ++n)
    if (s.covers(n)) d.skipped += (d.skipped.empty() ? "" : " ") + std::to_string(n);
  for (std::size_t n = 0; n < k.stages.size(); ++n) {
    CHECK((n == 0 || k.stages[n - 1].step <= k.stages[n].step));
    CHECK((s.covers(passes[n]) ? s.step(n) >= 0 : d.skipped.empty() || s.step(n) < 0));
  }
  return d;
}

array normalised(const array& a, int axis) {
  const array d = a - jq::mean(a, axis, jq::keepdims);
  return d / jq::sqrt(jq::mean(d * d, axis, jq::keepdims) + 1e-5);
}
template <int Axis>
array gradient(const array& x, const array& w) {
  return jq::grad([&](const array& a) { return jq::sum(w * normalised(a, Axis)); })(x);
}
/// The sum of x m + (x - m) v, where m and v are sums of the same row.
array combination(const array& x, const array& w) {
  const array m = jq::sum(x, 1, jq::keepdims), d = x - m, v = jq::sum(d * w, 1, jq::keepdims);
  return x + jq::sum(w * m + d * v, 1, jq::keepdims);
}
array rows_of(std::vector<float> v, std::int64_t rows) {
  const std::int64_t n = std::int64_t(v.size());
  return jq::asarray(v, {rows, n / rows});
}

}  // namespace

TEST_CASE("sum shortcuts: the mean of a gradient of a normalisation takes no pass") {
  const array x = jq::ones({40, 30});
  for (const decisions& d : {shortcuts_of(gradient<0>, x, x), shortcuts_of(gradient<1>, x, x)}) {
    CHECK(d.before == 4);
    CHECK(d.after == 6);
    CHECK(d.skipped == "3");
  }
  const decisions d = shortcuts_of(combination, x, x);
  CHECK(d.skipped == "2");
  CHECK(d.after == 5);
}
TEST_CASE("sum shortcuts: passes run for what is not linear, reads more, or takes an exponential") {
  const array x = jq::ones({40, 30});
  const auto total = [](const array& a) { return jq::sum(a, 1, jq::keepdims); };
  const auto square = [=](const array& a) { return a - total((a - total(a)) * (a - total(a))); };
  const auto largest = [=](const array& a) { return a - jq::max(a * total(a), 1, jq::keepdims); };
  const auto other = [=](const array& a, const array& w) { return a - total(w * total(a)); };   // w would be read earlier: as much
  const auto softmax = [](const array& a) { return jq::softmax(a, 1); };
  const auto later = [=](const array& a) { return a + total(jq::exp(a) * total(a)); };
  const auto halves = [=](const array& a) { return a + total(a * total(a)); };
  for (const decisions& d : {shortcuts_of(square, x), shortcuts_of(largest, x), shortcuts_of(other, x, x), shortcuts_of(softmax, x), shortcuts_of(later, x)}) {
    CHECK(d.skipped.empty());
    CHECK(d.after == d.before);
  }
  CHECK(shortcuts_of(halves, x.astype(jq::i32)).skipped.empty());
  const decisions d = shortcuts_of(halves, x);
  CHECK(d.skipped == "1");
  CHECK(d.after == 2);  // the sum of a is there
}
TEST_CASE("sum shortcuts: results, around the widths of vectors and with enough rows for blocks") {
  for (const std::int64_t width : {1, 5, 16, 31, 64, 129, 1000})
    for (const std::int64_t height : {1, 7, 64, 700}) {
      CAPTURE(width);
      CAPTURE(height);
      const array x = jq::random::normal(jq::random::key(5), {height, width}), w = jq::random::normal(jq::random::key(6), {height, width});
      if (height > 1) same_within(2e-4, gradient<0>, x, w);
      if (width > 1) same_within(2e-4, gradient<1>, x, w);
      same_within(1e-10, gradient<0>, x.astype(jq::f64), w.astype(jq::f64));
    }
}
TEST_CASE("sum shortcuts: terms may be chosen from") {
  const auto total = [](const array& a) { return jq::sum(a, 1, jq::keepdims); };
  const auto leaky = [=](const array& a, const array& w) {
    const array y = jq::where(a > 0.0, a, 0.1 * a);
    return w + y + total(y * total(y * w));
  };
  const array x = jq::random::normal(jq::random::key(5), {40, 30}), w = jq::random::normal(jq::random::key(6), {40, 30});
  CHECK(shortcuts_of(leaky, x, w).skipped == "1");
  same_within(1e-4, leaky, x, w);
}
TEST_CASE("sum shortcuts: where parts nearly cancel, terms are subtracted one by one") {
  const auto total = [](const array& a) { return jq::sum(a, 1, jq::keepdims); };
  const auto distance = [=](const array& a, const array& w) {
    const array r = jq::sqrt(total(a * a) + total(w * w));
    return total(a / r - w / r);
  };
  for (const jq::shape& dims : {jq::shape{300, 7}, jq::shape{200, 100}, jq::shape{20, 1000}, jq::shape{4, 100000}}) {
    CAPTURE(dims[1]);
    const array x = 1.0f + 0.1f * jq::random::normal(jq::random::key(5), dims), w = x + 1e-4f * jq::random::normal(jq::random::key(6), dims);
    CHECK(shortcuts_of(distance, x, w).skipped == "1");
    const array want = jq::jit(distance, jq::backend("interpreter"))(x.astype(jq::f64), w.astype(jq::f64));
    const array got = jq::jit(distance, jq::backend("cpu"), jq::compile_at::first_call)(x, w);
    for (std::int64_t i = 0; i < want.size(); ++i) CHECK(std::abs(got.data<float>()[std::size_t(i)] - want.data<double>()[std::size_t(i)]) < 4e-7);
  }
}
TEST_CASE("sum shortcuts: what is infinite, NaN or -0 is what it was") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  // In each: the second sum is finite, or overflows so that its products with numbers of either sign are NaN together.
  const std::vector<std::vector<float>> rows{{3e20f, -1e20f, -1e20f, 0}, {0, 0, 0, 0},    {-0.0f, -0.0f, -0.0f, -0.0f}, {inf, 1, 2, 3},    {nan, 0, 0, 0},
                                             {1e20f, 1e20f, 1e20f, 0},   {1, 2, 3, -6},   {-1, -2, -3, 6},              {inf, -inf, 0, 0}, {3e38f, 3e38f, -3e38f, 1}};
  for (const float scale : {1.0f, -1.0f, 1e20f, -1e20f, 0.0f, inf, nan}) {
    CAPTURE(scale);
    std::vector<float> v, u;
    for (const auto& r : rows)
      for (std::size_t k = 0; k < 16; ++k) v.push_back(k < 4 ? r[k] : 0), u.push_back(k % 2 ? scale : 0.5f * scale);
    const array x = rows_of(v, std::int64_t(rows.size())), w = rows_of(u, std::int64_t(rows.size()));
    const array want = jq::jit(combination, jq::backend("interpreter"))(x, w);
    for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
      const array got = jq::jit(combination, jq::backend("cpu"), when)(x, w);
      for (std::int64_t i = 0; i < want.size(); ++i) {
        const float a = got.data<float>()[std::size_t(i)], b = want.data<float>()[std::size_t(i)];
        CAPTURE(i);
        CHECK(std::isnan(a) == std::isnan(b));
        CHECK(std::isinf(a) == std::isinf(b));
        CHECK((std::isnan(a) || std::signbit(a) == std::signbit(b)));
      }
    }
  }
}
