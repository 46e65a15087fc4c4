// FFTW as the cpu backend calls it, against the loops of the interpreter: every kind, precision and rank, operands that lie anywhere, plans
// from several threads. Where it is not installed both sides are our own loops.
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/native_backend.hpp>
#include <jacquard/prims/fft.hpp>

#include <thread>

#include "../../prims/prim_testing.hpp"

using namespace prim_testing;
using jq::fft_type;

namespace {
array noise(jq::dtype t, const shape& s, unsigned seed = 1) { return direction(lax::zeros(jq::aval(t, s)), seed); }
array on_cpu(const array& x, fft_type type, const jq::int_list& lengths) {
  return jq::jit([=](const array& v) { return lax::fft(v, type, lengths); }, jq::backend("cpu"))(x);
}
}  // namespace

TEST_CASE("transforms by FFTW are those by loops") {
  for (const bool single : {false, true})
    for (const shape& s : {shape{8}, shape{3, 60}, shape{2, 37}, shape{2, 6, 9}, shape{4, 5, 6}, shape{2, 3, 4, 7}}) {
      const int rank = std::min(3, std::max(1, s.rank() - 1));
      jq::int_list n;
      for (int d = s.rank() - rank; d < s.rank(); ++d) n.push_back(s[d]);
      const double tolerance = single ? 2e-5 : 1e-13;
      const array z = noise(single ? jq::c64 : jq::c128, s), x = noise(single ? jq::f32 : jq::f64, s);
      CHECK_CLOSE(on_cpu(z, fft_type::fft, n), lax::fft(z, fft_type::fft, n), tolerance);
      CHECK_CLOSE(on_cpu(z, fft_type::ifft, n), lax::fft(z, fft_type::ifft, n), tolerance);
      const array half = lax::fft(x, fft_type::rfft, n);
      CHECK_CLOSE(on_cpu(x, fft_type::rfft, n), half, tolerance);
      const std::vector<c128> before = numbers(half);
      CHECK_CLOSE(on_cpu(half, fft_type::irfft, n), x, tolerance);
      CHECK(numbers(half) == before);  // which FFTW would overwrite
    }
}
TEST_CASE("the half of a spectrum may hold imaginary parts that do not count") {
  const array z = noise(jq::c128, {3, 9});
  CHECK_CLOSE(on_cpu(z, fft_type::irfft, {16}), lax::fft(z, fft_type::irfft, {16}), 1e-13);
}
TEST_CASE("operands and results that lie at odd addresses") {
  if (!jq::cpu::detail::fftw_of(false).complete()) return;
  std::vector<double> in(67), out(67);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = double(i * i % 11);
  const jq::detail::transform_sizes sizes{fft_type::rfft, {64}, 1, false};
  const array want = lax::fft(jq::asarray(std::span<const double>(in.data() + 1, 64), {64}), fft_type::rfft, {64});
  for (std::size_t at : {0u, 1u}) {
    REQUIRE(jq::cpu::detail::transform(sizes, in.data() + 1, out.data() + at));
    for (std::size_t k = 0; k < 33; ++k) CHECK(std::abs(out[at + 2 * k] - numbers(want)[k].real()) < 1e-12);
  }
}
TEST_CASE("several threads plan and transform at once") {
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::int64_t n = 16; n < 40; ++n) {
        const array z = noise(jq::c128, {n}, unsigned(t));
        good[t] += close(on_cpu(z, fft_type::fft, {n}), lax::fft(z, fft_type::fft, {n}), 1e-13);
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(good == std::vector<int>(4, 24));
}
