#pragma once
// The primitives, with those of linear algebra and Fourier transforms, which prims.hpp names in its list but does not include: most programs
// of the compile-time lane never call them. Deliberately no list of its own.

#include "jacquard/prims/cholesky.hpp"
#include "jacquard/prims/eig.hpp"
#include "jacquard/prims/eigh.hpp"
#include "jacquard/prims/fft.hpp"
#include "jacquard/prims/hessenberg.hpp"
#include "jacquard/prims/lu.hpp"
#include "jacquard/prims/prims.hpp"
#include "jacquard/prims/qr.hpp"
#include "jacquard/prims/schur.hpp"
#include "jacquard/prims/svd.hpp"
#include "jacquard/prims/triangular_solve.hpp"
#include "jacquard/prims/tridiagonal_solve.hpp"
