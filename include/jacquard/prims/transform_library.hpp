#pragma once
// The Fourier transforms of a library that a backend found. Deliberately an interface without a library.

#include "jacquard/core/shape.hpp"
#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard {

/// Which Fourier transform: of complex numbers, its inverse, of real numbers to the half of the result that says all, and back.
enum class fft_type : std::uint8_t { fft, ifft, rfft, irfft };

namespace detail {

/// `count` transforms of `lengths`, dense and row-major, one after another. In the last dimension the complex side of a real transform
/// has lengths.back() / 2 + 1 elements.
struct transform_sizes {
  fft_type type = fft_type::fft;
  int_list lengths;
  std::int64_t count = 0;
  bool single = false;  ///< float, else double
  bool operator==(const transform_sizes&) const = default;
};
struct transform_library {
  /// Computes them without the factor of the inverse. False: this one is not for the library.
  bool (*transform)(const transform_sizes&, const void* in, void* out) = nullptr;
};

}  // namespace detail
}  // namespace jacquard
