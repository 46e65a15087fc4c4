#pragma once
// Where a mask holds, as vectors of indices. A program has fixed shapes, so that the number of places is given, or counted where the values
// are known; the functions that users call are in indexing.hpp and sets.hpp.

#include "jacquard/numpy/axes.hpp"
#include "jacquard/prims/cumsum.hpp"
#include "jacquard/prims/gather_scatter.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/sub.hpp"

namespace jacquard::detail {

/// The size given, or the number of elements that hold in `mask`.
template <class Array = array>
constexpr std::int64_t size_or_count(const lazy<Array>& mask, std::int64_t size) {
  if (size != none) return size < 0 ? 0 : size;
  const Array count = lax::reduce_sum(lax::convert_element_type(mask, i64), int_list::iota(mask.ndim()));
  return count.template item<std::int64_t>();
}
/// For each element of a flat mask that holds, its number among them; `size` for the others.
template <class Array = array>
constexpr array numbers_within(const lazy<Array>& mask, std::int64_t size, const location& where) {
  const array count = lax::cumsum(lax::convert_element_type(mask, i64, false, where), 0, false, where);
  return lax::select(mask, lax::sub(count, array(std::int64_t(1)), where), array(size), where);
}
/// The elements of the vector x at which the mask holds, in a vector of `size`, filled up with `fill`.
template <class Array = array>
constexpr array compacted(const lazy<Array>& x, const lazy<Array>& mask, std::int64_t size, const lazy<Array>& fill, const location& where) {
  const array to = lax::broadcast_in_dim(as_type(fill, x.aval().element(), where), shape{size}, {}, where);
  const array places = lax::reshape(numbers_within(mask, size, where), shape{x.size(), 1}, where);
  return lax::scatter(to, places, x, {{}, {0}, {0}}, index_mode::fill_or_drop, true, where);
}
/// The indices of the elements of a mask of rank 1 or more that hold, one vector i64 [size] per dimension, filled up with `fill`.
template <class Array = array>
constexpr std::vector<array> places_of(const lazy<Array>& mask, std::int64_t size, const lazy<Array>& fill, const location& where) {
  const shape dims = mask.shape();
  const Array flat = lax::reshape(mask, shape{mask.size()}, where);  // not `array`: g++ would compile what follows for every program
  const std::int64_t n = size_or_count(flat, size);
  std::vector<array> r;
  for (int d = 0; d < dims.rank(); ++d)
    r.push_back(compacted(lax::reshape(lax::iota(i64, dims, d, where), flat.shape(), where), flat, n, fill, where));
  return r;
}

}  // namespace jacquard::detail
