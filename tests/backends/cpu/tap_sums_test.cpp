// Convolutions of sequences and of images of one feature, whose rows are added up tap by tap in registers, against the interpreter's.
#include "same.hpp"

#include <limits>

using jq::array;

namespace {

array numbers(const jq::shape& s, std::uint64_t seed, jq::dtype t) { return jq::random::normal(jq::random::key(seed), s, t); }
/// On tiles and compiled, within rounding errors of so many terms.
template <class F>
void check(F f, const array& x, const array& k, double terms) {
  for (const bool tiles : {true, false}) {
    const array got = jq::jit(f, jq::backend("cpu"), tiles ? jq::compile_at::never : jq::compile_at::first_call)(x, k);
    const double tolerance = terms * (x.dtype() == jq::f64 ? 1e-15 : 5e-7);
    const jq::testing::report r = jq::testing::all_close(got, jq::jit(f, jq::backend("interpreter"))(x, k), tolerance, tolerance);
    CHECK_MESSAGE(r.ok, r.text);
  }
}

}  // namespace

TEST_CASE("cpu: convolve and correlate of all modes, with few taps and many") {
  for (const jq::dtype t : {jq::f32, jq::f64})
    for (const char* mode : {"full", "same", "valid"})
      for (const std::int64_t taps : {2, 5, 63, 64, 65, 130, 1500})
        for (const std::int64_t count : {1600, 2100}) {
          CAPTURE(taps);
          const array x = numbers({count}, 1, t), k = numbers({taps}, 2, t);
          check([=](const array& a, const array& b) { return jq::convolve(a, b, mode); }, x, k, double(taps));
          check([=](const array& a, const array& b) { return jq::correlate(a, b, mode); }, x, k, double(taps));
        }
}
TEST_CASE("cpu: an infinite element reaches as far as the taps do") {
  for (const jq::dtype t : {jq::f32, jq::f64}) {
    const array x = numbers({3000}, 3, t).at(1500).set(std::numeric_limits<double>::infinity()).at(20).set(std::numeric_limits<double>::quiet_NaN());
    const auto f = [](const array& a, const array& b) { return jq::isfinite(jq::convolve(a, b, "same")); };
    const array k = jq::abs(numbers({9}, 4, t)) + 1.0, got = jq::jit(f, jq::backend("cpu"))(x, k), want = jq::jit(f, jq::backend("interpreter"))(x, k);
    CHECK(jq::testing::identical(jq::testing::leaves{got}, jq::testing::leaves{want}).ok);
    CHECK(jq::sum(!got).item<std::int64_t>() == 18);
  }
}
TEST_CASE("cpu: filters of images, padded, dilated, with two features or strides") {
  for (const jq::dtype t : {jq::f32, jq::f64}) {
    const array image = numbers({2, 1, 40, 70}, 5, t), two = numbers({1, 2, 30, 40}, 6, t), k = numbers({1, 1, 5, 7}, 7, t);
    const auto same_size = [](const array& a, const array& b) { return jq::lax::conv(a, b, {1, 1}, "SAME"); };
    check(same_size, image, k, 35);
    check(same_size, two, numbers({1, 2, 3, 3}, 8, t), 18);
    check(same_size, image, numbers({2, 1, 3, 3}, 9, t), 9);
    check([](const array& a, const array& b) { return jq::lax::conv(a, b, {2, 3}, "VALID"); }, image, k, 35);
    check([](const array& a, const array& b) { return jq::lax::conv_general_dilated(a, b, {1, 1}, {{3, 4}, {5, 6}}, {.rhs_dilation = {2, 3}}); }, image, k, 35);
    check([](const array& a, const array& b) { return jq::lax::conv_general_dilated(a, b, {1, 1}, {{3, 4}, {5, 6}}, {.lhs_dilation = {2, 3}}); }, image, k, 35);
  }
}
