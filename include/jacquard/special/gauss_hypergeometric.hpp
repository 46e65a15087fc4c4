#pragma once
// Gauss's hypergeometric function of real arguments: its series up to 1/2, from there to the singular point 1 the two series about that point where
// they are as exact as their sizes say, else Taylor series of its differential equation, each half as far from 1 as the one before. Deliberately
// without values beyond 1, which are complex, and derivatives in the parameters.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/special/functions.hpp"

namespace jacquard::special {

namespace detail {

/// x, whose derivative is an error.
template <class Array = array>
constexpr array without_derivative(std::string_view operation, const lazy<Array>& x, const location& where) {
  return custom_jvp([](const array& v) { return v; }, [operation, where](const std::tuple<array>& at, const std::tuple<array>&) {
    const array& v = std::get<0>(at);
    return std::pair{v, jacquard::detail::bad_operand(operand(v, where), error_kind::not_implemented, operation,
                                                      ": got a derivative in a parameter, wanted one in the argument; use jq::stop_gradient")};
  })(x);
}

/// F(a, b, c, x), its derivative, and the sum of the sizes of its terms.
using gauss_values = std::tuple<array, array, array>;
/// By the series in x.
template <class Array = array>
constexpr gauss_values gauss_series(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& c, const lazy<Array>& x) {
  using state = std::tuple<array, array, array, array, array>;  // number of the term, term, sum, sum of number times term, sum of sizes
  const double tiny = a.dtype() == f64 ? 0x1p-56 : 0x1p-27;
  const auto goes_on = [&](const state& s) {
    const auto& [k, term, sum, slope, size] = s;
    const array early = k < minimum(abs(a) + abs(b) + abs(c), 2000.0), open = (abs(term) > tiny * abs(sum)) | (k * abs(term) > tiny * abs(slope));
    return any((early | open) & (term != 0.0) & isfinite(sum) & (k < 4000.0));
  };
  const auto step = [&](const state& s) {
    const auto& [k, term, sum, slope, size] = s;
    // A series that has ended stays so, also where c + k is 0 then or later.
    const array factor = (a + k) * (b + k), ended = (term == 0.0) | (factor == 0.0);
    const array next = where(ended, 0.0, term * x * factor / (where(ended, 1.0, c + k) * (k + 1.0)));
    return state{k + 1.0, next, sum + next, slope + (k + 1.0) * next, size + abs(next)};
  };
  const array one = x * 0.0 + 1.0, count(literal(0.0, x.dtype(), false));
  const auto [k, term, sum, slope, size] = lax::while_loop(goes_on, step, state{count, one, one, x * 0.0, one});
  return {sum, slope / where(x == 0.0, 1.0, x), size};
}
/// From 1 - x = 1/2 on, given the values there, to 1 - x = gap <= 1/2. With x + t for x the equation (DLMF 15.10.1) says of the coefficients of t^k
///   x (1 - x) (k + 1) (k + 2) u_(k+2) = (k + a) (k + b) u_k - (k + 1) ((1 - 2 x) k + c - (a + b + 1) x) u_(k+1),
/// whose terms halve at least for t = (1 - x) / 2 (Pearson, Olver and Porter 2017, Numer. Algorithms 74, 821, sec. 4.6).
template <class Array = array>
constexpr array gauss_continued(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& c, const lazy<Array>& gap, const gauss_values& start) {
  using state = std::tuple<array, array, array>;  // 1 - x, value, derivative
  using terms = std::tuple<array, array, array, array>;  // u_k t^k, the next one, their sum, that of k u_k t^k
  const auto goes_on = [&](const state& s) {
    return any((std::get<0>(s) > gap) & (0.5 * std::get<0>(s) > 0.0) & isfinite(std::get<1>(s)));
  };
  const auto step = [&](const state& s) {
    const auto& [rest, value, slope] = s;
    const array move = minimum(rest - gap, 0.5 * rest), x = 1.0 - rest, ratio = move / rest, stays = move <= 0.0;
    const auto add = [&](const array& i, const terms& of) {
      const auto& [now, next, sum, weighted] = of;
      const array k = jacquard::detail::as_type(i, {x.dtype(), false}, location{});
      const array forward = ((1.0 - 2.0 * x) * k + c - (a + b + 1.0) * x) * next / (k + 2.0);
      const array after = ((k + a) * (k + b) / ((k + 1.0) * (k + 2.0)) * now * move - forward) * ratio / x;
      return terms{next, after, sum + after, weighted + (k + 2.0) * after};
    };
    const array first = slope * move;
    const auto sums = lax::fori_loop(0, 100, add, terms{value, first, value + first, first});
    const array there = where(stays, slope, std::get<3>(sums) / where(stays, 1.0, move));
    return state{where(stays, rest, maximum(rest - move, gap)), where(stays, value, std::get<2>(sums)), there};
  };
  return std::get<1>(lax::while_loop(goes_on, step, state{gap * 0.0 + 0.5, std::get<0>(start), std::get<1>(start)}));
}
/// One of the two solutions about 1, gamma(c) gamma(excess) / (gamma(u) gamma(v)) F(p, q, 1 - excess, gap), and by how many roundings it may be wrong:
/// those of its terms, and of arguments of gamma, which count for more next to a pole. Exactly 0 where u or v is at a pole, infinitely many where c or
/// the excess may be; where both u and the excess are their quotient has a limit, (-1)^q gamma(1 - u) / gamma(1 - excess).
template <class Array = array>
constexpr std::tuple<array, array> gauss_solution(const lazy<Array>& p, const lazy<Array>& q, const lazy<Array>& u, const lazy<Array>& v,
                                                  const lazy<Array>& c, const lazy<Array>& excess, const lazy<Array>& gap) {
  const array limit = is_pole(excess) & is_pole(u) & !is_pole(v), none = is_pole(c) | ((floor(excess) == excess) & !limit);
  const array zero = (is_pole(u) | is_pole(v)) & !limit, skipped = none | zero, above = where(limit, 1.0 - u, excess), below = where(limit, 1.0 - excess, u);
  const array gammas[] = {where(skipped, 0.5, c), where(skipped, 0.5, above), where(skipped, 0.5, below), where(skipped, 0.5, v)};
  array logarithm = gap * 0.0, sign = where(limit & (fmod(q, 2.0) != 0.0), -1.0, logarithm + 1.0), doubt = logarithm;
  for (int k = 0; k < 4; ++k) {
    const array &z = gammas[k], part = gammaln(z);
    if (k < 2) logarithm = logarithm + part;
    else logarithm = logarithm - part;
    sign = sign * gammasgn(z);
    doubt = doubt + abs(part);
    if (k > 0) doubt = doubt + where(z < 0.25, abs(z) / abs(z - floor(z + 0.5)), 1.0);  // c is given, the others are rounded differences
  }
  const auto [sum, slope, size] = gauss_series(p, q, where(skipped, 0.5, 1.0 - excess), where(skipped, 0.0, gap));
  const array factor = where(zero, 0.0, sign * exp(logarithm));
  return {factor * sum, where(none, infinity, abs(factor) * (size + abs(sum) * doubt))};
}
/// F(a, b, c, x) for x <= 1: negative ones to (0, 1) by (1 - x)^-a F(a, c - b, c, x / (x - 1)) (DLMF 15.8.1), and by (1 - x)^(c - a - b) F(c - a, c - b, c, x)
/// where that stays bounded next to 1, or loses fewer digits elsewhere. Polynomials by their series, where they are short or nothing else is left.
/// Next to 1 by the two solutions about 1 (Abramowitz and Stegun 15.3.6) if the estimate of their error is small: for large parameters, of
/// which the Taylor series may lose all digits, a millionth will do.
template <class Array = array>
constexpr array gauss_function(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& c, const lazy<Array>& x) {
  const array ends = is_pole(a) | is_pole(b), few = (is_pole(a) & (a > -10.0)) | (is_pole(b) & (b > -10.0));
  const array direct = (ends & ((x < 0.5) | (x >= 1.0) | (c - a - b < 0.0))) | few, turned = (x < 0.0) & !direct;
  // Of the two forms of 15.8.1 the one that ends, if one does: the second solution about 1 is no part of a polynomial.
  const array smaller = minimum(a, b), larger = maximum(a, b), ending = is_pole(c - smaller) & turned;
  const array low = where(ending, larger, smaller), high = where(ending, smaller, larger), away = where(turned, 1.0 - x, 1.0);
  const array p = where(turned, low, a), q = where(turned, c - high, b);
  const array inside = direct | (x < 1.0), gap = where(turned, 1.0 / away, where(inside & !direct, 1.0 - x, 1.0));
  // Of F and (1 - x)^(c - a - b) F(c - a, c - b, c, x), far from 1 the one that grows towards 1: its terms cancel less. Not where it is too far out.
  const array excess = where(turned, high - low, c - a - b), near = gap < 0.5, moderate = excess * -log(gap) < 40.0;
  const array suits = where(gap < 0.25, excess < 0.0, (excess > 0.0) & moderate & !direct);
  const array by_euler = !(is_pole(p) | is_pole(q)) & (suits | (near & (is_pole(c - p) | is_pole(c - q))));
  const array from = where(by_euler, c - p, p), to = where(by_euler, c - q, q);
  const array place = where(direct, x, where(near, 0.5, where(turned, x / -away, where(inside, x, 0.0))));
  const gauss_values start = gauss_series(from, to, c, place);
  const array value = gauss_continued(from, to, c, minimum(where(near, gap, 0.5), 0.5), start);
  const array scale = where(by_euler, power(where(by_euler, gap, 1.0), where(by_euler, excess, 1.0)), 1.0);
  const array connects = near & inside & !direct & (turned | (gap < 0.25)), short_gap = where(connects, gap, 0.0), falling = power(where(connects, gap, 1.0), excess);
  const auto [first, first_error] = gauss_solution(p, q, c - p, c - q, c, excess, short_gap);
  const auto [second, second_error] = gauss_solution(c - p, c - q, p, q, c, -excess, short_gap);
  const array rest_of_it = where(ending, 0.0, falling * second), rest_error = where(ending, 0.0, falling * second_error);
  const array connected = first + rest_of_it, largest = maximum(maximum(abs(a), abs(b)), abs(c));
  const bool wide = a.dtype() == f64;
  const array bound = where(largest > 10.0, scalar_like(largest, wide ? 1e-6 : 1e-2), wide ? 1e-12 : 3e-4) / (wide ? 0x1p-52 : 0x1p-23);
  const array by_two = connects & (first_error + rest_error <= bound * abs(connected)) & isfinite(connected);
  // At 1, gamma(c) gamma(c - a - b) / (gamma(c - a) gamma(c - b)) (DLMF 15.4.20).
  const array at_end = (x == 1.0) & !direct, rest = where(at_end & (c - a - b > 0.0), c - a - b, 1.0);
  const array size = exp(gammaln(c) + gammaln(rest) - gammaln(c - a) - gammaln(c - b));
  const array sign = gammasgn(c) * where(is_pole(c - a), 1.0, gammasgn(c - a)) * where(is_pole(c - b), 1.0, gammasgn(c - b));
  const array end = where(c - a - b > 0.0, size * sign, infinity * (gammasgn(c) * gammasgn(a) * gammasgn(b)));
  const array result = where(at_end, end, where(by_two, connected, value * scale) * power(away, -low));
  // Where c is a or b the other's power of 1 - x is left (DLMF 15.4.6), of which sums of large terms would keep no digit.
  const array cancels = ((a == c) | (b == c)) & !is_pole(c), other = where(a == c, b, a), alone = power(where(cancels, 1.0 - x, 1.0), -other);
  const array cut = is_pole(c) & !((is_pole(a) & (a >= c)) | (is_pole(b) & (b >= c)));
  return where(isnan(x) | ((x > 1.0) & !ends), std::numeric_limits<double>::quiet_NaN(), where(cut, infinity, where(cancels, alone, result)));
}

}  // namespace detail

/// F(a, b, c, x), the sum of (a)_k (b)_k / (c)_k x^k / k! continued to x <= 1 (Gauss's function 2F1), for parameters up to about 30; infinite where c is
/// 0, -1, ... before the sum ends, and at 1 where it grows without bound; NaN beyond 1 but for polynomials. Operands broadcast. Of random parameters
/// of size 1, 3 and 10, and arguments between -20 and 0.99, 99 of 100 values are right to 2e-14, 2e-14 and 2e-12 of their size (f64, next to mpmath). Of
/// size 30 nineteen of twenty are to 1e-10 between -1/2 and 1/2, 4e-11 below -5 and 1e-9 above 3/4; to 4e-6 between -5 and -1/2 and 3e-8 between 1/2 and
/// 3/4. Six of a thousand, half of them between -5 and -1/2, have no digit: values far smaller than the terms they are sums of, as of a, b > 20 and c < -15.
/// Rules: derivatives in x, of every order. Errors: shape_error; type_error for complex numbers; not_implemented for a derivative in
/// a, b or c. Cost: some 60 trips of a loop, twice that and 100 for each halving of 1 - x (for x < 0 of 1 / (1 - x)) below 1/2.
template <class Operand = operand>
constexpr array hyp2f1(const lazy<Operand>& a, const lazy<Operand>& b, const lazy<Operand>& c, const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  array v[] = {a.value, b.value, c.value, x.value};
  const array bad = jacquard::detail::harmonise_inexact("hyp2f1", v, x.where, false);
  if (!bad.is_none()) return bad;
  if (is_complex(v[0].dtype()))
    return jacquard::detail::bad_operand(x, error_kind::type, "hyp2f1: got ", long_name(v[0].dtype()), ", wanted real numbers");
  const element_type given = v[0].aval().element(), wide{size_of(given.type) == 2 ? f32 : given.type, given.weak};
  for (int i = 0; i < 4; ++i) {
    v[i] = jacquard::detail::as_type(v[i], wide, x.where);
    if (i < 3) v[i] = detail::without_derivative("hyp2f1", v[i], x.where);
  }
  const auto value = [](const array& p, const array& q, const array& r, const array& at) { return detail::gauss_function(p, q, r, at); };
  const auto rule = [value](const std::tuple<array, array, array, array>& at, const std::tuple<array, array, array, array>& t) {
    const auto& [p, q, r, z] = at;  // DLMF 15.5.1
    return std::pair{value(p, q, r, z), array(std::get<3>(t) * (p * q / r * hyp2f1(p + 1.0, q + 1.0, r + 1.0, z)))};
  };
  return jacquard::detail::as_type(custom_jvp(value, rule)(v[0], v[1], v[2], v[3]), given, x.where);
}

}  // namespace jacquard::special
