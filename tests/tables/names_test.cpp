// Calls of the functions that are other names, or short ways, of what others do; of windows, places and roots.
#include "calls.hpp"

#include <jacquard/numpy/names.hpp>
#include <jacquard/numpy/places.hpp>
#include <jacquard/numpy/polynomial_roots.hpp>
#include <jacquard/numpy/windows.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section names{
    "numpy/names.hpp",
    {CALL(amax(x)), CALL(amin(x)), CALL(around(x)), CALL(array_equal(x, y)), CALL(array_equiv(x, s)), CALL(bitwise_invert(x)), CALL(bitwise_left_shift(x, y)),
     CALL(bitwise_right_shift(x, y)), CALL(concat({x, y})), CALL(conjugate(x)), CALL(jq::copy(x)), CALL(cumulative_prod(x)), CALL(cumulative_sum(x)),
     CALL(empty({2}, t)), CALL(empty_like(x)), CALL(fmax(x, y)), CALL(fmin(x, y)), CALL(iscomplex(x)), CALL(isreal(x)), CALL(matrix_transpose(m)),
     CALL(negative(x)), CALL(permute_dims(m, {1, 0})), CALL(rint(x)), CALL(sort_complex(x))}};
const section places{"numpy/places.hpp",
                     {CALL(diag_indices(3)), CALL(diag_indices_from(m)), CALL(fill_diagonal(m, s)), CALL(ix_({i, i})), CALL(place(x, flags, y)),
                      CALL(ravel_multi_index({i, i}, {4, 4})), CALL(tril_indices_from(m)), CALL(triu_indices_from(m)), CALL(unravel_index(i, {2, 2}))}};
const section roots_of_polynomials{"numpy/polynomial_roots.hpp", {CALL(roots(x)), CALL(polyfit(arange(0.0, 4.0, 1.0), x, 1)), CALL(polyfit_cov(arange(0.0, 4.0, 1.0), x, 1))}};
const section windows{"numpy/windows.hpp",
                      {CALL(i0(x)), CALL(bartlett(3, t)), CALL(blackman(3, t)), CALL(hamming(3, t)), CALL(hanning(3, t)), CALL(kaiser(3, 2.0, t))}};

}  // namespace

TEST_CASE("other names, places, roots, windows: each dtype is taken, or refused by a type_error") {
  check_calls({&names, &places, &roots_of_polynomials, &windows});
}

}  // namespace tables
