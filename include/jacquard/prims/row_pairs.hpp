#pragma once
// Rows of few elements whose elements meet each other: what running sums, places of extremes and sorts are made of where a kernel of their own would
// be called for less work than the call. Deliberately for some ten elements: there are as many pairs as elements times those of a row.

#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/compare.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard::detail {

/// Each element of the rows of x along an axis beside each element of its row: own and other have one dimension more, behind that axis, along
/// which the others change.
template <class Array = array>
class row_pairs {
 public:
  static constexpr std::int64_t most = 128;
  /// Whether there are so few.
  static constexpr bool are_few(const aval& t, std::int64_t axis) { return t.elements() > 0 && t.elements() * t.dims[int(axis)] <= most; }

  constexpr row_pairs(const lazy<Array>& x, std::int64_t axis) : axis_(axis) {
    const shape dims = x.shape();
    for (int d = 0; d < dims.rank(); ++d) {
      lengths_.push_back(dims[d]);
      if (d == int(axis)) lengths_.push_back(dims[d]);
    }
  }
  constexpr array own(const lazy<Array>& x) const { return spread(x, false); }
  constexpr array other(const lazy<Array>& x) const { return spread(x, true); }
  /// Places in the row, of the element itself and of the other one.
  constexpr array own_place() const { return lax::iota(i32, shape(lengths_), axis_); }
  constexpr array other_place() const { return lax::iota(i32, shape(lengths_), axis_ + 1); }
  /// The axis to reduce over.
  constexpr int_list others() const { return {axis_ + 1}; }

 private:
  constexpr array spread(const lazy<Array>& x, bool is_other) const {
    int_list positions;
    for (int d = 0; d < x.ndim(); ++d) positions.push_back(d + (d > int(axis_) || (is_other && d == int(axis_))));
    return lax::broadcast_in_dim(x, shape(lengths_), positions);
  }

  std::int64_t axis_;
  int_list lengths_;
};

/// What is reduced from the elements up to each one of a row, in the direction of a running operation. `neutral` takes the place of the others.
template <class Array = array, class Reduce>
constexpr array reduced_so_far(const lazy<Array>& x, std::int64_t axis, bool reverse, const literal& neutral, const Reduce& reduce) {
  const row_pairs<Array> pairs(x, axis);
  const array others = pairs.other(x), own = pairs.own_place(), other = pairs.other_place();
  array counts;
  if (reverse) counts = lax::ge(other, own);
  else counts = lax::le(other, own);
  return reduce(lax::select(counts, others, lax::broadcast_in_dim(array(neutral), others.shape(), {})), pairs.others());
}

}  // namespace jacquard::detail
