#pragma once
// fft: discrete Fourier transforms over the last one to three dimensions. Deliberately with the lengths fixed: padding, cutting, axes
// and the factors of other conventions are the business of numpy/fft.hpp.

#include <tuple>

#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/fourier_loops.hpp"
#include "jacquard/prims/matrix_rules.hpp"
#include "jacquard/prims/transform_library.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array fft(const lazy<Array>& x, fft_type type, const int_list& lengths, location where = location::current());
}

/// y[k] = sum of x[j] exp(-2 pi i j k / n) (fft); the same with +, divided by n (ifft); over each of the last dimensions. rfft is fft of
/// real numbers, of which it gives the elements 0 ... n/2 of the last dimension; irfft takes those and gives real numbers. It does not look
/// at the imaginary part of elements 0 and n/2.
/// Shapes  (..., lengths); the last is lengths.back() / 2 + 1 for results of rfft and operands of irfft.
/// Errors  type_error: not c64 or c128, for rfft f32 or f64; shape_error: sizes that are not the lengths; value_error: not 1 to 3 lengths,
///         or one that is not positive.
/// Rules   linear; transpose: fft and ifft are symmetric, rfft and irfft of each other, with weights 1 and 2.
/// Cost    5 n log2 n operations, half of that for real numbers.
struct fft_p {
  static constexpr std::string_view name = "fft";
  static constexpr int arity = 1;
  static constexpr bool allocates = true;
  struct params {
    fft_type type;
    int_list lengths;
    static constexpr std::string_view fields = "fft_type fft_lengths";
    constexpr bool operator==(const params&) const = default;
    constexpr bool to_half() const { return type == fft_type::rfft; }
    constexpr bool from_half() const { return type == fft_type::irfft; }
    constexpr bool is_inverse() const { return type == fft_type::ifft || type == fft_type::irfft; }
  };
  static constexpr std::uint32_t linear = 1;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    const bool accepted = p.to_half() ? x.type == f32 || x.type == f64 : is_complex(x.type);
    if (!accepted)
      return c.fail(error_kind::type, " does not accept dtype ", long_name(x.type), " here: wanted ",
                    p.to_half() ? "float32 or float64 for a real transform" : "complex64 or complex128", "; convert with x.astype(...)");
    const int count = p.lengths.size();
    if (count < 1 || count > 3) return c.fail(error_kind::value, ": got ", count, " lengths, wanted 1 to 3; transform further dimensions separately");
    for (std::int64_t n : p.lengths)
      if (n < 1) return c.fail(error_kind::value, ": got lengths ", p.lengths, ", wanted at least 1 each; nothing has no transform");
    bool fits = x.rank() >= count;
    for (int i = 0; fits && i < count; ++i) fits = x.dims[x.rank() - count + i] == side(p, i, p.from_half());
    if (!fits)
      return c.fail(error_kind::shape, ": got an operand of shape ", x.dims, " for lengths ", p.lengths, p.from_half() ? ", of the last half and one more," : "",
                    " wanted these sizes of its last dimensions; pad or slice it");
    shape out = x.dims;
    out[x.rank() - 1] = side(p, count - 1, p.to_half());
    return {p.to_half() ? complex_dtype(x.type) : p.from_half() ? real_dtype(x.type) : x.type, out, x.weak};
  }
  static constexpr void cost(auto& c, const params& p) {
    double n = 1, rounds = 0;
    for (std::int64_t l : p.lengths) n *= double(l);
    for (double m = 1; m < n; m *= 2) rounds += 1;
    c.cost.flops = (p.to_half() || p.from_half() ? 2.5 : 5) * n * rounds * double(count_of(c.in[0].dims, p));
  }
  static constexpr array transpose(int, const auto& ct, const auto&, const params& p) {
    if (!p.to_half() && !p.from_half()) return lax::fft(ct, p.type, p.lengths);
    double n = 1;
    for (std::int64_t l : p.lengths) n *= double(l);
    if (p.to_half()) {
      const array weighted = lax::mul(lax::conj(ct), weights(ct, p, n, n / 2));
      return lax::fft(weighted, fft_type::irfft, p.lengths);
    }
    const array y = lax::fft(ct, fft_type::rfft, p.lengths);
    return lax::mul(lax::conj(y), weights(y, p, 1 / n, 2 / n));
  }
  static constexpr batched batch(auto& c, const params& p) {
    return {bind<own<fft_p, decltype(c)>>(p, location{}, detail::move_axis(c.x[0], c.dims[0], 0)), 0};
  }
  static constexpr void mask(auto& c, const params& p) {
    if (!detail::constant_matrices(c, name, 0, p.lengths.size())) return;
    dimension_list dims = c.dims[0];
    dims[dims.size() - 1] = dimension(side(p, p.lengths.size() - 1, p.to_half()));
    c.outputs.push_back({bind<own<fft_p, decltype(c)>>(p, location{}, c.scope.fitted(c.x[0], c.dims[0])), dims});
  }
  template <class In, class Out>
  static constexpr void kernel_of_each(const In& in, const Out& out, const shape& dims, const params& p) {
    const auto x = std::get<0>(in);
    const auto y = std::get<0>(out);
    const bool done = in_library(x, y, dims, p);
    using to = std::remove_pointer_t<std::tuple_element_t<0, Out>>;
    if constexpr (is_complex_v<std::remove_cvref_t<decltype(*x)>>) {
      if constexpr (!is_complex_v<to>) {
        if (!done) from_half(x, y, dims, p);
        scale(y, count_of(dims, p) * elements(p), p);
      } else {
        if (!done) whole(x, y, dims, p);
        if (p.is_inverse()) scale(y, dims.elements(), p);
      }
    } else if constexpr (is_complex_v<to>)
      if (!done) to_half(x, y, dims, p);
  }
  static void run(const auto& c, const params& p) {
    const auto call = [&]<class From, class To>(std::type_identity<From>, std::type_identity<To>) {
      kernel_of_each(std::tuple<const From*>(static_cast<const From*>(c.in[0].data)), std::tuple<To*>(static_cast<To*>(c.out[0].data)), c.in[0].type->dims, p);
    };
    const auto both = [&]<class R>(std::type_identity<R> real) {
      const std::type_identity<complex<R>> number;
      if (p.to_half()) call(real, number);
      else if (p.from_half()) call(number, real);
      else call(number, number);
    };
    if (real_dtype(c.in[0].type->type) == f32) both(std::type_identity<float>{});
    else both(std::type_identity<double>{});
  }

 private:
  /// The size of dimension i, on the side that is halved or not.
  static constexpr std::int64_t side(const params& p, int i, bool halved) {
    return halved && i == p.lengths.size() - 1 ? p.lengths[i] / 2 + 1 : p.lengths[i];
  }
  static constexpr std::int64_t elements(const params& p) { return shape(p.lengths).elements(); }
  static constexpr std::int64_t count_of(const shape& dims, const params& p) { return detail::leading(dims, p.lengths.size()).elements(); }
  /// Of the half spectrum: `once` where an element stands for itself, `twice` where for its mirror image too.
  static constexpr array weights(const auto& x, const params& p, double once, double twice) {
    const std::int64_t n = p.lengths.back();
    const dtype real = real_dtype(x.dtype());
    const array k = lax::iota(i64, x.shape(), x.ndim() - 1);
    const array alone = lax::or_(lax::eq(k, array(literal(0, i64, false))), lax::eq(lax::mul(k, array(literal(2, i64, false))), array(literal(n, i64, false))));
    const array w = lax::select(alone, array(literal(once, real, x.weak_type())), array(literal(twice, real, x.weak_type())));
    return lax::convert_element_type(w, x.dtype(), x.weak_type());
  }
  template <class T>
  static constexpr void scale(T* y, std::int64_t count, const params& p) {
    using R = detail::real_of<T>;
    const R factor = R(1 / double(elements(p)));
    if (__builtin_is_constant_evaluated()) {
      for (std::int64_t i = 0; i < count; ++i) y[i] = y[i] * factor;
    } else {  // real and imaginary parts alike, in vectors: g++ 12 multiplies one after the other at -O2
      typedef R lanes __attribute__((vector_size(4 * sizeof(R)), aligned(alignof(R)), may_alias));
      R* const parts = reinterpret_cast<R*>(y);
      const std::int64_t n = count * std::int64_t(sizeof(T) / sizeof(R));
      std::int64_t i = 0;
      for (; i + 4 <= n; i += 4) {
        lanes& four = *reinterpret_cast<lanes*>(parts + i);
        four = four * factor;
      }
      for (; i < n; ++i) parts[i] *= factor;
    }
  }
  template <class From, class To>
  static constexpr bool in_library(const From* x, To* y, const shape& dims, const params& p) {
    if (__builtin_is_constant_evaluated() || !detail::libraries_here || !detail::libraries_here->transforms || elements(p) < 8) return false;
    const detail::transform_library* const library = detail::libraries_here->transforms();
    const std::int64_t count = count_of(dims, p);
    if (!library || count == 0) return false;
    return library->transform({p.type, p.lengths, count, std::is_same_v<detail::real_of<From>, float>}, x, y);
  }
  template <class T>
  static constexpr void whole(const T* x, T* y, const shape& dims, const params& p) {
    for (std::int64_t i = 0, n = dims.elements(); i < n; ++i) y[i] = x[i];
    for (int d = dims.rank() - p.lengths.size(); d < dims.rank(); ++d) detail::transform_lines(y, dims, d, p.is_inverse());
  }
  template <class R>
  static constexpr void to_half(const R* x, complex<R>* y, const shape& dims, const params& p) {
    const std::int64_t n = p.lengths.back(), half = n / 2 + 1;
    detail::fourier_plan<R> plan(n);
    std::vector<complex<R>> line(static_cast<std::size_t>(n), complex<R>{});
    for (std::int64_t row = 0; row < dims.elements() / n; ++row) {
      for (std::int64_t i = 0; i < n; ++i) line[std::size_t(i)] = {x[row * n + i], R(0)};
      plan.transform(line.data());
      for (std::int64_t i = 0; i < half; ++i) y[row * half + i] = line[std::size_t(i)];
    }
    shape out = dims;
    out[dims.rank() - 1] = half;
    for (int d = dims.rank() - p.lengths.size(); d + 1 < dims.rank(); ++d) detail::transform_lines(y, out, d, false);
  }
  template <class R>
  static constexpr void from_half(const complex<R>* x, R* y, const shape& dims, const params& p) {
    const std::int64_t n = p.lengths.back(), half = n / 2 + 1;
    std::vector<complex<R>> all(x, x + dims.elements()), line(static_cast<std::size_t>(n), complex<R>{});
    for (int d = dims.rank() - p.lengths.size(); d + 1 < dims.rank(); ++d) detail::transform_lines(all.data(), dims, d, true);
    detail::fourier_plan<R> plan(n);
    for (std::int64_t row = 0; row < dims.elements() / half; ++row) {
      // The conjugate of the whole spectrum, transformed forward, is the inverse transform.
      for (std::int64_t i = 0; i < half; ++i) {
        const complex<R> v = all[std::size_t(row * half + i)];
        const bool alone = i == 0 || 2 * i == n;
        line[std::size_t(i)] = {v.re, alone ? R(0) : -v.im};
        if (!alone) line[std::size_t(n - i)] = v;
      }
      plan.transform(line.data());
      for (std::int64_t i = 0; i < n; ++i) y[row * n + i] = line[std::size_t(i)].re;
    }
  }
};

namespace lax {
/// See fft_p.
template <class Array>
constexpr array fft(const lazy<Array>& x, fft_type type, const int_list& lengths, location where) {
  return bind<fft_p>({type, lengths}, where, x);
}
}  // namespace lax

}  // namespace jacquard
