#pragma once
// Kummer's hypergeometric function, rising factorials, binomial coefficients, Bernoulli's numbers, Legendre functions and spherical harmonics. Series
// stop where every element has converged; derivatives are those of the series, in all parameters. Deliberately real parameters only. Gauss's function
// is in gauss_hypergeometric.hpp.

#include "jacquard/control/custom_jvp.hpp"
#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/cumulative.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/prims/complex_parts.hpp"
#include "jacquard/special/functions.hpp"

namespace jacquard::special {

namespace detail {

/// A value and its derivatives in a and b.
using kummer_values = std::tuple<array, array, array>;
/// The series of 1F1(a, b, x) for x >= 0 and its derivatives in a and b, each times `start`, the first term.
template <class Array = array>
constexpr kummer_values kummer_series(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x, const lazy<Array>& start) {
  using state = std::tuple<array, kummer_values, kummer_values>;  // number of the term, terms, sums
  const double tiny = a.dtype() == f64 ? 0x1p-54 : 0x1p-25;
  const auto goes_on = [&](const state& s) {
    const auto& [term, in_a, in_b] = std::get<1>(s);
    const auto& [sum, sum_a, sum_b] = std::get<2>(s);
    const auto open = [&](const array& t, const array& of) { return abs(t) > tiny * abs(of); };
    // Terms grow until k reaches x, and may be 0 for a while where a + k is.
    const array early = std::get<0>(s) < minimum(x + abs(a) + abs(b), 2000.0);
    const array unsettled = early | open(term, sum) | open(in_a, sum_a) | open(in_b, sum_b);
    return any(unsettled & isfinite(sum) & (std::get<0>(s) < 4000.0));
  };
  const auto step = [&](const state& s) {
    const array& k = std::get<0>(s);
    const auto& [term, in_a, in_b] = std::get<1>(s);
    const auto& [sum, sum_a, sum_b] = std::get<2>(s);
    // A series that has ended stays so, also where b + k is 0 then or later.
    const array ended = (term == 0.0) | (a + k == 0.0), scale = x / ((b + k) * (k + 1.0)), factor = scale * (a + k), next = where(ended, 0.0, term * factor);
    const array next_a = in_a * factor + term * scale, next_b = in_b * factor - next / (b + k);
    return state{k + 1.0, kummer_values{next, next_a, next_b}, kummer_values{sum + next, sum_a + next_a, sum_b + next_b}};
  };
  const array zero = start * 0.0, count(literal(0.0, a.dtype(), false));
  const kummer_values first{start, zero, zero};
  return std::get<2>(lax::while_loop(goes_on, step, state{count, first, first}));
}
/// 1F1 and its derivatives in a and b; for negative x by Kummer's transformation exp(x) 1F1(b - a, b, -x), whose terms have one sign.
template <class Array = array>
constexpr kummer_values kummer(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x) {
  const array turned = (x < 0.0) & !is_pole(b);
  const auto [y, in_a, in_b] = kummer_series(where(turned, b - a, a), b, where(turned, -x, x), exp(where(turned, x, 0.0)));
  const array cut = is_pole(b) & !(is_pole(a) & (a >= b)) & !(isnan(x) | isnan(a));
  return {where(cut, infinity, y), where(turned, -in_a, in_a), where(turned, in_a + in_b, in_b)};
}

template <class Array = array>
constexpr array confluent(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x);
/// The derivatives of 1F1 in a and b, which are differentiated in x as those of its derivative a / b 1F1(a + 1, b + 1, x) (DLMF 13.3.15).
template <class Array = array>
constexpr std::tuple<array, array> confluent_slopes(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x) {
  const auto value = [](const array& p, const array& q, const array& at) {
    const auto [y, in_p, in_q] = kummer(p, q, at);
    return std::tuple(in_p, in_q);
  };
  const auto rule = [value](const std::tuple<array, array, array>& at, const std::tuple<array, array, array>& t) {
    const auto& [p, q, z] = at;
    const auto of_parameters = [&](const array& v, const array& w) { return value(v, w, lax::stop_gradient(z)); };
    const auto [y, dy] = jvp(of_parameters, primals(p, q), tangents(std::get<0>(t), std::get<1>(t)));
    const array next = confluent(p + 1.0, q + 1.0, z), dz = std::get<2>(t);
    const auto [in_p, in_q] = confluent_slopes(p + 1.0, q + 1.0, z);
    return std::pair(y, std::tuple(array(std::get<0>(dy) + dz * (next + p * in_p) / q), array(std::get<1>(dy) + dz * p * (in_q - next / q) / q)));
  };
  return custom_jvp(value, rule)(a, b, x);
}
/// 1F1 of arrays of one dtype.
template <class Array>
constexpr array confluent(const lazy<Array>& a, const lazy<Array>& b, const lazy<Array>& x) {
  const auto value = [](const array& p, const array& q, const array& at) { return std::get<0>(kummer(p, q, at)); };
  const auto rule = [](const std::tuple<array, array, array>& at, const std::tuple<array, array, array>& t) {
    const auto& [p, q, z] = at;
    const auto [in_p, in_q] = confluent_slopes(p, q, z);
    const array none = (p == 0.0) & (q == 0.0), in_z = where(none, 0.0, p) / where(none, 1.0, q) * confluent(p + 1.0, q + 1.0, z);
    return std::pair(confluent(p, q, z), array(std::get<0>(t) * in_p + std::get<1>(t) * in_q + std::get<2>(t) * in_z));
  };
  return custom_jvp(value, rule)(a, b, x);
}

}  // namespace detail

/// 1F1(a, b, x), the sum of (a)_k / (b)_k x^k / k! (Kummer's function M), for |x| < 700; infinite for b = 0, -1, ... unless
/// the sum ends before: for a = b, b + 1, ..., 0. Rules: derivatives in a, b and x, of first order in a and b. Errors: shape_error; type_error for complex numbers. Cost: some |x| + 30 trips of a
/// loop.
template <class Operand = operand>
constexpr array hyp1f1(const lazy<Operand>& a, const lazy<Operand>& b, const lazy<Operand>& x) {
  const rule_location_scope here(x.where);
  array v[] = {a.value, b.value, x.value};
  const array bad = jacquard::detail::harmonise_inexact("hyp1f1", v, x.where, false);
  if (!bad.is_none()) return bad;
  return detail::confluent(v[0], v[1], v[2]);
}
/// The rising factorial gamma(z + m) / gamma(z) (Pochhammer's symbol); where both are poles of gamma the limit for whole numbers m, else infinite or 0
/// where one is. Errors: shape_error; type_error for complex numbers.
template <class Operand = operand>
constexpr array poch(const lazy<Operand>& z, const lazy<Operand>& m) {
  const rule_location_scope here(z.where);
  const detail::inexact_pair p("poch", z, m);
  if (!p.bad.is_none()) return p.bad;
  // Of two poles the quotient is (-1)^m gamma(1 - z) / gamma(1 - z - m), that of another place.
  const array from_pole = detail::is_pole(p.a), to_pole = detail::is_pole(p.a + p.b), both = from_pole & to_pole, one = from_pole != to_pole;
  const array z0 = where(one, 1.0, where(both, 1.0 - p.a - p.b, p.a)), m0 = where(one, 0.0, p.b), sign = gammasgn(z0 + m0) * gammasgn(z0);
  const auto value = [](const array& v, const array& by, const array& its_sign) {
    constexpr double last = 170;
    const array small = (abs(v) < last) & (abs(v + by) < last), from = where(small, v, 1.0);
    const detail::gamma_function g;
    const array large = its_sign * exp(detail::log_gamma_change(where(small, detail::large_argument, v), where(small, 0.0, by)));
    return where(small, detail::gamma_of_sum(from, where(small, by, 0.0)) / g(from), large);
  };
  // 1 for m = 0, by the quotient but at poles; a constant would have no derivative in m.
  const array quotient = detail::in_f64(z.where, value, z0, m0, sign), turned = where(both & (fmod(p.b, 2.0) != 0.0), -quotient, quotient);
  const array at_pole = where(isnan(p.a) | isnan(p.b), p.a + p.b, where(to_pole, detail::infinity, detail::scalar_like(p.a, 0)));
  return where((p.b == 0.0) & !(turned == 1.0), 1.0, where(one, at_pole, turned));
}
/// The number of choices of k among n, n! / (k! (n - k)!), also between whole numbers; 0 for negative n or k, and for k > n. In floating point, to
/// some 1e-14. Errors: shape_error; type_error for complex numbers.
template <class Operand = operand>
constexpr array comb(const lazy<Operand>& n, const lazy<Operand>& k) {
  const rule_location_scope here(n.where);
  const detail::inexact_pair p("comb", n, k);
  if (!p.bad.is_none()) return p.bad;
  const array there = (p.a >= 0.0) & (p.b >= 0.0) & (p.b <= p.a), all = where(there, p.a, 1.0), chosen = where(there, p.b, 0.0);
  // 1 / ((n + 1) B(n - k + 1, k + 1)); rounded where both are whole and the result may be too.
  const auto value = [](const array& above, const array& below) {
    const array count = detail::beta_function{true}(above - below + 1.0, below + 1.0, 1.0 / (above + 1.0));
    const array whole = (floor(above) == above) & (floor(below) == below) & (count < 1e15);
    return count - lax::stop_gradient(where(whole, count - round(count), 0.0));  // which keeps the derivative
  };
  const array choices = detail::in_f64(n.where, value, all, chosen);
  return where(there, choices, where(isnan(p.a) | isnan(p.b), std::numeric_limits<double>::quiet_NaN(), detail::scalar_like(p.a, 0)));
}
/// Bernoulli's numbers B_0, ..., B_n in f64, B_1 being -1/2: B_2k = -(-1)^k 2 (2k)! zeta(2k) / (2 pi)^2k. Errors: value_error for n < 0.
template <class Array = array>
constexpr array bernoulli(std::int64_t n, location where = location::current()) {
  const rule_location_scope here(where);
  if (n < 0) return jacquard::detail::operand_error({}, make_error(error_kind::value, "bernoulli: got n = ", n, ", wanted at least 0"), where);
  constexpr double two_pi = 6.28318530717958647693;
  const array k = jacquard::detail::as_type(lax::iota(i64, shape{n / 2 + 1}, 0, where), {f64, false}, where), even = 2.0 * k, first = k == 0.0;
  const array growth = cumprod(jacquard::where(first, 1.0, even * (even - 1.0) / (two_pi * two_pi)));
  const array size = 2.0 * growth * zeta(jacquard::where(first, 2.0, even)), sign = jacquard::where(fmod(k, 2.0) == 0.0, -1.0,
                                                                                                    detail::scalar_like(k, 1));
  const array at_even = jacquard::where(first, 1.0, sign * size), odd = jacquard::where(first, -0.5, k * 0.0);
  const array all = lax::reshape(stack({at_even, odd}, 1), shape{2 * (n / 2 + 1)}, where);
  return lax::slice(all, {0}, {n + 1}, {}, where);
}
/// The associated Legendre functions of orders 0 to m and degrees 0 to n at the elements of the vector z, |z| <= 1: [m + 1, n + 1, size], 0 where
/// the order is more than the degree; with the phase (-1)^order, and on request normalised on the sphere, times
/// sqrt((2 l + 1) (l - m)! / (4 pi (l + m)!)). By recurrence in the degree. Errors: value_error for negative m or n; shape_error.
template <class Operand = operand>
constexpr array lpmn_values(int m, int n, const lazy<Operand>& z, bool is_normalized = false) {
  const rule_location_scope here(z.where);
  const array x = detail::inexact(z);
  if (m < 0 || n < 0) return jacquard::detail::bad_operand(z, error_kind::value, "lpmn_values: got orders to ", m, " and degrees to ", n, "; wanted at least 0");
  if (x.ndim() != 1) return jacquard::detail::bad_operand(z, error_kind::shape, "lpmn_values: got an array of shape ", x.shape(), ", wanted a vector");
  const array zero = jacquard::zeros_like(x), slope = sqrt(1.0 - x * x);
  array_list rows;
  array diagonal = jacquard::ones_like(x);
  for (int order = 0; order <= m; ++order) {
    if (order > 0) diagonal = diagonal * slope * -(2.0 * order - 1);
    array before = zero, p = diagonal;
    for (int degree = 0; degree <= n; ++degree) {
      if (degree > order) {
        const array next = ((2.0 * degree - 1) * x * p - (degree + order - 1.0) * before) * (1.0 / (degree - order));
        before = p;
        p = next;
      }
      double scale = is_normalized ? math::sqrt((2 * degree + 1) * 0.07957747154594766788) : 1;  // 1 / (4 pi)
      for (int k = degree - order + 1; is_normalized && k <= degree + order; ++k) scale /= math::sqrt(double(k));
      rows.push_back(degree < order ? zero : p * scale);
    }
  }
  return lax::reshape(stack(view<const array>(rows)), shape{m + 1, n + 1, x.size()}, z.where);
}
/// The spherical harmonic of degree n >= 0 and order |m| <= n at the polar angle theta and the azimuth phi (scipy's sph_harm_y), complex, with the
/// phase (-1)^m of Condon and Shortley, normalised on the sphere. By recurrence in the degree, which is stable. Errors: value_error for another n or
/// m; shape_error.
template <class Operand = operand>
constexpr array sph_harm_y(int n, int m, const lazy<Operand>& theta, const lazy<Operand>& phi) {
  const rule_location_scope here(theta.where);
  const int order = m < 0 ? -m : m;
  if (n < 0 || order > n)
    return jacquard::detail::bad_operands(theta, phi, error_kind::value, "sph_harm_y: got the degree ", n, " and the order ", m,
                                          "; wanted a degree >= 0 and an order of at most its size");
  const detail::inexact_pair at("sph_harm_y", theta, phi);
  if (!at.bad.is_none()) return at.bad;
  const array x = cos(at.a), slope = sin(at.a);
  double constant = 0.28209479177387814347;  // 1 / sqrt(4 pi)
  for (int k = 1; k <= order; ++k) constant *= -math::sqrt((2.0 * k + 1) / (2.0 * k));
  array before = detail::scalar_like(x, 0) * x, p = constant * power(slope, order);
  for (int k = order + 1; k <= n; ++k) {
    const double above = double(k) * k - double(order) * order, below = (k - 1.0) * (k - 1) - double(order) * order;
    const double factor = math::sqrt((4.0 * k * k - 1) / above), last = math::sqrt(below / (4.0 * (k - 1) * (k - 1) - 1));
    const array next = factor * (x * p - last * before);
    before = p;
    p = next;
  }
  if (m < 0 && order % 2 == 1) p = -p;
  const array angle = double(m) * at.b;
  return lax::complex(p * cos(angle), p * sin(angle), at.where);
}

}  // namespace jacquard::special
