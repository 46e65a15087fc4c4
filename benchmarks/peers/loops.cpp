// Loops by hand: g++ vectorises them and calls the vector functions of libmvec. Where the build has OpenMP they are shared between threads,
// and products of matrices are calls of OpenBLAS where it is there, loops elsewhere. With JACQUARD_EXACT_LOOPS some functions alone,
// for compilation without -ffast-math: the compiler then keeps what infinities and NaNs become, and quotients, as Jacquard does.

#include "peers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef JACQUARD_WITH_OPENBLAS
#include <cblas.h>
#endif

namespace peers {
namespace {

int threads = 1;

[[maybe_unused]] void set_threads(int n) {
  threads = n;
#ifdef JACQUARD_WITH_OPENBLAS
  openblas_set_num_threads(n);
#endif
}

/// body(begin, end) over parts of 0..n, one for each thread; without a detour where there is one thread.
template <class F>
void share(size_t n, const F& body) {
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    {
      const size_t k = size_t(omp_get_thread_num()), parts = size_t(omp_get_num_threads());
      body(n * k / parts, n * (k + 1) / parts);
    }
    return;
  }
#endif
  body(size_t(0), n);
}

template <class T>
void poly8(const T* x, T* y, size_t n) {
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const T t = (x[i] * x[i] + T(0.5)) * x[i] - T(0.25) * x[i] + 1;
      y[i] = (t > 0 ? t : 0) * x[i];
    }
  });
}
template <class T>
void update(T* x, size_t n) {
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const T t = (x[i] * x[i] + T(0.5)) * x[i] - T(0.25) * x[i] + 1;
      x[i] = (t > 0 ? t : 0) * x[i];
    }
  });
}
template <class T>
void gelu(const T* x, T* y, size_t n) {
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i)
      y[i] = T(0.5) * x[i] * (1 + std::tanh(T(0.79788456) * (x[i] + T(0.044715) * x[i] * x[i] * x[i])));
  });
}

constexpr double rate = 0.02, root_half = 0.70710678118654752440, root_two_pi = 2.50662827463100050242;

template <class T>
void black_scholes(const options<T>& in, T* price, size_t n) {
  const T *__restrict s = in.spot, *__restrict k = in.strike, *__restrict t = in.time, *__restrict v = in.volatility;
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const T deviation = v[i] * std::sqrt(t[i]);
      const T d1 = (std::log(s[i] / k[i]) + (T(rate) + T(0.5) * v[i] * v[i]) * t[i]) / deviation, d2 = d1 - deviation;
      price[i] = s[i] * T(0.5) * (1 + std::erf(d1 * T(root_half))) -
                 k[i] * std::exp(-T(rate) * t[i]) * T(0.5) * (1 + std::erf(d2 * T(root_half)));
    }
  });
}
template <class T>
void greeks(const options<T>& in, T* delta, T* theta, T* vega, size_t n) {
  const T *__restrict s = in.spot, *__restrict k = in.strike, *__restrict t = in.time, *__restrict v = in.volatility;
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const T root = std::sqrt(t[i]), deviation = v[i] * root;
      const T d1 = (std::log(s[i] / k[i]) + (T(rate) + T(0.5) * v[i] * v[i]) * t[i]) / deviation, d2 = d1 - deviation;
      const T density = std::exp(T(-0.5) * d1 * d1) / T(root_two_pi);
      delta[i] = T(0.5) * (1 + std::erf(d1 * T(root_half)));
      theta[i] = s[i] * density * v[i] / (2 * root) +
                 T(rate) * k[i] * std::exp(-T(rate) * t[i]) * T(0.5) * (1 + std::erf(d2 * T(root_half)));
      vega[i] = s[i] * density * root;
    }
  });
}

template <class T>
void softmax(const T* x, T* y, size_t rows, size_t columns) {
  share(rows, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      const T* const in = x + r * columns;
      T* const out = y + r * columns;
      T largest = -std::numeric_limits<T>::max(), sum = 0;
      for (size_t i = 0; i < columns; ++i) largest = in[i] > largest ? in[i] : largest;
#pragma GCC ivdep
      for (size_t i = 0; i < columns; ++i) sum += out[i] = std::exp(in[i] - largest);
      const T scale = 1 / sum;
      for (size_t i = 0; i < columns; ++i) out[i] *= scale;
    }
  });
}
template <class T>
void layer_norm(const T* x, T* y, size_t rows, size_t columns) {
  share(rows, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      const T* const in = x + r * columns;
      T* const out = y + r * columns;
      T sum = 0, squares = 0;
      for (size_t i = 0; i < columns; ++i) sum += in[i];
      const T mean = sum / T(columns);
      for (size_t i = 0; i < columns; ++i) squares += (in[i] - mean) * (in[i] - mean);
      const T scale = 1 / std::sqrt(squares / T(columns) + T(1e-5));
#pragma GCC ivdep
      for (size_t i = 0; i < columns; ++i) out[i] = (in[i] - mean) * scale;
    }
  });
}
/// For each column, what is added up over rows of some; so many at a time that their sums stay in a first-level cache.
template <class Body>
void share_columns(size_t columns, const Body& body) {
  share(columns, [&](size_t begin, size_t end) {
    for (size_t from = begin; from < end; from += 1024) body(from, std::min(from + 1024, end));
  });
}
template <class T>
struct column_sums {
  T mean[1024] = {}, scale[1024] = {};
  /// Of the columns `from` to `to`.
  column_sums(const T* x, size_t rows, size_t columns, size_t from, size_t to) {
    const size_t n = to - from;
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < n; ++c) mean[c] += x[r * columns + from + c];
    for (size_t c = 0; c < n; ++c) mean[c] /= T(rows);
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < n; ++c) {
        const T d = x[r * columns + from + c] - mean[c];
        scale[c] += d * d;
      }
    for (size_t c = 0; c < n; ++c) scale[c] = 1 / std::sqrt(scale[c] / T(rows) + T(1e-5));
  }
};
template <class T>
void batch_norm(const T* x, T* y, size_t rows, size_t columns) {
  share_columns(columns, [&](size_t from, size_t to) {
    const column_sums<T> s(x, rows, columns, from, to);
    for (size_t r = 0; r < rows; ++r) {
      const T* const in = x + r * columns + from;
      T* const out = y + r * columns + from;
#pragma GCC ivdep
      for (size_t c = 0; c < to - from; ++c) out[c] = (in[c] - s.mean[c]) * s.scale[c];
    }
  });
}
template <class T>
void batch_norm_gradient(const T* x, const T* w, T* g, size_t rows, size_t columns) {
  share_columns(columns, [&](size_t from, size_t to) {
    const column_sums<T> s(x, rows, columns, from, to);
    T sum[1024] = {}, product[1024] = {};
    for (size_t r = 0; r < rows; ++r) {
      const size_t row = r * columns + from;
      for (size_t c = 0; c < to - from; ++c) {
        sum[c] += w[row + c];
        product[c] += w[row + c] * (x[row + c] - s.mean[c]);
      }
    }
    for (size_t c = 0; c < to - from; ++c) sum[c] /= T(rows), product[c] *= s.scale[c] * s.scale[c] / T(rows);
    for (size_t r = 0; r < rows; ++r) {
      const size_t row = r * columns + from;
#pragma GCC ivdep
      for (size_t c = 0; c < to - from; ++c) g[row + c] = s.scale[c] * (w[row + c] - sum[c] - product[c] * (x[row + c] - s.mean[c]));
    }
  });
}
template <class T>
void scaled_columns(const T* x, const T* s, T* y, size_t rows, size_t columns) {
  share_columns(columns, [&](size_t from, size_t to) {
    T scale[1024];
    for (size_t c = 0; c < to - from; ++c) scale[c] = std::exp(s[from + c]);
    for (size_t r = 0; r < rows; ++r)
#pragma GCC ivdep
      for (size_t c = 0; c < to - from; ++c) y[r * columns + from + c] = x[r * columns + from + c] * scale[c];
  });
}
template <class T>
T largest_of(const T* x, size_t n) {
  T r = -std::numeric_limits<T>::max();
  for (size_t i = 0; i < n; ++i) r = x[i] > r ? x[i] : r;
  return r;
}
template <class T>
void cross_entropy(const T* x, const int* labels, T* loss, size_t rows, size_t columns) {
  T total = 0;
  for (size_t r = 0; r < rows; ++r, x += columns) {
    const T largest = largest_of(x, columns);
    T sum = 0;
    for (size_t i = 0; i < columns; ++i) sum += std::exp(x[i] - largest);
    total += std::log(sum) + largest - x[labels[r]];
  }
  *loss = total / T(rows);
}
template <class T>
void cross_entropy_gradient(const T* x, const int* labels, T* g, size_t rows, size_t columns) {
  share(rows, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      const T* const in = x + r * columns;
      T* const out = g + r * columns;
      const T largest = largest_of(in, columns);
      T sum = 0;
#pragma GCC ivdep
      for (size_t i = 0; i < columns; ++i) sum += out[i] = std::exp(in[i] - largest);
      const T scale = 1 / (sum * T(rows));
      for (size_t i = 0; i < columns; ++i) out[i] *= scale;
      out[labels[r]] -= 1 / T(rows);
    }
  });
}
template <class T>
void heat(const T* u, T* out, size_t n) {
  share(n - 2, [&](size_t begin, size_t end) {
    for (size_t i = begin + 1; i < end + 1; ++i) {
      const T *above = u + (i - 1) * n, *here = above + n, *below = here + n;
      T* const to = out + (i - 1) * (n - 2) - 1;
#pragma GCC ivdep
      for (size_t j = 1; j + 1 < n; ++j) to[j] = here[j] + T(0.1) * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4 * here[j]);
    }
  });
}
template <class T>
void unit_points(const T* x, T* y, size_t n) {
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const T a = x[3 * i], b = x[3 * i + 1], c = x[3 * i + 2], scale = 1 / std::sqrt(a * a + b * b + c * c);
      y[3 * i] = a * scale, y[3 * i + 1] = b * scale, y[3 * i + 2] = c * scale;
    }
  });
}
template <class T>
void haar(const T* x, T* y, size_t n) {
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) {
      const T a = x[2 * i], b = x[2 * i + 1];
      y[2 * i] = T(0.5) * (a + b), y[2 * i + 1] = T(0.5) * (a - b);
    }
  });
}
template <class T>
void backwards(const T* x, T* y, size_t n) {
  share(n, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin; i < end; ++i) y[i] = 2 * x[n - 1 - i];
  });
}
template <class T>
void n_body(const T* at, const T* mass, T* out, size_t n) {
  const T *x = at, *y = at + n, *z = at + 2 * n;
  share(n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      T a = 0, b = 0, c = 0;
      for (size_t j = 0; j < n; ++j) {
        const T dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const T square = dx * dx + dy * dy + dz * dz + T(1e-3), w = mass[j] / (square * std::sqrt(square));
        a += w * dx, b += w * dy, c += w * dz;
      }
      out[i] = a, out[i + n] = b, out[i + 2 * n] = c;
    }
  });
}

/// out = op(a) op(b), (m, n) from an inner length of k; rows of out are added to where `add` is one.
template <class T>
void multiply(bool a_transposed, bool b_transposed, size_t m, size_t n, size_t k, const T* a, const T* b, T* out, T scale = 1, T add = 0) {
#ifdef JACQUARD_WITH_OPENBLAS
  const auto call = [&](auto gemm) {
    gemm(CblasRowMajor, a_transposed ? CblasTrans : CblasNoTrans, b_transposed ? CblasTrans : CblasNoTrans, int(m), int(n), int(k), scale, a,
         int(a_transposed ? m : k), b, int(b_transposed ? k : n), add, out, int(n));
  };
  if constexpr (sizeof(T) == 4) call(cblas_sgemm);
  else call(cblas_dgemm);
#else
  for (size_t i = 0; i < m; ++i) {
    T* const row = out + i * n;
    for (size_t j = 0; j < n; ++j) row[j] = add == 0 ? 0 : add * row[j];
    for (size_t l = 0; l < k; ++l) {
      const T factor = scale * (a_transposed ? a[l * m + i] : a[i * k + l]);
      for (size_t j = 0; j < n; ++j) row[j] += factor * (b_transposed ? b[j * k + l] : b[l * n + j]);
    }
  }
#endif
}
template <class T>
void product(const T* a, const T* b, T* out, size_t n) {
  multiply(false, false, n, n, n, a, b, out);
}
template <class T>
void layers(const T* w, const T* x, T* out, size_t count, size_t d) {
  static std::vector<T> hidden;
  hidden.resize(count * d);
  multiply(false, true, count, d, d, x, w, hidden.data());
  for (T& h : hidden) h = std::tanh(h);
  multiply(false, true, count, d, d, hidden.data(), w, out);
}

template <class T>
void logistic_step(const T* x, const T* y, T* w, size_t n, size_t d) {
  static std::vector<T> room;
  room.assign(d, T(0));
  T* const g = room.data();
  for (size_t i = 0; i < n; ++i) {
    T z = 0;
    for (size_t j = 0; j < d; ++j) z += x[i * d + j] * w[j];
    const T error = 1 / (1 + std::exp(-z)) - y[i];
    for (size_t j = 0; j < d; ++j) g[j] += error * x[i * d + j];
  }
  for (size_t j = 0; j < d; ++j) w[j] -= T(0.1) / T(n) * g[j];
}

/// z += b in each row, then tanh where asked.
template <class T>
void add_bias(std::vector<T>& z, const T* b, size_t width, bool through_tanh) {
  share(batch, [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      T* const row = z.data() + r * width;
      for (size_t j = 0; j < width; ++j) row[j] += b[j];
      if (through_tanh)
        for (size_t j = 0; j < width; ++j) row[j] = std::tanh(row[j]);
    }
  });
}
template <class T>
void mlp_step(const network<T>& p, const T* x, const T* labels) {
  static std::vector<T> h[3], d[3];
  for (size_t k = 0; k < 3; ++k) h[k].resize(batch * widths[k + 1]), d[k].resize(batch * widths[k + 1]);
  for (size_t k = 0; k < 3; ++k) {
    multiply(false, false, batch, widths[k + 1], widths[k], k == 0 ? x : h[k - 1].data(), p.w[k], h[k].data());
    add_bias(h[k], p.b[k], widths[k + 1], k < 2);
  }
  softmax(h[2].data(), d[2].data(), batch, widths[3]);
  for (size_t i = 0; i < d[2].size(); ++i) d[2][i] = (d[2][i] - labels[i]) / T(batch);
  for (size_t k = 3; k-- > 0;) {
    if (k > 0) {  // by the weights of before the step
      multiply(false, true, batch, widths[k], widths[k + 1], d[k].data(), p.w[k], d[k - 1].data());
      for (size_t i = 0; i < d[k - 1].size(); ++i) d[k - 1][i] *= 1 - h[k - 1][i] * h[k - 1][i];
    }
    multiply(true, false, widths[k], widths[k + 1], batch, k == 0 ? x : h[k - 1].data(), d[k].data(), p.w[k], T(-0.1), T(1));
    for (size_t r = 0; r < batch; ++r)
      for (size_t j = 0; j < widths[k + 1]; ++j) p.b[k][j] -= T(0.1) * d[k][r * widths[k + 1] + j];
  }
}

template <class T>
void rosenbrock(const T* x, T* g, size_t n) {
  const auto residual = [&](size_t i) { return x[i + 1] - x[i] * x[i]; };
  const auto own = [&](size_t i) { return -400 * residual(i) * x[i] - 2 * (1 - x[i]); };
  g[0] = own(0);
  share(n - 2, [&](size_t begin, size_t end) {
#pragma GCC ivdep
    for (size_t i = begin + 1; i < end + 1; ++i) g[i] = own(i) + 200 * residual(i - 1);
  });
  g[n - 1] = 200 * residual(n - 2);
}
template <class T>
void log_sum_exp(const T* x, T* g, size_t n) {
  T m = x[0], s = 0;
#ifdef _OPENMP
#pragma omp parallel for simd num_threads(threads) if (parallel : threads > 1) reduction(max : m)
#endif
  for (size_t i = 1; i < n; ++i) m = x[i] > m ? x[i] : m;
#ifdef _OPENMP
#pragma omp parallel for simd num_threads(threads) if (parallel : threads > 1) reduction(+ : s)
#endif
  for (size_t i = 0; i < n; ++i) s += g[i] = std::exp(x[i] - m);
  const T scale = 1 / s;
  share(n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) g[i] *= scale;
  });
}
template <class T>
void small_network(const T* p, const T* x, const T* y, T* out) {
  const T *w1 = p, *b1 = p + 512, *w2 = p + 544, b2 = p[576];
  T *g1 = out + 1, *gb1 = g1 + 512, *g2 = g1 + 544;
  std::fill(out, out + 578, T(0));
  for (size_t b = 0; b < 16; ++b) {
    T z[32], sum = b2;
    for (size_t h = 0; h < 32; ++h) {
      z[h] = b1[h];
      for (size_t i = 0; i < 16; ++i) z[h] += w1[16 * h + i] * x[16 * b + i];
    }
    for (size_t h = 0; h < 32; ++h) z[h] = std::tanh(z[h]);
    for (size_t h = 0; h < 32; ++h) sum += w2[h] * z[h];
    const T e = sum - y[b], d = e / 8;
    out[0] += e * e / 16, out[577] += d;
    for (size_t h = 0; h < 32; ++h) {
      g2[h] += d * z[h];
      const T dz = d * w2[h] * (1 - z[h] * z[h]);
      gb1[h] += dz;
      for (size_t i = 0; i < 16; ++i) g1[16 * h + i] += dz * x[16 * b + i];
    }
  }
}

template <class T>
library<T> table() {
#ifdef JACQUARD_EXACT_LOOPS
  library<T> l{"by hand, IEEE"};
  l.poly8 = poly8<T>, l.update = update<T>, l.rosenbrock = rosenbrock<T>;
  l.unit_points = unit_points<T>, l.layer_norm = layer_norm<T>, l.n_body = n_body<T>;
  l.cross_entropy = cross_entropy<T>, l.cross_entropy_gradient = cross_entropy_gradient<T>;
#else
  library<T> l{"by hand"};
  set_threads(1);
  l.poly8 = poly8<T>, l.update = update<T>, l.gelu = gelu<T>, l.black_scholes = black_scholes<T>, l.greeks = greeks<T>;
  l.softmax = softmax<T>, l.layer_norm = layer_norm<T>, l.heat = heat<T>, l.n_body = n_body<T>;
  l.unit_points = unit_points<T>, l.haar = haar<T>, l.backwards = backwards<T>;
  l.batch_norm = batch_norm<T>, l.batch_norm_gradient = batch_norm_gradient<T>, l.scaled_columns = scaled_columns<T>;
  l.cross_entropy = cross_entropy<T>, l.cross_entropy_gradient = cross_entropy_gradient<T>;
  l.logistic_step = logistic_step<T>, l.mlp_step = mlp_step<T>, l.product = product<T>, l.layers = layers<T>;
  l.rosenbrock = rosenbrock<T>, l.log_sum_exp = log_sum_exp<T>, l.small_network = small_network<T>;
#endif
#ifdef _OPENMP
  l.set_threads = set_threads;
#endif
  return l;
}
const registration registered(table<float>(), table<double>());

}  // namespace
}  // namespace peers
