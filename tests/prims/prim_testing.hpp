#pragma once
// What the tests of primitives share: making and reading arrays, comparing them, and checks that hold for every primitive
// (derivatives against differences, transposes against derivatives, batches against single examples, all dtypes).

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>

#include <doctest/doctest.h>

#include <jacquard/jacquard.hpp>

namespace prim_testing {

namespace jq = jacquard;
namespace lax = jacquard::lax;
using jq::array;
using jq::shape;
using arrays = std::vector<array>;
using function = std::function<array(const arrays&)>;
using c128 = std::complex<double>;

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// An array with the exact dtype of T; without a shape of rank 1.
template <class T>
array make(std::initializer_list<T> v, shape dims) {
  jq::buffer* b = jq::make_buffer(jq::aval(jq::dtype_of<T>(), dims));
  T* to = static_cast<T*>(b->data);
  for (const T& x : v) *to++ = x;
  return array(b);
}
template <class T>
array make(std::initializer_list<T> v) {
  return make(v, shape{std::int64_t(v.size())});
}
template <class T>
array scalar(T v) {
  return make({v}, shape{});
}
inline array cast(const array& x, jq::dtype t) { return lax::convert_element_type(x, t); }

/// Runs the kernel of P on one operand in a constant expression.
template <class P, std::size_t Results, class T, std::size_t N, class... Params>
constexpr std::array<T, Results> kernel_result(const std::array<T, N>& x, const shape& from, const shape& to,
                                               const Params&... p) {
  std::array<T, Results> y{};
  const T* in[] = {x.data()};
  T* out[] = {y.data()};
  const std::int64_t* index[] = {nullptr};
  std::int64_t* index_out[] = {nullptr};
  const jq::aval in_type[] = {jq::aval(jq::dtype_of<T>(), from)}, out_type[] = {jq::aval(jq::dtype_of<T>(), to)};
  jq::detail::run_kernel<P>(jq::kernel_args<T>{in, index, out, index_out, in_type, out_type}, p...);
  return y;
}

/// The elements as T, whatever the dtype.
template <class T>
std::vector<T> values(const array& x) {
  const array y = cast(x, jq::dtype_of<T>());
  if (y.kind() == jq::array_kind::literal) return {y.template item<T>()};
  const std::span<const T> s = y.template data<T>();
  return std::vector<T>(s.begin(), s.end());
}
inline std::vector<c128> numbers(const array& x) {
  std::vector<c128> r;
  for (const jq::complex128& z : values<jq::complex128>(x)) r.emplace_back(z.re, z.im);
  return r;
}

inline bool close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= tolerance * (1 + std::abs(b));
}
/// Equal shape and dtype, and elements equal within an absolute and relative tolerance.
inline bool close(const array& a, const array& b, double tolerance = 0) {
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
  const std::vector<c128> x = numbers(a), y = numbers(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!close(x[i].real(), y[i].real(), tolerance) || !close(x[i].imag(), y[i].imag(), tolerance)) return false;
  return true;
}
/// Elements as a row of numbers, for messages.
inline std::string show(const array& x) {
  std::string s = std::string(jq::name(x.dtype())) + " rank " + std::to_string(x.ndim()) + ":";
  for (const c128& z : numbers(x))
    s += " " + std::to_string(z.real()) + (z.imag() != 0 ? "+" + std::to_string(z.imag()) + "i" : "");
  return s;
}
#define CHECK_CLOSE(a, b, tolerance)                                                    \
  do {                                                                                  \
    const array got_ = (a), want_ = (b);                                                \
    INFO("got " << prim_testing::show(got_) << ", want " << prim_testing::show(want_)); \
    CHECK(prim_testing::close(got_, want_, tolerance));                                 \
  } while (false)

/// Reproducible numbers in (-1, 1), of the dtype and shape of `like`; none where that has no tangents.
inline array direction(const array& like, unsigned seed) {
  if (!jq::is_inexact(like.dtype())) return {};
  unsigned state = seed * 2654435761u + 12345u;
  const auto next = [&] { return double((state = state * 1664525u + 1013904223u) >> 8) / double(1 << 23) - 1; };
  jq::buffer* b = jq::make_buffer(jq::aval(jq::c128, like.shape()));
  for (std::int64_t i = 0; i < like.size(); ++i) {
    const double re = next(), im = next();
    static_cast<jq::complex128*>(b->data)[i] = {re, jq::is_complex(like.dtype()) ? im : 0};
  }
  return cast(array(b), like.dtype());
}
/// The real part of sum(a * b), without conjugation.
inline double pairing(const array& a, const array& b) {
  const std::vector<c128> x = numbers(a), y = numbers(b);
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) s += (x[i] * y[i]).real();
  return s;
}
inline arrays directions(const arrays& x, unsigned seed) {
  arrays t;
  for (std::size_t k = 0; k < x.size(); ++k) t.push_back(direction(x[k], seed + 17 * unsigned(k)));
  return t;
}
/// Zeros where there is no tangent, as jvp wants its arguments.
inline arrays filled(const arrays& t, const arrays& x) {
  arrays r = t;
  for (std::size_t k = 0; k < r.size(); ++k)
    if (r[k].is_none()) r[k] = lax::zeros(x[k].aval());
  return r;
}
/// The directional derivative.
inline array derivative(const function& f, const arrays& x, const arrays& t) {
  return jq::jvp(f, jq::primals(x), jq::tangents(filled(t, x))).second;
}
/// Cotangents of the operands, by reverse mode.
inline arrays cotangents(const function& f, const arrays& x, const array& ct) {
  return std::get<0>(jq::vjp(f, x).second(ct));
}

/// jvp against a difference quotient of fourth order, and vjp against jvp; `order` times nested. f64 or c128 operands.
inline void check_derivatives(const function& f, const arrays& x, int order = 2, double tolerance = 1e-8) {
  const arrays t = directions(x, 7u * unsigned(order));
  const auto moved = [&](double h) {
    arrays z = x;
    for (std::size_t k = 0; k < z.size(); ++k)
      if (!t[k].is_none()) z[k] = lax::add(z[k], lax::mul(h, t[k]));
    return f(z);
  };
  const double h = 1e-3;
  const array near = lax::sub(moved(h), moved(-h)), far = lax::sub(moved(2 * h), moved(-2 * h));
  const array slope = lax::mul(1 / (12 * h), lax::sub(lax::mul(8.0, near), far));
  const array dy = derivative(f, x, t);
  CHECK_CLOSE(dy, slope, tolerance);

  const array ct = direction(dy, 3);
  const arrays back = cotangents(f, x, ct);
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    CHECK(back[k].shape() == x[k].shape());
    CHECK(back[k].dtype() == (t[k].is_none() ? jq::bool_ : x[k].dtype()));
    if (!t[k].is_none()) sum += pairing(back[k], t[k]);
  }
  CHECK(close(sum, pairing(ct, dy), 1e-10));
  if (order > 1) check_derivatives([&](const arrays& z) { return derivative(f, z, t); }, x, order - 1, tolerance * 100);
}

/// Example `i` of `x` along dimension `dim`.
inline array example(const array& x, int dim, std::int64_t i) {
  jq::int_list low = jq::int_list::filled(x.ndim(), 0), high = x.shape();
  low[dim] = i;
  high[dim] = i + 1;
  return lax::reshape(lax::slice(x, low, high), shape(x.shape().without(dim)));
}
/// `size` variations of x along a new dimension `dim`: its elements rotated, a scalar incremented.
inline array variations(const array& x, int dim, std::int64_t size) {
  arrays rows;
  const std::int64_t n = x.size();
  for (std::int64_t i = 0; i < size; ++i) {
    array row = lax::reshape(x, shape{n});
    if (n > 1) row = lax::concatenate({lax::slice(row, {i % n}, {n}), lax::slice(row, {0}, {i % n})}, 0);
    else if (n == 1) row = cast(lax::add(cast(row, jq::c128), double(i)), x.dtype());
    rows.push_back(lax::reshape(row, shape(x.shape().with(0, 1))));
  }
  return jq::detail::move_axis(lax::concatenate(rows, 0), 0, dim);
}
/// Batches every subset of the operands, along the first and the last dimension, against one example at a time.
inline void check_batching(const std::function<arrays(const arrays&)>& f, const arrays& x) {
  const std::int64_t size = 3;
  const jq::closed_jaxpr p = jq::make_jaxpr(f)(x);
  for (unsigned mapped = 1; mapped < (1u << x.size()); ++mapped)
    for (const bool last : {false, true}) {
      arrays operands = x;
      std::vector<int> dims(x.size(), jq::not_mapped);
      for (std::size_t k = 0; k < x.size(); ++k)
        if ((mapped >> k) & 1u) {
          dims[k] = last ? x[k].ndim() : 0;
          operands[k] = variations(x[k], dims[k], size);
        }
      const std::vector<jq::batched> y = jq::batch_jaxpr(*p, p.constants, operands, dims, size, {});
      for (std::int64_t i = 0; i < size; ++i) {
        arrays one = operands;
        for (std::size_t k = 0; k < x.size(); ++k)
          if (dims[k] != jq::not_mapped) one[k] = example(operands[k], dims[k], i);
        const arrays want = f(one);
        for (std::size_t o = 0; o < want.size(); ++o) {
          INFO("mapped operands " << mapped << ", last dimension " << last << ", example " << i << ", output " << o);
          REQUIRE(y[o].dim != jq::not_mapped);
          CHECK_CLOSE(example(y[o].value, y[o].dim, i), want[o], 1e-14);
        }
      }
    }
}
inline void check_batching(const function& f, const arrays& x) {
  check_batching([&](const arrays& z) { return arrays{f(z)}; }, x);
}

/// Relative error that a dtype allows.
inline double precision(jq::dtype t) {
  switch (t) {
    case jq::f16: return 0x1p-10;
    case jq::bf16: return 0x1p-7;
    case jq::f32:
    case jq::c64: return 0x1p-22;
    case jq::f64:
    case jq::c128: return 0x1p-51;
    default: return 0;
  }
}
/// Every dtype of `accepted` computes what the widest dtype of its category computes and then rounds; `result` gives the
/// dtype of the result. Every other dtype is refused.
inline void check_dtypes(
    const function& f, const arrays& x, jq::type_set accepted,
    const std::function<jq::dtype(jq::dtype)>& result = [](jq::dtype t) { return t; }) {
  for (int i = 0; i < jq::dtype_count; ++i) {
    const jq::dtype t = jq::dtype(i);
    INFO("dtype " << std::string(jq::long_name(t)));
    arrays narrow, wide;
    for (const array& a : x) {
      narrow.push_back(cast(a, t));
      wide.push_back(cast(narrow.back(), jq::is_floating(t) ? jq::f64 : jq::is_complex(t) ? jq::c128 : t));
    }
    if (!jq::contains(accepted, t)) {
      CHECK_THROWS_WITH_AS(f(narrow), doctest::Contains("does not accept dtype"), jq::type_error);
      continue;
    }
    const array y = f(narrow), want = f(wide);
    CHECK(y.dtype() == result(t));
    CHECK_CLOSE(cast(y, jq::c128), cast(cast(want, y.dtype()), jq::c128), precision(y.dtype()));
  }
}

/// f as a function of a list of operands.
template <class F>
function unary(F f) {
  return [f](const arrays& x) { return f(x[0]); };
}
template <class F>
function binary(F f) {
  return [f](const arrays& x) { return f(x[0], x[1]); };
}
/// std::complex function at each element of a complex array.
template <class F>
array map_complex(const array& z, F f) {
  jq::buffer* b = jq::make_buffer(jq::aval(jq::c128, z.shape()));
  std::size_t i = 0;
  for (const c128& v : numbers(z)) {
    const c128 w = f(v);
    static_cast<jq::complex128*>(b->data)[i++] = {w.real(), w.imag()};
  }
  return array(b);
}
template <class F>
array map_real(const array& x, F f) {
  jq::buffer* b = jq::make_buffer(jq::aval(jq::f64, x.shape()));
  std::size_t i = 0;
  for (double v : values<double>(x)) static_cast<double*>(b->data)[i++] = f(v);
  return array(b);
}

}  // namespace prim_testing
