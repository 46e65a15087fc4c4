#pragma once
// Convolutions of sequences, as numpy has them: convolve and correlate. Those of images and batches are lax::conv_general_dilated.

#include "jacquard/numpy/contraction.hpp"
#include "jacquard/prims/conv.hpp"

namespace jacquard {

namespace detail {

/// correlate(a, b) without conjugation, or with b reversed: as many places as `mode` says, of the shorter in the longer sequence.
template <class Operand>
constexpr array slide(std::string_view operation, const Operand& a, const Operand& b, std::string_view mode, bool reversed) {
  const shape x = a.value.shape(), y = b.value.shape();
  if (x.rank() != 1 || y.rank() != 1) return bad_pair(operation, a, b, "one dimension each");
  if (x[0] == 0 || y[0] == 0) return bad_pair(operation, a, b, "at least one element each");
  if (mode != "full" && mode != "same" && mode != "valid")
    return bad_operands(a, b, error_kind::value, operation, ": got the mode \"", mode, "\", wanted full, same or valid");
  promoted_pair p(a, b);
  const bool swapped = x[0] < y[0];
  auto longer = p.a, shorter = p.b;  // of dependent type, so that the primitive is compiled where this is called
  if (swapped) longer = p.b, shorter = p.a;
  const std::int64_t n = longer.shape()[0], k = shorter.shape()[0];
  if (const array both[] = {p.a, p.b}; mode != "full" && n != k && has_probed_sizes(trace_of(both)))
    (void)lax::slice(longer, {0}, {k}, {}, p.where);  // states that it is the longer one at the sizes that are asked for, too
  if (reversed) shorter = lax::rev(shorter, {0}, p.where);
  std::pair<std::int64_t, std::int64_t> padding{0, 0};
  if (mode == "full") padding = {k - 1, k - 1};
  if (mode == "same") padding = {k / 2, k - k / 2 - 1};
  const auto places = lax::conv_general_dilated(lax::reshape(longer, {1, 1, n}, p.where), lax::reshape(shorter, {1, 1, k}, p.where), {},
                                                 {padding}, {}, p.where);
  const auto y1 = lax::reshape(places, {places.shape()[2]}, p.where);
  if (swapped && !reversed) return lax::rev(y1, {0}, p.where);
  return y1;
}

}  // namespace detail

/// The sums of a[i] * b[n - i] for each n: all n ("full"), those around the middle, as many as the longer operand has elements ("same"),
/// or those without padding ("valid"). Errors: shape_error for operands that are not of rank 1 or empty; value_error for another mode.
template <class Operand = operand>
constexpr array convolve(const lazy<Operand>& a, const lazy<Operand>& b, std::string_view mode = "full") {
  return detail::slide("convolve", a, b, mode, true);
}
/// The sums of a[n + i] * conj(b[i]) for each n; modes and errors as convolve.
template <class Operand = operand>
constexpr array correlate(const lazy<Operand>& a, const lazy<Operand>& b, std::string_view mode = "valid") {
  return detail::slide("correlate", a, operand(conj(b), b.where), mode, false);
}

}  // namespace jacquard
