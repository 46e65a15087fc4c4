#pragma once
// The primitives of linear algebra and Fourier transforms, and the list of them: prims.hpp without what most programs never call,
// so that the umbrella need not read it. A new one adds its header and its name here.

#include "jacquard/prims/cholesky.hpp"
#include "jacquard/prims/eig.hpp"
#include "jacquard/prims/eigh.hpp"
#include "jacquard/prims/fft.hpp"
#include "jacquard/prims/lu.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/prims/qr.hpp"
#include "jacquard/prims/schur.hpp"
#include "jacquard/prims/svd.hpp"
#include "jacquard/prims/triangular_solve.hpp"
#include "jacquard/prims/tridiagonal_solve.hpp"

namespace jacquard {

/// Alphabetically.
using linear_algebra_prims = type_list<
    cholesky_p,
    eig_p,
    eigh_p,
    fft_p,
    lu_p,
    qr_p,
    schur_p,
    svd_p,
    triangular_solve_p,
    tridiagonal_solve_p>;

}  // namespace jacquard
