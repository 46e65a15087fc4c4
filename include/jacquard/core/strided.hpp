#pragma once
// Walking strided index spaces, for kernels that only move data: one loop serves broadcast, transpose, slice, reverse and
// the copies inside concatenate and pad. Rows that lie densely are copied as a whole; nothing is cached.

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

/// `n` copies of a value, dense. At run time parts that are filled are copied to the rest, by the C library's loops.
template <class T>
constexpr void fill_elements(T* out, std::int64_t n, const T& value) {
  std::int64_t filled = std::is_constant_evaluated() ? n : std::min<std::int64_t>(n, 64);
  for (std::int64_t i = 0; i < filled; ++i) out[i] = value;
  for (; filled < n; filled *= 2) std::copy(out, out + std::min(filled, n - filled), out + filled);
}

/// Rows of at least so many elements are copied, or filled, as a whole.
inline constexpr std::int64_t shortest_run = 8;

/// out[i] = in[in_offset + <i, in_strides>] for every index i of the dense `dims`.
template <class T>
constexpr void strided_copy(const shape& dims, const int_list& in_strides, std::int64_t in_offset, const T* in, T* out) {
  const int last = dims.rank() - 1;
  const int_list strides = dims.strides();
  if (last < 0 || dims[last] < shortest_run || in_strides[last] < 0 || in_strides[last] > 1)
    return for_each_pair(dims, strides, 0, in_strides, in_offset, [&](std::int64_t o, std::int64_t i) { out[o] = in[i]; });
  const std::int64_t n = dims[last];
  for_each_pair(shape(dims.without(last)), strides.without(last), 0, in_strides.without(last), in_offset, [&](std::int64_t o, std::int64_t i) {
    if (in_strides[last] == 0) fill_elements(out + o, n, in[i]);
    else std::copy(in + i, in + i + n, out + o);
  });
}

}  // namespace jacquard
