#pragma once
// Walking strided index spaces, for kernels that only move data: one loop serves broadcast, transpose, slice, reverse and
// the copies inside concatenate and pad. Deliberately element by element with one fast inner loop; nothing is cached.

#include "jacquard/core/shape.hpp"

namespace jacquard {

/// Calls f(out_offset, in_offset) for every index of `dims`, row-major, offsets given by two stride lists.
template <class F>
constexpr void for_each_pair(const shape& dims, const int_list& out_strides, std::int64_t out_offset,
                             const int_list& in_strides, std::int64_t in_offset, F&& f) {
  if (dims.elements() == 0) return;
  const int inner = dims.rank() - 1;
  if (inner < 0) return f(out_offset, in_offset);
  std::array<std::int64_t, max_rank> index{};
  while (true) {
    const std::int64_t os = out_strides[inner], is = in_strides[inner];
    for (std::int64_t i = 0; i < dims[inner]; ++i) f(out_offset + i * os, in_offset + i * is);
    int d = inner - 1;
    for (; d >= 0; --d) {
      out_offset += out_strides[d];
      in_offset += in_strides[d];
      if (++index[std::size_t(d)] < dims[d]) break;
      out_offset -= out_strides[d] * dims[d];
      in_offset -= in_strides[d] * dims[d];
      index[std::size_t(d)] = 0;
    }
    if (d < 0) return;
  }
}

/// out[i] = in[in_offset + <i, in_strides>] for every index i of the dense `dims`.
template <class T>
constexpr void strided_copy(const shape& dims, const int_list& in_strides, std::int64_t in_offset, const T* in, T* out) {
  for_each_pair(dims, dims.strides(), 0, in_strides, in_offset,
                [&](std::int64_t o, std::int64_t i) { out[o] = in[i]; });
}

}  // namespace jacquard
