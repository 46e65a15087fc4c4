#pragma once
// Comparing arrays, and trees of arrays: within a tolerance, or bit by bit. A report names the elements that differ.

#include "jacquard/core/eval.hpp"
#include "jacquard/core/print.hpp"
#include "jacquard/testing/leaf_function.hpp"
#include "jacquard/testing/report.hpp"

namespace jacquard::testing {

/// The relative spacing of the numbers of a dtype; 0 for integers and bool.
constexpr double precision(dtype t) {
  switch (t) {
    case f16: return 0x1p-10;
    case bf16: return 0x1p-7;
    case f32:
    case c64: return 0x1p-23;
    case f64:
    case c128: return 0x1p-52;
    default: return 0;
  }
}

/// The elements of `x` as complex numbers, row-major.
inline std::vector<complex128> elements(const array& x) {
  std::vector<complex128> r;
  visit_dtype(x.dtype(), [&]<class T>(std::type_identity<T>) {
    for (const T& v : x.data<T>()) r.push_back(jacquard::detail::convert_element<T, complex128>(v));
  });
  return r;
}

/// Element `i` (row-major) of `x` as a literal.
inline literal element(const array& x, std::int64_t i) {
  return visit_dtype(x.dtype(), [&]<class T>(std::type_identity<T>) { return literal(x.data<T>()[std::size_t(i)]); });
}

/// A number as text.
inline text number(double v) {
  text out;
  put_float(out, v);
  return out;
}

namespace detail {

/// (1, 0, 2), the index of row-major element `i`.
inline int_list index_of(const shape& dims, std::int64_t i) {
  int_list r = dims;
  for (int d = dims.rank() - 1; d >= 0; --d) {
    r[d] = i % dims[d];
    i /= dims[d];
  }
  return r;
}

inline bool close_numbers(double a, double b, double rtol, double atol) {
  if (a != a || b != b) return a != a && b != b;
  if (a == b) return true;
  const double gap = a > b ? a - b : b - a, size = b < 0 ? -b : b;
  return gap <= atol + rtol * size && gap < std::numeric_limits<double>::infinity();
}

inline void put_element(text& out, const array& x, std::int64_t i) {
  jacquard::detail::put_literal(out, element(x, i));
}

/// Reports the elements for which same(i) is false, the first few of them one by one.
template <class Same>
report compare_elements(const array& got, const array& want, Same&& same) {
  report r;
  const aval a = got.aval(), b = want.aval();
  if (!same_type(a, b)) return r.fail("got an array of type ", a, ", wanted ", b);
  std::int64_t differ = 0;
  for (std::int64_t i = 0; i < b.elements(); ++i) {
    if (same(i)) continue;
    if (++differ > 4) continue;
    text line("element ");
    line << index_of(b.dims, i) << ": got ";
    put_element(line, got, i);
    put_element(line << ", wanted ", want, i);
    r.fail(line);
  }
  if (differ > 4) r.fail(differ, " of ", b.elements(), " elements differ");
  return r;
}

template <class A, class B, class Compare>
report compare_trees(const A& got, const B& want, Compare&& compare) {
  report r;
  const text a = tree::structure(got), b = tree::structure(want);
  if (!(a == b)) return r.fail("got a tree of structure ", a, ", wanted ", b);
  const leaves x = tree::flatten(got), y = tree::flatten(want);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x.size() == 1) return compare(x[i], y[i]);
    else r.add(cat("leaf ", i).view(), compare(x[i], y[i]));
  return r;
}

}  // namespace detail

/// Whether arrays, or the leaves of trees, have equal types and |got - want| <= atol + rtol |want| for the real and the
/// imaginary part of every element. NaN equals NaN, infinities equal themselves; integers and bool are compared exactly.
template <class A, class B>
report all_close(const A& got, const B& want, double rtol = 1e-5, double atol = 1e-8) {
  return detail::compare_trees(got, want, [&](const array& x, const array& y) {
    const std::vector<complex128> a = elements(x), b = elements(y);
    const bool exact = !is_inexact(y.dtype());
    return detail::compare_elements(x, y, [&](std::int64_t i) {
      if (exact) return element(x, i) == element(y, i);
      const complex128 u = a[std::size_t(i)], v = b[std::size_t(i)];
      return detail::close_numbers(u.re, v.re, rtol, atol) && detail::close_numbers(u.im, v.im, rtol, atol);
    });
  });
}

/// Whether arrays, or the leaves of trees, have equal types and the same bits.
template <class A, class B>
report identical(const A& got, const B& want) {
  return detail::compare_trees(got, want, [&](const array& x, const array& y) {
    return visit_dtype(y.dtype(), [&]<class T>(std::type_identity<T>) {
      const bool typed = x.dtype() == y.dtype();
      const std::span<const T> b = y.data<T>();
      const std::span<const T> a = typed ? x.data<T>() : b;
      return detail::compare_elements(x, y, [&](std::int64_t i) {
        return std::memcmp(&a[std::size_t(i)], &b[std::size_t(i)], sizeof(T)) == 0;
      });
    });
  });
}

}  // namespace jacquard::testing
