#pragma once
// Fourier transforms of one length by plain loops: factors up to 31 by Stockham's autosort, other lengths as a convolution of a power
// of two (Bluestein). Deliberately forward and without a factor; real transforms and several dimensions are made of it in fft.hpp.
// Sources: Van Loan, "Computational frameworks for the fast Fourier transform", 1992, section 1.7; Bluestein 1970, IEEE Trans. AU-18.

#include <numbers>
#include <vector>

#include "jacquard/core/complex.hpp"
#include "jacquard/core/math.hpp"
#include "jacquard/core/shape.hpp"

namespace jacquard::detail {

/// exp(-2 pi i k / n), 0 <= k < n, by an angle of at most an eighth of a turn.
template <class R>
constexpr complex<R> unit_root(std::int64_t k, std::int64_t n) {
  const bool lower = 2 * k <= n;
  std::int64_t half_turns = 2 * (lower ? k : n - k), whole = n;  // the angle is pi * half_turns / whole
  const bool left = 2 * half_turns > whole;
  if (left) half_turns = whole - half_turns;
  const bool steep = 4 * half_turns > whole;
  if (steep) half_turns = whole - 2 * half_turns, whole *= 2;
  const double angle = std::numbers::pi * double(half_turns) / double(whole);
  double c = math::cos(angle), s = math::sin(angle);
  if (steep) std::swap(c, s);
  return {R(left ? -c : c), R(lower ? -s : s)};
}

/// What transforms of one length share: roots of unity, and memory. Not for several threads at once.
template <class R>
class fourier_plan {
 public:
  using element = complex<R>;
  constexpr explicit fourier_plan(std::int64_t n) : n_(n) {
    std::int64_t rest = n;
    for (std::int64_t p : {4, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31})
      while (rest % p == 0 && rest > 1) factors_.push_back(p), rest /= p;
    if (rest > 1) {
      prepare_convolution();
      return;
    }
    for (std::int64_t k = 0; k < n; ++k) roots_.push_back(unit_root<R>(k, n));
    work_ = std::vector<element>(std::size_t(n), element());
  }
  /// In place.
  constexpr void transform(element* x) {
    if (!chirp_.empty()) convolve(x);
    else by_factors(x);
  }

 private:
  constexpr void by_factors(element* x) {
    element *from = x, *to = work_.data();
    std::int64_t n = n_, stride = 1;
    for (std::int64_t p : factors_) {
      if (p == 2) pass_of_two(from, to, n, stride);
      else if (p == 4) pass_of_four(from, to, n, stride);
      else pass(from, to, n, stride, p);
      std::swap(from, to);
      n /= p;
      stride *= p;
    }
    if (from != x)
      for (std::int64_t i = 0; i < n_; ++i) x[i] = from[i];
  }
  /// n elements `stride` apart, `stride` of them side by side: y[p k + j] = w^(j k) sum of x[k + m r] w_p^(r j) over r, m = n / p.
  constexpr void pass(const element* x, element* y, std::int64_t n, std::int64_t stride, std::int64_t p) const {
    const std::int64_t m = n / p, fifth = n_ / p;
    for (std::int64_t k = 0; k < m; ++k)
      for (std::int64_t j = 0; j < p; ++j) {
        const element turn = roots_[std::size_t(j * k * stride % n_)];
        element* const to = y + stride * (p * k + j);
        for (std::int64_t q = 0; q < stride; ++q) to[q] = x[q + stride * k];
        for (std::int64_t r = 1; r < p; ++r) {
          const element w = roots_[std::size_t(r * j % p * fifth)];
          const element* const term = x + stride * (k + m * r);
          for (std::int64_t q = 0; q < stride; ++q) to[q] = sum(to[q], times(term[q], w));
        }
        for (std::int64_t q = 0; q < stride; ++q) to[q] = times(to[q], turn);
      }
  }
  constexpr void pass_of_two(const element* x, element* y, std::int64_t n, std::int64_t stride) const {
    const std::int64_t m = n / 2;
    for (std::int64_t k = 0; k < m; ++k) {
      const element w = roots_[std::size_t(k * stride)];
      const element *a = x + stride * k, *b = x + stride * (k + m);
      element* const to = y + stride * 2 * k;
      for (std::int64_t q = 0; q < stride; ++q) {
        const element u = a[q], v = b[q];
        to[q] = sum(u, v);
        to[q + stride] = times(difference(u, v), w);
      }
    }
  }
  constexpr void pass_of_four(const element* x, element* y, std::int64_t n, std::int64_t stride) const {
    const std::int64_t m = n / 4;
    for (std::int64_t k = 0; k < m; ++k) {
      const element w1 = roots_[std::size_t(k * stride)], w2 = roots_[std::size_t(2 * k * stride)], w3 = roots_[std::size_t(3 * k * stride)];
      const element* const from = x + stride * k;
      element* const to = y + stride * 4 * k;
      for (std::int64_t q = 0; q < stride; ++q) {
        const element a = from[q], b = from[q + stride * m], c = from[q + stride * 2 * m], d = from[q + stride * 3 * m];
        const element even = sum(a, c), odd = difference(a, c), more = sum(b, d), less = difference(b, d);
        const element turned{less.im, -less.re};  // -i (b - d)
        to[q] = sum(even, more);
        to[q + stride] = times(sum(odd, turned), w1);
        to[q + 2 * stride] = times(difference(even, more), w2);
        to[q + 3 * stride] = times(difference(odd, turned), w3);
      }
    }
  }

  constexpr void prepare_convolution() {
    std::int64_t size = 1;
    while (size < 2 * n_ - 1) size *= 2;
    inner_.push_back(fourier_plan(size));
    std::int64_t square = 0;  // k^2 modulo 2 n
    for (std::int64_t k = 0; k < n_; ++k) {
      chirp_.push_back(unit_root<R>(square, 2 * n_));
      square = (square + 2 * k + 1) % (2 * n_);
    }
    kernel_ = std::vector<element>(std::size_t(size), element());
    work_ = kernel_;
    for (std::int64_t k = 0; k < n_; ++k) {
      const element back{chirp_[std::size_t(k)].re, -chirp_[std::size_t(k)].im};
      kernel_[std::size_t(k)] = back;
      if (k > 0) kernel_[std::size_t(size - k)] = back;
    }
    inner_[0].transform(kernel_.data());
  }
  /// sum of x[j] w^(j k), with 2 j k = j^2 + k^2 - (k - j)^2.
  constexpr void convolve(element* x) {
    const R factor = R(1) / R(std::int64_t(work_.size()));
    for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = i < chirp_.size() ? times(x[i], chirp_[i]) : element();
    inner_[0].transform(work_.data());
    for (std::size_t i = 0; i < work_.size(); ++i) {
      const element y = times(work_[i], kernel_[i]);
      work_[i] = {y.re, -y.im};
    }
    inner_[0].transform(work_.data());
    for (std::size_t i = 0; i < chirp_.size(); ++i) x[i] = times(element{work_[i].re * factor, -work_[i].im * factor}, chirp_[i]);
  }

  static constexpr element sum(element a, element b) { return {a.re + b.re, a.im + b.im}; }
  static constexpr element difference(element a, element b) { return {a.re - b.re, a.im - b.im}; }
  static constexpr element times(element a, element b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

  std::int64_t n_;
  std::vector<std::int64_t> factors_;
  std::vector<element> roots_, work_, chirp_, kernel_;
  std::vector<fourier_plan> inner_;  ///< of the convolution
};

/// Transforms every line of dense data along one dimension, forward or back (without a factor).
template <class R>
constexpr void transform_lines(complex<R>* data, const shape& s, int dimension, bool inverse) {
  const std::int64_t n = s[dimension];
  if (s.elements() == 0 || n == 1) return;
  std::int64_t stride = 1;
  for (int d = dimension + 1; d < s.rank(); ++d) stride *= s[d];
  fourier_plan<R> plan(n);
  std::vector<complex<R>> line(static_cast<std::size_t>(n), complex<R>{});
  const R sign = inverse ? R(-1) : R(1);
  for (std::int64_t at = 0; at < s.elements() / n; ++at) {
    complex<R>* const first = data + at / stride * stride * n + at % stride;
    for (std::int64_t i = 0; i < n; ++i) line[std::size_t(i)] = {first[i * stride].re, sign * first[i * stride].im};
    plan.transform(line.data());
    for (std::int64_t i = 0; i < n; ++i) first[i * stride] = {line[std::size_t(i)].re, sign * line[std::size_t(i)].im};
  }
}

}  // namespace jacquard::detail
