#pragma once
// Random functions of a few numbers, made of what the compile-time lane rearranges: shared factors, quotients of parts, inverse lengths and their
// cubes, long sums and extremes, chains of steps. They run on whatever has the operations: traced arrays, or `exact` numbers, whose derivatives
// are those of dual numbers in long double with a bound of what rounding may do. Deliberately of single numbers, and of moderate sizes.

#include <jacquard/jacquard.hpp>
#include <jacquard/testing/report.hpp>
#include <jacquard/testing/sample.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace laws {

namespace jq = jacquard;

/// A number as it would be without rounding, and a bound: every rounding on the way moves the computed one by at most that many units of
/// its type's precision.
struct exact {
  long double v = 0, m = 0;
  exact() = default;
  exact(double x) : v(x), m(std::abs(v)) {}
  exact(long double x, long double roundings) : v(x), m(roundings) {}
};
/// Whether a choice between two numbers may fall the other way, or a divisor is all rounding. Set by the operations below, for what `expected` gave last.
inline bool is_unsure = false;
inline long double size(const exact& a) { return std::abs(a.v); }
inline exact operator+(const exact& a, const exact& b) { return {a.v + b.v, a.m + b.m + std::abs(a.v + b.v)}; }
inline exact operator-(const exact& a, const exact& b) { return {a.v - b.v, a.m + b.m + std::abs(a.v - b.v)}; }
inline exact operator-(const exact& a) { return {-a.v, a.m}; }
/// With what both roundings make together, which is all there is where both numbers are zero but for rounding.
inline exact operator*(const exact& a, const exact& b) { return {a.v * b.v, size(a) * b.m + a.m * size(b) + std::abs(a.v * b.v) + 0x1p-24L * a.m * b.m}; }
inline exact operator/(const exact& a, const exact& b) {
  if (b.m > 1e4L * size(b)) is_unsure = true;
  const long double q = a.v / b.v;
  return {q, a.m / size(b) + std::abs(q) * b.m / size(b) + std::abs(q)};
}
inline exact function(const exact& a, long double value, long double slope) { return {value, std::abs(slope) * a.m + 2 * std::abs(value)}; }
inline exact sin(const exact& a) { return function(a, std::sin(a.v), std::cos(a.v)); }
inline exact cos(const exact& a) { return function(a, std::cos(a.v), std::sin(a.v)); }
inline exact exp(const exact& a) { return function(a, std::exp(a.v), std::exp(a.v)); }
inline exact log(const exact& a) { return function(a, std::log(a.v), 1 / a.v); }
inline exact sqrt(const exact& a) { return function(a, std::sqrt(a.v), 0.5L / std::sqrt(a.v)); }
inline bool is_less(const exact& a, const exact& b) {
  if (std::abs(a.v - b.v) < 1e-5L * (a.m + b.m)) is_unsure = true;
  return a.v < b.v;
}

/// A number and its derivatives.
template <class T>
struct dual {
  T v{};
  std::vector<T> d;
  dual() = default;
  dual(double x) : v(x) {}
  dual(T x, std::size_t n) : v(x), d(n) {}
  /// f(x) for what is there, where the derivative is `slope`.
  static dual chain(const T& value, const T& slope, const dual& x) {
    dual r(value, x.d.size());
    for (std::size_t i = 0; i < r.d.size(); ++i) r.d[i] = slope * x.d[i];
    return r;
  }
};
template <class T, class Combine>
dual<T> combined(const T& value, const dual<T>& a, const dual<T>& b, const Combine& combine) {
  dual<T> r(value, std::max(a.d.size(), b.d.size()));
  for (std::size_t i = 0; i < r.d.size(); ++i) r.d[i] = combine(i < a.d.size() ? a.d[i] : T(0.0), i < b.d.size() ? b.d[i] : T(0.0));
  return r;
}
template <class T>
dual<T> operator+(const dual<T>& a, const dual<T>& b) { return combined(a.v + b.v, a, b, [](const T& x, const T& y) { return x + y; }); }
template <class T>
dual<T> operator-(const dual<T>& a, const dual<T>& b) { return combined(a.v - b.v, a, b, [](const T& x, const T& y) { return x - y; }); }
template <class T>
dual<T> operator-(const dual<T>& a) { return dual<T>::chain(-a.v, T(-1.0), a); }
template <class T>
dual<T> operator*(const dual<T>& a, const dual<T>& b) { return combined(a.v * b.v, a, b, [&](const T& x, const T& y) { return x * b.v + a.v * y; }); }
template <class T>
dual<T> operator/(const dual<T>& a, const dual<T>& b) {
  return combined(a.v / b.v, a, b, [&](const T& x, const T& y) { return x / b.v - a.v * y / (b.v * b.v); });
}
template <class T>
dual<T> sin(const dual<T>& a) { return dual<T>::chain(sin(a.v), cos(a.v), a); }
template <class T>
dual<T> cos(const dual<T>& a) { return dual<T>::chain(cos(a.v), -sin(a.v), a); }
template <class T>
dual<T> exp(const dual<T>& a) { return dual<T>::chain(exp(a.v), exp(a.v), a); }
template <class T>
dual<T> log(const dual<T>& a) { return dual<T>::chain(log(a.v), T(1.0) / a.v, a); }
template <class T>
dual<T> sqrt(const dual<T>& a) { return dual<T>::chain(sqrt(a.v), T(0.5) / sqrt(a.v), a); }
template <class T>
bool is_less(const dual<T>& a, const dual<T>& b) { return is_less(a.v, b.v); }
template <class T>
  requires requires(const T& x) { is_less(x, x); }
T maximum(const T& a, const T& b) { return is_less(a, b) ? b : a; }
template <class T>
  requires requires(const T& x) { is_less(x, x); }
T minimum(const T& a, const T& b) { return is_less(b, a) ? b : a; }

/// What a random function does, one operation after the other, to its arguments and what came before.
class frozen_program {
 public:
  enum class operation : std::uint8_t { add, subtract, multiply, divide, negate, plus, minus_from, times, over, divided_by, sin, exp, log, sqrt, max, min };
  static constexpr int inputs = 3;
  struct step {
    operation what{};
    std::uint16_t a = 0, b = 0;
    double c = 0;
  };

  /// `long_ones`: with chains and sums of many steps among them.
  constexpr explicit frozen_program(std::uint64_t seed, bool long_ones) : s_(seed) {
    for (double& x : arguments) {
      x = 0.25 + 0.125 * double(s_.below(18));
      if (s_.below(3) == 0) x = -x;
      values_.push_back(x);
    }
    for (std::int64_t n = 1 + s_.below(5); n > 0; --n) add_pattern(long_ones);
    while (values_.size() < inputs + 3) put_two(operation::multiply);
  }

  double arguments[inputs]{};
  constexpr std::size_t size() const { return steps_.size(); }

  constexpr const std::vector<step>& steps() const { return steps_; }
  /// The last `count` values of all that it computes, of things that have these operations.
  template <class T>
  std::vector<T> operator()(const std::vector<T>& given, std::size_t count) const { return run(steps_, given, count); }
  template <class Steps, class T>
  static constexpr std::vector<T> run(const Steps& steps, const std::vector<T>& given, std::size_t count) {
    std::vector<T> x = given;
    for (const step& s : steps) {
      const T &a = x[s.a], &b = x[s.b];
      switch (s.what) {
        case operation::add: x.push_back(a + b); break;
        case operation::subtract: x.push_back(a - b); break;
        case operation::multiply: x.push_back(a * b); break;
        case operation::divide: x.push_back(a / b); break;
        case operation::negate: x.push_back(-a); break;
        case operation::plus: x.push_back(a + T(s.c)); break;
        case operation::minus_from: x.push_back(T(s.c) - a); break;
        case operation::times: x.push_back(T(s.c) * a); break;
        case operation::over: x.push_back(T(s.c) / a); break;
        case operation::divided_by: x.push_back(a / T(s.c)); break;
        case operation::sin: x.push_back(sin(a)); break;
        case operation::exp: x.push_back(exp(a)); break;
        case operation::log: x.push_back(log(a)); break;
        case operation::sqrt: x.push_back(sqrt(a)); break;
        case operation::max: x.push_back(maximum(a, b)); break;
        case operation::min: x.push_back(minimum(a, b)); break;
      }
    }
    return std::vector<T>(x.end() - std::ptrdiff_t(count), x.end());
  }

 private:
  static constexpr double computed(operation what, double a, double b, double c) {
    switch (what) {
      case operation::add: return a + b;
      case operation::subtract: return a - b;
      case operation::multiply: return a * b;
      case operation::divide: return a / b;
      case operation::negate: return -a;
      case operation::plus: return a + c;
      case operation::minus_from: return c - a;
      case operation::times: return c * a;
      case operation::over: return c / a;
      case operation::divided_by: return a / c;
      case operation::sin: return jq::math::sin(a);
      case operation::exp: return jq::math::exp(a);
      case operation::log: return jq::math::log(a);
      case operation::sqrt: return jq::math::sqrt(a);
      case operation::max: return a < b ? b : a;
      default: return b < a ? b : a;
    }
  }
  constexpr std::size_t put(operation what, std::size_t a, std::size_t b = 0, double c = 0) {
    steps_.push_back({what, std::uint16_t(a), std::uint16_t(b), c});
    values_.push_back(computed(what, values_[a], values_[b], c));
    return values_.size() - 1;
  }
  constexpr double size_of(std::size_t x) const { return values_[x] < 0 ? -values_[x] : values_[x]; }
  constexpr std::size_t any() {
    const std::int64_t n = std::int64_t(values_.size());
    return std::size_t(s_.below(3) ? n - 1 - s_.below(std::min<std::int64_t>(n, 4)) : s_.below(n));
  }
  /// One of moderate size.
  constexpr std::size_t operand() {
    std::size_t x = any();
    while (size_of(x) > 4) x = put(operation::times, x, 0, 0.125);
    return x;
  }
  constexpr double factor() {
    constexpr double often[] = {2, -1, 0.5, 0.01, 3, -0.3, -2, 0.1, 0.25};
    return often[s_.below(9)];
  }
  /// Of two operands, the first of which is drawn first: compilers evaluate arguments in different orders.
  constexpr std::size_t put_two(operation what) {
    const std::size_t a = operand(), b = operand();
    return put(what, a, b);
  }
  constexpr operation sum_or_difference() { return s_.below(2) ? operation::add : operation::subtract; }
  constexpr std::size_t square(std::size_t x) { return put(operation::multiply, x, x); }
  constexpr std::size_t positive() { return put(operation::plus, square(operand()), 0, 0.5); }

  constexpr void add_pattern(bool long_ones) {
    switch (s_.below(long_ones ? 14 : 11)) {
      case 0: put_two(sum_or_difference()); break;
      case 1: {
        const std::size_t x = operand();
        put(operation::times, x, 0, factor());
        break;
      }
      case 2: {  // a function, of what it takes
        const operation all[] = {operation::sin, operation::exp, operation::log, operation::sqrt};
        const operation f = all[s_.below(4)];
        put(f, f == operation::log || f == operation::sqrt ? positive() : operand());
        break;
      }
      case 3: {
        const std::size_t x = operand();
        put(operation::divide, x, positive());
        break;
      }
      case 4: {  // shared factors
        const std::size_t p = put_two(operation::multiply);
        std::size_t all = put(operation::multiply, p, operand());
        for (std::int64_t n = s_.below(3); n > 0; --n) {
          std::size_t x = operand();
          x = put(operation::multiply, x, s_.below(2) ? p : operand());
          if (s_.below(2)) x = put(operation::multiply, x, p);
          all = put(sum_or_difference(), all, x);
        }
        break;
      }
      case 5: {  // m x / (k + x)
        const std::size_t m = operand(), x = square(operand());
        const std::size_t y = s_.below(2) ? put(operation::plus, x, 0, 0.75) : put(operation::add, x, positive());
        put(operation::divide, put(operation::multiply, m, x), y);
        break;
      }
      case 6: {  // an inverse length, and perhaps its cube
        std::size_t r = square(operand());
        for (std::int64_t n = s_.below(3); n > 0; --n) r = put(operation::add, r, square(operand()));
        r = put(operation::plus, r, 0, 0.25);
        const std::size_t l = put(operation::sqrt, r), u = put(operation::over, l, 0, factor());
        if (s_.below(2)) put(operation::multiply, put(operation::multiply, u, u), u);
        break;
      }
      case 7: {  // a product of several
        std::size_t p = operand();
        for (std::int64_t n = 1 + s_.below(5); n > 0; --n)
          if (s_.below(4)) p = put(operation::multiply, p, operand());
          else p = put(operation::times, p, 0, factor());
        break;
      }
      case 8: put(operation::negate, operand()); break;
      case 9: {
        const operation f = s_.below(2) ? operation::minus_from : operation::plus;
        const std::size_t x = operand();
        put(f, x, 0, factor());
        break;
      }
      case 10: {
        const std::size_t a = operand(), b = operand();
        const operation f = s_.below(2) ? operation::max : operation::min;
        if (values_[a] != values_[b]) put(f, a, b);
        break;
      }
      case 11: {  // a long sum, perhaps of multiples
        const double c = factor();
        const bool multiples = s_.below(2) != 0;
        std::size_t all = operand();
        for (std::int64_t n = 6 + s_.below(40); n > 0; --n) {
          std::size_t x = put_two(operation::multiply);
          if (multiples) x = put(operation::times, x, 0, c);
          all = put(s_.below(3) ? operation::add : operation::subtract, all, x);
          if (size_of(all) > 100) break;
        }
        put(operation::times, all, 0, 0.0625);
        break;
      }
      case 12: {  // a long extreme
        const operation f = s_.below(2) ? operation::max : operation::min;
        std::size_t all = operand();
        for (std::int64_t n = 2 + s_.below(9); n > 0; --n) {
          const std::size_t x = put(operation::times, operand(), 0, 1 + 0.0078125 * double(n));
          if (values_[x] != values_[all]) all = s_.below(4) ? put(f, all, x) : put(f, x, all);
        }
        break;
      }
      default: {  // a chain of steps
        const std::size_t a = operand(), b = operand();
        std::size_t y = operand();
        for (std::int64_t n = 4 + s_.below(30); n > 0; --n) {
          const std::size_t f = put(operation::subtract, a, put(operation::multiply, b, square(y)));
          y = put(operation::add, y, put(operation::times, f, 0, 0.01));
          if (size_of(y) > 8) break;
        }
      }
    }
    while (size_of(values_.size() - 1) > 16) put(operation::times, values_.size() - 1, 0, 0.125);
  }

  jacquard::testing::sampler s_;
  std::vector<step> steps_;
  std::vector<double> values_;  ///< by value: what it is
};

enum class transform { value, gradient, value_and_gradient, tangent, jacobian_backwards, jacobian_forwards, hessian, gradient_of_gradient, count };
inline constexpr double direction[] = {1, -0.5, 0.25};

/// What a transform of it gives there.
inline std::vector<exact> expected(const frozen_program& p, transform t, const double* arguments) {
  using once = dual<exact>;
  using twice = dual<once>;
  constexpr int n = frozen_program::inputs;
  is_unsure = false;
  if (t == transform::hessian || t == transform::gradient_of_gradient) {
    std::vector<twice> x;
    for (int i = 0; i < n; ++i) {
      twice v(once(exact(arguments[i]), n), n);
      v.v.d[std::size_t(i)] = exact(1.0), v.d[std::size_t(i)] = once(1.0);
      x.push_back(v);
    }
    const twice y = p(x, 1)[0];
    std::vector<exact> r;
    for (std::size_t i = 0; i < n; ++i) {
      exact along(0.0);
      for (std::size_t j = 0; j < n; ++j) {
        const exact h = i < y.d.size() && j < y.d[i].d.size() ? y.d[i].d[j] : exact(0.0);
        if (t == transform::hessian) r.push_back(h);
        along = along + exact(direction[j]) * h;
      }
      if (t != transform::hessian) r.push_back(along);
    }
    return r;
  }
  std::vector<once> x;
  for (int i = 0; i < n; ++i) {
    x.push_back(once(exact(arguments[i]), n));
    x.back().d[std::size_t(i)] = exact(1.0);
  }
  const bool jacobian = t == transform::jacobian_backwards || t == transform::jacobian_forwards;
  std::vector<exact> r;
  for (once& y : p(x, jacobian ? 3 : 1)) {
    y.d.resize(n);
    exact along(0.0);
    for (std::size_t i = 0; i < n; ++i) along = along + exact(direction[i]) * y.d[i];
    if (t == transform::value || t == transform::value_and_gradient || t == transform::tangent) r.push_back(y.v);
    if (t == transform::tangent) r.push_back(along);
    else if (t != transform::value) r.insert(r.end(), y.d.begin(), y.d.end());
  }
  return r;
}

/// Whether rounding to units of that size leaves enough to compare of what `expected` gave.
inline bool is_sure(const std::vector<exact>& want, double unit) {
  if (is_unsure) return false;
  for (const exact& x : want)
    if (!(std::abs(x.v) < 1e12L) || !(x.m * unit < 1e-2L * (1 + std::abs(x.v)))) return false;
  return true;
}
/// Names the first number that is off by more than `allowed` units for each rounding.
inline jq::testing::report compared(const std::vector<double>& got, const std::vector<exact>& want, double unit, double allowed) {
  jq::testing::report r;
  if (got.size() != want.size()) return r.fail("got ", got.size(), " numbers, wanted ", want.size());
  const long double least = unit > 1e-10 ? 1e-36L : 1e-300L;  // what is smaller may have been denormal on the way
  for (std::size_t i = 0; i < got.size(); ++i) {
    const long double apart = std::abs(got[i] - want[i].v);
    if (apart <= allowed * unit * want[i].m + least) continue;
    char line[200];
    std::snprintf(line, sizeof line, "number %zu: got %.17g, wanted %.17Lg, apart by %.3Lg units of %.3Lg", i, got[i], want[i].v, apart / unit, want[i].m);
    return r.fail(std::string_view(line));
  }
  return r;
}

}  // namespace laws
