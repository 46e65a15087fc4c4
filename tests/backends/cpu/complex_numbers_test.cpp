// Complex numbers in the loops of kernels, in registers and in the bodies of loops, on tiles and compiled. Oracle: the interpreter, to rounding of
// the number as a whole; to the last bit where programs are strict.
#include "same.hpp"

#include <cmath>

using jq::array;
namespace lax = jq::lax;

namespace {

array numbers(const jq::shape& s, jq::dtype t = jq::c64, int seed = 3) {
  const jq::dtype real = jq::real_dtype(t);
  return lax::complex(jq::random::normal(jq::random::key(seed), s, real), jq::random::normal(jq::random::key(seed + 1), s, real));
}
/// The largest difference of complex numbers, or of real ones, by the size of what is wanted.
double farthest(const array& got, const array& want) {
  if (got.size() == 0) return 0;
  const array x = jq::astype(got, jq::is_complex(got.dtype()) ? jq::c128 : jq::f64), y = jq::astype(want, x.dtype());
  return jq::max(jq::abs(x - y) / (jq::abs(y) + 1e-30)).item<double>();
}
/// Runs f on both tiers, with and without donation, and strictly.
template <class F, class... A>
void same_numbers(F f, const array& first, const A&... x) {
  const double room = jq::real_dtype(first.dtype()) == jq::f64 ? 1e-14 : 2e-6;
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(first, x...));
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const auto check = [&](const jq::testing::leaves& got) {
      REQUIRE(got.size() == want.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        REQUIRE(got[i].aval() == want[i].aval());
        CHECK(farthest(got[i], want[i]) <= room);
      }
    };
    check(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), when)(first, x...)));
    const array given = jq::copy(first);
    check(jq::tree::flatten(jq::jit(f, jq::backend("cpu"), when, jq::donate_argnums<0>)(given, x...)));
  }
  CHECK_SAME(f, first, x...);
}
/// The same for some lengths and both dtypes.
template <class F>
void same_lengths(F f) {
  for (const std::int64_t n : {1, 7, 1000})
    for (const jq::dtype t : {jq::c64, jq::c128}) same_numbers(f, numbers({n}, t), numbers({n}, t, 8));
}
template <class F>
std::string loops(F f, const array& x) { return jq::jit(f, jq::backend("cpu"), jq::compile_at::first_call).lower(x).compile().as_text("loops"); }
template <class F>
bool is_one_kernel(F f, const array& x) {
  const std::string t = loops(f, x);
  const std::string listing = t.substr(t.find("\n\n") == std::string::npos ? 0 : t.find("\n\n"));
  return listing.find("kernel 0") != std::string::npos && listing.find("kernel 1") == std::string::npos && listing.find("= exp v") == std::string::npos;
}

}  // namespace

TEST_CASE("complex numbers on the cpu: arithmetic is one kernel") {
  CHECK(is_one_kernel([](array z) { return z * z * 0.5f + z; }, numbers({1000})));
  same_lengths([](array a, array b) { return a * b + a - 2.5f * b; });
  same_lengths([](array a, array b) { return std::tuple{-a, jq::conj(b), jq::real(a) * jq::imag(b), a == b, a != b}; });
  same_lengths([](array a, array b) { return lax::complex(jq::real(a) + 1, jq::imag(b)) * a; });
  same_lengths([](array a, array b) { return jq::where(jq::real(a) > 0, a, b * 2); });
}
TEST_CASE("complex numbers on the cpu: results that lie over operands") {
  same_lengths([](array a, array) { return jq::conj(a); });
  same_lengths([](array a, array) { return lax::complex(jq::imag(a), jq::real(a)); });
  same_lengths([](array a, array) { return lax::complex(-jq::imag(a), jq::real(a) * jq::real(a)); });
  same_lengths([](array a, array b) { return std::pair{lax::complex(jq::real(a), jq::real(a)), lax::complex(jq::imag(a), jq::imag(b))}; });
  same_lengths([](array a, array b) { return std::pair{a * b, a - b}; });
}
TEST_CASE("complex numbers on the cpu: conversions") {
  same_lengths([](array a, array) { return std::pair{jq::astype(a, jq::c128) * 2, jq::astype(a * 3, jq::c64)}; });
  same_lengths([](array a, array) { return jq::astype(jq::real(a), jq::c128) + a; });
  same_numbers([](array a) { return jq::astype(jq::arange(9), jq::c64) * a; }, numbers({9}));
}
TEST_CASE("complex numbers on the cpu: views, parts of a value, lookups") {
  const array z = numbers({12, 10});
  same_numbers([](array a) { return jq::transpose(a) * 2 + jq::transpose(a); }, z);
  same_numbers([](array a) { return lax::rev(a, {0}) * a(jq::slice(), jq::slice(0, 1)); }, z);
  same_numbers([](array a) { return jq::roll(a, 1, 0) - jq::roll(a, -1, 1) * a; }, z);
  same_numbers([](array a) { return jq::concatenate({a * 2, jq::conj(a)}, 1); }, z);
  same_numbers([](array a) { return a(jq::asarray({3, 1, 1, 7})) * 2; }, numbers({12}));
  same_numbers([](array a, array i) { return a(i) + a(0); }, numbers({12}), jq::asarray({3, 1, 1, 7, 30}));
  same_numbers([](array a, array i) { return a.at(i).set(a(0) * 2) + 1; }, numbers({12}), array(3));
  same_numbers([](array a, array i) { return jq::zeros({12}, jq::c64).at(i).add(a(0) * 2) + 1; }, numbers({12}), array(3));
  same_numbers([](array a, array i) { return (a * 2).at(i).add(a); }, numbers({12}), jq::asarray({3, 1, 1, 7, 11, 0, 2, 3, 4, 5, 6, 7}));
}
TEST_CASE("complex numbers on the cpu: sums and small products") {
  same_numbers([](array a) { return std::tuple{jq::sum(a * a), jq::sum(a, 0), jq::mean(jq::conj(a), 1)}; }, numbers({30, 70}));
  same_numbers([](array a) { return jq::sum(jq::real(a * jq::conj(a))); }, numbers({3000}));
  same_numbers([](array a) { return a - jq::mean(a, 1, jq::keepdims); }, numbers({20, 33}));
  same_numbers([](array a, array b) { return jq::matmul(a, b) + 1; }, numbers({3, 4}), numbers({4, 5}));
  same_numbers([](array a) { return jq::prod(a); }, numbers({6}));
}
TEST_CASE("complex numbers on the cpu: quotients and functions") {
  same_lengths([](array a, array b) { return a / b + 1.5f / a; });
  same_lengths([](array a, array b) { return std::pair{jq::abs(a) + jq::abs(b), jq::sign(a)}; });
  same_lengths([](array a, array b) { return std::tuple{jq::exp(a) * b, jq::sqrt(a), jq::log(b), lax::rsqrt(b)}; });
  same_lengths([](array a, array b) { return std::tuple{jq::sin(a), jq::cos(b), jq::tanh(a)}; });
  same_lengths([](array a, array b) { return std::tuple{jq::sinh(a), jq::cosh(b), jq::tan(a)}; });
  same_lengths([](array a, array b) { return std::tuple{jq::nn::sigmoid(a), jq::log1p(b), jq::expm1(a), jq::pow(a, b)}; });
  same_lengths([](array a, array) { return std::tuple{lax::integer_pow(a, 3), lax::integer_pow(a, -2), jq::arcsin(a * 0.5f)}; });
}
TEST_CASE("complex numbers on the cpu: quotients and moduli of all magnitudes") {
  for (const jq::dtype t : {jq::c64, jq::c128}) {
    const jq::dtype real = jq::real_dtype(t);
    const double most = real == jq::f32 ? 40 : 330;  // powers of two, whose squares are within the range of the dtype and beyond it
    for (const double often : {1.0, 0.01}) {         // everywhere, or in few vectors
      const auto sized = [&](int seed) {
        const array power = jq::round(jq::random::uniform(jq::random::key(seed), {1003}, real, -most, most) * 1.5);
        const array here = jq::random::uniform(jq::random::key(seed + 1), {1003}, real) < often;
        return numbers({1003}, t, seed + 2) * jq::astype(jq::where(here, jq::exp2(power), 1.0), t);
      };
      const array x = sized(20), y = sized(30);
      const auto f = [](array a, array b) { return std::tuple{a / b, jq::abs(a), jq::abs(b) + jq::real(b / a)}; };
      same_numbers([&](array a, array b) { return std::pair{a / b, jq::abs(b)}; }, x, y);
      CHECK(loops([&](array a) { return f(a, y); }, x).find("usually select") != std::string::npos);
    }
  }
}
TEST_CASE("complex numbers on the cpu: a quotient beyond the range has no infinity where its parts cancel") {
  const double most = 1e200, least = 1e-200, inf = std::numeric_limits<double>::infinity();
  const auto of = [](const std::vector<double>& re, const std::vector<double>& im) { return lax::complex(jq::asarray(re), jq::asarray(im)); };
  const array x = of({most, most, -most, 0.1 * most, most}, {most, most, most, 0.3 * most, 0.0}), y = of({least, least, least, 0.1 * least, 0.0}, {least, -least, least, 0.3 * least, least});
  const std::vector<double> re = {inf, 0, 0, inf, 0}, im = {0, inf, inf, 0, -inf};
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const array q = jq::jit([](array a, array b) { return a / b; }, jq::backend("cpu"), when)(x, y);
    CHECK(jq::all(jq::real(q) == jq::asarray(re)).item<bool>());
    CHECK(jq::all(jq::imag(q) == jq::asarray(im)).item<bool>());
  }
}
TEST_CASE("complex numbers on the cpu: loops and branches") {
  const auto squares = [](array c) { return lax::fori_loop(0, 20, [&](array, array z) { return z * z * 0.5f + c; }, c * 0.1f); };
  same_numbers(squares, numbers({}) * 0.5f);
  same_numbers(squares, numbers({5}) * 0.1f);
  same_numbers(squares, numbers({300}) * 0.1f);
  same_numbers([](array c) { return lax::while_loop([](array z) { return jq::real(z * jq::conj(z)) < 50.0f; }, [](array z) { return z * lax::complex(array(1.2f), array(0.3f)); }, c); }, numbers({}));
  same_numbers([](array xs) { return lax::scan([](array s, array x) { return std::pair{s * 0.5f + x, s - x}; }, lax::complex(array(0.f), array(1.f)), xs); }, numbers({40}));
  same_numbers([](array z, array b) { return lax::cond(b, [](array x) { return x * 2; }, [](array x) { return jq::conj(x); }, z); }, numbers({3}), array(true));
}
TEST_CASE("complex numbers on the cpu: derivatives") {
  same_numbers([](array z) { return jq::vjp([](array x) { return x * x * 0.5f + jq::conj(x); }, z).second(z); }, numbers({50}));
  same_numbers([](array z) { return jq::grad([](array x) { return jq::sum(jq::real(jq::exp(x) * jq::conj(x))); })(z); }, numbers({50}));
}
TEST_CASE("complex numbers on the cpu: special values are those of the interpreter") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> parts = {0, -0.0f, 1, -2.5f, inf, -inf, nan, 1e15f, 1e-15f, 90, -110};
  std::vector<float> re, im, re2, im2;
  for (float a : parts)
    for (float b : parts)
      for (float c : parts)
        for (float d : parts) re.push_back(a), im.push_back(b), re2.push_back(c), im2.push_back(d);
  const array x = lax::complex(jq::asarray(re), jq::asarray(im)), y = lax::complex(jq::asarray(re2), jq::asarray(im2));
  const auto f = [](array a, array b) {
    return std::tuple{a + b, a - b, a * b, a / b, jq::abs(a), -a, jq::conj(a), a == b, jq::exp(a), jq::log(a), jq::sqrt(a), jq::sin(a), jq::cos(a), jq::tanh(a), jq::where(jq::real(a) > 0, a, b)};
  };
  const jq::testing::leaves want = jq::tree::flatten(jq::jit(f, jq::backend("interpreter"))(x, y));
  for (const jq::compile_at when : {jq::compile_at::never, jq::compile_at::first_call}) {
    const jq::testing::leaves got = jq::tree::flatten(jq::jit(f, jq::backend("cpu"), when)(x, y));
    for (std::size_t i = 0; i < want.size(); ++i) {
      const bool is_complex = jq::is_complex(want[i].dtype());
      int wrong = 0;
      const auto compare = [&](float g, float w, float size, std::size_t k) {
        bool same = std::isnan(w) ? std::isnan(g) : std::isinf(w) ? g == w : std::fabs(g - w) <= 4e-6f * size + 1e-37f;
        if (w == 0 && g == 0) same = std::signbit(w) == std::signbit(g);
        if (same || ++wrong > 3) return;
        INFO("result " << i << " of (" << re[k] << ", " << im[k] << "), (" << re2[k] << ", " << im2[k] << "): got " << g << ", want " << w);
        CHECK(false);
      };
      for (std::size_t k = 0; k < re.size(); ++k) {
        if (!is_complex && want[i].dtype() == jq::bool_) {
          wrong += got[i].data<bool>()[k] != want[i].data<bool>()[k];
          continue;
        }
        if (!is_complex) {
          compare(got[i].data<float>()[k], want[i].data<float>()[k], std::fabs(want[i].data<float>()[k]), k);
          continue;
        }
        const auto g = got[i].data<jq::complex64>()[k], w = want[i].data<jq::complex64>()[k];
        const float a = std::isfinite(w.re) ? std::fabs(w.re) : 0, b = std::isfinite(w.im) ? std::fabs(w.im) : 0;
        compare(g.re, w.re, std::fmax(a, b), k), compare(g.im, w.im, std::fmax(a, b), k);
      }
      CHECK(wrong == 0);
    }
  }
}
