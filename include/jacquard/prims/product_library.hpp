#pragma once
// Where a backend puts the matrix product of a library that it found, and its threads. While it runs a program, products that a BLAS can read
// where they lie go there; all others, and all products elsewhere, are loops of our own. Deliberately an interface without a library.

#include <cstdint>
#include <exception>

#include "jacquard/core/atomic.hpp"
#include "jacquard/core/shape.hpp"
#include "jacquard/prims/kernel_libraries.hpp"

namespace jacquard::detail {

/// A factor as a BLAS reads it: dense rows (or columns, if transposed) that begin `leading` elements apart.
template <class T>
struct dense_factor {
  const T* data = nullptr;
  std::int64_t leading = 0;  ///< 0: not dense
  bool transposed = false;
};
struct product_sizes {
  std::int64_t rows, columns, depth;
};

/// Products of small matrices, read as they lie: element (i, k) of x at i * x_row + k * x_step, (k, j) of y at k * y_step + j * y_column. The
/// rows of the results are dense, and these lie one after the other.
template <class T>
struct strided_product {
  static constexpr std::int64_t most_columns = 16, most_depth = 32;
  product_sizes sizes;
  const T* x;
  std::int64_t x_row, x_step;
  const T* y;
  std::int64_t y_step, y_column;
  T* out;
  std::int64_t count = 1, x_apart = 0, y_apart = 0;  ///< how many, and how far apart their factors are
};

/// Rows times taps added up: out[i] += the sum of taps[j] x[j][i] over j.
template <class T>
struct tap_sum {
  static constexpr std::int64_t most_terms = 64;
  const T* x[most_terms];
  T taps[most_terms];
  std::int64_t terms = 0;
  T* out = nullptr;
  std::int64_t count = 0;
};

/// out = x y with dense rows, by dtype; null where the library has none.
struct product_library {
  void (*f32)(const product_sizes&, const dense_factor<float>& x, const dense_factor<float>& y, float* out) = nullptr;
  void (*f64)(const product_sizes&, const dense_factor<double>& x, const dense_factor<double>& y, double* out) = nullptr;
  /// Runs all units in ranges, in any order and by several threads; each unit takes about so many nanoseconds. Null: there are no threads.
  void (*share)(void (*run)(void* context, std::int64_t begin, std::int64_t end), void* context, std::int64_t units, double nanoseconds_each) = nullptr;
  /// For at least one and at most most_columns columns, and at most most_depth summands.
  void (*small_f32)(const strided_product<float>&) = nullptr;
  void (*small_f64)(const strided_product<double>&) = nullptr;
  void (*taps_f32)(const tap_sum<float>&) = nullptr;
  void (*taps_f64)(const tap_sum<double>&) = nullptr;
};

/// Calls f(begin, end) for ranges that make up all units, which do not depend on each other, each of about so many multiplications. The threads
/// of the program that runs here may help; f has its libraries there too. What f throws arrives here, once all have ended.
template <class F>
void share_between_threads(std::int64_t units, double multiplications_each, const F& f) {
  const kernel_libraries* const libraries = libraries_here;
  const product_library* const library = libraries && libraries->products ? libraries->products() : nullptr;
  if (!library || !library->share) return f(0, units);
  struct task {
    const F& f;
    const kernel_libraries* libraries;
    atomic<int> failures{0};
    std::exception_ptr first{};
  } all{f, libraries};
  const auto run = [](void* context, std::int64_t begin, std::int64_t end) {
    task& t = *static_cast<task*>(context);
    const library_scope scope(t.libraries);
    try {
      t.f(begin, end);
    } catch (...) {
      if (t.failures.fetch_add(1) == 0) t.first = std::current_exception();
    }
  };
  constexpr double multiplication = 0.03;  // ns
  library->share(run, &all, units, multiplication * multiplications_each);
  if (all.first) std::rethrow_exception(all.first);
}

/// The stride of an index space whose elements lie evenly in its order; 0 if there is one element, -1 if they do not.
constexpr std::int64_t even_stride(const shape& sizes, const int_list& strides) {
  std::int64_t stride = 0, count = 1;
  for (int d = sizes.rank() - 1; d >= 0; --d) {
    if (sizes[d] == 1) continue;
    if (count == 1) stride = strides[d];
    else if (strides[d] != stride * count) return -1;
    count *= sizes[d];
  }
  return stride;
}
/// A factor whose elements (i, k) lie at i * outer + k * inner.
template <class T>
constexpr dense_factor<T> factor_of(const T* data, std::int64_t rows, std::int64_t outer, std::int64_t depth, std::int64_t inner) {
  if (outer < 0 || inner < 0) return {};
  if ((inner == 1 || depth == 1) && (outer >= depth || rows == 1)) return {data, rows == 1 ? depth : outer, false};
  if ((outer == 1 || rows == 1) && (inner >= rows || depth == 1)) return {data, depth == 1 ? rows : inner, true};
  return {};
}

}  // namespace jacquard::detail
