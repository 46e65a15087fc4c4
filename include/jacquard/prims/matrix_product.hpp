#pragma once
// The loops of dot_general: a matrix product in which rows, columns and summands are index spaces of any rank and strides.
// Small products run as plain loops; large ones in tiles that stay in registers, with the right operand packed into short
// panels on the stack. Deliberately portable C++, no threads; where a backend offers a library, large ones are its business.
// Source: Goto, van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34(3), 2008.

#include <type_traits>

#include "jacquard/core/math.hpp"
#include "jacquard/core/strided.hpp"
#include "jacquard/prims/product_library.hpp"

namespace jacquard::detail {

/// One index space of a product and its strides in the operands that have it.
struct product_dims {
  shape sizes;
  int_list strides, other_strides{};
};

template <class T>
constexpr T multiply_add(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return sum || (a && b);
  else return math::add(sum, math::multiply(a, b));
}
template <class T>
constexpr T add_partial(T total, T part) {
  if constexpr (std::is_same_v<T, bool>) return total || part;
  else return math::add(total, part);
}

inline constexpr std::int64_t product_rows = 4, product_columns = 32, product_depth = 64;

/// out = x * y, one sum after the other; a long sum is a sum of partial sums, so that rounding errors stay small.
template <class T>
constexpr void small_product(const product_dims& rows, const product_dims& columns, const product_dims& sum,
                             const T* x, const T* y, T* out) {
  const int_list row_zero = int_list::filled(rows.sizes.rank(), 0),
                 column_zero = int_list::filled(columns.sizes.rank(), 0);
  const bool is_long = sum.sizes.elements() > product_depth;
  for_each_pair(rows.sizes, rows.strides, 0, row_zero, 0, [&](std::int64_t xo, std::int64_t) {
    for_each_pair(columns.sizes, columns.strides, 0, column_zero, 0, [&](std::int64_t yo, std::int64_t) {
      std::conditional_t<std::is_same_v<T, float>, double, T> total{};
      T part{};
      std::int64_t n = 0;
      for_each_pair(sum.sizes, sum.strides, xo, sum.other_strides, yo, [&](std::int64_t i, std::int64_t j) {
        part = multiply_add(part, x[i], y[j]);
        if (!is_long || ++n % product_depth != 0) return;
        total = add_partial(total, decltype(total)(part));
        part = T{};
      });
      *out++ = is_long ? T(add_partial(total, decltype(total)(part))) : part;
    });
  });
}

/// Offsets of elements first, first + 1, ... of an index space; the last one is repeated where the space ends.
constexpr void product_offsets(const shape& sizes, const int_list& strides, std::int64_t first,
                               std::int64_t count, std::int64_t* out) {
  const std::int64_t last = sizes.elements() - 1;
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t i = std::min(first + n, last), at = 0;
    for (int d = sizes.rank() - 1; d >= 0; --d) {
      at += i % sizes[d] * strides[d];
      i /= sizes[d];
    }
    out[n] = at;
  }
}

/// sums += (product_rows x depth) * (depth x product_columns), the right factor packed in `panel`.
template <class T>
constexpr void product_tile(const T* x, const std::int64_t* row, const std::int64_t* step, const T* panel,
                            std::int64_t depth, T (&sums)[product_rows][product_columns]) {
  for (std::int64_t k = 0; k < depth; ++k) {
    const T* y = panel + k * product_columns;
    for (int i = 0; i < product_rows; ++i) {
      const T a = x[row[i] + step[k]];
      for (int j = 0; j < product_columns; ++j) sums[i][j] = multiply_add(sums[i][j], a, y[j]);
    }
  }
}

/// out = x * y in tiles; partial sums over `product_depth` summands each are added up.
template <class T>
constexpr void tiled_product(const product_dims& rows, const product_dims& columns, const product_dims& sum,
                             const T* x, const T* y, T* out) {
  const std::int64_t m = rows.sizes.elements(), n = columns.sizes.elements(), depth = sum.sizes.elements();
  for (std::int64_t i = 0; i < m * n; ++i) out[i] = T{};
  T panel[product_depth * product_columns] = {};
  std::int64_t column[product_columns] = {}, step[product_depth] = {}, y_step[product_depth] = {},
               row[product_rows] = {};
  for (std::int64_t k0 = 0; k0 < depth; k0 += product_depth) {
    const std::int64_t ks = std::min(product_depth, depth - k0);
    product_offsets(sum.sizes, sum.strides, k0, ks, step);
    product_offsets(sum.sizes, sum.other_strides, k0, ks, y_step);
    for (std::int64_t j0 = 0; j0 < n; j0 += product_columns) {
      product_offsets(columns.sizes, columns.strides, j0, product_columns, column);
      for (std::int64_t k = 0; k < ks; ++k)
        for (std::int64_t j = 0; j < product_columns; ++j)
          panel[k * product_columns + j] = y[column[j] + y_step[k]];
      const std::int64_t js = std::min(product_columns, n - j0);
      for (std::int64_t i0 = 0; i0 < m; i0 += product_rows) {
        product_offsets(rows.sizes, rows.strides, i0, product_rows, row);
        T sums[product_rows][product_columns] = {};
        product_tile(x, row, step, panel, ks, sums);
        for (std::int64_t i = 0; i < std::min(product_rows, m - i0); ++i)
          for (std::int64_t j = 0; j < js; ++j) {
            T& o = out[(i0 + i) * n + j0 + j];
            o = add_partial(o, sums[i][j]);
          }
      }
    }
  }
}

/// The product by the library that is in use here. False: there is none, or it cannot read the factors where they lie.
template <class T>
bool library_product(const product_dims& rows, const product_dims& columns, const product_dims& sum, const T* x, const T* y, T* out) {
  const product_library* const library = libraries_here && libraries_here->products ? libraries_here->products() : nullptr;
  if (!library) return false;
  const product_sizes s{rows.sizes.elements(), columns.sizes.elements(), sum.sizes.elements()};
  const auto left = factor_of(x, s.rows, even_stride(rows.sizes, rows.strides), s.depth, even_stride(sum.sizes, sum.strides));
  const auto right = factor_of(y, s.depth, even_stride(sum.sizes, sum.other_strides), s.columns, even_stride(columns.sizes, columns.strides));
  constexpr std::int64_t most = 0x7fffffff;  // what the libraries' integers hold
  if (left.leading == 0 || right.leading == 0 || s.rows > most || s.columns > most || s.depth > most || left.leading > most || right.leading > most)
    return false;
  if constexpr (std::is_same_v<T, float>) return library->f32 && (library->f32(s, left, right, out), true);
  else return library->f64 && (library->f64(s, left, right, out), true);
}

/// out[row, column] = sum of x[row, k] * y[column, k] over k, row-major.
template <class T>
constexpr void matrix_product(const product_dims& rows, const product_dims& columns, const product_dims& sum,
                              const T* x, const T* y, T* out) {
  const std::int64_t n = columns.sizes.elements(), work = rows.sizes.elements() * n * sum.sizes.elements();
#if !defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    if (work > 4096 && !__builtin_is_constant_evaluated() && library_product(rows, columns, sum, x, y, out)) return;
#endif
  if (n < product_columns / 2 || work <= 4096)
    small_product(rows, columns, sum, x, y, out);
  else tiled_product(rows, columns, sum, x, y, out);
}

}  // namespace jacquard::detail
