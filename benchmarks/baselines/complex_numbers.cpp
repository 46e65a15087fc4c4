// Hand-written loops over std::complex, compiled with -O3 -march=native -ffast-math: products are the plain formula, g++ vectorises them.
#include <cmath>
#include <complex>
#include <cstddef>

template <class T>
void hand_square(const std::complex<T>* z, std::complex<T>* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = z[i] * z[i] * T(0.5) + z[i];
}
template <class T>
void hand_exp(const std::complex<T>* z, std::complex<T>* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const T size = std::exp(z[i].real());
    out[i] = std::complex<T>(size * std::cos(z[i].imag()), size * std::sin(z[i].imag())) * z[i];
  }
}
template <class T>
void hand_quotient(const std::complex<T>* z, std::complex<T>* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::complex<T> below = z[i] * z[i] + T(3);
    const T square = below.real() * below.real() + below.imag() * below.imag();
    out[i] = std::complex<T>((z[i].real() * below.real() + z[i].imag() * below.imag()) / square, (z[i].imag() * below.real() - z[i].real() * below.imag()) / square);
  }
}
template <class T>
T hand_moduli(const std::complex<T>* z, std::size_t n) {
  T sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::sqrt(z[i].real() * z[i].real() + z[i].imag() * z[i].imag());
  return sum;
}

template void hand_square(const std::complex<float>*, std::complex<float>*, std::size_t);
template void hand_square(const std::complex<double>*, std::complex<double>*, std::size_t);
template void hand_exp(const std::complex<float>*, std::complex<float>*, std::size_t);
template void hand_exp(const std::complex<double>*, std::complex<double>*, std::size_t);
template void hand_quotient(const std::complex<float>*, std::complex<float>*, std::size_t);
template void hand_quotient(const std::complex<double>*, std::complex<double>*, std::size_t);
template float hand_moduli(const std::complex<float>*, std::size_t);
template double hand_moduli(const std::complex<double>*, std::size_t);
