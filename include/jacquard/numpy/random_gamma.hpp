#pragma once
// The gamma distribution and those made of it: chi-square, beta, Dirichlet's, Student's t, F, the generalised normal one. Samples have
// derivatives in the parameters: those at a fixed value of the distribution function. What a place of an array
// gets depends on the key, its position and its parameters alone.

#include "jacquard/control/branches.hpp"
#include "jacquard/control/composite.hpp"
#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/numpy/random_continuous.hpp"
#include "jacquard/numpy/rejection.hpp"
#include "jacquard/prims/igamma.hpp"

namespace jacquard::random {

namespace detail {

/// Samples of the gamma distribution, or their logarithms. For alpha >= 1 cubes of transformed normal numbers, by rejection; below, a sample of
/// shape alpha + 1 times u^(1 / alpha), which is left out where no alpha is that small.
/// NaN for negative alpha. alpha is a scalar or of the shape of the samples. Source: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000.
template <class Operand = operand>
constexpr array marsaglia_tsang(const lazy<Operand>& k, const array& alpha, const shape& dims, bool logarithm) {
  const dtype t = alpha.dtype();
  const std::vector<operand> keys = subkeys(k, 2);
  const array small = alpha < 1.0, scale = jacquard::where(small, alpha + 1.0, alpha) - 1.0 / 3, slope = rsqrt(scale) / 3.0;
  const array valid = alpha >= 0.0, open = valid & isfinite(alpha);
  const array start = jacquard::where(valid, scalar_like(alpha, 1), std::numeric_limits<double>::quiet_NaN());
  const auto everywhere = [&](const array& x) { return broadcast_operand(x, dims, false, k.where); };
  const array cubes = first_accepted(keys[0], everywhere(open), everywhere(start), [&](const operand& key, const trial& at) {
    const std::vector<operand> of_trip = subkeys(key, 2);
    const array x = at.normal(of_trip[0], t), u = at.unit_uniform(of_trip[1], t);
    const array v = 1.0 + at(slope) * x, positive = v > 0.0, cube = v * v * v;
    const array bound = 0.5 * x * x + at(scale) * (1.0 - cube + log(jacquard::where(positive, cube, 1.0)));
    return proposals{positive & (log(u) < bound), cube};
  });
  const array scaled = scale * cubes;
  array sample = scaled;
  if (logarithm) sample = log(scaled);
  const auto boosted = [&](const array& x) {
    const array u = unit_uniform(keys[1], dims, t), boost = jacquard::where(small, -exponential_of(u, k.where) / jacquard::where(small, alpha, 1.0), 0.0);
    if (logarithm) return x + boost;
    return x * exp(boost);
  };
  return lax::cond(any(small), boosted, [](const array& x) { return x; }, sample);
}

/// Samples of shape alpha, and their derivatives: how x moves such that P(alpha, x) stays (Figurnov, Mohamed and Mnih, "Implicit
/// reparameterization gradients", 2018). Of the logarithm, P(a, x) being x^a / gamma(a + 1) where x is small, (digamma(a + 1) - log x) / a.
template <class Array = array>
constexpr array gamma_with_rule(const lazy<Array>& its_key, const array& alpha, const location& where, const shape& dims, bool logarithm) {
  const auto sample = [where, dims, logarithm](const array& key, const array& a) {
    return marsaglia_tsang(operand(key, where), a, dims, logarithm);
  };
  const auto rule = [where, logarithm, sample](const std::tuple<array, array>& x, const std::tuple<array, array>& t) {
    const array& a = std::get<1>(x);
    const array y = sample(std::get<0>(x), a);
    if (!logarithm) return std::pair{y, std::get<1>(t) * lax::random_gamma_grad(a, y, where)};
    const array tiny = y < math::log(roundoff(a.dtype())), size = exp(jacquard::where(tiny, 0.0, y));
    const array next_to_zero = (lax::digamma(a + 1.0, where) - y) / a;
    return std::pair{y, std::get<1>(t) * jacquard::where(tiny, next_to_zero, lax::random_gamma_grad(a, size, where) / size)};
  };
  return custom_jvp(sample, rule)(its_key, alpha);
}
template <class Operand = operand>
constexpr array gamma_of(const lazy<Operand>& k, const array& alpha, const shape& dims, bool logarithm) {
  const auto sample = [](view<const array> x, const location& where, const shape& d, bool of_log) { return gamma_with_rule(x[0], x[1], where, d, of_log); };
  const array operands[] = {k.value, alpha};
  return composite("gamma", sample, operands, k.where, dims, logarithm);
}

}  // namespace detail

/// The gamma distribution of shape alpha and scale 1, of density x^(alpha - 1) exp(-x) / gamma(alpha); NaN for negative alpha. Samples of a small
/// alpha may be too small for the dtype: see loggamma. Rules: derivatives in alpha, of first order.
/// Errors: as uniform; shape_error for parameters that do not broadcast to dims. Cost: of large arrays about 1.3 trips per sample, each of a normal and
/// a uniform number (see rejection.hpp); of small ones as many trips as the last place needs.
template <class Operand = operand>
constexpr array gamma(const lazy<Operand>& k, const lazy<Operand>& alpha, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("gamma", k, {alpha}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(detail::gamma_of(k, d.repeated_unless_scalar(0), d.dims, false));
}
/// The logarithm of a sample of the gamma distribution, also where that is too small for the dtype. Errors: as gamma.
template <class Operand = operand>
constexpr array loggamma(const lazy<Operand>& k, const lazy<Operand>& alpha, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("loggamma", k, {alpha}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(detail::gamma_of(k, d.repeated_unless_scalar(0), d.dims, true));
}
/// The chi-square distribution: the sum of the squares of df normal numbers. Errors: as gamma.
template <class Operand = operand>
constexpr array chisquare(const lazy<Operand>& k, const lazy<Operand>& df, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("chisquare", k, {df}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(2.0 * detail::gamma_of(k, 0.5 * d.repeated_unless_scalar(0), d.dims, false));
}
/// The beta distribution on [0, 1], of density proportional to x^(a - 1) (1 - x)^(b - 1): x / (x + y) of two gamma samples, from their logarithms.
/// Errors: as gamma.
template <class Operand = operand>
constexpr array beta(const lazy<Operand>& k, const lazy<Operand>& a, const lazy<Operand>& b, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("beta", k, {a, b}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  const array x = detail::gamma_of(keys[0], d.repeated_unless_scalar(0), d.dims, true),
              y = detail::gamma_of(keys[1], d.repeated_unless_scalar(1), d.dims, true);
  return d.as_drawn(jacquard::logistic(x - y));
}
/// Dirichlet's distribution: non-negative numbers along the last axis, whose sum is 1, with mean alpha / sum(alpha). `dims` are those before the
/// last one.
/// Errors: as gamma; shape_error for a scalar alpha.
template <class Operand = operand>
constexpr array dirichlet(const lazy<Operand>& k, const lazy<Operand>& alpha, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const shape given = alpha.value.shape();
  if (given.rank() == 0)
    return detail::bad_operands(k, alpha, error_kind::shape, "random::dirichlet: got a scalar alpha, wanted a vector of concentrations");
  const shape wanted = dims.rank() == 0 ? given : shape(dims.with(dims.rank(), given[given.rank() - 1]));
  const detail::draw d("dirichlet", k, {alpha}, wanted, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(softmax(detail::gamma_of(k, d.repeated_unless_scalar(0), d.dims, true), -1));
}
/// Student's distribution of df degrees of freedom. Errors: as gamma.
template <class Operand = operand>
constexpr array t(const lazy<Operand>& k, const lazy<Operand>& df, const shape& dims = {}, dtype type = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("t", k, {df}, dims, type);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  const array half = 0.5 * d.repeated_unless_scalar(0);
  return d.as_drawn(random::normal(keys[0], d.dims, d.wide) * sqrt(half / detail::gamma_of(keys[1], half, d.dims, false)));
}
/// Fisher's F distribution: the quotient of two chi-square samples, each divided by its degrees of freedom. Errors: as gamma.
template <class Operand = operand>
constexpr array f(const lazy<Operand>& k, const lazy<Operand>& numerator_df, const lazy<Operand>& denominator_df, const shape& dims = {},
                  dtype type = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("f", k, {numerator_df, denominator_df}, dims, type);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  const array a = 0.5 * d.repeated_unless_scalar(0), b = 0.5 * d.repeated_unless_scalar(1);
  const array x = detail::gamma_of(keys[0], a, d.dims, true) - log(a), y = detail::gamma_of(keys[1], b, d.dims, true) - log(b);
  return d.as_drawn(exp(x - y));
}
/// The generalised normal distribution, of density proportional to exp(-|x|^p). Errors: as gamma.
template <class Operand = operand>
constexpr array generalized_normal(const lazy<Operand>& k, const lazy<Operand>& p, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("generalized_normal", k, {p}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  const array inverse = 1.0 / d.repeated_unless_scalar(0);
  return d.as_drawn(rademacher(keys[1], d.dims, d.wide) * exp(inverse * detail::gamma_of(keys[0], inverse, d.dims, true)));
}
/// Evenly distributed points, along the last axis of size n, of the ball in which the p-norm is at most 1. `dims` are those before the last one.
/// Source: Barthe, Guedon, Mendelson and Naor, "A probabilistic approach to the geometry of the l_p^n ball", Ann. Probab. 33, 2005.
/// Errors: as gamma.
template <class Operand = operand>
constexpr array ball(const lazy<Operand>& k, std::int64_t n, const lazy<Operand>& p = 2.0, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("ball", k, {p}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  const shape last(d.dims.with(d.dims.rank(), 1)), points(d.dims.with(d.dims.rank(), n));
  const array power_of = lax::reshape(d.repeated(0), last, k.where);
  const array x = generalized_normal(keys[0], power_of, points, d.wide);
  const array radii = sum(power(abs(x), power_of), -1, keepdims) + exponential(keys[1], last, d.wide);
  return d.as_drawn(x / power(radii, 1.0 / power_of));
}

}  // namespace jacquard::random
