// Hand-written loops shared between threads with OpenMP, compiled with -O3 -march=native -ffast-math -fopenmp.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

using index = std::int64_t;

void shared_chain(const float* __restrict x, const float* __restrict y, const float* __restrict z, float* __restrict out, index n, int threads) {
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (index i = 0; i < n; ++i) {
    const float t = x[i] * y[i] + z[i];
    out[i] = (t > y[i] ? t : y[i]) * x[i] + z[i] * 0.5f;
  }
}
void shared_functions(const float* __restrict x, float* __restrict out, index n, int threads) {
#pragma omp parallel for simd num_threads(threads) schedule(static)
  for (index i = 0; i < n; ++i) {
    const float e = std::exp(x[i]), t = std::tanh(x[i]);
    out[i] = std::erf(std::sin(std::log(e + t * t))) * x[i];
  }
}
void shared_squares(const float* __restrict x, float* __restrict out, index n, int threads) {
  float sum = 0;
#pragma omp parallel for simd num_threads(threads) schedule(static) reduction(+ : sum)
  for (index i = 0; i < n; ++i) sum += x[i] * x[i];
  *out = sum;
}
void shared_softmax(const float* __restrict x, float* __restrict out, index rows, index columns, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (index r = 0; r < rows; ++r) {
    const float* const in = x + r * columns;
    float* const to = out + r * columns;
    float largest = -std::numeric_limits<float>::max(), sum = 0;
    for (index i = 0; i < columns; ++i) largest = in[i] > largest ? in[i] : largest;
    for (index i = 0; i < columns; ++i) sum += to[i] = std::exp(in[i] - largest);
    const float scale = 1 / sum;
    for (index i = 0; i < columns; ++i) to[i] *= scale;
  }
}
void shared_stencil(const float* __restrict u, float* __restrict out, index n, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (index i = 1; i < n - 1; ++i)
    for (index j = 1; j < n - 1; ++j)
      out[(i - 1) * (n - 2) + j - 1] =
          u[i * n + j] + 0.1f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - 4 * u[i * n + j]);
}
