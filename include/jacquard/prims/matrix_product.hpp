#pragma once
// The loops of dot_general: a matrix product in which rows, columns and summands are index spaces of any rank and strides.
// Small products run as plain loops; large ones in tiles that stay in registers, with the right operand packed into short
// panels on the stack. Deliberately portable C++, no threads; where a backend offers a library, large ones are its business.
// Source: Goto, van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34(3), 2008.

#include <type_traits>

#include "jacquard/core/element_calls.hpp"
#include "jacquard/core/math.hpp"
#include "jacquard/core/strided.hpp"
#include "jacquard/prims/product_library.hpp"

namespace jacquard::detail {

/// One index space of a product and its strides in the operands that have it.
struct product_dims {
  shape sizes;
  int_list strides, other_strides{};
};

/// Those of a contraction of operands with these dimensions, of one element of its batch.
struct product_spaces {
  product_dims rows, columns, sum;

  constexpr product_spaces(const contraction& c, const shape& x, const shape& y) {
    add_free(rows, x, c.lhs_contracting, c.lhs_batch);
    add_free(columns, y, c.rhs_contracting, c.rhs_batch);
    const int_list xs = x.strides(), ys = y.strides();
    for (int i = 0; i < c.lhs_contracting.size(); ++i) {
      const int d = int(c.lhs_contracting[i]);
      sum.sizes.push_back(x[d]), sum.strides.push_back(xs[d]), sum.other_strides.push_back(ys[int(c.rhs_contracting[i])]);
    }
  }

 private:
  static constexpr void add_free(product_dims& to, const shape& dims, const int_list& contracting, const int_list& batch) {
    const int_list strides = dims.strides();
    for (int d = 0; d < dims.rank(); ++d)
      if (!contracting.contains(d) && !batch.contains(d)) to.sizes.push_back(dims[d]), to.strides.push_back(strides[d]);
  }
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

/// A sum of n products of elements at equal distances; a long sum is a sum of partial sums, so that rounding errors stay small.
template <class T>
constexpr T sum_of_products(const T* x, std::int64_t x_step, const T* y, std::int64_t y_step, std::int64_t n) {
  std::conditional_t<std::is_same_v<T, float>, double, T> total{};
  std::int64_t k = 0;
  while (true) {
    T part{};
    for (const std::int64_t end = k + product_depth < n ? k + product_depth : n; k < end; ++k) part = multiply_add(part, x[k * x_step], y[k * y_step]);
    if (n <= product_depth) return part;
    total = add_partial(total, decltype(total)(part));
    if (k == n) return T(total);
  }
}

/// out = x * y, where rows, columns and summands lie at equal distances, rows of y and out without gaps: all sums of a row side by side,
/// each in the order of sum_of_products.
template <class T>
constexpr void product_by_rows(std::int64_t rows, std::int64_t row_step, std::int64_t columns, std::int64_t summands, std::int64_t x_step,
                               std::int64_t y_step, const T* x, const T* y, T* out) {
  for (std::int64_t r = 0; r < rows; ++r, out += columns) {
    for (std::int64_t c = 0; c < columns; ++c) out[c] = T{};
    for (std::int64_t k = 0; k < summands; ++k) {
      const T factor = x[r * row_step + k * x_step];
      for (std::int64_t c = 0; c < columns; ++c) out[c] = multiply_add(out[c], factor, y[k * y_step + c]);
    }
  }
}

/// out = x * y, one sum after the other where rows cannot be summed at once.
template <class T>
constexpr void small_product(const product_dims& rows, const product_dims& columns, const product_dims& sum,
                             const T* x, const T* y, T* out) {
  const auto even = [](const product_dims& d) { return d.sizes.rank() <= 1; };
  const auto step = [](const product_dims& d, const int_list& of) { return d.sizes.rank() == 0 ? 0 : of[0]; };
  const std::int64_t summands = sum.sizes.elements(), wide = columns.sizes.elements();
  if (even(rows) && even(columns) && even(sum) && wide > 1 && columns.strides[0] == 1 && summands <= product_depth)
    return product_by_rows(rows.sizes.elements(), step(rows, rows.strides), wide, summands, step(sum, sum.strides), step(sum, sum.other_strides),
                           x, y, out);
  const int_list row_zero = int_list::filled(rows.sizes.rank(), 0),
                 column_zero = int_list::filled(columns.sizes.rank(), 0);
  for_each_pair(rows.sizes, rows.strides, 0, row_zero, 0, [&](std::int64_t xo, std::int64_t) {
    for_each_pair(columns.sizes, columns.strides, 0, column_zero, 0, [&](std::int64_t yo, std::int64_t) {
      if (even(sum)) {
        *out++ = sum_of_products(x + xo, step(sum, sum.strides), y + yo, step(sum, sum.other_strides), summands);
        return;
      }
      std::conditional_t<std::is_same_v<T, float>, double, T> total{};
      T part{};
      std::int64_t n = 0;
      for_each_pair(sum.sizes, sum.strides, xo, sum.other_strides, yo, [&](std::int64_t i, std::int64_t j) {
        part = multiply_add(part, x[i], y[j]);
        if (summands <= product_depth || ++n % product_depth != 0) return;
        total = add_partial(total, decltype(total)(part));
        part = T{};
      });
      *out++ = summands > product_depth ? T(add_partial(total, decltype(total)(part))) : part;
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

/// Products of one shape, of factors that lie at different places: how they are computed is decided once.
template <class T>
class product_kernel {
 public:
  constexpr product_kernel(const product_dims& rows, const product_dims& columns, const product_dims& sum)
      : rows_(rows), columns_(columns), sum_(sum), sizes_{rows.sizes.elements(), columns.sizes.elements(), sum.sizes.elements()} {
    work_ = sizes_.rows * sizes_.columns * sizes_.depth;
#if !defined(__CUDA_ARCH__)
    if constexpr (is_library_type)
      if (!__builtin_is_constant_evaluated() && work_ > 0) find_library();
#endif
  }
  /// out[row, column] = sum of x[row, k] * y[column, k] over k, row-major.
  constexpr void operator()(const T* x, const T* y, T* out) const {
#if !defined(__CUDA_ARCH__)
    if constexpr (is_library_type) {
      if (small_) return each(1, x, 0, y, 0, out);
      if (large_) {
        dense_factor<T> l = left_, r = right_;
        l.data = x;
        r.data = y;
        return large_(sizes_, l, r, out);
      }
    }
#endif
    if (sizes_.columns < product_columns / 2 || work_ <= 4096) small_product(rows_, columns_, sum_, x, y, out);
    else tiled_product(rows_, columns_, sum_, x, y, out);
  }
  /// So many products, whose factors lie so far apart.
  constexpr void each(std::int64_t count, const T* x, std::int64_t x_apart, const T* y, std::int64_t y_apart, T* out) const {
#if !defined(__CUDA_ARCH__)
    if constexpr (is_library_type) {
      if (small_) {
        strided_product<T> p = shape_;
        p.x = swapped_ ? y : x, p.x_apart = swapped_ ? y_apart : x_apart;
        p.y = swapped_ ? x : y, p.y_apart = swapped_ ? x_apart : y_apart;
        p.out = out, p.count = count;
        return small_(p);
      }
    }
#endif
    for (std::int64_t i = 0; i < count; ++i) (*this)(x + i * x_apart, y + i * y_apart, out + i * sizes_.rows * sizes_.columns);
  }

 private:
  static constexpr bool is_library_type = std::is_same_v<T, float> || std::is_same_v<T, double>;
  using small_function = void (*)(const strided_product<T>&);
  using large_function = void (*)(const product_sizes&, const dense_factor<T>&, const dense_factor<T>&, T*);

  /// That of the library in use here which can read the factors where they lie; none without a library.
  void find_library() {
    const product_library* const library = libraries_here && libraries_here->products ? libraries_here->products() : nullptr;
    if (!library) return;
    const std::int64_t x_row = even_stride(rows_.sizes, rows_.strides), x_step = even_stride(sum_.sizes, sum_.strides),
                       y_step = even_stride(sum_.sizes, sum_.other_strides), y_column = even_stride(columns_.sizes, columns_.strides);
    if (x_row < 0 || x_step < 0 || y_step < 0 || y_column < 0) return;
    swapped_ = sizes_.columns == 1;  // a matrix times a vector is a row times the transposed matrix
    if (swapped_) shape_ = {{1, sizes_.rows, sizes_.depth}, nullptr, 0, y_step, nullptr, x_step, x_row, nullptr};
    else shape_ = {sizes_, nullptr, x_row, x_step, nullptr, y_step, y_column, nullptr};
    if (work_ <= most_small && shape_.sizes.columns <= shape_.most_columns && sizes_.depth <= shape_.most_depth) {
      if constexpr (sizeof(T) == 4) small_ = library->small_f32;
      else small_ = library->small_f64;
    }
    if (small_ || work_ <= least_large) return;
    left_ = factor_of<T>(nullptr, sizes_.rows, x_row, sizes_.depth, x_step);
    right_ = factor_of<T>(nullptr, sizes_.depth, y_step, sizes_.columns, y_column);
    constexpr std::int64_t most = 0x7fffffff;  // what the libraries' integers hold
    if (left_.leading == 0 || right_.leading == 0) return;
    for (std::int64_t n : {sizes_.rows, sizes_.columns, sizes_.depth, left_.leading, right_.leading})
      if (n > most) return;
    if constexpr (sizeof(T) == 4) large_ = library->f32;
    else large_ = library->f64;
  }
  /// Multiplications: up to so many a kernel for small products is faster than the call of a BLAS; for fewer than `least_large` our loops are.
  static constexpr std::int64_t most_small = 8192, least_large = 1024;

  const product_dims &rows_, &columns_, &sum_;
  product_sizes sizes_;
  std::int64_t work_ = 0;
  bool swapped_ = false;
  small_function small_ = nullptr;
  large_function large_ = nullptr;
  strided_product<T> shape_{};
  dense_factor<T> left_{}, right_{};
};

/// One product.
template <class T>
constexpr void matrix_product(const product_dims& rows, const product_dims& columns, const product_dims& sum,
                              const T* x, const T* y, T* out) {
  product_kernel<T>(rows, columns, sum)(x, y, out);
}

}  // namespace jacquard::detail
