// Calls of the distributions of random numbers.
#include "calls.hpp"

#include <jacquard/numpy/random_continuous.hpp>
#include <jacquard/numpy/random_discrete.hpp>
#include <jacquard/numpy/random_gamma.hpp>
#include <jacquard/numpy/random_multivariate.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section continuous{
    "numpy/random_continuous.hpp",
    {CALL(random::cauchy(k, {2}, t)), CALL(random::double_sided_maxwell(k, 0.0, 1.0, {2}, t)), CALL(random::laplace(k, {2}, t)), CALL(random::logistic(k, {2}, t)),
     CALL(random::lognormal(k, 1.0, {2}, t)), CALL(random::maxwell(k, {2}, t)), CALL(random::pareto(k, 2.0, {2}, t)), CALL(random::rademacher(k, {2}, t)),
     CALL(random::rayleigh(k, 1.0, {2}, t)), CALL(random::triangular(k, 0.0, 1.0, 2.0, {2}, t)), CALL(random::truncated_normal(k, -1.0, 1.0, {2}, t)),
     CALL(random::wald(k, 1.0, {2}, t)), CALL(random::weibull_min(k, 1.0, 2.0, {2}, t))}};
const section discrete{"numpy/random_discrete.hpp",
                       {CALL(random::binomial(k, 5, 0.5, {2}, t)), CALL(random::geometric(k, 0.5, {2}, t)),
                        CALL(random::multinomial(k, 5, asarray({0.5, 0.5}), {}, t)), CALL(random::poisson(k, 3.0, {2}, t))}};
const section gamma_family{
    "numpy/random_gamma.hpp",
    {CALL(random::gamma(k, 2.0, {2}, t)), CALL(random::loggamma(k, 2.0, {2}, t)), CALL(random::beta(k, 2.0, 3.0, {2}, t)), CALL(random::chisquare(k, 3.0, {2}, t)),
     CALL(random::dirichlet(k, asarray({1.0, 2.0}), {}, t)), CALL(random::f(k, 3.0, 4.0, {2}, t)), CALL(random::t(k, 3.0, {2}, t)),
     CALL(random::generalized_normal(k, 1.5, {2}, t)), CALL(random::ball(k, 3, 2.0, {2}, t))}};
const section multivariate{"numpy/random_multivariate.hpp",
                           {CALL(random::multivariate_normal(k, asarray({0.0, 0.0}), eye(2, f64), {}, t)), CALL(random::orthogonal(k, 2, {}, t))}};

}  // namespace

TEST_CASE("distributions: each dtype is taken, or refused by a type_error") {
  check_calls({&continuous, &discrete, &gamma_family, &multivariate});
}

}  // namespace tables
