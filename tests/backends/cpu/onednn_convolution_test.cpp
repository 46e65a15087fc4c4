// Convolutions of the cpu backend, by oneDNN where it is installed, against sums by their definition: layouts, strides, paddings, dilations,
// groups, one to three dimensions, pieces of the batch and of the features; gradients; the same bits for any number of threads; what is
// not for the library.
#include <jacquard/backends/cpu/onednn_convolutions.hpp>

#include <jacquard/testing/comparison.hpp>

#include "convolution_task.hpp"

using namespace convolution_testing;

namespace {

jq::detail::conv_plan plan_of(const task& t) {
  const shape out = jq::eval_shape([&](const array& x, const array& k) { return convolved(t, x, k); })(jq::zeros(t.x), jq::zeros(t.k)).shape();
  return jq::detail::plan_convolution(jq::detail::conv_params_of(t.x.rank(), t.strides, t.padding, t.options), t.x, t.k, out);
}
/// Whether the convolution goes to the library.
bool suits(const task& t) { return jq::cpu::detail::onednn_convolution::suits(plan_of(t)); }
/// Whether the library takes it, where it is installed.
bool taken(const task& t) { return !jq::cpu::detail::onednn_calls() || jq::cpu::detail::onednn_convolution(plan_of(t)).usable(); }
void check(const task& t, double tolerance = 1e-4) {
  CHECK(suits(t));
  same_within(tolerance, [&](const array& x, const array& k) { return convolved(t, x, k); }, numbers(t.x), numbers(t.k, 2));
}
const conv_options last{.dimension_numbers = {"NHWC", "HWIO", "NHWC"}};
conv_options grouped(std::int64_t n, conv_options o = {}) {
  o.feature_group_count = n;
  return o;
}

}  // namespace

TEST_CASE("layouts, strides, paddings, dilations, groups") {
  check({{2, 5, 14, 15}, {12, 5, 3, 3}, {1, 1}, "SAME"});
  check({{2, 14, 15, 5}, {3, 3, 5, 12}, {1, 1}, "SAME", last});
  check({{4, 5, 14, 15}, {20, 5, 3, 4}, {2, 1}, "VALID"});
  check({{3, 5, 24, 25}, {20, 5, 3, 4}, {2, 3}, {{2, 1}, {0, 3}}});
  check({{2, 5, 24, 25}, {16, 5, 3, 3}, {1, 1}, "SAME", {.rhs_dilation = {2, 3}}});
  check({{2, 3, 30, 31}, {16, 3, 7, 7}, {2, 2}, "SAME"});
  check({{4, 32, 20, 20}, {16, 32, 1, 1}, {2, 2}, "VALID"});
  check({{2, 12, 20, 20}, {24, 4, 3, 3}, {1, 1}, "SAME", grouped(3)});
  check({{2, 40, 30, 30}, {40, 1, 3, 3}, {1, 1}, "SAME", grouped(40)});
  check({{2, 30, 30, 40}, {3, 3, 1, 40}, {1, 1}, "SAME", grouped(40, last)});
  check({{2, 14, 5, 15}, {5, 3, 3, 12}, {1, 1}, "SAME", {.dimension_numbers = {"NHCW", "IHWO", "WNHC"}}});
}
TEST_CASE("one and three spatial dimensions") {
  check({{4, 16, 300}, {24, 16, 5}, {1}, "SAME"});
  check({{4, 300, 16}, {5, 16, 24}, {2}, "VALID", {.dimension_numbers = {"NWC", "WIO", "NWC"}}});
  check({{2, 4, 9, 10, 11}, {8, 4, 3, 2, 3}, {1, 1, 2}, "SAME"});
}
TEST_CASE("pieces of the batch and of the features; the same bits for any number of threads") {
  const int before = jq::cpu::threads();
  for (const task& t : {task{{6, 32, 32, 32}, {32, 32, 3, 3}, {1, 1}, "SAME"}, task{{1, 64, 40, 40}, {128, 64, 3, 3}, {1, 1}, "SAME"},
                        task{{1, 40, 40, 64}, {3, 3, 64, 128}, {1, 1}, "SAME", last}, task{{1, 7, 7, 512}, {3, 3, 512, 512}, {1, 1}, "SAME", last}}) {
    const array x = numbers(t.x), k = numbers(t.k, 2);
    const auto f = jq::jit([&](const array& a, const array& b) { return convolved(t, a, b); }, jq::backend("cpu"));
    jq::cpu::set_threads(1);
    const array want = f(x, k);
    for (int n : {2, 3, 7}) {
      jq::cpu::set_threads(n);
      CHECK(jq::testing::identical(f(x, k), want).ok);
    }
    jq::cpu::set_threads(before);
  }
  check({{6, 16, 20, 20}, {32, 16, 3, 3}, {1, 1}, "SAME"});
}
TEST_CASE("pieces of rows: strides, dilations, one-sided padding, few rows, several entries, one spatial dimension, groups") {
  check({{1, 40, 40, 64}, {3, 3, 64, 128}, {1, 1}, "SAME", last});
  check({{1, 61, 40, 64}, {3, 3, 64, 192}, {2, 1}, "SAME", last});
  check({{2, 30, 31, 64}, {3, 3, 64, 128}, {1, 1}, {{2, 0}, {0, 2}}, {.rhs_dilation = {2, 2}, .dimension_numbers = {"NHWC", "HWIO", "NHWC"}}});
  check({{1, 40, 40, 64}, {3, 3, 64, 64}, {2, 2}, {{7, 9}, {1, 1}}, last});
  check({{1, 900, 128}, {7, 128, 128}, {1}, "SAME", {.dimension_numbers = {"NWC", "WIO", "NWC"}}});
  check({{1, 100, 100, 64}, {3, 3, 32, 64}, {1, 1}, "SAME", grouped(2, last)});
}
TEST_CASE("pieces of features that lie last, of few pixels: strides, several entries, one and three spatial dimensions, a product") {
  for (const task& t : {task{{1, 7, 7, 256}, {3, 3, 256, 384}, {1, 1}, "SAME", last}, task{{1, 9, 8, 256}, {3, 3, 256, 768}, {2, 1}, "VALID", last},
                        task{{2, 5, 4, 256}, {3, 3, 256, 512}, {1, 1}, "SAME", last},
                        task{{1, 12, 512}, {7, 512, 1024}, {1}, "SAME", {.dimension_numbers = {"NWC", "WIO", "NWC"}}},
                        task{{1, 2, 3, 4, 128}, {3, 3, 3, 128, 512}, {1, 1, 1}, "SAME", {.dimension_numbers = {"NDHWC", "DHWIO", "NDHWC"}}}}) {
    check(t, 1e-3);  // sums of thousands of terms, in another order
    CHECK(taken(t));
  }
}
TEST_CASE("a single image with its features last is not left to our loops") {
  CHECK(taken({{1, 56, 56, 64}, {3, 3, 64, 64}, {1, 1}, "SAME", last}));
  CHECK(taken({{1, 56, 40, 64}, {3, 3, 64, 256}, {2, 2}, "SAME", last}));
  CHECK(taken({{2, 30, 31, 64}, {3, 3, 64, 128}, {1, 1}, "SAME", last}));
  CHECK(taken({{1, 64, 40, 40}, {128, 64, 3, 3}, {1, 1}, "SAME"}));
}
TEST_CASE("filters that are constants: the same bits as with an argument, in every call, in loops, by pieces, and once the array is exported") {
  for (const task& t : {task{{6, 16, 20, 20}, {32, 16, 3, 3}, {1, 1}, "SAME"}, task{{1, 64, 40, 40}, {128, 64, 3, 3}, {1, 1}, "SAME"},
                        task{{1, 40, 40, 64}, {3, 3, 64, 64}, {1, 1}, "SAME", last}, task{{1, 7, 7, 256}, {3, 3, 256, 384}, {1, 1}, "SAME", last}}) {
    const array x = numbers(t.x), k = numbers(t.k, 2), other = numbers(t.k, 3);
    const auto with = [&](const array& filter) { return jq::jit([&](const array& a) { return convolved(t, a, filter); }, jq::backend("cpu")); };
    const auto by_argument = jq::jit([&](const array& a, const array& b) { return convolved(t, a, b); }, jq::backend("cpu"));
    const auto f = with(k), g = with(other);
    const array want = by_argument(x, k), want_other = by_argument(x, other);
    for (int i = 0; i < 3; ++i) {
      CHECK(jq::testing::identical(f(x), want).ok);
      CHECK(jq::testing::identical(g(x), want_other).ok);
    }
    const array shared(jq::share_buffer(*k.as_buffer(), k.aval()));
    CHECK(jq::testing::identical(f(x), want).ok);
  }
  const task t{{4, 16, 20, 20}, {16, 16, 3, 3}, {1, 1}, "SAME"};
  const array k = numbers(t.k, 2) * 0.05f;
  same_within(1e-3, [&](const array& x) { return jq::lax::fori_loop(0, 5, [&](const array&, const array& y) { return convolved(t, y, k); }, x); }, numbers(t.x));
}
TEST_CASE("pieces of padding alone") {
  check({{1, 8, 40, 64}, {3, 3, 64, 128}, {1, 1}, {{40, 1}, {1, 1}}, last});
}
TEST_CASE("gradients, which are convolutions of other shapes") {
  for (const task& t : {task{{4, 6, 16, 16}, {12, 6, 3, 3}, {1, 1}, "SAME"}, task{{4, 16, 16, 6}, {3, 3, 6, 12}, {2, 2}, "SAME", last}}) {
    const auto loss = [&](const array& x, const array& k) { return jq::sum(jq::square(convolved(t, x, k))); };
    same_within(1e-3, jq::grad(loss, jq::argnums<0, 1>), numbers(t.x), numbers(t.k, 2) * 0.1f);
  }
}
TEST_CASE("NaN and infinities arrive where the definition has them") {
  const task t{{1, 8, 20, 20}, {16, 8, 3, 3}, {1, 1}, "VALID"};
  const std::vector<float> special{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
  for (float v : special) {
    const array x = numbers(t.x).at(0, 3, 10, 10).set(v), k = numbers(t.k, 2);
    const array y = jq::jit([&](const array& a, const array& b) { return convolved(t, a, b); }, jq::backend("cpu"))(x, k);
    const array bad = jq::logical_not(jq::isfinite(y));
    CHECK(jq::sum(bad.astype(jq::i32)).item<std::int32_t>() == 16 * 9);
  }
}
TEST_CASE("f16 and bf16 are computed in f32 and rounded once") {
  const task t{{2, 8, 20, 20}, {16, 8, 3, 3}, {1, 1}, "SAME"};
  for (jq::dtype d : {jq::f16, jq::bf16}) {
    const array x = numbers(t.x).astype(d), k = numbers(t.k, 2).astype(d);
    const auto f = [&](const array& a, const array& b) { return convolved(t, a, b); };
    const array got = jq::jit(f, jq::backend("cpu"))(x, k), want = f(x.astype(jq::f32), k.astype(jq::f32));
    const jq::testing::report r = jq::testing::all_close(got.astype(jq::f32), want, jq::testing::precision(d), 1e-4);
    CHECK_MESSAGE(r.ok, r.text);
  }
}
TEST_CASE("products of matrices are for the library where there is no AVX-512") {
  const task wide{{4, 32, 40, 40}, {64, 32, 1, 1}, {1, 1}, "VALID"}, last_wide{{4, 20, 20, 256}, {1, 1, 256, 64}, {1, 1}, "SAME", last};
  for (const task& t : {wide, last_wide}) {
    CHECK(suits(t) != bool(__builtin_cpu_supports("avx512f")));
    same_within(1e-4, [&](const array& x, const array& k) { return convolved(t, x, k); }, numbers(t.x), numbers(t.k, 2));
  }
}
TEST_CASE("what stays with our loops: dilated operands, removed elements, few operations, filters as large as images") {
  CHECK_FALSE(suits({{4, 32, 40, 40}, {64, 32, 3, 3}, {1, 1}, {{1, 1}, {1, 1}}, {.lhs_dilation = {2, 2}}}));
  CHECK_FALSE(suits({{4, 32, 40, 40}, {64, 32, 3, 3}, {1, 1}, {{-1, 1}, {1, 1}}}));
  CHECK_FALSE(suits({{1, 1, 10, 10}, {2, 1, 3, 3}, {1, 1}, "SAME"}));
  CHECK_FALSE(suits({{16, 8, 40, 40}, {16, 8, 38, 38}, {1, 1}, "VALID"}));
}
