// Calls of the functions that are other names, or short ways, of what others do; of windows, places, roots, hypergeometric functions and integrals.
#include "calls.hpp"

#include <jacquard/numpy/lax.hpp>
#include <jacquard/numpy/mapping.hpp>
#include <jacquard/numpy/names.hpp>
#include <jacquard/numpy/places.hpp>
#include <jacquard/numpy/polynomial_roots.hpp>
#include <jacquard/numpy/windows.hpp>
#include <jacquard/special/hypergeometric.hpp>
#include <jacquard/special/integrals.hpp>

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
                     {CALL(diag_indices(3)), CALL(diag_indices_from(m)), CALL(fill_diagonal(m, s)), CALL(ix_({i, i})), CALL(mask_indices(3, [](const array& v, std::int64_t d) { return triu(v, int(d)); })), CALL(place(x, flags, y)),
                      CALL(ravel_multi_index({i, i}, {4, 4})), CALL(tril_indices_from(m)), CALL(triu_indices_from(m)), CALL(unravel_index(i, {2, 2}))}};
const section roots_of_polynomials{"numpy/polynomial_roots.hpp", {CALL(roots(x)), CALL(polyfit(arange(0.0, 4.0, 1.0), x, 1)), CALL(polyfit_cov(arange(0.0, 4.0, 1.0), x, 1))}};
const section windows{"numpy/windows.hpp",
                      {CALL(i0(x)), CALL(bartlett(3, t)), CALL(blackman(3, t)), CALL(hamming(3, t)), CALL(hanning(3, t)), CALL(kaiser(3, 2.0, t))}};
const section lax_names{
    "numpy/lax.hpp",
    {CALL(lax::batch_matmul(m, w)), CALL(lax::betainc(x, y, s)), CALL(lax::bitwise_and(x, y)), CALL(lax::bitwise_not(x)), CALL(lax::bitwise_or(x, y)),
     CALL(lax::bitwise_xor(x, y)), CALL(lax::broadcast(x, {2})), CALL(lax::broadcast_to_rank(x, 3)), CALL(lax::broadcasted_iota(t, {2, 3}, 1)), CALL(lax::collapse(m, 0)),
     CALL(lax::conv_general_dilated_patches(h, {2, 2}, {1, 1}, "VALID")), CALL(lax::expand_dims(x, 0)), CALL(lax::index_in_dim(x, 1)), CALL(lax::reciprocal(x)),
     CALL(lax::rng_bit_generator(concatenate({k, k}), {2}, t)),
     CALL(lax::scatter_sub(x, expand_dims(i, 1), y, {{}, {0}, {0}})), CALL(lax::slice_in_dim(x, 0, 2)), CALL(lax::sort_key_val(x, y)),
     CALL(lax::broadcast_like(s, x)), CALL(lax::conv_general_dilated_local(h, reshape(h, {4, 1, 2, 2}), {2, 2}, "VALID", {1, 1})), CALL(lax::mulhi(x, y)),
     CALL(lax::ragged_dot(m, expand_dims(w, 0), asarray({3}))), CALL(lax::reduce_xor(x, {0}))}};
const section mapping{"numpy/mapping.hpp",
                      {CALL(apply_along_axis([](const array& v) { return v + v; }, 0, m)), CALL(apply_over_axes([](const array& v, int d) { return flip(v, d); }, m, {0, 1})),
                       CALL(vectorize([](const array& v) { return v + v; })(x))}};
const section hypergeometric{"special/hypergeometric.hpp",
                             {CALL(special::hyp1f1(x, y, s)), CALL(special::poch(x, s)), CALL(special::bernoulli(3)), CALL(special::sph_harm_y(2, 1, x, y)),
                             CALL(special::comb(x, s)), CALL(special::lpmn_values(1, 2, x))}};
const section complex_gamma{"special/complex_gamma.hpp", {CALL(special::loggamma(x))}};
const section error_integrals{"special/error_integrals.hpp", {CALL(special::erfcx(x)), CALL(special::dawsn(x)), CALL(special::owens_t(x, y)), CALL(special::wofz(x))}};
const section gauss_hypergeometric{"special/gauss_hypergeometric.hpp", {CALL(special::hyp2f1(x, y, s, 0.5))}};
const section integrals{"special/integrals.hpp",
                        {CALL(special::exp1(x)), CALL(special::expi(x)), CALL(special::expn(1, x)), CALL(special::si(x)), CALL(special::ci(x)), CALL(special::sici(x)),
                         CALL(special::fresnel(x)), CALL(special::spence(x))}};

}  // namespace

TEST_CASE("other names, places, roots, windows: each dtype is taken, or refused by a type_error") {
  check_calls({&names, &places, &roots_of_polynomials, &windows, &lax_names, &mapping, &hypergeometric, &integrals, &error_integrals, &gauss_hypergeometric, &complex_gamma});
}

}  // namespace tables
