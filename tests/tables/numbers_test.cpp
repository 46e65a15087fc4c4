// Calls of reductions and statistics, polynomials, calculus, windows, products, and of random numbers.
#include "calls.hpp"

#include <jacquard/numpy/calculus.hpp>
#include <jacquard/numpy/polynomials.hpp>
#include <jacquard/numpy/pooling.hpp>
#include <jacquard/numpy/quantiles.hpp>
#include <jacquard/numpy/statistics.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section reductions{"numpy/reductions.hpp",
                         {CALL(sum(x)), CALL(prod(x)), CALL(mean(x)), CALL(var(x)), CALL(jq::std(x)), CALL(max(x)), CALL(min(x)), CALL(argmax(x)), CALL(argmin(x)),
                          CALL(any(x)), CALL(all(x)), CALL(allclose(x, y)), CALL(cumsum(x)), CALL(logsumexp(x)), CALL(softmax(x)), CALL(log_softmax(x))}};
const section statistics{"numpy/statistics.hpp",
                         {CALL(count_nonzero(x)), CALL(ptp(x)), CALL(average(x)), CALL(cov(m)), CALL(corrcoef(m)), CALL(nansum(x)), CALL(nanprod(x)), CALL(nanmean(x)),
                          CALL(nanvar(x)), CALL(nanstd(x)), CALL(nanmax(x)), CALL(nanmin(x)), CALL(nanargmax(x)), CALL(nanargmin(x)), CALL(nancumsum(x)),
                          CALL(nancumprod(x))}};
const section exponentials{"numpy/reduction_options.hpp",
                           {CALL(logsumexp(x, jq::none, {.b = y})), CALL(signed_logsumexp(x, jq::none, {.b = y})), CALL(softmax(x, -1, {.where = flags})),
                            CALL(log_softmax(x, -1, {.where = flags}))}};
const section quantiles{"numpy/quantiles.hpp",
                        {CALL(quantile(x, 0.5)), CALL(nanquantile(x, 0.5)), CALL(percentile(x, 50.0)), CALL(nanpercentile(x, 50.0)), CALL(median(x)),
                         CALL(nanmedian(x))}};
const section contraction{"numpy/contraction.hpp",
                          {CALL(matmul(m, w)), CALL(tensordot(m, w)), CALL(dot(m, w)), CALL(vdot(x, y)), CALL(inner(x, y)), CALL(outer(x, y)), CALL(linalg::trace(m)),
                           CALL(linalg::norm(m))}};
const section einsum_calls{"numpy/einsum.hpp", {CALL(einsum("ij,jk->ik", m, w))}};
const section convolution{"numpy/convolution.hpp", {CALL(convolve(x, y)), CALL(correlate(x, y))}};
const section calculus{"numpy/calculus.hpp",
                       {CALL(diff(x)), CALL(ediff1d(x)), CALL(gradient(x)), CALL(trapezoid(x)), CALL(interp(x, x, y)), CALL(cross(m, w)), CALL(kron(x, y)),
                       CALL(matvec(m, w(0))), CALL(vecmat(w(0), m)), CALL(unwrap(x))}};
const section polynomials{"numpy/polynomials.hpp",
                          {CALL(polyval(x, y)), CALL(polyadd(x, y)), CALL(polysub(x, y)), CALL(polymul(x, y)), CALL(polyder(x)), CALL(polyint(x)),
                          CALL(poly(x)), CALL(polydiv(x, y))}};
const section pooling{"numpy/pooling.hpp", {CALL(max_pool(h, {2, 2})), CALL(min_pool(h, {2, 2})), CALL(avg_pool(h, {2, 2}))}};
const section random_numbers{"numpy/random.hpp",
                             {CALL(random::key(s)), CALL(random::split(k)), CALL(random::fold_in(k, s)), CALL(random::bits(k, {2}, t)), CALL(random::uniform(k, {2}, t)),
                              CALL(random::normal(k, {2}, t)), CALL(random::exponential(k, {2}, t)), CALL(random::gumbel(k, {2}, t)),
                              CALL(random::bernoulli(k, s, {2})), CALL(random::randint(k, {2}, 0, 3, t)), CALL(random::permutation(k, x)),
                              CALL(random::choice(k, x, {2})), CALL(random::categorical(k, x)),
                              CALL(random::key_data(k)), CALL(random::wrap_key_data(random::key_data(k)))}};

}  // namespace

TEST_CASE("reductions, statistics, products, random numbers: each dtype is taken, or refused by a type_error") {
  check_calls({&reductions, &statistics, &exponentials, &quantiles, &contraction, &einsum_calls, &convolution, &calculus, &polynomials, &pooling, &random_numbers});
}

}  // namespace tables
