#pragma once
// The libraries of foreign kernels that programs of this backend use where they are installed. Deliberately found at run time, when the
// first kernel asks: nothing is linked, and everything works without them.

#include "jacquard/backends/cpu/blas_library.hpp"
#include "jacquard/backends/cpu/fftw_library.hpp"
#include "jacquard/backends/cpu/onednn_convolutions.hpp"
#include "jacquard/backends/cpu/product_tiles.hpp"
#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard::cpu {

/// OpenBLAS, with the LAPACK inside it, oneDNN and FFTW.
inline constexpr jacquard::detail::kernel_libraries libraries_found{&products_found, &lapack_function, &fftw_library, &convolutions_found};

}  // namespace jacquard::cpu
