#pragma once
// Sampling by rejection on whole arrays: proposals are made for all places in each trip of a loop, which ends when every place has accepted one.
// Of large arrays the few places that are left after a trip or two go on by themselves. What a place gets depends on the key, its position and
// its proposals alone, not on how many trips others need, nor on which of them it shares its trips with.

#include "jacquard/control/loops.hpp"
#include "jacquard/numpy/mask_places.hpp"
#include "jacquard/numpy/random.hpp"
#include "jacquard/numpy/reductions.hpp"
#include "jacquard/prims/bitcast_convert_type.hpp"

namespace jacquard::random::detail {

/// Proposals, and where they are accepted.
struct proposals {
  array accepted, values;
};
/// The places that a trip makes proposals for: all of an array, or some, by their numbers in row-major order.
struct trial {
  shape dims;      ///< of the proposals
  array numbers;   ///< i64 [n]; none for all places
  location where;

  /// A parameter at these places: of arrays of the shape of all, their elements.
  template <class Array = array>
  constexpr array operator()(const lazy<Array>& x) const {
    if (numbers.is_none() || x.ndim() == 0) return x;
    const array rows = lax::reshape(numbers, shape{numbers.size(), 1}, where), flat = lax::reshape(x, shape{x.size()}, where);
    return lax::gather(flat, rows, {{}, {0}, {0}}, {1}, index_mode::clip, where);
  }
  /// The numbers of random::detail::unit_uniform, of f32 and f64.
  template <class Operand = operand>
  constexpr array unit_uniform(const lazy<Operand>& k, dtype t) const {
    if (numbers.is_none()) return detail::unit_uniform(k, dims, t);
    const words w = hash(k, array(literal(0, u32, false)), lax::convert_element_type(numbers, u32, false, where));
    // Of two words the high bits, as the mantissa of a number in [1, 2).
    const auto above_one = [&](const array& bits, int unused, std::uint64_t one) {
      const array mantissa = lax::shift_right_logical(bits, array(literal(unused, bits.dtype(), false)), where);
      const array number = lax::or_(mantissa, array(literal(one, bits.dtype(), false)), where);
      return lax::sub(lax::bitcast_convert_type(number, t, where), 1.0, where);
    };
    if (t == f32) return above_one(lax::xor_(w.first, w.second, where), 9, 0x3f800000);
    const array high = lax::shift_left(lax::convert_element_type(w.first, u64, false, where), array(literal(32, u64, false)), where);
    return above_one(lax::or_(high, lax::convert_element_type(w.second, u64, false, where), where), 12, std::uint64_t(0x3ff) << 52);
  }
  template <class Operand = operand>
  constexpr array normal(const lazy<Operand>& k, dtype t) const { return normal_of(unit_uniform(k, t), where); }
};

/// Arrays of so many elements are large; a share of one sixteenth of them is few.
inline constexpr std::int64_t large_array = 4096, largest_array = std::int64_t(1) << 32;

/// Where `open`, the first accepted of what propose(key, trial) gives for the keys fold_in(k, 0), fold_in(k, 1), ...; elsewhere `values`.
template <class Operand, class Array, class Propose>
constexpr array first_accepted(const Operand& k, const Array& open, const Array& values, Propose propose) {
  using state = std::tuple<array, array, array>;  // number of the trip, places without sample, samples
  const shape dims = open.shape();
  const auto trips = [&](const auto& goes_on, const trial& at, const state& start) {
    const auto step = [&](const state& s) {
      const array& trip = std::get<0>(s);
      const proposals p = propose(operand(fold_in(k, operand(trip, k.where)), k.where), at);
      const array good = std::get<1>(s) & p.accepted;
      return state{trip + 1, std::get<1>(s) & ~p.accepted, jacquard::where(good, p.values, std::get<2>(s))};
    };
    return lax::while_loop(goes_on, step, start, k.where);
  };
  const auto any_open = [](const state& s) { return any(std::get<1>(s)); };
  const state start{array(literal(std::int32_t(0))), open, values};
  const trial everywhere{dims, {}, k.where};
  const std::int64_t n = dims.elements(), few = n / 16;
  if (n < large_array || n > largest_array) return std::get<2>(trips(any_open, everywhere, start));
  const auto many_open = [&](const state& s) { return sum(std::get<1>(s).astype(i64)) > few; };
  const state rest = trips(many_open, everywhere, start);
  const array flat = lax::reshape(std::get<1>(rest), shape{n}, k.where), samples = lax::reshape(std::get<2>(rest), shape{n}, k.where);
  const array numbers = compacted(lax::iota(i64, shape{n}, 0, k.where), flat, few, array(n), k.where), there = numbers < n;
  const trial at{shape{few}, numbers, k.where};
  const array last = std::get<2>(trips(any_open, at, state{std::get<0>(rest), there, at(samples)}));
  const array rows = lax::reshape(numbers, shape{few, 1}, k.where);
  return lax::reshape(lax::scatter(samples, rows, last, {{}, {0}, {0}}, index_mode::fill_or_drop, true, k.where), dims, k.where);
}

}  // namespace jacquard::random::detail
