#pragma once
// The functions of gradient_contest.hpp as programs of numbers of any type, and the table of what differentiates them: tools of automatic
// differentiation, one file each, null where a tool has no fitting mode. All read and write memory that is ready. Deliberately without
// Jacquard, whose functions of arrays are in gradient_tasks.hpp: these files are compiled by themselves. No expression is kept by `auto`,
// since those of several tools refer to temporaries.

#include <cmath>
#include <cstddef>
#include <vector>

namespace differentiators {

using std::size_t;

/// Inputs of the network: 16 rows of 16 numbers, then what is wanted for each row.
inline double network_data[16 * 16 + 16];

/// sum of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2
template <size_t n>
struct rosenbrock {
  static constexpr size_t inputs = n, outputs = 1;
  template <class T>
  void operator()(const T* x, T* out) const {
    T total(0.0);
    for (size_t i = 0; i + 1 < n; ++i) {
      const T u = x[i + 1] - x[i] * x[i], v = 1.0 - x[i];
      total += 100.0 * u * u + v * v;
    }
    *out = total;
  }
};

/// log(sum(exp(x))), the largest x taken out
template <size_t n>
struct log_sum_exp {
  static constexpr size_t inputs = n, outputs = 1;
  template <class T>
  void operator()(const T* x, T* out) const {
    using std::exp, std::log;
    T most = x[0], total(0.0);
    for (size_t i = 1; i < n; ++i)
      if (x[i] > most) most = x[i];
    for (size_t i = 0; i < n; ++i) total += exp(x[i] - most);
    *out = most + log(total);
  }
};

/// Mean square error of w2 tanh(w1 x + b1) + b2; parameters in the order w1 of (32, 16), b1, w2, b2.
struct network {
  static constexpr size_t inputs = 577, outputs = 1;
  template <class T>
  void operator()(const T* p, T* out) const {
    using std::tanh;
    const T *b1 = p + 512, *w2 = p + 544;
    T total(0.0);
    for (size_t row = 0; row < 16; ++row) {
      T error = p[576] - network_data[256 + row];
      for (size_t h = 0; h < 32; ++h) {
        T s = b1[h];
        for (size_t i = 0; i < 16; ++i) s += p[16 * h + i] * network_data[16 * row + i];
        error += w2[h] * tanh(s);
      }
      total += error * error;
    }
    *out = total / 16.0;
  }
};

/// Two residuals of a camera (reprojection.hpp) by its 15 parameters; the measured point m follows them and is of a type of its own, so that
/// a tool may leave it undifferentiated.
struct reprojection {
  static constexpr size_t inputs = 17, parameters = 15, outputs = 2;
  template <class T>
  void operator()(const T* p, T* out) const {
    (*this)(p, p + parameters, out);
  }
  template <class T, class M>
  void operator()(const T* p, const M* m, T* out) const {
    using std::sqrt, std::sin, std::cos;
    const T x0 = p[11] - p[3], x1 = p[12] - p[4], x2 = p[13] - p[5], square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    T y0, y1, y2;
    if (square > 0.0) {
      const T theta = sqrt(square), inverse = 1.0 / theta, c = cos(theta), s = sin(theta);
      const T u0 = p[0] * inverse, u1 = p[1] * inverse, u2 = p[2] * inverse, along = (u0 * x0 + u1 * x1 + u2 * x2) * (1.0 - c);
      y0 = x0 * c + (u1 * x2 - u2 * x1) * s + u0 * along;
      y1 = x1 * c + (u2 * x0 - u0 * x2) * s + u1 * along;
      y2 = x2 * c + (u0 * x1 - u1 * x0) * s + u2 * along;
    } else {
      y0 = x0 + (p[1] * x2 - p[2] * x1), y1 = x1 + (p[2] * x0 - p[0] * x2), y2 = x2 + (p[0] * x1 - p[1] * x0);
    }
    const T depth = 1.0 / y2, q0 = y0 * depth, q1 = y1 * depth, rho = q0 * q0 + q1 * q1;
    const T scale = p[6] * (1.0 + rho * (p[9] + p[10] * rho));
    out[0] = p[14] * (scale * q0 + p[7] - m[0]);
    out[1] = p[14] * (scale * q1 + p[8] - m[1]);
  }
};

/// Energy of Kepler's two bodies: places x[0..2], speeds x[3..5]. Also for Jacquard's arrays.
template <class T, class S>
constexpr T energy_of(const S& x) {
  using std::sqrt;
  const T kinetic = 0.5 * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
  const T square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  return kinetic - 1.0 / sqrt(square);
}
struct kepler {
  static constexpr size_t inputs = 6, outputs = 1;
  template <class T>
  void operator()(const T* x, T* out) const {
    *out = energy_of<T>(x);
  }
};

/// 200 steps of Euler's method for y' = a - b y^2, five operations each. Also for Jacquard's arrays.
template <class T>
constexpr T steps_of(T y, const T& a, const T& b) {
  for (int i = 0; i < 200; ++i) y = y + 0.01 * (a - b * y * y);
  return y;
}
struct chain {
  static constexpr size_t inputs = 3, outputs = 1;
  template <class T>
  void operator()(const T* x, T* out) const {
    *out = steps_of<T>(x[0], x[1], x[2]);
  }
};

using derivative = void (*)(const double* in, double* out);

/// Functions of few inputs are asked for at so many points, one after the other.
inline constexpr size_t points = 100;
template <derivative at_one, size_t inputs, size_t results>
void at_points(const double* in, double* out) {
  for (size_t i = 0; i < points; ++i) at_one(in + inputs * i, out + results * i);
}

struct library {
  const char* name;
  derivative rosenbrock_2 = nullptr;      ///< gradients at 100 points
  derivative rosenbrock_1000 = nullptr;   ///< gradient
  derivative log_sum_exp_1000 = nullptr;  ///< gradient
  derivative network = nullptr;           ///< loss, then 577 derivatives
  derivative reprojection = nullptr;      ///< Jacobians (2, 15) of 100 observations
  derivative kepler = nullptr;            ///< Hessians (6, 6) at 100 points
  derivative chain = nullptr;             ///< gradient by y, a, b
};

/// The libraries that this program was built with.
inline std::vector<library>& libraries() {
  static std::vector<library> all;
  return all;
}
struct registration {
  explicit registration(const library& l) { libraries().push_back(l); }
};

}  // namespace differentiators
