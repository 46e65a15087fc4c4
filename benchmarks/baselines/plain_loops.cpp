// The loops that plain_loops.cpp compares with, as one writes them without a library, compiled with -O3 -march=native -ffast-math.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

template <class T>
void hand_lgamma(const T* x, T* y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = std::lgamma(x[i]);
}
template <class T>
void hand_convolve(const T* x, std::int64_t n, const T* taps, std::int64_t count, T* y) {
  std::fill_n(y, n + count - 1, T(0));
  for (std::int64_t j = 0; j < count; ++j)
    for (std::int64_t i = 0; i < n; ++i) y[i + j] += taps[j] * x[i];
}
template <class T>
T hand_median(std::vector<T>& x) {
  const auto middle = x.begin() + std::ptrdiff_t(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return (*middle + *std::max_element(x.begin(), middle)) / 2;
}
template <class T>
void hand_histogram(const T* x, std::int64_t n, std::int64_t bins, std::int64_t* counts) {
  std::fill_n(counts, bins, 0);
  const T low = *std::min_element(x, x + n), high = *std::max_element(x, x + n), scale = T(bins) / (high - low);
  for (std::int64_t i = 0; i < n; ++i) ++counts[std::min(std::int64_t((x[i] - low) * scale), bins - 1)];
}
template <class T>
void hand_to_i32(const T* x, std::int32_t* y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = std::int32_t(x[i]);
}
template <class T>
void hand_argmax_of_columns(const T* x, std::int64_t rows, std::int64_t columns, std::int64_t* found) {
  std::vector<T> best(x, x + columns);
  std::fill_n(found, columns, 0);
  for (std::int64_t i = 1; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      if (x[i * columns + j] > best[std::size_t(j)]) best[std::size_t(j)] = x[i * columns + j], found[j] = i;
}
template <class T>
void hand_cummax_of_columns(const T* x, std::int64_t rows, std::int64_t columns, T* y) {
  std::copy_n(x, columns, y);
  for (std::int64_t i = columns; i < rows * columns; ++i) y[i] = std::max(y[i - columns], x[i]);
}
/// Of matrices of 4 x 4.
template <class T>
void hand_products(const T* x, const T* y, T* z, std::int64_t count) {
  for (std::int64_t n = 0; n < count; ++n, x += 16, y += 16, z += 16)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        T sum = 0;
        for (int k = 0; k < 4; ++k) sum += x[4 * i + k] * y[4 * k + j];
        z[4 * i + j] = sum;
      }
}

#define FUNCTIONS(T)                                                                         \
  template void hand_lgamma(const T*, T*, std::int64_t);                                     \
  template void hand_convolve(const T*, std::int64_t, const T*, std::int64_t, T*);           \
  template T hand_median(std::vector<T>&);                                                   \
  template void hand_histogram(const T*, std::int64_t, std::int64_t, std::int64_t*);         \
  template void hand_to_i32(const T*, std::int32_t*, std::int64_t);                          \
  template void hand_argmax_of_columns(const T*, std::int64_t, std::int64_t, std::int64_t*); \
  template void hand_cummax_of_columns(const T*, std::int64_t, std::int64_t, T*);            \
  template void hand_products(const T*, const T*, T*, std::int64_t);
FUNCTIONS(float)
FUNCTIONS(double)
