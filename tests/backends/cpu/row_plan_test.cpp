// Rows of kernels: what is kept from pass to pass and where, what all of a row is divided by, which passes stop at the length of a masked row, and that what they leave out
// counts for nothing. Decisions are read off plans; results are compared with the interpreter's.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>

#include <jacquard/testing/comparison.hpp>

#include <algorithm>
#include <limits>

#include "same.hpp"

using jq::array;

namespace {

bool everything(jq::scalar_op, jq::dtype) { return true; }
bool is_exp(jq::scalar_op op) { return op == jq::scalar_op::exp; }

/// The plan of the only kernel of f, whose vectors run along the last loop: steps kept, and the stages that stop, "0 2".
struct decisions {
  std::size_t kept;
  std::string stops;
};
template <class F, class... A>
decisions plan_of(F f, const A&... x) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x...));
  const auto l = jq::lowering::lower(*p, &everything);
  REQUIRE(l.kernels.size() == 1);
  const jq::lowering::loop_kernel& k = l.kernels[0];
  const std::vector<std::uint32_t> depends = jq::lowering::loop_dependence(k);
  const jq::cpu::row_plan plan(k, depends, int(k.loops.size()) - 1, 128, &is_exp);
  decisions r{plan.kept().size(), {}};
  for (std::size_t s = 0; s < k.stages.size(); ++s)
    if (plan.stop_of(s).condition >= 0) r.stops += (r.stops.empty() ? "" : " ") + std::to_string(s);
  return r;
}
template <class F, class... A>
void same(F f, const A&... x) {
  same_within(1e-5, f, x...);
}

/// `x` where it is among the first n of a row, else `fill`.
array filled(const array& x, const array& n, double fill) {
  return lax::select(lax::prefix_mask(n, x.shape()[1]), x, lax::full(x.shape(), jq::literal(fill, x.dtype(), false)));
}
array column(const array& x) { return jq::expand_dims(x, 1); }
const double inf = std::numeric_limits<double>::infinity();

array softmax(const array& x, const array& n) {
  const array e = jq::exp(x - column(jq::max(filled(x, n, -inf), {1})));
  return filled(e / column(jq::sum(filled(e, n, 0), {1})), n, 0);
}
/// As softmax, but the numbers past the end are wanted too.
array open_softmax(const array& x, const array& n) {
  const array e = jq::exp(x - column(jq::max(filled(x, n, -inf), {1})));
  return e / column(jq::sum(filled(e, n, 0), {1}));
}
/// The initial value of the sum is not what is filled in.
array ones_past_the_end(const array& x, const array& n) { return x * column(jq::sum(filled(x, n, 1), {1})); }
/// In one pass a sum that is filled up, and how many numbers are the largest: past the end none are, but all of them in a row without any.
array softmax_and_count(const array& x, const array& n) {
  const array top = column(jq::max(filled(x, n, -inf), {1})), e = jq::exp(x - top);
  const array count = column(jq::sum((filled(x, n, -inf) == top).astype(x.dtype()), {1}));
  return filled(e / column(jq::sum(filled(e, n, 0), {1})), n, 0) + count;
}
/// Another condition decides what is wanted of the exponentials.
array two_lengths(const array& x, const array& n) {
  const array e = jq::exp(x);
  return filled(e / column(jq::sum(filled(e, n, 0), {1})), n + 1, 0);
}
/// Indices of 8 bits start again from -128.
array short_indices(const array& x, const array& n) {
  const array i = lax::broadcast_in_dim(lax::iota(jq::i8, x.shape()[1]), x.shape(), {1});
  return x * column(jq::sum(lax::select(lax::lt(i, lax::broadcast_in_dim(n.astype(jq::i8), x.shape(), {0})), x, jq::zeros(x.shape())), {1}));
}
/// Numbers that may be negative.
array signed_lengths(const array& x, const array& n) {
  const array i = lax::broadcast_in_dim(lax::iota(jq::i64, x.shape()[1]), x.shape(), {1});
  return x * column(jq::sum(lax::select(lax::lt(i, lax::broadcast_in_dim(n - 5, x.shape(), {0})), x, jq::zeros(x.shape())), {1}));
}

}  // namespace

TEST_CASE("row plan: exponentials are kept, masked stages stop where their rows end") {
  const array x = jq::ones({4, 128}), n = jq::asarray({1, 2, 3, 4}).astype(jq::i64);
  const decisions d = plan_of(softmax, x, n);
  CHECK(d.kept == 1);
  CHECK(d.stops == "0 1");
  CHECK(plan_of([](array a) { return jq::softmax(a, 1); }, x).kept == 1);
  CHECK(plan_of([](array a) { return jq::softmax(a, 1); }, x).stops.empty());
  CHECK(plan_of(signed_lengths, x, n).stops == "0");
  CHECK(plan_of(softmax_and_count, x, n).stops == "0 1");
}
TEST_CASE("row plan: stages go on to the end where what follows counts") {
  const array x = jq::ones({4, 128}), n = jq::asarray({1, 2, 3, 4}).astype(jq::i64);
  CHECK(plan_of(open_softmax, x, n).stops == "0");  // the maximum keeps nothing
  CHECK(plan_of(ones_past_the_end, x, n).stops.empty());
  CHECK(plan_of(two_lengths, x, n).stops.empty());
  CHECK(plan_of(short_indices, x, n).stops.empty());
}
TEST_CASE("row plan: results, around the widths of vectors, of empty, full and longer rows") {
  for (const std::int64_t width : {1, 5, 16, 31, 64, 128, 129, 200, 1000}) {
    CAPTURE(width);
    const array x = jq::random::normal(jq::random::key(5), {9, width});
    const array n = jq::asarray(std::vector<std::int64_t>{width, 1, width / 2, width - 1, 0, std::min<std::int64_t>(width, 65), width + 7, width / 3, -3});
    same([](array a, array b) { return std::tuple{open_softmax(a, b), two_lengths(a, b), ones_past_the_end(a, b)}; }, x, jq::maximum(n, 1));
    same(softmax, x, jq::maximum(n, 1));
    same([](array a, array b) { return std::pair{jq::sum(filled(a, b, 0), {1}), a * column(jq::max(filled(a, b, -100), {1}))}; }, x, n);
    same(softmax_and_count, x, n);
    same(softmax_and_count, jq::round(x), n);
    same(signed_lengths, x, n);
    same(short_indices, x, n);
  }
}
TEST_CASE("row plan: many rows too short to fill vectors, in vectors of rows") {
  const auto gradient = [](array a, array labels) {
    return jq::grad([&](array x) { return jq::mean(jq::take_along_axis(jq::log_softmax(x, 1), jq::expand_dims(labels, 1), 1)); })(a);
  };
  const auto direction = [](array a) { return a / jq::sqrt(jq::sum(a * a, 1, jq::keepdims)); };
  const auto in_batches = [](array a) { return jq::softmax(jq::reshape(a, {2, a.shape()[0] / 2, a.shape()[1]}), 2); };
  for (const std::int64_t rows : {64, 66, 130, 1000})
    for (const std::int64_t width : {1, 2, 3, 4, 10, 14, 15}) {
      CAPTURE(rows);
      CAPTURE(width);
      const array x = jq::random::normal(jq::random::key(5), {rows, width}), n = jq::arange(rows) % (width + 1);
      same(softmax, x, jq::maximum(n, 1));
      same(softmax_and_count, x, n);
      same(direction, x);
      same(in_batches, x);
      same([](array a) { return jq::transpose(jq::softmax(a, 1)); }, x);
      same(gradient, x, n % width);
      same_within(1e-12, gradient, x.astype(jq::f64), n % width);
      same_within(1e-2, direction, x.astype(jq::f16));
      const array want = jq::softmax(x, 1), given = x * 1.0f;
      const jq::testing::report r = jq::testing::all_close(jq::jit([](array a) { return jq::softmax(a, 1); }, jq::backend("cpu"), jq::donate_argnums<0>)(given), want, 1e-5, 1e-5);
      CHECK_MESSAGE(r.ok, r.text);
    }
}
TEST_CASE("row plan: what is written once a row, of rows of any length") {
  const auto all = [](array a) { return std::tuple{jq::sum(a, 1), jq::max(a, 1) + jq::sum(a * a, 1), jq::logsumexp(a, 1), jq::any(a > 2.0f, 1), jq::sum(a, 0)}; };
  for (const std::int64_t rows : {1, 7, 64, 130})
    for (const std::int64_t width : {1, 3, 5, 6, 16, 31, 40, 41, 130, 1000}) {
      CAPTURE(rows);
      CAPTURE(width);
      same(all, jq::random::normal(jq::random::key(5), {rows, width}));
      same(all, jq::random::normal(jq::random::key(5), {rows, width}, jq::f64));
    }
}
TEST_CASE("row plan: what lies in the padding, and beyond rows of other lengths, does not matter") {
  std::vector<float> v(8 * 128, std::numeric_limits<float>::quiet_NaN());
  std::vector<std::int64_t> n{128, 3, 64, 0, 65, 1, 127, 2};
  for (std::size_t r = 0; r < n.size(); ++r)
    for (std::int64_t i = 0; i < n[r]; ++i) v[r * 128 + std::size_t(i)] = float(i % 5) - 2;
  const array x = jq::asarray(v, {8, 128}), length = jq::asarray(n);
  const array got = jq::jit(softmax, jq::backend("cpu"))(x, length);
  for (std::size_t r = 0; r < n.size(); ++r) {
    double sum = 0;
    for (std::int64_t i = 0; i < 128; ++i) {
      const double y = double(got(std::int64_t(r), i).item<float>());
      if (i >= n[r]) CHECK(y == 0);
      sum += y;
    }
    CHECK(sum == doctest::Approx(n[r] == 0 ? 0 : 1).epsilon(1e-5));
  }
}

namespace {
/// The numbers of the outputs where the kernel of f keeps steps; -1 for memory of their own. `claimed`: whether outputs take x's memory.
template <class F>
std::vector<int> kept_in(F f, const array& x, bool claimed = true) {
  const jq::closed_jaxpr p = jq::simplify(jq::make_jaxpr(f)(x));
  const auto l = jq::lowering::lower(*p, &everything);
  REQUIRE(l.kernels.size() == 1);
  const jq::lowering::loop_kernel& k = l.kernels[0];
  const std::vector<char> by_variable(p->avals.size(), claimed);
  const jq::cpu::row_plan plan(k, jq::lowering::loop_dependence(k), int(k.loops.size()) - 1, 128, &is_exp, &by_variable);
  std::vector<int> r;
  CHECK((plan.conflicts().empty() || !claimed));
  for (const jq::cpu::kept_step& s : plan.kept()) r.push_back(s.output);
  return r;
}
/// As the interpreter, on both tiers, the argument donated or not.
template <class F>
void same_in_place(F f, const array& x) {
  const array want = jq::jit(f, jq::backend("interpreter"))(x);
  for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
    const array given = x * 1.0f;
    for (const array& got : {jq::jit(f, jq::backend("cpu"), when)(x), jq::jit(f, jq::backend("cpu"), when, jq::donate_argnums<0>)(given)}) {
      const jq::testing::report r = jq::testing::all_close(got, want, 1e-5, 1e-5);
      CHECK_MESSAGE(r.ok, r.text);
    }
  }
}
array part_of_sum(const array& x) { return x / jq::sum(x, {1}, jq::keepdims); }
}  // namespace

TEST_CASE("row plan: exponentials are kept where a result will lie, unless that may be memory that is still read") {
  const array x = jq::ones({4, 128});
  const auto softmax = [](array a) { return jq::softmax(a, 1); };
  const auto reads_again = [](array a) { return jq::softmax(a, 1) * a; };
  const auto narrower = [](array a) { return jq::softmax(a, 1).astype(jq::bf16); };
  CHECK(kept_in(softmax, x) == std::vector<int>{0});
  CHECK(kept_in(reads_again, x) == std::vector<int>{-1});
  CHECK(kept_in(reads_again, x, false) == std::vector<int>{0});
  CHECK(kept_in(narrower, x) == std::vector<int>{-1});
  for (const std::int64_t width : {1, 31, 64, 129, 1000, 70000}) {
    CAPTURE(width);
    const array rows = jq::random::normal(jq::random::key(5), {width > 1000 ? 1 : 9, width});
    same_in_place(softmax, rows);
    same_in_place(reads_again, rows);
    same_in_place([&](array a) { return reads_again(lax::cumsum(a, 1)); }, rows);  // of memory that is the program's own
    same_in_place([&](array a) { return lax::fori_loop(0, 3, [&](array, array b) { return reads_again(b); }, a); }, rows);
  }
}
TEST_CASE("row plan: of several results each holds its own step, or one that it is made of") {
  const auto two = [](array a) {
    const array e = jq::exp(a), more = jq::exp(e - jq::max(e, {1}, jq::keepdims));
    return jq::concatenate({e, more + jq::sum(more, {1}, jq::keepdims)}, 1);
  };
  const auto pair = [](array a) {
    const array e = jq::tanh(a), more = jq::exp(e - jq::max(e, {1}, jq::keepdims));
    return std::tuple{e, more, jq::sum(more, {1})};
  };
  const auto unlike = [](array a) {
    const array e = jq::exp(a);
    return std::tuple{a * jq::max(e, {1}, jq::keepdims), e - jq::sum(e, {1}, jq::keepdims)};
  };
  for (const std::int64_t width : {1, 31, 64, 129, 1000, 70000}) {
    const array rows = jq::random::normal(jq::random::key(5), {width > 1000 ? 1 : 9, width});
    same_in_place(two, rows);
    for (const jq::compile_at when : {jq::compile_at::first_call, jq::compile_at::never}) {
      const auto check = [&](auto f) {
        const jq::testing::leaves got = jq::tree::flatten(jq::jit(f, jq::backend("cpu"), when)(rows));
        const jq::testing::report r = jq::testing::all_close(got, jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(rows)), 1e-5, 1e-4);
        CHECK_MESSAGE(r.ok, r.text);
      };
      check(pair), check(unlike);
    }
  }
}
TEST_CASE("row plan: stages of one pass have the results of each by itself") {
  for (const std::int64_t width : {1, 31, 129, 1000, 70000})
    same_in_place([](array a) {
      const array w = jq::exp(a) / (1.0f + a * a);
      return jq::stack({jq::sum(w * a, {1}), jq::max(w, {1}), jq::sum(w, {1}) + jq::min(a, {1})});
    }, jq::random::normal(jq::random::key(6), {width > 1000 ? 1 : 9, width}));
}
TEST_CASE("row plan: what a row is divided by gives quotients, whatever its size") {
  // Sums of 41, whose reciprocal times 41 is not 1; subnormal, huge, infinite, none, NaN.
  const float inf32 = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> firsts{{41}, {20, 21}, {1e-42f, 3e-42f}, {3e38f}, {1e38f, 2e38f}, {inf32, 1}, {1, -1}, {nan}, {-7, 3}, {1e-45f}};
  const std::int64_t width = 70, count = std::int64_t(firsts.size());
  std::vector<float> v(std::size_t(count * width), 0.0f);
  for (std::size_t r = 0; r < firsts.size(); ++r) std::copy(firsts[r].begin(), firsts[r].end(), v.begin() + std::ptrdiff_t(r) * width);
  const array x = jq::asarray(v, {count, width});
  const array got = jq::jit(part_of_sum, jq::backend("cpu"), jq::compile_at::first_call)(x);
  for (std::int64_t r = 0; r < count; ++r) {
    float sum = 0;
    for (std::int64_t i = 0; i < width; ++i) sum += v[std::size_t(r * width + i)];
    for (std::int64_t i = 0; i < width; ++i) {
      const float want = v[std::size_t(r * width + i)] / sum, y = got(r, i).item<float>();
      CAPTURE(r);
      CAPTURE(i);
      CAPTURE(y);
      CAPTURE(want);
      if (want != want) CHECK(y != y);
      else CHECK(y == want);
    }
  }
}
TEST_CASE("row plan: quotients that overflow are infinite") {
  for (const jq::dtype t : {jq::f32, jq::f64}) {
    const double large = t == jq::f32 ? 1e30 : 1e250, small = t == jq::f32 ? 1e-20 : 1e-80;
    const array x = jq::random::normal(jq::random::key(8), {5, 70}, t) * large, by = jq::full({5, 70}, small, t);
    const auto f = [](array a, array b) { return a / jq::max(b, {1}, jq::keepdims); };
    const array got = jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(x, by);
    CHECK(jq::all(jq::abs(got) == std::numeric_limits<double>::infinity()).item<bool>());
    CHECK(jq::all(jq::signbit(got) == jq::signbit(x)).item<bool>());
  }
}
TEST_CASE("row plan: quotients of rows are those of single numbers, or in rare cases their neighbours") {
  for (const jq::dtype t : {jq::f32, jq::f64}) {
    const array x = jq::random::normal(jq::random::key(7), {64, 1000}, t);
    const auto scaled = [](array a) { return a / jq::max(jq::abs(a), {1}, jq::keepdims); };
    const array got = jq::jit(scaled, jq::backend("cpu"), jq::compile_at::first_call)(x), want = scaled(x);
    const double ulp = t == jq::f32 ? 0x1p-23 : 0x1p-52;
    CHECK(jq::max(jq::abs(got - want) / jq::abs(want)).item<double>() <= ulp);
    CHECK(jq::sum((got != want).astype(jq::i32)).item<int>() <= 6);
    CHECK(jq::all(jq::max(jq::abs(got), {1}) == 1.0).item<bool>());
  }
}
TEST_CASE("row plan: what is summed of quotients is within rounding, and differences of quotients are exact") {
  for (const jq::dtype t : {jq::f32, jq::f64})
    for (const int axis : {0, 1}) {
      const array x = jq::random::normal(jq::random::key(9), {300, 200}, t), all = jq::full({300, 200}, 41.0, t);
      const auto on_cpu = [](auto f, const array& a) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call)(a); };
      const auto largest = [axis](array a) { return jq::max(jq::abs(a), {axis}, jq::keepdims); };
      const auto sums = [=](array a) { return jq::sum(a * (-a / largest(a)) / largest(a) + a / largest(a), {axis}); };
      CHECK(jq::testing::all_close(on_cpu(sums, x), sums(x), t == jq::f32 ? 1e-5 : 1e-13, t == jq::f32 ? 1e-5 : 1e-13).ok);
      const auto spread = [=](array a) {
        const array d = a / largest(a) - 1;
        return jq::sum(d * d, {axis}) + jq::max(jq::abs(a / largest(a)) - 1, {axis});
      };
      CHECK(jq::all(on_cpu(spread, all) == 0.0).item<bool>());
      const double inf = std::numeric_limits<double>::infinity(), small = t == jq::f32 ? 1e-25 : 1e-100;
      const array odd = jq::where(jq::reshape(jq::arange(300 * 200), {300, 200}) % 7 == 0, x * (1 / small) * (1 / small), x * small);
      const auto share = [=](array a) { return jq::sum(a / jq::min(jq::abs(a), {axis}, jq::keepdims), {axis}); };
      CHECK(jq::all(jq::isfinite(on_cpu(share, odd)) == jq::isfinite(share(odd))).item<bool>());
      CHECK(jq::all(jq::isnan(on_cpu(sums, jq::where(x > 2.0, inf, x))) == jq::isnan(sums(jq::where(x > 2.0, inf, x)))).item<bool>());
    }
}
TEST_CASE("row plan: steps that use the one before twice, many times over, take a moment") {
  const auto chain = [](const array& x, int steps) {
    array v = x;
    for (int i = 0; i < steps; ++i) v = v * v - v;
    return v;
  };
  const auto f = [&](array x) {
    const array a = chain(x, 24), e = jq::exp(a - jq::max(a, {1}, jq::keepdims));
    return std::pair{e / jq::sum(e, {1}, jq::keepdims), chain(jq::tanh(a), 24)};
  };
  const array x = jq::random::uniform(jq::random::key(2), {33, 70}) * 0.9;
  const auto same = [&](auto g) {
    const auto got = jq::jit(g, jq::backend("cpu"), jq::compile_at::first_call)(x), want = jq::jit(g, jq::backend("interpreter"))(x);
    const jq::testing::report r = jq::testing::all_close(jq::tree::flatten(got), jq::tree::flatten(want), 1e-4, 1e-4);
    CHECK_MESSAGE(r.ok, r.text);
  };
  same([&](array a) { return jq::sum(chain(a, 40), {1}, jq::keepdims); });
  same(f);
}
TEST_CASE("row plan: an output that is made of what was kept does not overwrite an input that others read after it") {
  const auto two = [](const array& a) {
    const array e = jq::exp(a - jq::max(a, 1, jq::keepdims)), r = jq::exp(-e / jq::sum(e, 1, jq::keepdims));
    return std::pair{array(r / (a * a + 1.0)), r};
  };
  const auto three = [](const array& a) {
    const array e = jq::exp(a), r = jq::sin(e * jq::sum(e, 0, jq::keepdims));
    return std::tuple{r, array(a + 1.0), array(a * jq::sum(a, 0, jq::keepdims))};
  };
  for (const jq::shape& dims : {jq::shape{3, 3}, jq::shape{40, 30}, jq::shape{5, 1000}, jq::shape{300, 4}})
    for (const jq::dtype t : {jq::f32, jq::f64}) {
      const array x = jq::random::normal(jq::random::key(5), dims).astype(t);
      CHECK_SAME(two, x);
      CHECK_SAME(three, x);
    }
}
