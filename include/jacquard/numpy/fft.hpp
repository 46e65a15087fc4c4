#pragma once
// jq::fft: Fourier transforms along any axes, of any lengths: operands are cut, or padded with zeros, as numpy does. Of more
// than three axes the last three are transformed together.

#include "jacquard/numpy/arithmetic.hpp"
#include "jacquard/numpy/creation.hpp"
#include "jacquard/numpy/manipulation.hpp"
#include "jacquard/prims/fft.hpp"

namespace jacquard {

namespace fft {

/// Where the factor 1/n goes: to the inverse, half to each (ortho), or to the forward transform.
enum class norm : std::uint8_t { backward, ortho, forward };

/// A length of a transform, or of none the size of the axis.
struct length {
  std::int64_t value = -1;
  constexpr length() = default;
  constexpr length(std::int64_t n) : value(n == none ? -1 : n) {}
};

}  // namespace fft

namespace detail {

/// What functions of jq::fft do with an operand: axes last, sizes fitted, transform, factor, axes back.
template <class Operand>
struct fourier_call {
  std::string_view operation;
  const Operand& x;
  fft_type type;
  fft::norm scaling;
  int_list axes{}, lengths{};
  array bad{};

  constexpr array fail(error_kind kind, const auto&... parts) { return bad_operand(x, kind, operation, ": ", parts...); }
  /// Axes and lengths as given; empty lists stand for the last axes, or all, and for their sizes.
  constexpr bool resolve(const int_list& given_axes, const int_list& given_lengths, bool all) {
    const int rank = x.value.ndim();
    int_list wanted = given_axes;
    if (all && wanted.empty())
      for (int d = given_lengths.empty() ? 0 : rank - given_lengths.size(); d < rank; ++d) wanted.push_back(d);
    bad = resolve_axes(operation, x, wanted, rank, axes);
    if (bad.is_none() && axes.empty()) bad = fail(error_kind::value, "got no axis to transform; wanted at least one");
    if (bad.is_none() && !given_lengths.empty() && given_lengths.size() != axes.size())
      bad = fail(error_kind::value, "got ", given_lengths.size(), " lengths for ", axes.size(), " axes; wanted as many");
    for (int i = 0; bad.is_none() && i < axes.size(); ++i) {
      const std::int64_t size = x.value.shape()[int(axes[i])], own = type == fft_type::irfft && i + 1 == axes.size() ? 2 * (size - 1) : size;
      const std::int64_t n = given_lengths.empty() || given_lengths[i] == -1 ? own : given_lengths[i];
      if (n < 1) bad = fail(error_kind::value, "got ", n, " as number of data points along axis ", axes[i], "; wanted at least 1");
      lengths.push_back(n);
    }
    return bad.is_none();
  }
  constexpr array run() {
    const int rank = x.value.ndim(), count = axes.size();
    int_list order = other_axes(rank, axes);
    for (std::int64_t d : axes) order.push_back(d);
    array y = operand_of_type();
    y = lax::transpose(y, order, x.where);
    for (int i = 0; i < count; ++i) {
      const bool halved = type == fft_type::irfft && i + 1 == count;
      y = fitted(y, rank - count + i, halved ? lengths[i] / 2 + 1 : lengths[i]);
    }
    y = transform(y);
    const double factor = factor_of();
    if (factor != 1) y = lax::mul(y, scalar_like(y, factor), x.where);
    int_list back = order;
    for (int i = 0; i < rank; ++i) back[int(order[i])] = i;
    return lax::transpose(y, back, x.where);
  }

 private:
  constexpr bool inverse() const { return type == fft_type::ifft || type == fft_type::irfft; }
  constexpr array operand_of_type() {
    const array v = as_inexact(x);
    if (type == fft_type::rfft && is_complex(v.dtype())) return v;  // for the primitive to refuse
    const bool narrow = v.dtype() == f32 || v.dtype() == c64 || size_of(v.dtype()) == 2;
    if (type == fft_type::rfft) return as_type(v, {narrow ? f32 : f64, v.weak_type()}, x.where);
    return as_type(v, {narrow ? c64 : c128, v.weak_type()}, x.where);
  }
  constexpr array fitted(const array& y, int d, std::int64_t size) const {
    const std::int64_t have = y.shape()[d];
    int_list zero = int_list::filled(y.ndim(), 0), more = zero, limit = y.shape();
    if (have == size) return y;
    if (have < size) {
      more[d] = size - have;
      return lax::pad(y, scalar_like(y, 0), zero, more, {}, x.where);
    }
    limit[d] = size;
    return lax::slice(y, zero, limit, {}, x.where);
  }
  /// Over all axes, which are last: three of them by one primitive, those before them of the complex array.
  constexpr array transform(array y) const {
    const int count = lengths.size(), rank = y.ndim(), together = count < 3 ? count : 3;
    int_list last;
    for (int i = count - together; i < count; ++i) last.push_back(lengths[i]);
    if (type == fft_type::irfft) y = others(y, rank, count, together);
    y = lax::fft(y, type, last, x.where);
    return type == fft_type::irfft ? y : others(y, rank, count, together);
  }
  constexpr array others(array y, int rank, int count, int together) const {
    for (int i = 0; i < count - together; ++i) {
      const array moved = move_axis(y, rank - count + i, rank - 1);
      y = move_axis(lax::fft(moved, inverse() ? fft_type::ifft : fft_type::fft, {lengths[i]}, x.where), rank - 1, rank - count + i);
    }
    return y;
  }
  /// Beside the 1/n of inverse primitives.
  constexpr double factor_of() const {
    double n = 1;
    for (std::int64_t l : lengths) n *= double(l);
    switch (scaling) {
      case fft::norm::backward: return 1;
      case fft::norm::ortho: return inverse() ? math::sqrt(n) : 1 / math::sqrt(n);
      default: return inverse() ? n : 1 / n;
    }
  }
};
template <class Operand = operand>
constexpr array transform_along(std::string_view operation, const lazy<Operand>& x, fft_type type, const int_list& lengths, const int_list& axes,
                                fft::norm scaling, bool all) {
  fourier_call<lazy<Operand>> c{operation, x, type, scaling};
  if (!c.resolve(axes, lengths, all)) return c.bad;
  return c.run();
}
/// Rolled by half the size along axes.
template <class Operand = operand>
constexpr array shifted(std::string_view operation, const lazy<Operand>& x, const reduction_axes& axes, int direction) {
  int_list list = int_list::iota(x.value.ndim());
  array bad;
  if (!axes.all()) bad = resolve_axes(operation, x, axes.list(), x.value.ndim(), list);
  if (!bad.is_none()) return bad;
  int_list by;
  for (std::int64_t d : list) by.push_back(direction * (x.value.shape()[int(d)] / 2));
  return roll(x, by, list);
}
}  // namespace detail

namespace fft {

// Of all functions: lengths cut an axis or pad it with zeros; without them (or for jq::none, or -1) an axis has its size. Integers become f64, f16
// and bf16 f32. Errors: value_error for an axis out of range or repeated, a length below 1, lists of different lengths.

/// y[k] = sum of x[j] exp(-2 pi i j k / n) along an axis.
template <class Operand = operand>
constexpr array fft(const lazy<Operand>& x, length n = {}, int axis = -1, norm scaling = norm::backward) {
  return detail::transform_along("fft", x, fft_type::fft, int_list{n.value}, int_list{axis}, scaling, false);
}
/// The inverse of fft.
template <class Operand = operand>
constexpr array ifft(const lazy<Operand>& x, length n = {}, int axis = -1, norm scaling = norm::backward) {
  return detail::transform_along("ifft", x, fft_type::ifft, int_list{n.value}, int_list{axis}, scaling, false);
}
/// The elements 0 ... n/2 of fft of real numbers; the others are their conjugates. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array rfft(const lazy<Operand>& x, length n = {}, int axis = -1, norm scaling = norm::backward) {
  return detail::transform_along("rfft", x, fft_type::rfft, int_list{n.value}, int_list{axis}, scaling, false);
}
/// The inverse of rfft: n real numbers, by default 2 (m - 1) of m elements.
template <class Operand = operand>
constexpr array irfft(const lazy<Operand>& x, length n = {}, int axis = -1, norm scaling = norm::backward) {
  return detail::transform_along("irfft", x, fft_type::irfft, int_list{n.value}, int_list{axis}, scaling, false);
}
/// The transform of a signal with Hermitian symmetry, of which x is the first half: n real numbers, by default 2 (m - 1).
template <class Operand = operand>
constexpr array hfft(const lazy<Operand>& x, length n = {}, int axis = -1, norm scaling = norm::backward) {
  const norm turned = scaling == norm::backward ? norm::forward : scaling == norm::forward ? norm::backward : scaling;
  return detail::transform_along("hfft", operand(jacquard::conj(x), x.where), fft_type::irfft, int_list{n.value}, int_list{axis}, turned, false);
}
/// The inverse of hfft. Errors: type_error for complex numbers.
template <class Operand = operand>
constexpr array ihfft(const lazy<Operand>& x, length n = {}, int axis = -1, norm scaling = norm::backward) {
  const norm turned = scaling == norm::backward ? norm::forward : scaling == norm::forward ? norm::backward : scaling;
  const array y = detail::transform_along("ihfft", x, fft_type::rfft, int_list{n.value}, int_list{axis}, turned, false);
  return lax::conj(y, x.where);
}
/// fft along two axes, the last ones by default.
template <class Operand = operand>
constexpr array fft2(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {-2, -1}, norm scaling = norm::backward) {
  return detail::transform_along("fft2", x, fft_type::fft, lengths, axes, scaling, false);
}
/// The same along several axes: all, or the last ones, as many as lengths.
template <class Operand = operand>
constexpr array fftn(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {}, norm scaling = norm::backward) {
  return detail::transform_along("fftn", x, fft_type::fft, lengths, axes, scaling, true);
}
/// The inverse of fft2.
template <class Operand = operand>
constexpr array ifft2(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {-2, -1}, norm scaling = norm::backward) {
  return detail::transform_along("ifft2", x, fft_type::ifft, lengths, axes, scaling, false);
}
/// The same along several axes: all, or the last ones, as many as lengths.
template <class Operand = operand>
constexpr array ifftn(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {}, norm scaling = norm::backward) {
  return detail::transform_along("ifftn", x, fft_type::ifft, lengths, axes, scaling, true);
}
/// fft2 of real numbers: the first half of the last of the axes.
template <class Operand = operand>
constexpr array rfft2(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {-2, -1}, norm scaling = norm::backward) {
  return detail::transform_along("rfft2", x, fft_type::rfft, lengths, axes, scaling, false);
}
/// The same along several axes: all, or the last ones, as many as lengths.
template <class Operand = operand>
constexpr array rfftn(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {}, norm scaling = norm::backward) {
  return detail::transform_along("rfftn", x, fft_type::rfft, lengths, axes, scaling, true);
}
/// The inverse of rfft2.
template <class Operand = operand>
constexpr array irfft2(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {-2, -1}, norm scaling = norm::backward) {
  return detail::transform_along("irfft2", x, fft_type::irfft, lengths, axes, scaling, false);
}
/// The same along several axes: all, or the last ones, as many as lengths.
template <class Operand = operand>
constexpr array irfftn(const lazy<Operand>& x, const int_list& lengths = {}, const int_list& axes = {}, norm scaling = norm::backward) {
  return detail::transform_along("irfftn", x, fft_type::irfft, lengths, axes, scaling, true);
}

/// The frequencies of the elements of fft of n samples `spacing` apart: 0, 1, ..., -2, -1 over n * spacing. Errors: value_error for n < 1.
template <class Array = array>
constexpr array fftfreq(std::int64_t n, double spacing = 1, dtype t = f64, location where = location::current()) {
  if (n < 1) return detail::operand_error(view<const array>(), make_error(error_kind::value, "fftfreq: got n = ", n, ", wanted at least 1"), where);
  const array i = lax::iota(i64, n, where), high = lax::lt(i, array(literal((n + 1) / 2, i64, false)), where);
  const array turns = lax::select(high, i, lax::sub(i, array(literal(n, i64, false)), where), where);
  return lax::mul(lax::convert_element_type(turns, t, false, where), 1 / (double(n) * spacing), where);
}
/// The same for rfft: 0, 1, ..., n/2 over n * spacing. Errors: value_error for n < 1.
template <class Array = array>
constexpr array rfftfreq(std::int64_t n, double spacing = 1, dtype t = f64, location where = location::current()) {
  if (n < 1) return detail::operand_error(view<const array>(), make_error(error_kind::value, "rfftfreq: got n = ", n, ", wanted at least 1"), where);
  return lax::mul(lax::iota(t, n / 2 + 1, where), 1 / (double(n) * spacing), where);
}
/// The zero frequency moved to the middle of the axes, all by default. Errors: value_error for an axis out of range.
template <class Operand = operand>
constexpr array fftshift(const lazy<Operand>& x, const reduction_axes& axes = {}) {
  return detail::shifted("fftshift", x, axes, 1);
}
/// The inverse of fftshift.
template <class Operand = operand>
constexpr array ifftshift(const lazy<Operand>& x, const reduction_axes& axes = {}) {
  return detail::shifted("ifftshift", x, axes, -1);
}

}  // namespace fft

}  // namespace jacquard
