// Complex numbers that write down what is done to them: two real programs, which are run here by plain arithmetic and compared with the functions
// of complex numbers, special values among them.
#include <jacquard/core/recorded_complex.hpp>

#include <cmath>
#include <limits>
#include <ostream>

#include <jacquard/core/math.hpp>
#include <jacquard/core/math/complex_kernels.hpp>

#include <doctest/doctest.h>

namespace jq = jacquard;
using jq::complex128, jq::complex64, jq::recorded_complex, jq::recorded_scalar, jq::scalar_op, jq::scalar_program, jq::scalar_step;

namespace {

/// A program's steps as numbers: f32 ones are rounded after each step.
class runner {
 public:
  runner(const scalar_program& p, complex128 a, complex128 b) {
    const double in[] = {a.re, a.im, b.re, b.im};
    for (const scalar_step& s : p.steps) {
      const auto x = [&](int i) { return values_[std::size_t(s.in[i])]; };
      double r = 0;
      if (s.op == scalar_op::load) r = in[s.in[0]];
      else if (s.op == scalar_op::constant) r = s.value.get<double>();
      else if (s.op == scalar_op::convert) r = x(0);
      else if (s.op == scalar_op::bitcast) r = std::isnan(x(0)) ? 1 : std::signbit(x(0)) ? -1 : 1;
      else if (s.op == scalar_op::select) r = x(0) != 0 ? x(1) : x(2);
      else if (jq::operand_count(s.op) == 2) r = binary(s.op, x(0), x(1));
      else r = unary(s.op, x(0));
      values_.push_back(s.type == jq::f32 ? double(float(r)) : r);
    }
  }
  double operator()(const recorded_scalar& x) const { return values_[std::size_t(x.number())]; }

 private:
  static double binary(scalar_op op, double a, double b) {
    switch (op) {
      case scalar_op::add: return a + b;
      case scalar_op::subtract: return a - b;
      case scalar_op::multiply: return a * b;
      case scalar_op::divide: return a / b;
      case scalar_op::max: return std::isnan(a) || std::isnan(b) ? a + b : std::fmax(a, b);
      case scalar_op::min: return std::isnan(a) || std::isnan(b) ? a + b : std::fmin(a, b);
      case scalar_op::atan2: return std::atan2(a, b);
      case scalar_op::equal: return a == b;
      case scalar_op::not_equal: return a != b;
      case scalar_op::less: return a < b;
      case scalar_op::less_equal: return a <= b;
      case scalar_op::greater: return a > b;
      case scalar_op::greater_equal: return a >= b;
      case scalar_op::bit_and: return a != 0 && b != 0;
      case scalar_op::bit_or: return a != 0 || b != 0;
      default: FAIL(name(op)); return 0;
    }
  }
  static double unary(scalar_op op, double x) {
    switch (op) {
      case scalar_op::negate: return -x;
      case scalar_op::abs: return std::fabs(x);
      case scalar_op::sign: return x == 0 || std::isnan(x) ? x : std::copysign(1.0, x);
      case scalar_op::is_finite: return std::isfinite(x);
      case scalar_op::bit_not: return x == 0;
      case scalar_op::sqrt: return std::sqrt(x);
      case scalar_op::exp: return std::exp(x);
      case scalar_op::expm1: return std::expm1(x);
      case scalar_op::log: return std::log(x);
      case scalar_op::log1p: return std::log1p(x);
      case scalar_op::sin: return std::sin(x);
      case scalar_op::cos: return std::cos(x);
      case scalar_op::tan: return std::tan(x);
      case scalar_op::sinh: return std::sinh(x);
      case scalar_op::cosh: return std::cosh(x);
      case scalar_op::tanh: return std::tanh(x);
      default: FAIL(name(op)); return 0;
    }
  }
  std::vector<double> values_;
};

template <class T>
const T parts[] = {0, T(-0.0), 1, T(-2.5), T(0.3), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(),
                   T(1e30), T(-1e30), T(1e-30), T(-3e-20), T(750), T(-750), T(85), T(-95), T(23), T(-24), std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(1e-16),
                   T(1.5707964)};

/// Whether products of a number may be rounded to zero, whose sign is then that of what was lost, or of what is left; or which makes no NaN of an
/// infinity where it is not rounded to zero.
template <class T>
bool leaves_room(T x) { return std::isfinite(x) && x != 0 && (std::fabs(double(x)) < 1e-200 || std::fabs(double(x)) > 1e200); }
/// Whether parts are the same number, or near for numbers of this size.
template <class T>
bool is_near(T got, T want, double size, bool any_zero) {
  if (std::isnan(want)) return std::isnan(got) || (any_zero && std::isinf(got));
  if (std::isinf(want) || want == 0) {
    if (got == want) return std::signbit(got) == std::signbit(want) || (any_zero && want == 0);
    if (std::isinf(want)) return std::fabs(double(got)) > double(std::numeric_limits<T>::max()) * (1 - 1e-5);
  }
  const double room = 8 * double(std::numeric_limits<T>::epsilon()) * size + 4 * double(std::numeric_limits<T>::min());
  return std::fabs(double(got) - double(want)) <= room;
}
template <class T>
double size_of(jq::complex<T> z) {
  const double x = std::fabs(double(z.re)), y = std::fabs(double(z.im));
  if (!std::isfinite(x)) return std::isfinite(y) ? y : 0;
  return std::isfinite(y) ? std::fmax(x, y) : x;
}
/// Compares f of recorded numbers with f of numbers, as kernels compute it: c64 in c128.
template <class T, class F>
void compare(const char* what, F f, bool is_binary = false) {
  const jq::dtype t = jq::dtype_of<T>();
  scalar_program p;
  const auto load = [&](int i) { return recorded_scalar(p, p.load(i, t)); };
  const recorded_complex a(load(0), load(1)), b(load(2), load(3));
  const auto made = f(a, b);
  REQUIRE(!p.refused);
  int wrong = 0;
  for (T ar : parts<T>)
    for (T ai : parts<T>)
      for (T br : parts<T>)
        for (T bi : parts<T>) {
          if (!is_binary && !(br == 1 && bi == 1)) continue;
          const complex128 x(ar, ai), y(br, bi);
          const runner run(p, x, y);
          const auto want = f(x, y);
          jq::complex<T> w, g;
          if constexpr (requires { want.re; }) w = jq::complex<T>(T(want.re), T(want.im)), g = {T(run(made.re)), T(run(made.im))};
          else w = {T(want), 0}, g = {T(run(made)), 0};
          const bool is_extreme = leaves_room(ar) || leaves_room(ai) || leaves_room(br) || leaves_room(bi);
          const bool overflows = is_extreme && (std::isinf(w.re) || std::isinf(w.im));  // next to which any number is small
          const double size = overflows ? double(std::numeric_limits<T>::max()) : size_of(w);
          if (is_near(g.re, w.re, size, is_extreme) && is_near(g.im, w.im, size, is_extreme)) continue;
          if (++wrong <= 5) {
            INFO(what << " of (" << double(ar) << ", " << double(ai) << "), (" << double(br) << ", " << double(bi) << "): got (" << double(g.re) << ", " << double(g.im) << "), want ("
                      << double(w.re) << ", " << double(w.im) << ")");
            CHECK(false);
          }
        }
  CHECK(wrong == 0);
}
#define COMPARE(name)                                                                         \
  compare<float>(#name, [](auto a, auto) { return jq::math::name(a); });                     \
  compare<double>(#name, [](auto a, auto) { return jq::math::name(a); })

}  // namespace

TEST_CASE("recorded complex: sums, differences, signs") {
  compare<float>("add", [](auto a, auto b) { return jq::math::add(a, b); }, true);
  compare<double>("subtract", [](auto a, auto b) { return jq::math::subtract(a, b); }, true);
  COMPARE(negate);
  COMPARE(conj);
}
TEST_CASE("recorded complex: products in the dtype of the parts") {
  compare<double>("multiply", [](auto a, auto b) { return jq::math::multiply(a, b); }, true);
  compare<double>("cube", [](auto a, auto) { return jq::math::powi(a, 3); });
}
TEST_CASE("recorded complex: quotients, moduli, signs") {
  compare<float>("divide", [](auto a, auto b) { return jq::math::divide(a, b); }, true);
  compare<double>("divide", [](auto a, auto b) { return jq::math::divide(a, b); }, true);
  compare<float>("quotient by a constant", [](auto a, auto) { return jq::math::divide(a, decltype(a)(-3.0)); });
  compare<double>("quotient by a constant", [](auto a, auto) { return jq::math::divide(a, decltype(a)(2.0)); });
  COMPARE(abs);
  COMPARE(sign);
}
TEST_CASE("recorded complex: roots") {
  COMPARE(sqrt);
  COMPARE(rsqrt);
}
TEST_CASE("recorded complex: exponentials and logarithms") {
  COMPARE(exp);
  COMPARE(log);
  COMPARE(expm1);
  COMPARE(log1p);
  COMPARE(logistic);
}
TEST_CASE("recorded complex: circular and hyperbolic functions") {
  COMPARE(sinh);
  COMPARE(cosh);
  COMPARE(tanh);
  COMPARE(sin);
  COMPARE(cos);
  COMPARE(tan);
}
TEST_CASE("recorded complex: powers") {
  compare<float>("pow", [](auto a, auto b) { return jq::math::pow(a, b); }, true);
}
TEST_CASE("recorded complex: what has no such form is refused") {
  scalar_program p;
  const recorded_scalar x(p, p.load(0, jq::f32));
  jq::math::asin(recorded_complex(x, x));
  CHECK(p.refused);
}
