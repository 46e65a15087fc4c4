#pragma once
// Matrix products of the cpu backend: which library computes one, and in which tiles, that the threads of thread_pool share. Both depend
// on the sizes and transposes alone, so results do not depend on the number of threads. Small products run in the registers of tile_products,
// without a library. Deliberately without a kernel for large ones: those that no library takes are loops of prims/matrix_product.

#include "jacquard/backends/cpu/blas_library.hpp"
#include "jacquard/backends/cpu/onednn_library.hpp"
#include "jacquard/backends/cpu/sum_pieces.hpp"
#include "jacquard/backends/cpu/tile_functions.hpp"
#include "jacquard/backends/thread_pool.hpp"
#include "jacquard/prims/product_library.hpp"

namespace jacquard::cpu {

namespace detail {

using jacquard::detail::dense_factor;
using jacquard::detail::product_sizes;

/// A product, or a tile of one, whose rows begin `leading` elements apart in the result.
template <class T>
struct dense_product {
  product_sizes sizes;
  dense_factor<T> x, y;
  T* out;
  std::int64_t leading;

  bool transposes_both() const { return x.transposed && y.transposed; }
  double multiplications() const { return double(sizes.rows) * double(sizes.columns) * double(sizes.depth); }
  dense_product tile(std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t columns) const {
    dense_product t = *this;
    t.sizes.rows = rows;
    t.sizes.columns = columns;
    t.x.data += i * (x.transposed ? 1 : x.leading);
    t.y.data += j * (y.transposed ? y.leading : 1);
    t.out += i * leading + j;
    return t;
  }
};

/// Computes a product; false: it could not.
template <class T>
using product_function = bool (*)(const dense_product<T>&);

template <class T>
bool multiply_by_blas(const dense_product<T>& p) {
  if (!blas_gemm<T>()) return false;
  blas_gemm<T>()(row_major, p.x.transposed ? transposed : as_it_is, p.y.transposed ? transposed : as_it_is, int(p.sizes.rows), int(p.sizes.columns),
                 int(p.sizes.depth), T(1), p.x.data, int(p.x.leading), p.y.data, int(p.y.leading), T(0), p.out, int(p.leading));
  return true;
}
/// As many outputs of long sums are computed in pieces.
inline constexpr std::int64_t few_sums = 256;
/// A matrix times a vector, from either side: the kernels of a matrix product would copy the matrix first.
template <class T>
bool multiply_vector(const dense_product<T>& p) {
  if (!blas_gemv<T>()) return multiply_by_blas(p);
  const bool is_row = p.sizes.columns != 1;
  const dense_factor<T>&matrix = is_row ? p.y : p.x, &vector = is_row ? p.x : p.y;
  const std::int64_t outputs = is_row ? p.sizes.columns : p.sizes.rows;
  const bool turned = is_row != matrix.transposed;  // whether the matrix lies with a row for each summand
  const std::int64_t apart = is_row ? 1 : p.leading;
  const auto clear = [&](T* out, std::int64_t step) {  // not by the library, some of which multiply what lies there, perhaps NaN
    for (std::int64_t i = 0; i < outputs; ++i) out[i * step] = 0;
  };
  const std::int64_t vector_step = vector.transposed == is_row ? vector.leading : 1;
  const auto add_product = [&](std::int64_t from, std::int64_t count, T* out, std::int64_t step) {
    blas_gemv<T>()(row_major, turned ? transposed : as_it_is, int(turned ? count : outputs), int(turned ? outputs : count), T(1),
                   matrix.data + from * (turned ? matrix.leading : 1), int(matrix.leading), vector.data + from * vector_step, int(vector_step), T(1), out, int(step));
  };
  clear(p.out, apart);
  // Few outputs, each of summands that lie apart, OpenBLAS sums one after the other.
  const std::int64_t piece = turned && outputs <= few_sums ? numbers_in_piece(p.sizes.depth) : p.sizes.depth;
  if (p.sizes.depth <= 2 * piece) return add_product(0, p.sizes.depth, p.out, apart), true;
  T sums[few_sums];
  for (std::int64_t from = 0; from < p.sizes.depth; from += piece) {
    clear(sums, 1);
    add_product(from, std::min(piece, p.sizes.depth - from), sums, 1);
    for (std::int64_t i = 0; i < outputs; ++i) p.out[i * apart] += sums[i];
  }
  return true;
}
inline bool multiply_by_onednn(const dense_product<float>& p) {
  const onednn_scope alone;
  return onednn().sgemm && onednn().sgemm(p.x.transposed ? 'T' : 'N', p.y.transposed ? 'T' : 'N', p.sizes.rows, p.sizes.columns, p.sizes.depth, 1,
                                          p.x.data, p.x.leading, p.y.data, p.y.leading, 0, p.out, p.leading) == 0;
}
/// What is left where a library says that it has no memory.
template <class T>
void multiply_plainly(const dense_product<T>& p) {
  for (std::int64_t i = 0; i < p.sizes.rows; ++i)
    for (std::int64_t j = 0; j < p.sizes.columns; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < p.sizes.depth; ++k)
        sum += p.x.data[p.x.transposed ? k * p.x.leading + i : i * p.x.leading + k] * p.y.data[p.y.transposed ? j * p.y.leading + k : k * p.y.leading + j];
      p.out[i * p.leading + j] = sum;
    }
}

/// The faster library. Measured with OpenBLAS 0.3.21 and oneDNN 2.6, one core with AVX-512: calls of oneDNN take longer, which products
/// from 100 x 100 x 100 on make up for; few rows of two transposed factors it copies. With AVX2 alone OpenBLAS takes 0.7 of its time at
/// 512 x 512. Of a vector and a matrix the smaller products stay with those of matrices: up to 1e6 multiplications these copy nothing, and are as
/// fast or faster, but for long rows and for rows of f64; from there on they take two to seven times as long.
template <class T>
product_function<T> function_for(const dense_product<T>& p) {
  const bool is_row = p.sizes.rows == 1 && p.sizes.columns != 1;
  const bool of_vector = p.multiplications() >= (is_row && sizeof(T) == 8 ? 2e4 : 1e6) ? is_row || p.sizes.columns == 1 : is_row && p.sizes.columns >= 256;
  const bool is_long = p.sizes.rows * p.sizes.columns <= few_sums && p.sizes.depth > 2 * numbers_in_piece(p.sizes.depth);  // in pieces: else digits are lost
  if (of_vector && blas_gemv<T>() && (is_long || !blas_is_behind())) return &multiply_vector<T>;
  if constexpr (std::is_same_v<T, float>) {
    const bool small = p.multiplications() < 1e6 || (p.transposes_both() && p.sizes.rows < 32), leads = blas_leads();
    if ((!(small || leads) || !blas_gemm<float>() || blas_is_behind()) && onednn().sgemm) return &multiply_by_onednn;
  }
  return &multiply_by_blas<T>;
}

/// A product in tiles: panels of rows; where these are few, halves or quarters of them. Four panels, or two of a product that takes some tens of
/// microseconds, cost one thread at most some hundredths more than the whole.
template <class T>
class tiled_product {
 public:
  explicit tiled_product(const dense_product<T>& p) : whole_(p), function_(function_for(p)), rows_(p.sizes.rows), columns_(p.sizes.columns) {
    if (nanoseconds() < smallest) return;
    if (nanoseconds() < large) {
      rows_ = within(64, half(p.sizes.rows), p.sizes.rows);
      return;
    }
    rows_ = within(128, quarter(p.sizes.rows), 256);
    if (down() < 4) columns_ = within(512, quarter(p.sizes.columns), p.sizes.columns);
  }
  std::int64_t tiles() const { return down() * across(); }
  double nanoseconds() const { return whole_.multiplications() * (sizeof(T) == 4 ? 0.02 : 0.04); }
  void run(std::int64_t tile) const {
    const std::int64_t i = tile / across() * rows_, j = tile % across() * columns_;
    const dense_product<T> p = whole_.tile(i, j, least(rows_, whole_.sizes.rows - i), least(columns_, whole_.sizes.columns - j));
    if (!function_(p)) multiply_plainly(p);
  }

 private:
  static constexpr double smallest = 40000, large = 150000;
  static std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
  static std::int64_t within(std::int64_t low, std::int64_t n, std::int64_t high) { return n < low ? low : least(n, high); }
  /// In whole blocks of 64.
  static std::int64_t quarter(std::int64_t n) { return (n + 255) / 256 * 64; }
  static std::int64_t half(std::int64_t n) { return (n + 127) / 128 * 64; }
  std::int64_t down() const { return (whole_.sizes.rows + rows_ - 1) / rows_; }
  std::int64_t across() const { return (whole_.sizes.columns + columns_ - 1) / columns_; }

  dense_product<T> whole_;
  product_function<T> function_;
  std::int64_t rows_, columns_;  ///< of a tile
};

inline void share(void (*run)(void* context, std::int64_t begin, std::int64_t end), void* context, std::int64_t units, double nanoseconds_each) {
  jacquard::detail::thread_pool::get().run(run, context, units, nanoseconds_each);
}

template <class T>
void multiply(const product_sizes& s, const dense_factor<T>& x, const dense_factor<T>& y, T* out) {
  tiled_product<T> p({s, x, y, out, s.columns});
  const auto run = [](void* product, std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) static_cast<const tiled_product<T>*>(product)->run(t);
  };
  if (p.tiles() == 1 || blas_threads() > 1) return run(&p, 0, p.tiles());
  share(run, &p, p.tiles(), p.nanoseconds() / double(p.tiles()));
}

}  // namespace detail

/// Kernels for small products, the products of OpenBLAS and oneDNN, none where neither was found, and threads to share work with. oneDNN has products of f32, and is looked
/// for when the first one comes that is worth it.
inline const jacquard::detail::product_library* products_found() {
  static const jacquard::detail::product_library found = [] {
    jacquard::detail::product_library r;
    r.small_f32 = detail::best_tile_set().small_f32;
    r.small_f64 = detail::best_tile_set().small_f64;
    r.taps_f32 = detail::best_tile_set().taps_f32;
    r.taps_f64 = detail::best_tile_set().taps_f64;
    r.share = &detail::share;
    if (detail::blas_gemm<float>() || detail::onednn().sgemm) r.f32 = &detail::multiply<float>;
    if (detail::blas_gemm<double>()) r.f64 = &detail::multiply<double>;
    return r;
  }();
  return &found;
}

}  // namespace jacquard::cpu
