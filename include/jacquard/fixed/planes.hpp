#pragma once
// Inputs and outputs of jq::map as structs of arrays, a plane for each element, and the choice between the two forms. Results that no
// cache would keep go past the caches, where vectors are whole cache lines. Deliberately nothing of what is computed.

#include <cstdint>

#include "jacquard/fixed/rows.hpp"

namespace jacquard {

/// A struct of arrays: one plane of `size` elements for each element of a T, in the order of T's leaves. T is const for inputs.
/// All leaves of T must have one element type. Fastest where every plane begins on a 64-byte boundary.
template <class T>
struct columns {
  using value = std::remove_const_t<T>;
  using row = detail::row_of<value>;
  static_assert(row::uniform, "jq::columns: all leaves must have the same element type");
  using element = std::conditional_t<std::is_const_v<T>, const typename row::element, typename row::element>;
  std::array<element*, row::count> planes{};
  std::size_t size = 0;

  /// Planes that lie one after the other.
  static columns contiguous(element* first, std::size_t size) {
    columns r{{}, size};
    for (std::size_t k = 0; k < row::count; ++k) r.planes[k] = first + k * size;
    return r;
  }
};

namespace detail {

/// A struct of arrays, walked like an array of structs.
template <class T>
class plane_rows {
 public:
  using value = std::remove_const_t<T>;
  using row = row_of<value>;
  explicit plane_rows(const columns<T>& c) : c_(c), streams_(exceeds_caches(c)) {}
  std::size_t size() const { return c_.size; }

  template <int W, class Columns>
  JACQUARD_INLINE void load(std::size_t at, Columns& to) const {
    each(std::make_index_sequence<row::count>{}, [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
      to.template column<N>() = load_lanes<W>(static_cast<const typename row::element*>(c_.planes[N] + at));
      __builtin_prefetch(c_.planes[N] + at + blocks_ahead * W, 0);
    });
  }
  template <int W, class Columns>
  JACQUARD_INLINE void store(std::size_t at, Columns& from) const {
    each(std::make_index_sequence<row::count>{}, [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
      const auto& x = from.template column<N>();
      if constexpr (can_stream<std::remove_cvref_t<decltype(x)>>)
        if (streams_) return stream_lanes(x, c_.planes[N] + at);
      store_lanes(x, c_.planes[N] + at);
      __builtin_prefetch(c_.planes[N] + at + blocks_ahead * W, 1);
    });
  }
  /// After the last store of a thread: others see what it stored.
  void finish() const {
    if (streams_) end_of_streams();
  }
  /// Planes of one block. An address one block ahead of it is prefetched, but never read.
  template <std::size_t W>
  struct block {
    std::array<typename row::element, row::count * W> elements{};
    plane_rows<value> rows() { return plane_rows<value>(columns<value>::contiguous(elements.data(), W)); }
    plane_rows<const value> rows() const {
      return plane_rows<const value>(columns<const value>::contiguous(elements.data(), W));
    }
  };
  template <std::size_t W>
  block<W> padded(std::size_t at, std::size_t count) const {
    block<W> r;
    for (std::size_t n = 0; n < row::count; ++n)
      for (std::size_t l = 0; l < W; ++l) r.elements[n * W + l] = c_.planes[n][at + (l < count ? l : count - 1)];
    return r;
  }
  template <std::size_t W>
  void put(std::size_t at, const block<W>& from, std::size_t lane) const {
    for (std::size_t n = 0; n < row::count; ++n) c_.planes[n][at] = from.elements[n * W + lane];
  }
  value item(std::size_t i) const {
    value x{};
    each_element(x, [&](auto& to, std::size_t n) { to = c_.planes[n][i]; });
    return x;
  }
  void set(std::size_t i, const value& x) const {
    each_element(x, [&](const auto& from, std::size_t n) { c_.planes[n][i] = from; });
  }

 private:
  template <class T2, class F>
  static void each_element(T2& x, F f) {
    std::size_t n = 0;
    for_each_leaf(x, [&]<class Leaf>(Leaf& l) {
      using traits = static_leaf_traits<std::remove_const_t<Leaf>>;
      for (std::int64_t j = 0; j < traits::dims().elements(); ++j) f(traits::data(l)[j], n++);
    });
  }
  /// Results of this many bytes stream: a cache would have to read each line before its first element is written, and to drop others for it.
  static constexpr std::size_t streamed_bytes = std::size_t(16) << 20;
  static bool exceeds_caches(const columns<T>& c) {
    if (std::is_const_v<T> || c.size < streamed_bytes / (row::count * sizeof(typename row::element))) return false;
    bool aligned = true;
    for (const auto* plane : c.planes) aligned = aligned && reinterpret_cast<std::uintptr_t>(plane) % cache_line == 0;
    return aligned;
  }
  template <std::size_t... N, class F>
  JACQUARD_INLINE static void each(std::index_sequence<N...>, F f) {
    (f(std::integral_constant<std::size_t, N>{}), ...);
  }
  columns<T> c_;
  bool streams_;
};

template <class T>
inline constexpr bool is_columns = false;
template <class T>
inline constexpr bool is_columns<columns<T>> = true;
template <class R>
auto rows_from(R&& r) {
  if constexpr (is_columns<std::remove_cvref_t<R>>) return plane_rows(r);
  else return struct_rows(std::span(r.data(), r.size()));
}

}  // namespace detail
}  // namespace jacquard
