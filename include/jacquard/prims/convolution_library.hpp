#pragma once
// The convolutions of a library that a backend found. Deliberately an interface without a library.

#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard::detail {

struct conv_plan;

struct convolution_library {
  /// Computes a convolution, with every element of the result. False: this one is not for the library, and nothing was written.
  bool (*f32)(const conv_plan&, const float* x, const float* k, float* out) = nullptr;
};

}  // namespace jacquard::detail
