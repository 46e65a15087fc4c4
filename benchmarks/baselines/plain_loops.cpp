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

template <class T>
void hand_distances(const T* points, std::int64_t n, const T* centres, std::int64_t count, std::int64_t d, T* y) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < count; ++k) {
      T sum = 0;
      for (std::int64_t e = 0; e < d; ++e) {
        const T apart = points[i * d + e] - centres[k * d + e];
        sum += apart * apart;
      }
      y[i * count + k] = sum;
    }
}
/// Along rows, then along columns.
template <class T>
void hand_window_sums(const T* x, std::int64_t side, std::int64_t window, T* y) {
  const std::int64_t n = side - window + 1;
  std::vector<T> rows(std::size_t(side * n));
  for (std::int64_t i = 0; i < side; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < window; ++k) sum += x[i * side + j + k];
      rows[std::size_t(i * n + j)] = sum;
    }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < window; ++k) sum += rows[std::size_t((i + k) * n + j)];
      y[i * n + j] = sum;
    }
}
/// Of eight coefficients.
template <class T>
void hand_horner(const T* x, std::int64_t n, const T* coefficients, T* y) {
  T c[8];
  std::copy_n(coefficients, 8, c);
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
    for (int k = 0; k < 8; ++k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}
template <class T>
void hand_argmax_of_rows(const T* x, std::int64_t rows, std::int64_t columns, std::int64_t* found) {
  for (std::int64_t i = 0; i < rows; ++i, x += columns) {
    std::int64_t best = 0;
    for (std::int64_t j = 1; j < columns; ++j)
      if (x[j] > x[best]) best = j;
    found[i] = best;
  }
}
template <class T>
void hand_quotients(const T* x, std::int64_t n, T* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] / 7;
}
template <class T>
void hand_remainders(const T* x, std::int64_t n, T* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] % 60;
}
template <class T>
void hand_running_sums(const T* x, std::int64_t n, T* y) {
  T sum = 0;
  for (std::int64_t i = 0; i < n; ++i) y[i] = sum += x[i];
}
template <class T>
void hand_pair_sums(const T* x, std::int64_t rows, std::int64_t columns, T* y) {
  for (std::int64_t i = 0; i < rows; ++i, x += columns, y += columns - 1)
    for (std::int64_t j = 0; j + 1 < columns; ++j) y[j] = T(x[j] + x[j + 1]);
}

#define FUNCTIONS(T)                                                                         \
  template void hand_lgamma(const T*, T*, std::int64_t);                                     \
  template void hand_convolve(const T*, std::int64_t, const T*, std::int64_t, T*);           \
  template T hand_median(std::vector<T>&);                                                   \
  template void hand_histogram(const T*, std::int64_t, std::int64_t, std::int64_t*);         \
  template void hand_to_i32(const T*, std::int32_t*, std::int64_t);                          \
  template void hand_argmax_of_columns(const T*, std::int64_t, std::int64_t, std::int64_t*); \
  template void hand_cummax_of_columns(const T*, std::int64_t, std::int64_t, T*);            \
  template void hand_products(const T*, const T*, T*, std::int64_t);                         \
  template void hand_distances(const T*, std::int64_t, const T*, std::int64_t, std::int64_t, T*); \
  template void hand_window_sums(const T*, std::int64_t, std::int64_t, T*);                  \
  template void hand_horner(const T*, std::int64_t, const T*, T*);                           \
  template void hand_argmax_of_rows(const T*, std::int64_t, std::int64_t, std::int64_t*);
FUNCTIONS(float)
FUNCTIONS(double)
#define WHOLE_FUNCTIONS(T)                                  \
  template void hand_quotients(const T*, std::int64_t, T*);  \
  template void hand_remainders(const T*, std::int64_t, T*); \
  template void hand_running_sums(const T*, std::int64_t, T*);
WHOLE_FUNCTIONS(std::int32_t)
WHOLE_FUNCTIONS(std::uint32_t)
WHOLE_FUNCTIONS(std::int64_t)
template void hand_pair_sums(const std::uint8_t*, std::int64_t, std::int64_t, std::uint8_t*);
template void hand_pair_sums(const std::uint16_t*, std::int64_t, std::int64_t, std::uint16_t*);
