#pragma once
// Distributions of whole numbers: Poisson's, binomial, geometric, multinomial, and draws with given probabilities. Counts of a small mean are found
// by adding up probabilities until a uniform number is reached, others by transformed rejection; both in f64, whatever the dtype of the parameters.
// Samples have no derivatives. Parameters without a distribution give -1.

#include "jacquard/control/composite.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/cumulative.hpp"
#include "jacquard/numpy/random_continuous.hpp"
#include "jacquard/numpy/rejection.hpp"
#include "jacquard/numpy/searching.hpp"
#include "jacquard/numpy/sorting.hpp"

namespace jacquard::random {

namespace detail {

/// Below this mean counts are added up.
inline constexpr double small_mean = 10;
/// How many of them a trip of their loop adds up.
inline constexpr int sums_of_a_trip = 4;

/// log(m!) of whole numbers m >= 0 in f64, by Stirling's series of log gamma(y); that of m < 8 from (m + 8)!. What the series leaves out is
/// below 1e-13. Source: Abramowitz and Stegun, 6.1.41.
template <class Array = array>
constexpr array log_factorial(const lazy<Array>& m) {
  constexpr double half_log_2_pi = 0.91893853320467274178;
  const array small = m < 8.0, y = jacquard::where(small, m + 9.0, m + 1.0), pairs = m * (m + 9.0);
  const array skipped = jacquard::where(small, (pairs + 8.0) * (pairs + 14.0) * ((pairs + 18.0) * (pairs + 20.0)), 1.0);
  const array v = 1.0 / y, v2 = v * v;
  const array series = v * (1.0 / 12 - v2 * (1.0 / 360 - v2 * (1.0 / 1260 - v2 * (1.0 / 1680 - v2 * (1.0 / 1188)))));
  return (y - 0.5) * log(y) - y + half_log_2_pi + series - log(skipped);
}

/// The numbers k at which the sum of the probabilities p(0) = first, p(k) = p(k - 1) quotient(k) passes a uniform number.
/// What is left where the probabilities are below what f64 tells from 1 is not looked for. A trip of the loop adds several of them, so that it is
/// not memory that is waited for. Source: Devroye, "Non-uniform random variate generation", 1986, III.2.
template <class Operand, class Array, class Quotient>
constexpr array count_by_sums(const Operand& k, const shape& dims, const Array& first, Quotient quotient) {
  using state = std::tuple<array, array, array>;  // count, its probability, what is left of the uniform number
  constexpr double negligible = 0x1p-60;
  const auto is_open = [](const state& s) { return (std::get<2>(s) >= std::get<1>(s)) & (std::get<1>(s) > negligible); };
  const auto goes_on = [&](const state& s) { return any(is_open(s)); };
  const auto step = [&](state s) {
    for (int sum = 0; sum < sums_of_a_trip; ++sum) {
      const auto& [count, p, left] = s;
      const array open = is_open(s), next = count + 1.0;
      const state after{jacquard::where(open, next, count), jacquard::where(open, p * quotient(next), p), jacquard::where(open, left - p, left)};
      s = after;
    }
    return s;
  };
  const array u = unit_uniform(k, dims, f64), start = broadcast_operand(first, dims, false, k.where);
  return std::get<0>(lax::while_loop(goes_on, step, state{lax::zeros(u.aval(), k.where), start, u}, k.where));
}

/// What transformed rejection knows of a distribution: a hat that covers it, and logarithms of its probabilities.
struct hat {
  array a, b, centre, always, scale;
};
/// Counts by transformed rejection where `open`, elsewhere 0: floor((2 a / s + b) u + centre), where u is even in (-1/2, 1/2) and s = 1/2 - |u|,
/// accepted at once inside (where v <= always), else if v scale / (a / s^2 + b) is at most the probability of the count, whose logarithm
/// log_probability gives. Source: Hoermann, "The transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
/// Economics 12, 1993, and "The generation of binomial random variates", J. Stat. Comput. Simul. 46, 1993.
template <class Operand, class Array, class LogProbability>
constexpr array transformed_rejection(const Operand& k, const shape& dims, const Array& open, const hat& h, const Array& most,
                                      LogProbability log_probability) {
  const array none_yet = lax::full(dims, literal(0.0), k.where), all_open = broadcast_operand(open, dims, false, k.where);
  return first_accepted(k, all_open, none_yet, [&](const operand& key, const trial& at) {
    const std::vector<operand> keys = subkeys(key, 2);
    const array u = at.unit_uniform(keys[0], f64) - 0.5, v = at.unit_uniform(keys[1], f64), s = 0.5 - abs(u);
    const array a = at(h.a), b = at(h.b), count = floor((2.0 * a / s + b) * u + at(h.centre));
    const array possible = (count >= 0.0) & (count <= at(most)), inside = (s >= 0.07) & (v <= at(h.always));
    const array probability = log_probability(jacquard::where(possible, count, 0.0), at);
    const array under = log(v * at(h.scale) / (a / (s * s) + b)) <= probability;
    return proposals{possible & (inside | under), count};
  });
}

/// Numbers of Poisson's distribution, f64; a rate for all, or one for each.
template <class Operand = operand>
constexpr array poisson_counts(const lazy<Operand>& k, const shape& dims, const array& rate) {
  const std::vector<operand> keys = subkeys(k, 2);
  const array valid = rate >= 0.0, small = valid & (rate < small_mean), large = valid & ~small & isfinite(rate);
  const array low = jacquard::where(small, rate, 0.0), high = jacquard::where(large, rate, small_mean);
  const array few = count_by_sums(keys[0], dims, exp(-low), [&](const array& count) { return low / count; });
  const array root = sqrt(high), b = 0.931 + 2.53 * root;
  const hat h{-0.059 + 0.02483 * b, b, high + 0.43, 0.9277 - 3.6224 / (b - 2.0), 1.1239 + 1.1328 / (b - 3.4)};
  const array log_rate = log(high), unlimited = array(literal(std::numeric_limits<double>::infinity()));
  const array many = transformed_rejection(keys[1], dims, large, h, unlimited,
                                           [&](const array& count, const trial& at) { return count * at(log_rate) - at(high) - log_factorial(count); });
  return jacquard::where(small, few, jacquard::where(large, many, -1.0));
}
/// Numbers of successes of n trials of probability p, f64; parameters for all, or one for each.
template <class Operand = operand>
constexpr array binomial_counts(const lazy<Operand>& k, const shape& dims, const array& n, const array& p) {
  const std::vector<operand> keys = subkeys(k, 2);
  const array valid = (n >= 0.0) & (p >= 0.0) & (p <= 1.0) & isfinite(n);
  const array mirrored = p > 0.5, rare = jacquard::where(valid, jacquard::where(mirrored, 1.0 - p, p), 0.0), trials = jacquard::where(valid, floor(n),
                                                                                                                                      0.0);
  const array large = trials * rare >= small_mean, q = jacquard::where(large, 0.0, rare), odds = q / (1.0 - q);
  const array few = count_by_sums(keys[0], dims, exp(trials * log1p(-q)), [&](const array& count) { return (trials - count + 1.0) / count * odds; });
  const array size = jacquard::where(large, trials, 40.0), r = jacquard::where(large, rare, 0.5), s = 1.0 - r;
  const array deviation = sqrt(size * r * s), b = 1.15 + 2.53 * deviation;
  const hat h{-0.0873 + 0.0248 * b + 0.01 * r, b, size * r + 0.5, 0.92 - 4.2 / b, (2.83 + 5.1 / b) * deviation};
  const array mode = floor((size + 1.0) * r), log_odds = log(r / s), at_mode = log_factorial(mode) + log_factorial(size - mode);
  const array many = transformed_rejection(keys[1], dims, large, h, size, [&](const array& count, const trial& at) {
    return at(at_mode) - log_factorial(count) - log_factorial(at(size) - count) + (count - at(mode)) * at(log_odds);
  });
  const array count = jacquard::where(large, many, minimum(few, trials));
  return jacquard::where(valid, jacquard::where(mirrored, trials - count, count), -1.0);
}

/// Checks a distribution of whole numbers, whose parameters are taken in f64, and whose samples are of dtype t.
template <class Operand = operand>
constexpr draw<Operand> counting(std::string_view operation, const lazy<Operand>& k, std::initializer_list<Operand> parameters, const shape& dims,
                                 dtype t) {
  draw<Operand> d(operation, k, parameters, dims, f64);
  d.type = t;
  if (d.bad.is_none() && (is_boolean(t) || is_complex(t)))
    d.bad = bad_operand(k, error_kind::type, "random::", operation, ": got the dtype ", long_name(t),
                        "; wanted one of whole or real numbers, e.g. jq::i64");
  for (std::size_t i = 0; i < d.at.size(); ++i) d.at[i] = stop_gradient(d.repeated_unless_scalar(i));
  return d;
}

}  // namespace detail

/// Poisson's distribution of a rate: how many of many rare events happen. -1 for a rate that is negative, infinite or NaN.
/// Errors: type_error for something that is no key, bool or complex numbers; shape_error for parameters that do not broadcast to dims.
template <class Operand = operand>
constexpr array poisson(const lazy<Operand>& k, const lazy<Operand>& rate, const shape& dims = {}, dtype t = i64) {
  const rule_location_scope here(k.where);
  const detail::draw d = detail::counting("poisson", k, {rate}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const auto counts = [](view<const array> x, const location& where, const shape& shape_of_all) {
    return detail::poisson_counts(operand(x[0], where), shape_of_all, x[1]);
  };
  const array operands[] = {k.value, d.at[0]};
  return d.as_drawn(detail::composite("poisson", counts, operands, k.where, d.dims));
}
/// How many of n trials succeed, each with probability p. -1 for n < 0, or p outside [0, 1]. Errors: as poisson.
template <class Operand = operand>
constexpr array binomial(const lazy<Operand>& k, const lazy<Operand>& n, const lazy<Operand>& p, const shape& dims = {}, dtype t = i64) {
  const rule_location_scope here(k.where);
  const detail::draw d = detail::counting("binomial", k, {n, p}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const auto counts = [](view<const array> x, const location& where, const shape& shape_of_all) {
    return detail::binomial_counts(operand(x[0], where), shape_of_all, x[1], x[2]);
  };
  const array operands[] = {k.value, d.at[0], d.at[1]};
  return d.as_drawn(detail::composite("binomial", counts, operands, k.where, d.dims));
}
/// The number of the first trial that succeeds, 1, 2, ..., where each does with probability p. -1 for p outside (0, 1]. Errors: as poisson.
template <class Operand = operand>
constexpr array geometric(const lazy<Operand>& k, const lazy<Operand>& p, const shape& dims = {}, dtype t = i64) {
  const rule_location_scope here(k.where);
  const detail::draw d = detail::counting("geometric", k, {p}, dims, t);
  if (!d.bad.is_none()) return d.bad;
  const array chance = d.at[0], valid = (chance > 0.0) & (chance <= 1.0);
  constexpr double most = 9e18;  // within i64
  const array trials = floor(d.exponential() / -log1p(-jacquard::where(valid, chance, 0.5))) + 1.0;
  return d.as_drawn(jacquard::where(valid, minimum(trials, most), -1.0));
}
/// How often each of the outcomes along the last axis of p happens in n trials. p is divided by its sum. `dims` are those before the last one. Each
/// count is binomial, given those before. Errors: as poisson; shape_error for a scalar p.
template <class Operand = operand>
constexpr array multinomial(const lazy<Operand>& k, const lazy<Operand>& n, const lazy<Operand>& p, const shape& dims = {}, dtype t = i64) {
  const rule_location_scope here(k.where);
  const int rank = p.value.ndim();
  if (rank == 0) return detail::bad_operands(k, p, error_kind::shape, "random::multinomial: got a scalar p, wanted a vector of probabilities");
  const std::int64_t outcomes = p.value.shape()[rank - 1];
  const shape wanted = dims.rank() == 0 ? shape() : shape(dims.with(dims.rank(), outcomes));
  const operand trials(expand_dims(n, -1), k.where);
  detail::draw d = detail::counting("multinomial", k, {trials, p}, wanted, t);
  if (!d.bad.is_none()) return d.bad;
  if (d.dims.elements() == 0) return lax::full(d.dims, literal(0, t, false), k.where);
  const array chances = moveaxis(d.at[1], -1, 0), keys = random::split(k, outcomes);
  const array after = flip(cumsum(flip(chances, 0), 0), 0), rest = jacquard::where(after > 0.0, after, 1.0), share = chances / rest;
  const array all = take(operand(d.at[0], k.where), 0, -1);
  const auto step = [&](const array& left, const std::tuple<array, array>& outcome) {
    const array count = detail::binomial_counts(operand(std::get<0>(outcome), k.where), left.shape(), left, minimum(std::get<1>(outcome), 1.0));
    return std::pair{left - maximum(count, 0.0), count};
  };
  return d.as_drawn(moveaxis(lax::scan(step, all, std::tuple{keys, share}, {}, k.where).second, 0, -1));
}

/// Numbers 0 ... n-1 drawn with probabilities p, a vector of n numbers, which are divided by their sum; with replacement, or without.
/// Errors: shape_error for other p; value_error for more draws without replacement than n.
template <class Operand = operand>
constexpr array choice(const lazy<Operand>& k, std::int64_t n, const shape& dims, bool replace, const lazy<Operand>& p) {
  const rule_location_scope here(k.where);
  const array bad = detail::check("choice", k, dims);
  if (!bad.is_none()) return bad;
  if (n < 1 || !(p.value.shape() == shape{n}))
    return detail::bad_operands(k, p, error_kind::shape, "random::choice: got probabilities of shape ", p.value.shape(), " for ", n,
                                " entries; wanted a vector of one per entry, and at least one");
  if (!replace && dims.elements() > n)
    return detail::bad_operand(k, error_kind::value, "random::choice: got ", dims.elements(), " draws from ", n,
                               " entries without replacement; wanted at most as many");
  const array chances = stop_gradient(detail::as_inexact(p));
  const dtype t = size_of(chances.dtype()) == 2 ? f32 : chances.dtype();
  const array wide = detail::as_type(chances, {t, false}, k.where);
  if (replace) {
    const array sums = cumsum(wide), u = 1.0 - uniform(k, dims, t);
    return searchsorted(sums, u * sums(-1));
  }
  // The largest of log p + Gumbel are a draw without replacement, in order.
  const array keys = log(wide) + gumbel(k, {n}, t);
  const array order = argsort(-keys);
  return lax::reshape(lax::slice(order, {0}, {dims.elements()}, {}, k.where), dims, k.where);
}
/// Entries of x along its first axis drawn with probabilities p, with replacement, or without. Errors: as above; value_error for a scalar x.
template <class Operand = operand>
constexpr array choice(const lazy<Operand>& k, const lazy<Operand>& x, const shape& dims, bool replace, const lazy<Operand>& p) {
  if (x.value.ndim() == 0)
    return detail::bad_operands(k, x, error_kind::value, "random::choice: got a scalar array; wanted an integer or at least one dimension");
  return take(operand(x.value, k.where), operand(choice(k, x.value.shape()[0], dims, replace, p), k.where), 0);
}

}  // namespace jacquard::random
