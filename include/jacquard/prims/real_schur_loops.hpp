#pragma once
// The real Schur form: real matrices under orthogonal similarity, with blocks of 2 x 2 on the diagonal for pairs of complex eigenvalues, and
// eigenvalues and eigenvectors from it, in which what is real stays exactly so. Loops for kernels, in constant evaluation too; deliberately
// one double shift at a time and without balancing, which is what LAPACK is for.
// Sources: Francis 1961, Computer Journal 4; Golub and Van Loan, "Matrix computations", 4th edition, algorithms 7.5.1 and 7.5.2; the form of
// the blocks is that of Bai and Demmel 1993, Linear Algebra Appl. 186.

#include "jacquard/prims/hessenberg_loops.hpp"

namespace jacquard::detail {

/// Turns rows and columns k, k + 1 such that their block has equal diagonal elements and off-diagonal ones of opposite signs (a complex pair), or
/// a zero below the diagonal.
template <class T>
constexpr void standardise_block(T* a, T* z, std::int64_t n, std::int64_t k) {
  T* const block = a + k * n + k;
  T &b = block[1], &c = block[n], &first = block[0], &second = block[n + 1];
  const auto turn = [&](T cosine, T sine) {
    givens<T> g(T(1), T(0));
    g.c = cosine;
    g.s = sine;
    g.rows(a + k * n, a + (k + 1) * n, n);
    g.columns(a + k, a + k + 1, n, n);
    if (z) g.columns(z + k, z + k + 1, n, n);
  };
  if (c == T(0)) return;
  const T up = magnification(std::max(math::abs(b + c), math::abs(first - second))), sum = (b + c) * up, half = (first - second) * up * T(0.5);
  const T sides[2] = {sum, T(2) * half}, length = norm_of(sides, 2, 1);
  if (length != T(0)) {  // tan(2 angle) = (second - first) / sum
    const T cosine = math::sqrt(T(0.5) * (T(1) + math::abs(sum) / length)), sine = half / (length * cosine);
    turn(cosine, sum < T(0) ? sine : -sine);
  }
  const T middle = first + (second - first) * T(0.5);
  if ((b < T(0) && c > T(0)) || (b > T(0) && c < T(0))) {
    first = second = middle;
    return;
  }
  if (c == T(0)) return;
  const T x = math::sqrt(math::abs(b)), y = math::sqrt(math::abs(c)), pair[2] = {x, y}, size = norm_of(pair, 2, 1);
  first = second = middle;
  turn(x / size, y / size);  // (x, y) is an eigenvector
  c = T(0);
}

/// One double step of QR on rows first ... last of a Hessenberg matrix, with the shifts whose sum and product are given.
template <class T>
constexpr void double_step(T* a, T* z, std::int64_t n, std::int64_t first, std::int64_t last, T sum, T product) {
  const T* const h = a + first * n + first;
  T v[3] = {(h[0] * (h[0] - sum) + product) / h[n] + h[1], h[0] + h[n + 1] - sum, h[2 * n + 1]};
  for (std::int64_t k = first; k < last; ++k) {
    const std::int64_t m = k + 2 <= last ? 3 : 2;
    if (k > first)
      for (std::int64_t i = 0; i < m; ++i) v[i] = a[(k + i) * n + k - 1];
    const T tau = reflect(v, m, 1);
    if (k > first) {
      a[k * n + k - 1] = v[0];
      for (std::int64_t i = 1; i < m; ++i) a[(k + i) * n + k - 1] = T(0);
    }
    apply_reflection(v, m, 1, tau, a + k * n + k, n, n - k);
    apply_reflection_right(v, m, 1, tau, a + k, n, std::min(k + 3, last) + 1);
    if (z) apply_reflection_right(v, m, 1, tau, z + k, n, n);
  }
}

/// a := t with a = z t z^T, t quasi-triangular with standardised blocks; z is made, or null. False: no convergence.
template <class T>
constexpr bool real_schur_form(T* a, T* z, std::int64_t n) {
  hessenberg_form(a, z, n);
  std::int64_t last = n - 1;
  for (std::int64_t round = 0, steps = 0; last > 0; ++round, ++steps) {
    if (steps > 30 * n + 300) return false;
    const std::int64_t first = start_of_block(a, n, last);
    if (first == last) {
      --last;
      round = -1;
    } else if (first + 1 == last) {
      standardise_block(a, z, n, first);
      last -= 2;
      round = -1;
    } else {
      const T* const corner = a + (last - 1) * n + last - 1;
      T sum = corner[0] + corner[n + 1], product = corner[0] * corner[n + 1] - corner[1] * corner[n];
      if (round % 10 == 9) {  // exceptional ones, against cycles
        const T size = math::abs(corner[n]) + math::abs(corner[-1]);
        sum = T(1.5) * size;
        product = size * size;
      }
      double_step(a, z, n, first, last, sum, product);
    }
  }
  for (std::int64_t i = 2; i < n; ++i)
    for (std::int64_t j = 0; j + 1 < i; ++j) a[i * n + j] = T(0);
  return true;
}

/// The eigenvalues of a quasi-triangular matrix, those of a pair one after the other, the one with the positive imaginary part first.
template <class T>
constexpr void block_eigenvalues(const T* t, complex<T>* w, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    w[i] = complex<T>(t[i * n + i], T(0));
    if (i + 1 == n || t[(i + 1) * n + i] == T(0)) continue;
    const T im = math::sqrt(math::abs(t[i * n + i + 1])) * math::sqrt(math::abs(t[(i + 1) * n + i]));
    w[i] = complex<T>(t[i * n + i], im);
    w[i + 1] = complex<T>(t[(i + 1) * n + i + 1], -im);
    ++i;
  }
}

/// Solves [p, q; r, s] (x, y) = (u, v) by Cramer's rule, with the rows scaled; `least` stands for a determinant that is smaller.
template <class T>
constexpr void solve_pair(complex<T> p, T q, T r, complex<T> s, complex<T> u, complex<T> v, T least, complex<T>& x, complex<T>& y) {
  const complex<T> row[2] = {p, complex<T>(q, T(0))}, below[2] = {complex<T>(r, T(0)), s};
  const T a = std::max(norm_of(row, 2, 1), least), b = std::max(norm_of(below, 2, 1), least);
  p = p / a, q = q / a, u = u / a;
  r = r / b, s = s / b, v = v / b;
  complex<T> determinant = p * s - complex<T>(q * r, T(0));
  if (!(norm_of(&determinant, 1, 1) > std::numeric_limits<T>::epsilon())) determinant = complex<T>(std::numeric_limits<T>::epsilon(), T(0));
  x = (s * u - v * q) / determinant;
  y = (p * v - u * r) / determinant;
}

/// The eigenvector y of the quasi-triangular t for the eigenvalue w in rows before `end`, which is the end of its block.
template <class T>
constexpr void block_eigenvector(const T* t, complex<T> w, complex<T>* y, std::int64_t n, std::int64_t end, T least) {
  using C = complex<T>;
  for (std::int64_t i = 0; i < n; ++i) y[i] = C(T(0), T(0));
  std::int64_t i = end - 1;
  y[i] = C(T(1), T(0));
  if (w.im != T(0)) {  // t[i-1][i-1] y[i-1] + t[i-1][i] y[i] = w y[i-1], and the two diagonal elements are Re w
    y[i - 1] = C(t[(i - 1) * n + i], T(0)) / C(T(0), w.im);
    --i;
  }
  const auto rest = [&](std::int64_t row, std::int64_t from) {
    C sum(T(0), T(0));
    for (std::int64_t j = from; j < end; ++j) sum = sum + y[j] * t[row * n + j];
    return C(-sum.re, -sum.im);
  };
  for (--i; i >= 0; --i) {
    const bool pair = i > 0 && t[i * n + i - 1] != T(0);
    C gap = C(t[i * n + i], T(0)) - w;
    if (pair) {
      solve_pair(C(t[(i - 1) * n + i - 1], T(0)) - w, t[(i - 1) * n + i], t[i * n + i - 1], gap, rest(i - 1, i + 1), rest(i, i + 1), least, y[i - 1], y[i]);
      --i;
    } else {
      if (norm_of(&gap, 1, 1) < least) gap = C(least, T(0));
      y[i] = rest(i, i + 1) / gap;
    }
    const T size = norm_of(y + i, end - i, 1);  // equal eigenvalues make it grow
    if (size > T(1e10))
      for (std::int64_t j = i; j < end; ++j) y[j] = y[j] / size;
  }
}

/// The eigenvalues of a (n x n), which is overwritten, and its eigenvectors, the columns of v, or null. False: no convergence.
template <class T>
constexpr bool real_eigenvectors(T* a, complex<T>* w, complex<T>* v, std::int64_t n) {
  list<T> z(static_cast<std::size_t>(v ? n * n : 0));
  if (!real_schur_form(a, v ? z.data() : nullptr, n)) return false;
  block_eigenvalues(a, w, n);
  if (!v) return true;
  T least = norm_of(a, n * n, 1) * std::numeric_limits<T>::epsilon();
  if (least == T(0)) least = std::numeric_limits<T>::min();
  std::vector<complex<T>> y(static_cast<std::size_t>(n), complex<T>(T(0), T(0)));
  for (std::int64_t k = 0; k < n; ++k) {
    const bool pair = w[k].im != T(0);
    const std::int64_t end = k + 1 + (pair ? 1 : 0);
    block_eigenvector(a, w[k], y.data(), n, end, least);
    for (std::int64_t i = 0; i < n; ++i) {
      complex<T> sum(T(0), T(0));
      for (std::int64_t j = 0; j < end; ++j) sum = sum + y[std::size_t(j)] * z[std::size_t(i * n + j)];
      v[i * n + k] = sum;
      if (pair) v[i * n + k + 1] = conjugate(sum);
    }
    if (pair) ++k;
  }
  return true;
}

}  // namespace jacquard::detail
