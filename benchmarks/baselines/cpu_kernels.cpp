// Hand-written loops, compiled with -O3 -march=native -ffast-math: g++ vectorises them and calls the vector functions of libmvec.
#include <cmath>
#include <cstddef>
#include <limits>

void hand_chain(const float* __restrict x, const float* __restrict y, const float* __restrict z, float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float t = x[i] * y[i] + z[i];
    out[i] = (t > y[i] ? t : y[i]) * x[i] + z[i] * 0.5f;
  }
}
void hand_functions(const float* __restrict x, float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float e = std::exp(x[i]), t = std::tanh(x[i]);
    out[i] = std::erf(std::sin(std::log(e + t * t))) * x[i];
  }
}
void hand_gelu(const float* __restrict x, float* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = 0.5f * x[i] * (1 + std::tanh(0.79788456f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}
void hand_row_sums(const float* __restrict x, float* __restrict out, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r, x += columns) {
    float sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += x[i];
    out[r] = sum;
  }
}
void hand_softmax(const float* __restrict x, float* __restrict out, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r, x += columns, out += columns) {
    float largest = -std::numeric_limits<float>::max(), sum = 0;
    for (std::size_t i = 0; i < columns; ++i) largest = x[i] > largest ? x[i] : largest;
    for (std::size_t i = 0; i < columns; ++i) sum += out[i] = std::exp(x[i] - largest);
    const float scale = 1 / sum;
    for (std::size_t i = 0; i < columns; ++i) out[i] *= scale;
  }
}
void hand_layer_norm(const float* __restrict x, float* __restrict out, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r, x += columns, out += columns) {
    float sum = 0, squares = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += x[i];
    const float mean = sum / float(columns);
    for (std::size_t i = 0; i < columns; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float scale = 1 / std::sqrt(squares / float(columns) + 1e-5f);
    for (std::size_t i = 0; i < columns; ++i) out[i] = (x[i] - mean) * scale;
  }
}
void hand_stencil(const float* __restrict u, float* __restrict out, std::size_t n) {
  for (std::size_t i = 1; i + 1 < n; ++i)
    for (std::size_t j = 1; j + 1 < n; ++j)
      out[(i - 1) * (n - 2) + j - 1] =
          u[i * n + j] + 0.1f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - 4 * u[i * n + j]);
}
