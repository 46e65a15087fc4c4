// jq::fft: numpy's documented results, every norm, cutting and padding, axes, inverses, symmetric signals, frequencies, derivatives, errors.
#include <jacquard/numpy/fft.hpp>

#include <jacquard/testing/gradients.hpp>

#include "numpy_testing.hpp"

namespace fft = jq::fft;

namespace {
array numbers(const jq::shape& s, std::uint64_t seed = 1) { return jq::random::normal(jq::random::key(seed), s, jq::f64); }
array complex_numbers(const jq::shape& s) { return lax::complex(numbers(s, 1), numbers(s, 2)); }
double apart(const array& x, const array& y) { return x.shape() == y.shape() && x.dtype() == y.dtype() ? jq::max(jq::abs(x - y)).item<double>() : inf; }
}  // namespace

static_assert(traced([](array x) { return fft::ifft(fft::fft(x)); }, {6}) > 0);

TEST_CASE("results that numpy documents") {
  CHECK(show(fft::fft(asarray({0, 1, 0, 0}))) == "c128[4] 1+0i 0-1i -1+0i 0+1i");
  CHECK(show(fft::rfft(asarray({0, 1, 0, 0}))) == "c128[3] 1+0i 0-1i -1+0i");
  CHECK(apart(fft::ifft(asarray({0, 4, 0, 0})), lax::complex(asarray({1.0, 0.0, -1.0, 0.0}), asarray({0.0, 1.0, 0.0, -1.0}))) == 0);
  CHECK(apart(fft::irfft(asarray({jq::complex128(1, 0), jq::complex128(0, -1), jq::complex128(-1, 0)})), asarray({0.0, 1.0, 0.0, 0.0})) < 1e-15);
  CHECK(apart(fft::hfft(asarray({1.0, 2.0, 3.0, 4.0, 3.0, 2.0}), 6), fft::fft(asarray({1.0, 2.0, 3.0, 4.0, 3.0, 2.0})).dtype() == jq::c128 ? asarray({15.0, -4.0, 0.0, -1.0, 0.0, -4.0}) : array()) < 1e-14);
  CHECK(show(fft::fftfreq(8, 0.1)) == "f64[8] 0 1.25 2.5 3.75 -5 -3.75 -2.5 -1.25");
  CHECK(show(fft::rfftfreq(9, 1.0 / 9)) == "f64[5] 0 1 2 3 4");
  CHECK(show(fft::fftshift(asarray({0.0, 1.0, 2.0, 3.0, 4.0, -5.0, -4.0, -3.0, -2.0, -1.0}))) == "f64[10] -5 -4 -3 -2 -1 0 1 2 3 4");
}
TEST_CASE("inverses under every norm") {
  const array x = numbers({3, 5, 4}), z = complex_numbers({3, 5, 4});
  for (const fft::norm n : {fft::norm::backward, fft::norm::ortho, fft::norm::forward}) {
    CHECK(apart(fft::ifft(fft::fft(z, {}, 1, n), {}, 1, n), z) < 1e-14);
    CHECK(apart(fft::irfft(fft::rfft(x, {}, 1, n), 5, 1, n), x) < 1e-14);
    CHECK(apart(fft::ihfft(fft::hfft(fft::ihfft(x, {}, 2, n), 4, 2, n), {}, 2, n), fft::ihfft(x, {}, 2, n)) < 1e-14);
    CHECK(apart(fft::ifft2(fft::fft2(z, {}, {0, 2}, n), {}, {0, 2}, n), z) < 1e-14);
    CHECK(apart(fft::irfftn(fft::rfftn(x, {}, {}, n), {3, 5, 4}, {}, n), x) < 1e-14);
  }
  const array plain = fft::fft(z);
  CHECK(apart(fft::fft(z, {}, -1, fft::norm::forward), plain * 0.25) < 1e-15);
  CHECK(apart(fft::fft(z, {}, -1, fft::norm::ortho), plain * 0.5) < 1e-15);
}
TEST_CASE("lengths cut or pad, and axes come in any order") {
  const array x = numbers({4, 6});
  CHECK(apart(fft::fft(x, 4), fft::fft(x(jq::slice(), jq::slice(0, 4)))) == 0);
  CHECK(apart(fft::fft(x, 9), fft::fft(jq::concatenate({x, jq::zeros({4, 3}, jq::f64)}, 1))) == 0);
  CHECK(apart(fft::fft(x, jq::none, 0), jq::transpose(fft::fft(jq::transpose(x)))) < 1e-15);
  CHECK(fft::irfft(fft::rfft(x)).shape() == jq::shape{4, 6});
  CHECK(fft::irfft(fft::rfft(x, 7), 7).shape() == jq::shape{4, 7});
  CHECK(apart(fft::fftn(x, {}, {1, 0}), fft::fft(fft::fft(x), {}, 0)) < 1e-13);
  CHECK(fft::rfft2(x, {}, {1, 0}).shape() == jq::shape{3, 6});
  CHECK(fft::fftn(x, {3}).shape() == jq::shape{4, 3});
  const array five = complex_numbers({2, 3, 2, 3, 2});
  array want = five;
  for (int d = 0; d < 5; ++d) want = fft::fft(want, {}, d);
  CHECK(apart(fft::fftn(five), want) < 1e-13);
  CHECK(apart(fft::irfftn(fft::rfftn(numbers({2, 3, 2, 3, 2}))), numbers({2, 3, 2, 3, 2})) < 1e-14);
}
TEST_CASE("dtypes, shifts and derivatives") {
  CHECK(fft::fft(jq::ones({4}, jq::f32)).dtype() == jq::c64);
  CHECK(fft::rfft(jq::ones({4}, jq::bf16)).dtype() == jq::c64);
  CHECK(fft::fft(jq::ones({4}, jq::i32)).dtype() == jq::c128);
  const array x = numbers({3, 5});
  CHECK(distance(fft::ifftshift(fft::fftshift(x)), x) == 0);
  CHECK(show(fft::fftshift(asarray({{1, 2, 3}, {4, 5, 6}}), 1)) == "i32[2,3] 3 1 2 6 4 5");
  const jq::testing::report r = jq::testing::check_grads([](const array& v) { return jq::abs(fft::rfft2(v, {4, 6})); }, std::tuple{x});
  CHECK_MESSAGE(r.ok, r.text);
}
TEST_CASE("errors") {
  const array x = numbers({3, 4});
  CHECK_ERROR(jq::value_error, fft::fft(x, 0), "fft: got 0 as number of data points along axis 1");
  CHECK_ERROR(jq::value_error, fft::fft(x, {}, 2), "fft", "2");
  CHECK_ERROR(jq::value_error, fft::fft2(x, {2}), "fft2: got 1 lengths for 2 axes");
  CHECK_ERROR(jq::value_error, fft::fftn(1.0), "fftn", "no axis");
  CHECK_ERROR(jq::type_error, fft::rfft(complex_numbers({4})), "real transform");
  CHECK_ERROR(jq::value_error, fft::irfft(asarray({1.0})), "irfft", "got 0");
}
