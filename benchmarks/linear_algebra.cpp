// Factorisations and Fourier transforms on the cpu backend against LAPACK and FFTW called directly, on the same data: what does the library
// cost beside the library that does the work? Both sides leave the operand alone and make new results; LAPACK's side gets and gives columns,
// so that it transposes nothing. Prints ratios; the bar is 1.2. Where OpenBLAS or FFTW is not installed its lines are missing.

#include <jacquard/backends/cpu/blas_library.hpp>
#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/backends/cpu/fftw_library.hpp>
#include <jacquard/jacquard.hpp>
#include <jacquard/prims/linear_algebra.hpp>

#include <complex>

#include "interleaved.hpp"

namespace jq = jacquard;
namespace lax = jacquard::lax;
using interleaved::compare;
using jq::array;

namespace {

using number = std::complex<double>;

/// LAPACK by name, called as Fortran's compilers do.
template <class... A>
void lapack(const char* name, A... arguments) {
  reinterpret_cast<void (*)(A...)>(jq::cpu::lapack_function(name))(arguments...);
}
template <class T>
std::vector<T> elements(const array& x) {
  const auto s = x.data<std::conditional_t<std::is_same_v<T, number>, jq::complex128, T>>();
  std::vector<T> r;
  for (const auto& v : s) r.push_back(T(v));
  return r;
}
array random_matrix(std::int64_t m, std::int64_t n) {
  interleaved::numbers next;
  std::vector<double> x(std::size_t(m * n));
  next.fill(x);
  return jq::asarray(std::span<const double>(x), jq::shape{m, n});
}
template <class F>
auto compiled(F f) {
  return jq::jit([f](const array& x) {
    const jq::array_list y = f(x);
    return std::vector<array>(y.begin(), y.end());
  }, jq::backend("cpu"));
}

void factorisations(int n) {
  const array x = random_matrix(n, n), definite = lax::add(lax::mul(double(n), jq::eye(n, jq::f64)), jq::matmul(x, jq::transpose(x)));
  const std::vector<double> rows = elements<double>(x), columns = elements<double>(jq::transpose(x)), symmetric = elements<double>(definite);
  const std::size_t size = rows.size();
  std::vector<double> work(400 * static_cast<std::size_t>(n) + 8 * size + 4096), more(static_cast<std::size_t>(n), 0.0);
  std::vector<int> integers(16 * static_cast<std::size_t>(n) + 64, 0);
  const int length = int(work.size()), whole = int(integers.size());
  int info = 0;
  char name[64];
  const auto run = [&](const char* what, const auto& ours, const array& in, double error, const auto& hand) {
    std::snprintf(name, sizeof name, "%s %d", what, n);
    compare(name, 1, error, hand, [&] { interleaved::observe(ours(in)[0].template data<double>().data()); }, 1.2, "LAPACK");
  };
  const auto cholesky = compiled([](const array& a) { return jq::array_list{lax::cholesky(a)}; });
  const auto by_hand = [&] {
    std::vector<double> a = symmetric;
    lapack("dpotrf_", "U", &n, a.data(), &n, &info, std::size_t(1));
    interleaved::observe(a.data());
    return a;
  };
  const std::vector<double> l = elements<double>(cholesky(definite)[0]), want = by_hand();
  run("cholesky", cholesky, definite, interleaved::relative_error(want.data(), l.data(), 1), by_hand);
  run("lu", compiled([](const array& a) { return lax::lu(a); }), x, 0, [&] {
    std::vector<double> a = columns;
    lapack("dgetrf_", &n, &n, a.data(), &n, integers.data(), &info);
    interleaved::observe(a.data());
  });
  run("qr", compiled([](const array& a) { return lax::qr(a); }), x, 0, [&] {
    std::vector<double> a = columns;
    lapack("dgeqrf_", &n, &n, a.data(), &n, more.data(), work.data(), &length, &info);
    std::vector<double> r = a;
    lapack("dorgqr_", &n, &n, &n, a.data(), &n, more.data(), work.data(), &length, &info);
    interleaved::observe(a.data());
  });
  run("eigh", compiled([](const array& a) { return lax::eigh(a); }), definite, 0, [&] {
    std::vector<double> a = symmetric;
    lapack("dsyevd_", "V", "U", &n, a.data(), &n, more.data(), work.data(), &length, integers.data(), &whole, &info, std::size_t(1), std::size_t(1));
    interleaved::observe(a.data());
  });
  run("svd", compiled([](const array& a) { return lax::svd(a); }), x, 0, [&] {
    std::vector<double> a = columns, u(size), v(size);
    lapack("dgesdd_", "S", &n, &n, a.data(), &n, more.data(), u.data(), &n, v.data(), &n, work.data(), &length, integers.data(), &info, std::size_t(1));
    interleaved::observe(u.data());
  });
  const auto eigenvectors = jq::jit([](const array& a) { return jq::linalg::eig(a).eigenvectors; }, jq::backend("cpu"));
  std::snprintf(name, sizeof name, "eig %d", n);
  compare(name, 1, 0, [&] {
    std::vector<double> a = columns, imaginary(static_cast<std::size_t>(n)), v(size);
    lapack("dgeev_", "N", "V", &n, a.data(), &n, more.data(), imaginary.data(), nullptr, &n, v.data(), &n, work.data(), &length, &info, std::size_t(1), std::size_t(1));
    std::vector<number> vectors(size);  // pairs of columns hold the parts of conjugate vectors
    for (std::size_t j = 0; j < std::size_t(n); ++j)
      for (std::size_t i = 0; i < std::size_t(n); ++i) {
        double* const at = v.data() + j * std::size_t(n) + i;
        if (imaginary[j] == 0) vectors[j * std::size_t(n) + i] = *at;
        else if (imaginary[j] > 0) vectors[j * std::size_t(n) + i] = number(at[0], at[n]);
        else vectors[j * std::size_t(n) + i] = number(at[-n], -at[0]);
      }
    interleaved::observe(vectors.data());
  }, [&] { interleaved::observe(eigenvectors(x).data<jq::complex128>().data()); }, 1.2, "LAPACK");
  run("schur", compiled([](const array& a) { return lax::schur(a); }), x, 0, [&] {
    std::vector<double> a = columns, imaginary(static_cast<std::size_t>(n)), z(size);
    int count = 0;
    lapack("dgees_", "V", "N", nullptr, &n, a.data(), &n, &count, more.data(), imaginary.data(), z.data(), &n, work.data(), &length, integers.data(), &info, std::size_t(1), std::size_t(1));
    interleaved::observe(z.data());
  });
  const auto solve = jq::jit([](const array& a, const array& b) { return lax::triangular_solve(a, b); }, jq::backend("cpu"));
  std::snprintf(name, sizeof name, "triangular_solve %d", n);
  const double one = 1;
  compare(name, 1, 0, [&] {
    std::vector<double> b = rows;
    lapack("dtrsm_", "R", "U", "N", "N", &n, &n, &one, symmetric.data(), &n, b.data(), &n, std::size_t(1), std::size_t(1), std::size_t(1), std::size_t(1));
    interleaved::observe(b.data());
  }, [&] { interleaved::observe(solve(definite, x).data<double>().data()); }, 1.2, "LAPACK");
}

/// A system of n equations with three diagonals.
void tridiagonal(int n) {
  const array low = random_matrix(1, n)[0], high = random_matrix(1, n)[0], main = low + 4.0, b = random_matrix(n, 1);
  const std::vector<double> l = elements<double>(low), d = elements<double>(main), u = elements<double>(high), right = elements<double>(b);
  const auto solve = jq::jit([](const array& x, const array& y, const array& z, const array& r) { return lax::tridiagonal_solve(x, y, z, r); }, jq::backend("cpu"));
  char name[64];
  std::snprintf(name, sizeof name, "tridiagonal_solve %d", n);
  compare(name, 1, 0, [&] {
    std::vector<double> below(l.begin() + 1, l.end()), diagonal = d, above(u.begin(), u.end() - 1), x = right;
    const int one = 1;
    int info = 0;
    lapack("dgtsv_", &n, &one, below.data(), diagonal.data(), above.data(), x.data(), &n, &info);
    interleaved::observe(x.data());
  }, [&] { interleaved::observe(solve(low, main, high, b).data<double>().data()); }, 1.2, "LAPACK");
}

/// Of several dimensions, one plan for all.
void transforms_of(const jq::int_list& lengths, const char* name) {
  const auto& fftw = jq::cpu::detail::fftw_of(false);
  std::int64_t size = 1;
  for (std::int64_t n : lengths) size *= n;
  const array x = jq::reshape(lax::complex(random_matrix(1, size), random_matrix(1, size)), jq::shape(lengths));
  void* const plan = jq::cpu::detail::plan_for(fftw, {jq::fft_type::fft, lengths, 1, false}, true);
  const auto ours = jq::jit([=](const array& v) { return lax::fft(v, jq::fft_type::fft, lengths); }, jq::backend("cpu"));
  compare(name, 1, 0, [&] {
    number* const out = static_cast<number*>(fftw.allocate(std::size_t(size) * sizeof(number)));
    fftw.run(plan, const_cast<void*>(static_cast<const void*>(x.as_buffer()->data)), out);
    interleaved::observe(out);
    fftw.release(out);
  }, [&] { interleaved::observe(ours(x).as_buffer()->data); }, 1.2, "FFTW");
}

/// One plan, made once, against jit of the same transform. The inverse scales, as ours does.
void transforms(std::int64_t n, std::int64_t count) {
  const auto& fftw = jq::cpu::detail::fftw_of(false);
  const array re = random_matrix(count, n), x = lax::complex(re, random_matrix(count, n));
  char name[64];
  const auto run = [&](const char* what, jq::fft_type type, const array& in, std::size_t out_size, auto call) {
    const jq::cpu::detail::transform_sizes sizes{type, {n}, count, false};
    void* const plan = jq::cpu::detail::plan_for(fftw, sizes, true);
    const auto ours = jq::jit([=](const array& v) { return lax::fft(v, type, {n}); }, jq::backend("cpu"));
    const double scale = type == jq::fft_type::ifft ? 1 / double(n) : 1;
    const auto hand = [&] {
      number* const out = static_cast<number*>(fftw.allocate(out_size * sizeof(number)));
      call(plan, const_cast<void*>(static_cast<const void*>(in.as_buffer()->data)), out);
      if (scale != 1)
        for (std::size_t i = 0; i < out_size; ++i) out[i] *= scale;
      interleaved::observe(out);
      fftw.release(out);
    };
    std::snprintf(name, sizeof name, "%s %lld x %lld", what, static_cast<long long>(count), static_cast<long long>(n));
    compare(name, 1, 0, hand, [&] { interleaved::observe(ours(in).as_buffer()->data); }, 1.2, "FFTW");
  };
  run("fft", jq::fft_type::fft, x, std::size_t(n * count), fftw.run);
  run("ifft", jq::fft_type::ifft, x, std::size_t(n * count), fftw.run);
  run("rfft", jq::fft_type::rfft, re, std::size_t((n / 2 + 1) * count), fftw.run_to_half);
}

}  // namespace

int main() {
  jq::cpu::set_threads(1);  // the time of others is not counted
  if (jq::cpu::lapack_function("dgesdd_")) {
    for (int n : {16, 64, 200}) factorisations(n);
    for (int n : {16, 1000}) tridiagonal(n);
  } else std::puts("OpenBLAS with LAPACK is not installed: no factorisations");
  if (jq::cpu::detail::fftw_of(false).complete()) {
    transforms_of({128, 128}, "fft 128 x 128, both dimensions");
    transforms_of({32, 32, 32}, "fft 32 x 32 x 32, all dimensions");
    for (std::int64_t n : {64, 60, 1000, 1009, 1024, 16384, 44100}) transforms(n, n < 1000 ? 64 : 1);
  } else std::puts("FFTW is not installed: no transforms");
}
