// The loops of example_loops.cpp as one would write them: for each example all its trips. A file of its own, compiled for the processor at hand.

#include <cmath>
#include <cstdint>
#include <utility>

template <class T>
void hand_logistic(const T* x, std::int64_t n, T* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    T s = x[i];
    for (int k = 0; k < 20; ++k) s = T(3.2) * s * (T(1) - s);
    y[i] = s;
  }
}
template <class T>
void hand_pendulum(const T* x, std::int64_t n, T* y) {
  const T h = T(0.05);
  for (std::int64_t i = 0; i < n; ++i) {
    T p = x[2 * i], v = x[2 * i + 1];
    for (int k = 0; k < 20; ++k) {
      const T ap = v, av = -std::sin(p);
      const T bp = v + h / 2 * av, bv = -std::sin(p + h / 2 * ap);
      const T cp = v + h / 2 * bv, cv = -std::sin(p + h / 2 * bp);
      const T dp = v + h * cv, dv = -std::sin(p + h * cp);
      p += h / 6 * (ap + 2 * bp + 2 * cp + dp);
      v += h / 6 * (av + 2 * bv + 2 * cv + dv);
    }
    y[2 * i] = p, y[2 * i + 1] = v;
  }
}
template <class T>
void hand_roots(const T* x, std::int64_t n, T* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    T s = x[i] + 1;
    while (std::abs(s * s - x[i]) > T(1e-5)) s = T(0.5) * (s + x[i] / s);
    y[i] = s;
  }
}
template <class T>
void hand_escape(const T* cr, std::int64_t columns, const T* ci, std::int64_t rows, std::int32_t* trips) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      T a = 0, b = 0;
      std::int32_t n = 0;
      for (; a * a + b * b < T(4) && n < 100; ++n) {
        const T next = a * a - b * b + cr[j];
        b = 2 * a * b + ci[i], a = next;
      }
      trips[i * columns + j] = n;
    }
}
/// By elimination with row exchanges.
template <class T>
void hand_solve(const T* a, const T* b, std::int64_t n, T* x) {
  for (std::int64_t i = 0; i < n; ++i, a += 9, b += 3, x += 3) {
    T m[3][4];
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) m[r][c] = a[3 * r + c];
      m[r][3] = b[r];
    }
    for (int k = 0; k < 3; ++k) {
      int best = k;
      for (int r = k + 1; r < 3; ++r)
        if (std::abs(m[r][k]) > std::abs(m[best][k])) best = r;
      if (best != k)
        for (int c = 0; c < 4; ++c) std::swap(m[k][c], m[best][c]);
      for (int r = k + 1; r < 3; ++r) {
        const T f = m[r][k] / m[k][k];
        for (int c = k + 1; c < 4; ++c) m[r][c] -= f * m[k][c];
      }
    }
    x[2] = m[2][3] / m[2][2];
    x[1] = (m[1][3] - m[1][2] * x[2]) / m[1][1];
    x[0] = (m[0][3] - m[0][1] * x[1] - m[0][2] * x[2]) / m[0][0];
  }
}

#define FUNCTIONS(T)                                                                              \
  template void hand_logistic(const T*, std::int64_t, T*);                                        \
  template void hand_pendulum(const T*, std::int64_t, T*);                                        \
  template void hand_roots(const T*, std::int64_t, T*);                                           \
  template void hand_escape(const T*, std::int64_t, const T*, std::int64_t, std::int32_t*);       \
  template void hand_solve(const T*, const T*, std::int64_t, T*);
FUNCTIONS(float)
FUNCTIONS(double)
