#pragma once
// How an array lies on the members of an axis: cut into equal tiles, of which each member holds one, and several perhaps the same. A member's number
// is read as digits, each of which says which piece of a dimension it holds. Deliberately without arrays; here are numbers, and copies of boxes of memory.

#include <algorithm>
#include <cstring>

#include "jacquard/core/aval.hpp"
#include "jacquard/core/small_vector.hpp"

namespace jacquard::detail {

/// By dimension, in how many pieces it is cut, and which digit of a member's number says which of them it has: number / stride % pieces.
struct tiling {
  int_list pieces, strides;

  /// Not cut: all members have all of it.
  static constexpr tiling whole(int rank) { return {int_list::filled(rank, 1), int_list::filled(rank, 1)}; }
  /// Member k has tile k in row-major order.
  static constexpr tiling row_major(const int_list& pieces) {
    const int_list strides = shape(pieces).strides();
    tiling r;
    for (int d = 0; d < pieces.size(); ++d) r.add(pieces[d], strides[d]);
    return r;
  }

  constexpr int rank() const { return pieces.size(); }
  constexpr std::int64_t tiles() const { return shape(pieces).elements(); }
  constexpr bool is_whole() const { return tiles() == 1; }
  constexpr bool cuts(int d) const { return pieces[d] != 1; }
  /// The same with dimension d in one piece.
  constexpr tiling joined(int d) const {
    tiling r = *this;
    r.pieces[d] = r.strides[d] = 1;
    return r;
  }
  /// Appends a dimension. One that is not cut has stride 1, so that equal tilings compare equal.
  constexpr void add(std::int64_t count, std::int64_t stride) {
    pieces.push_back(count);
    strides.push_back(count == 1 ? 1 : stride);
  }
  /// The same with dimension d cut as dimension k of another one is.
  constexpr void cut_as(int d, const tiling& other, int k) { pieces[d] = other.pieces[k], strides[d] = other.strides[k]; }
  /// Whether some dimension is cut by a digit that cannot change without the digit of these pieces. One of two that can is a digit of what the
  /// other leaves over.
  constexpr bool uses(std::int64_t count, std::int64_t stride) const {
    for (int d = 0; d < rank(); ++d)
      if (cuts(d) && count != 1 && stride % (strides[d] * pieces[d]) != 0 && strides[d] % (stride * count) != 0) return true;
    return false;
  }
  constexpr std::int64_t piece_of(int d, std::int64_t member) const { return member / strides[d] % pieces[d]; }
  /// The member that has this tile and is like another one otherwise.
  constexpr std::int64_t owner(const int_list& cell, std::int64_t like) const {
    for (int d = 0; d < rank(); ++d) like += (cell[d] - piece_of(d, like)) * strides[d];
    return like;
  }
  /// Whether an array of these dimensions can be cut so.
  constexpr bool fits(const shape& dims) const {
    bool all = dims.rank() == rank();
    for (int d = 0; all && d < rank(); ++d) all = dims[d] % pieces[d] == 0;
    return all;
  }
  /// The dimensions of a tile, and those of what consists of such tiles.
  constexpr shape tile_of(shape dims) const {
    for (int d = 0; d < rank(); ++d) dims[d] /= pieces[d];
    return dims;
  }
  constexpr shape of_tiles(shape dims) const {
    for (int d = 0; d < rank(); ++d) dims[d] *= pieces[d];
    return dims;
  }
  /// Where the tile of a member begins, whose dimensions are `cell`.
  constexpr int_list begin_of(const shape& cell, std::int64_t member) const {
    int_list r;
    for (int d = 0; d < rank(); ++d) r.push_back(piece_of(d, member) * cell[d]);
    return r;
  }
  constexpr bool operator==(const tiling&) const = default;
};

/// An array in memory, and where a box of it begins.
template <class Byte>
struct box_corner {
  Byte* memory;
  const shape& dims;
  int_list at;
};
/// Copies a box of elements of `bytes` bytes, row after row.
inline void copy_box(const box_corner<std::byte>& to, const box_corner<const std::byte>& from, const int_list& extent, std::int64_t bytes) {
  int inner = extent.size();  // from here on, both arrays have the box in one piece
  std::int64_t row = bytes;
  while (inner > 0) {
    --inner;
    row *= extent[inner];
    if (extent[inner] != to.dims[inner] || extent[inner] != from.dims[inner]) break;
  }
  if (row == 0) return;
  const int_list to_strides = to.dims.strides(), from_strides = from.dims.strides();
  std::int64_t rows = 1;
  for (int d = 0; d < inner; ++d) rows *= extent[d];
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t rest = r, to_at = 0, from_at = 0;
    for (int d = extent.size() - 1; d >= 0; --d) {
      const std::int64_t i = d < inner ? rest % extent[d] : 0;
      if (d < inner) rest /= extent[d];
      to_at += (to.at[d] + i) * to_strides[d];
      from_at += (from.at[d] + i) * from_strides[d];
    }
    std::memcpy(to.memory + to_at * bytes, from.memory + from_at * bytes, std::size_t(row));
  }
}

/// How arguments and results of a member lie in those of the whole: not divided, along a dimension of which each member has one index, or as tiles.
struct placement {
  bool is_stacked = false;
  int axis = 0;  ///< the dimension, if it is stacked
  tiling tiles{};

  static constexpr placement whole(int rank) { return {false, 0, tiling::whole(rank)}; }
  static constexpr placement stacked(int axis) { return {true, axis, {}}; }
  static constexpr placement tiled(const tiling& t) { return {false, 0, t}; }
  constexpr bool is_whole() const { return !is_stacked && tiles.is_whole(); }
  /// The type of the whole, given that of a member's part.
  constexpr aval of_all(const aval& part, std::int64_t members) const {
    return part.with(is_stacked ? shape(part.dims.with(axis, members)) : tiles.of_tiles(part.dims));
  }
};

}  // namespace jacquard::detail
