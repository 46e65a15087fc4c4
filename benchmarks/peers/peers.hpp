#pragma once
// The array programs of the benchmarks, as other people would write them: loops by hand, xtensor, Eigen, libtorch. One file each, a table
// of functions, null where a library has no form of a program. All read and write memory that is ready. Deliberately without Jacquard:
// these files are compiled with -O3 -march=native -ffast-math, as hand-tuned loops are; a few of the loops also without -ffast-math.

#include <cstddef>
#include <vector>

namespace peers {

using std::size_t;

/// Weights and biases of layers 64-256-256-10: w[k] is (inputs, outputs), row-major.
template <class T>
struct network {
  T* w[3];
  T* b[3];
};
inline constexpr size_t widths[4] = {64, 256, 256, 10}, batch = 256;

/// Options on a stock, one element each: its price, the strike, the time left, the volatility; the rate is 0.02.
template <class T>
struct options {
  const T *spot, *strike, *time, *volatility;
};

template <class T>
struct library {
  const char* name;
  void (*set_threads)(int) = nullptr;  ///< null: one thread only
  /// t = (x^2 + 1/2) x - x/4 + 1, y = max(t, 0) x
  void (*poly8)(const T* x, T* y, size_t n) = nullptr;
  /// y = x/2 (1 + tanh(0.79788456 (x + 0.044715 x^3)))
  void (*gelu)(const T* x, T* y, size_t n) = nullptr;
  /// Prices of calls after Black and Scholes (1973).
  void (*black_scholes)(const options<T>& in, T* price, size_t n) = nullptr;
  /// Derivatives of the price: by spot, by time, by volatility.
  void (*greeks)(const options<T>& in, T* delta, T* theta, T* vega, size_t n) = nullptr;
  void (*softmax)(const T* x, T* y, size_t rows, size_t columns) = nullptr;
  /// (x - mean) / sqrt(variance + 1e-5) of each row.
  void (*layer_norm)(const T* x, T* y, size_t rows, size_t columns) = nullptr;
  /// The same of each column; and the gradient of the sum of w times that.
  void (*batch_norm)(const T* x, T* y, size_t rows, size_t columns) = nullptr;
  void (*batch_norm_gradient)(const T* x, const T* w, T* g, size_t rows, size_t columns) = nullptr;
  /// x times exp(s) of its column.
  void (*scaled_columns)(const T* x, const T* s, T* y, size_t rows, size_t columns) = nullptr;
  /// The mean of log(sum(exp(x))) - x[label] over rows x, one result; and its gradient.
  void (*cross_entropy)(const T* x, const int* labels, T* loss, size_t rows, size_t columns) = nullptr;
  void (*cross_entropy_gradient)(const T* x, const int* labels, T* g, size_t rows, size_t columns) = nullptr;
  /// u + (sum of four neighbours - 4 u) / 10 within the boundary of an n x n grid: (n - 2) x (n - 2) results.
  void (*heat)(const T* u, T* out, size_t n) = nullptr;
  /// Accelerations of n bodies: sum over j of mass_j d / (|d|^2 + 1e-3)^(3/2); x, y, z one after the other in `at` and `out`.
  void (*n_body)(const T* at, const T* mass, T* out, size_t n) = nullptr;
  /// Each of n rows of three, divided by its length.
  void (*unit_points)(const T* x, T* y, size_t n) = nullptr;
  /// A step of Haar's transform: the half sum and the half difference of each of n pairs, in its place.
  void (*haar)(const T* x, T* y, size_t n) = nullptr;
  /// Twice the numbers, from the last to the first.
  void (*backwards)(const T* x, T* y, size_t n) = nullptr;
  /// w -= 0.1 of the gradient of mean(log(1 + e^z) - y z), z = x w, for x of (n, d).
  void (*logistic_step)(const T* x, const T* y, T* w, size_t n, size_t d) = nullptr;
  /// A step of size 0.1 on the mean cross entropy of a network with tanh; labels are one-hot rows.
  void (*mlp_step)(const network<T>& p, const T* x, const T* labels) = nullptr;
  /// Steps of size 0.1 on larger networks, whose parameters lie one after the other.
  /// Mean cross entropy of two convolutions 3 x 3, to 16 and 32 channels, each with relu and the largest of 2 x 2, and a layer of 10, for 64 images of
  /// (28, 28, 1): filters (3, 3, in, out) and biases, weights (7 * 7 * 32, 10) and biases; labels are one-hot rows.
  void (*convolutional_step)(T* p, const T* images, const T* labels) = nullptr;
  /// Mean square error of a block of a transformer for 8 sequences of (128, 128), with 4 heads that see what came before: weights of queries, keys,
  /// values and results, scale and bias of a layer norm, weights (128, 512), biases, weights (512, 128), biases, scale and bias of a layer norm.
  void (*transformer_step)(T* p, const T* x, const T* y) = nullptr;
  /// Mean square error of what an LSTM of 128 units returns after 64 steps on (64, 32, 64): weights (64, 512) and (128, 512), biases 512, gates in the order
  /// in, forget, cell, out.
  void (*lstm_step)(T* p, const T* x, const T* y) = nullptr;
  /// a b of n x n matrices.
  void (*product)(const T* a, const T* b, T* out, size_t n) = nullptr;
  /// W tanh(W x) for each of `count` rows x of d.
  void (*layers)(const T* w, const T* x, T* out, size_t count, size_t d) = nullptr;
  /// Gradients: of the sum of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2, and of log(sum(exp(x))).
  void (*rosenbrock)(const T* x, T* g, size_t n) = nullptr;
  void (*log_sum_exp)(const T* x, T* g, size_t n) = nullptr;
  /// Mean square error of w2 tanh(w1 x + b1) + b2 on 16 rows of 16, w1 of (32, 16), and its gradient; all parameters in that order in `p`
  /// (w1, b1, w2, b2), the loss and then its gradient in `out`.
  void (*small_network)(const T* p, const T* x, const T* y, T* out) = nullptr;
  /// x of poly8, in place.
  void (*update)(T* x, size_t n) = nullptr;
};

/// The libraries that this program was built with.
template <class T>
std::vector<library<T>>& libraries() {
  static std::vector<library<T>> all;
  return all;
}
struct registration {
  registration(const library<float>& single, const library<double>& with_double) {
    libraries<float>().push_back(single);
    libraries<double>().push_back(with_double);
  }
};

}  // namespace peers
