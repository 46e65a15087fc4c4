#pragma once
// Continuous distributions that are functions of one or two uniform or normal numbers, most of them by the inverse of their distribution
// function, so that samples have derivatives in the parameters. Parameters broadcast with the shape asked for; without one, or with {},
// the samples have the shape of the parameters. Numbers of 16 bits are drawn in f32 and rounded. What needs rejection is in random_gamma.hpp
// and random_discrete.hpp.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/floating.hpp"
#include "jacquard/numpy/random.hpp"
#include "jacquard/numpy/reductions.hpp"

namespace jacquard::random {

namespace detail {

/// Key and parameters of a distribution, checked: parameters in the dtype in which is computed, scalars as scalars.
template <class Operand>
struct draw {
  Operand key;
  shape dims;              ///< of the samples
  dtype type;              ///< of the samples
  dtype wide;              ///< of the computation: f32 for 16 bits
  std::vector<array> at;   ///< the parameters
  array bad;               ///< none, or the result after an error

  constexpr draw(std::string_view operation, const Operand& k, std::initializer_list<Operand> parameters, const shape& wanted, dtype t)
      : key(k), dims(wanted), type(t), wide(size_of(t) == 2 ? f32 : t) {
    bad = check_floating(operation, k, wanted, t);
    for (const Operand& p : parameters) {
      if (!bad.is_none()) return;
      bad = add(operation, p, wanted);
    }
  }
  /// Samples in the dtype asked for.
  constexpr array as_drawn(const array& x) const { return as_type(x, {type, false}, key.where); }
  constexpr array uniform() const { return unit_uniform(key, dims, wide); }
  constexpr array exponential() const { return exponential_of(uniform(), key.where); }
  constexpr array normal() const { return random::normal(key, dims, wide); }
  /// A parameter repeated to the shape of the samples.
  constexpr array repeated(std::size_t i) const { return broadcast_operand(at[i], dims, false, key.where); }
  /// The same but for a scalar, which stays one: what follows from it is worked out once.
  constexpr array repeated_unless_scalar(std::size_t i) const {
    if (at[i].ndim() == 0) return at[i];
    return repeated(i);
  }

 private:
  constexpr array add(std::string_view operation, const Operand& p, const shape& wanted) {
    shape joined;
    if (p.value.is_none() || is_complex(p.value.dtype()))
      return bad_operands(key, p, error_kind::type, "random::", operation, ": got a parameter of type ", p.value.aval(), "; wanted real numbers");
    if (!broadcast_shapes(dims, p.value.shape(), joined) || (wanted.rank() != 0 && !(joined == wanted)))
      return bad_operands(key, p, error_kind::shape, "random::", operation, ": got a parameter of shape ", p.value.shape(), " for samples of shape ",
                          dims, "; wanted one that broadcasts to them");
    dims = joined;
    at.push_back(as_type(p.value, {wide, false}, key.where));
    return {};
  }
};

/// Keys made from k.
template <class Operand = operand>
constexpr std::vector<operand> subkeys(const lazy<Operand>& k, int count) {
  const array all = random::split(k, count);
  std::vector<operand> r;
  for (int i = 0; i < count; ++i) r.push_back(operand(all(i), k.where));
  return r;
}
/// The distance of 1 to the next number of a dtype.
constexpr double roundoff(dtype t) { return t == f64 ? 0x1p-52 : t == f32 ? 0x1p-23 : t == f16 ? 0x1p-10 : 0x1p-7; }

}  // namespace detail

// --- without parameters ----------------------------------------------------------------------------------------------

/// Laplace's distribution of mean 0 and scale 1. Errors: as uniform.
template <class Operand = operand>
constexpr array laplace(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("laplace", k, {}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const array u = uniform(k, dims, d.wide, detail::roundoff(d.wide) - 1, 1.0);
  return d.as_drawn(sign(u) * log1p(-abs(u)));
}
/// The logistic distribution of mean 0 and scale 1: log(u / (1 - u)). Errors: as uniform.
template <class Operand = operand>
constexpr array logistic(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("logistic", k, {}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const array u = uniform(k, dims, d.wide, detail::roundoff(d.wide), 1.0);
  return d.as_drawn(log(u / (1.0 - u)));
}
/// Cauchy's distribution of median 0 and scale 1. Errors: as uniform.
template <class Operand = operand>
constexpr array cauchy(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("cauchy", k, {}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  constexpr double pi = 3.14159265358979323846;
  return d.as_drawn(tan(pi * (uniform(k, dims, d.wide, detail::roundoff(d.wide), 1.0) - 0.5)));
}
/// Maxwell's distribution: the length of a vector of three normal numbers. Errors: as uniform.
template <class Operand = operand>
constexpr array maxwell(const lazy<Operand>& k, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("maxwell", k, {}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const array z = normal(k, shape(dims.with(dims.rank(), 3)), d.wide);
  return d.as_drawn(sqrt(sum(z * z, -1)));
}
/// -1 or 1, of dtype t, which may be any but an unsigned one. Errors: type_error for bool or an unsigned dtype, or something that is no key.
template <class Operand = operand>
constexpr array rademacher(const lazy<Operand>& k, const shape& dims = {}, dtype t = i32) {
  const rule_location_scope here(k.where);
  const array bad = detail::check("rademacher", k, dims);
  if (!bad.is_none()) return bad;
  if (is_boolean(t) || is_unsigned_integer(t))
    return detail::bad_operand(k, error_kind::type, "random::rademacher: got the dtype ", long_name(t),
                               "; wanted one with negative numbers, e.g. jq::i32");
  const array one(literal(1, t, false));
  return jacquard::where(bernoulli(k, 0.5, dims), one, -one);
}

// --- with parameters -------------------------------------------------------------------------------------------------

/// Maxwell's distribution with a random sign, moved by loc and stretched by scale. Errors: as uniform; shape_error for parameters that do not
/// broadcast to dims.
template <class Operand = operand>
constexpr array double_sided_maxwell(const lazy<Operand>& k, const lazy<Operand>& loc, const lazy<Operand>& scale, const shape& dims = {},
                                     dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("double_sided_maxwell", k, {loc, scale}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  return d.as_drawn(maxwell(keys[0], d.dims, d.wide) * rademacher(keys[1], d.dims, d.wide) * d.at[1] + d.at[0]);
}
/// exp(sigma z) of a normal z. Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array lognormal(const lazy<Operand>& k, const lazy<Operand>& sigma = 1.0, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("lognormal", k, {sigma}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(exp(d.normal() * d.at[0]));
}
/// Pareto's distribution on [1, inf) with P(X > x) = x^-b. Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array pareto(const lazy<Operand>& k, const lazy<Operand>& b, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("pareto", k, {b}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(exp(d.exponential() / d.at[0]));
}
/// Rayleigh's distribution, the length of a vector of two normal numbers, times scale. Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array rayleigh(const lazy<Operand>& k, const lazy<Operand>& scale = 1.0, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("rayleigh", k, {scale}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(sqrt(2.0 * d.exponential()) * d.at[0]);
}
/// Weibull's distribution with P(X > x) = exp(-(x / scale)^concentration). Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array weibull_min(const lazy<Operand>& k, const lazy<Operand>& scale, const lazy<Operand>& concentration, const shape& dims = {},
                            dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("weibull_min", k, {scale, concentration}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  return d.as_drawn(power(d.exponential(), 1.0 / d.at[1]) * d.at[0]);
}
/// The distribution on [left, right] whose density is a triangle with its tip at mode. Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array triangular(const lazy<Operand>& k, const lazy<Operand>& left, const lazy<Operand>& mode, const lazy<Operand>& right,
                           const shape& dims = {},
                           dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("triangular", k, {left, mode, right}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const array u = d.uniform(), low = d.at[0], tip = d.at[1], high = d.at[2], size = high - low;
  // Where the tip is an end, one side has no width, and a root of 0: without a slope, or derivatives would be NaN on the other side.
  const array rising = low + jacquard::detail::root_of_squares(u * size * (tip - low), k.where);
  const array falling = high - jacquard::detail::root_of_squares((1.0 - u) * size * (high - tip), k.where);
  return d.as_drawn(jacquard::where(u < (tip - low) / size, rising, falling));
}
/// The inverse Gaussian distribution of a mean and the shape 1: first times at which a drifting random walk reaches a level.
/// Source: Michael, Schucany and Haas, "Generating random variates using transformations with multiple roots", Am. Stat. 30, 1976.
/// Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array wald(const lazy<Operand>& k, const lazy<Operand>& mean, const shape& dims = {}, dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("wald", k, {mean}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const std::vector<operand> keys = detail::subkeys(k, 2);
  const array z = normal(keys[0], d.dims, d.wide), m = d.at[0], y = m * z * z;
  // The smaller root m (1 + y/2 - sqrt(y + y^2/4)), without the difference of large numbers.
  const array x = m / (1.0 + 0.5 * y + sqrt(y + 0.25 * y * y));
  const array u = uniform(keys[1], d.dims, d.wide);
  return d.as_drawn(jacquard::where(u * (m + x) <= m, x, m * m / x));
}
/// The normal distribution of mean 0 and deviation 1 within (lower, upper), by the inverse of the error function; bounds more than 5 (f32) or 8
/// (f64) from 0 on one side leave few distinct numbers. Errors: as double_sided_maxwell.
template <class Operand = operand>
constexpr array truncated_normal(const lazy<Operand>& k, const lazy<Operand>& lower, const lazy<Operand>& upper, const shape& dims = {},
                                 dtype t = f32) {
  const rule_location_scope here(k.where);
  const detail::draw d("truncated_normal", k, {lower, upper}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  constexpr double root_2 = 1.41421356237309504880, limit = std::numeric_limits<double>::infinity();
  const array a = erf(d.at[0] / root_2), b = erf(d.at[1] / root_2);
  const array x = root_2 * erf_inv(uniform(k, d.dims, d.wide, a, b));
  return d.as_drawn(clip(x, nextafter(stop_gradient(d.at[0]), limit), nextafter(stop_gradient(d.at[1]), -limit)));
}

}  // namespace jacquard::random
