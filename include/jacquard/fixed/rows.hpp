#pragma once
// Inputs and outputs of jq::map as arrays of structs, loaded and stored in blocks with one item per vector lane. Structs that are
// nothing but doubles, or floats, are transposed in registers. Deliberately no gathers: compilers make of them what we write.

#include <bit>

#include "jacquard/fixed/evaluate.hpp"
#include "jacquard/fixed/lane_memory.hpp"
#include "jacquard/fixed/lane_shuffles.hpp"

namespace jacquard {
namespace detail {

template <class Pointer>
using pointee = std::remove_cvref_t<decltype(*std::declval<Pointer>())>;

/// Facts of a static tree as a row of elements.
template <class T>
struct row_of {
  using pointers = decltype(leaf_pointers(std::declval<T&>()));
  static constexpr std::size_t leaves = std::tuple_size_v<pointers>;
  using element = pointee<std::tuple_element_t<0, pointers>>;

  /// Where each leaf begins, and at the end how many elements there are.
  static constexpr std::array<std::size_t, leaves + 1> make_first() {
    std::array<std::size_t, leaves + 1> r{};
    std::size_t k = 0, n = 0;
    const T prototype{};
    for_each_leaf(prototype, [&]<class Leaf>(const Leaf&) {
      r[k++] = n;
      n += std::size_t(static_leaf_traits<Leaf>::dims().elements());
    });
    r[k] = n;
    return r;
  }
  static constexpr auto first = make_first();
  static constexpr std::size_t count = first[leaves];
  template <std::size_t... K>
  static constexpr bool has_one_type(std::index_sequence<K...>) {
    return (std::is_same_v<pointee<std::tuple_element_t<K, pointers>>, element> && ...);
  }
  /// Every leaf has the same element type.
  static constexpr bool uniform = has_one_type(std::make_index_sequence<leaves>{});
  /// An object is nothing but its elements.
  static constexpr bool dense = uniform && sizeof(T) == count * sizeof(element) && std::is_trivially_copyable_v<T>;
};

/// The lanes of all elements of one block of W inputs or outputs, leaf by leaf.
template <class Row, int W, class = std::make_index_sequence<Row::leaves>>
struct block_columns;
template <class Row, int W, std::size_t... K>
struct block_columns<Row, W, std::index_sequence<K...>> {
  template <std::size_t L>
  using leaf_element = pointee<std::tuple_element_t<L, typename Row::pointers>>;
  pack<std::array<lanes<leaf_element<K>, W>, Row::first[K + 1] - Row::first[K]>...> columns;  // as they are: a std::tuple would make them zero

  JACQUARD_INLINE auto pointers() { return std::tuple{detail::get<K>(columns).data()...}; }
  JACQUARD_INLINE auto constant_pointers() const { return std::tuple{detail::get<K>(columns).data()...}; }
  /// Element n of a row whose leaves have one type.
  template <std::size_t N>
  JACQUARD_INLINE auto& column() {
    constexpr std::size_t leaf = [] {
      std::size_t k = 0;
      while (Row::first[k + 1] <= N) ++k;
      return k;
    }();
    return detail::get<leaf>(columns)[N - Row::first[leaf]];
  }
};

/// Blocks between a use and its prefetch: what a block computes fills the window in which a processor finds loads and stores to begin early,
/// and many planes are more streams than it foresees.
inline constexpr int blocks_ahead = 4;

/// An array of structs.
template <class T>
class struct_rows {
 public:
  using value = std::remove_const_t<T>;
  using row = row_of<value>;
  explicit struct_rows(std::span<T> items) : items_(items) {}
  std::size_t size() const { return items_.size(); }

  template <int W, class Columns>
  JACQUARD_INLINE void load(std::size_t at, Columns& to) const {
    prefetch_block<W, 0>(at);
    if constexpr (in_vectors<W>()) load_vectors<W>(at, to, std::make_integer_sequence<int, int(row::count)>{});
    else if constexpr (in_squares()) move_squares<W, true>(at, to);
    else
      for (int l = 0; l < W; ++l) load_row(items_[at + std::size_t(l)], l, to, std::make_index_sequence<row::leaves>{});
  }
  template <int W, class Columns>
  JACQUARD_INLINE void store(std::size_t at, Columns& from) const {
    prefetch_block<W, 1>(at);
    if constexpr (in_vectors<W>()) store_vectors<W>(at, from, std::make_integer_sequence<int, int(row::count)>{});
    else if constexpr (in_squares()) move_squares<W, false>(at, from);
    else
      for (int l = 0; l < W; ++l) store_row(items_[at + std::size_t(l)], l, from, std::make_index_sequence<row::leaves>{});
  }
  template <std::size_t W>
  struct block {
    std::array<value, W> items{};
    struct_rows<value> rows() { return struct_rows<value>(std::span(items)); }
    struct_rows<const value> rows() const { return struct_rows<const value>(std::span(items)); }
  };
  /// `count` items from `at` on, and the last one again for the lanes without one.
  template <std::size_t W>
  block<W> padded(std::size_t at, std::size_t count) const {
    block<W> r;
    for (std::size_t l = 0; l < W; ++l) r.items[l] = items_[at + (l < count ? l : count - 1)];
    return r;
  }
  template <std::size_t W>
  void put(std::size_t at, const block<W>& from, std::size_t lane) const {
    items_[at] = from.items[lane];
  }
  const value& item(std::size_t i) const { return items_[i]; }
  void set(std::size_t i, const value& x) const { items_[i] = x; }

 private:
  /// All lines of the structs some blocks on, to be read or written. Beyond the end that is an address like any other.
  template <int W, int Written>
  JACQUARD_INLINE void prefetch_block(std::size_t at) const {
    const auto first = reinterpret_cast<std::uintptr_t>(items_.data()) + (at + std::size_t(blocks_ahead * W)) * sizeof(value);
    for (std::size_t byte = 0; byte < std::size_t(W) * sizeof(value); byte += cache_line)
      __builtin_prefetch(reinterpret_cast<const void*>(first + byte), Written);
  }
  static constexpr bool in_squares() { return row::dense && std::is_floating_point_v<typename row::element>; }
  /// Whether W structs are taken apart as the vectors that they fill: where a register holds such a vector, and squares take more instructions.
  template <int W>
  static constexpr bool in_vectors() {
    if constexpr (in_squares() && row::count > 1) {
      constexpr int instructions = instructions_of_a_shuffle * shuffles_of_columns<int(row::count)>();
      return int(sizeof(typename row::element)) * W <= 8 * preferred_lanes && instructions < shuffles_of_squares(W);
    } else return false;
  }
  /// The shuffles of move_squares: those of squares of vectors of W lanes, and of smaller ones that are then put together.
  static constexpr int shuffles_of_squares(int W) {
    int r = 0;
    for (std::size_t first = 0; row::count > 1 && first < row::count; first += side_of_square(first, W)) {
      const int side = int(side_of_square(first, W));
      r += W * std::countr_zero(unsigned(side)) + W - side;
    }
    return r;
  }
  static constexpr std::size_t side_of_square(std::size_t first, int W) {
    const std::size_t rest = row::count - first, over = std::bit_ceil(rest < 2 ? 2 : rest);
    return rest >= std::size_t(W) ? std::size_t(W) : over <= row::count ? over : std::bit_floor(rest);
  }
  template <int W, class Columns, int... K>
  JACQUARD_INLINE void load_vectors(std::size_t at, Columns& c, std::integer_sequence<int, K...>) const {
    const auto* from = static_cast<const typename row::element*>(elements(at));
    lanes<typename row::element, W> v[] = {load_lanes<W>(from + K * W)...};
    deal_columns<int(row::count), true>(v);
    ((c.template column<std::size_t(K)>() = v[place_of_column<int(row::count)>(K)]), ...);
  }
  template <int W, class Columns, int... K>
  JACQUARD_INLINE void store_vectors(std::size_t at, Columns& c, std::integer_sequence<int, K...>) const {
    lanes<typename row::element, W> v[row::count];
    ((v[place_of_column<int(row::count)>(K)] = c.template column<std::size_t(K)>()), ...);
    deal_columns<int(row::count), false>(v);
    (store_lanes(v[K], elements(at) + K * W), ...);
  }
  template <class Columns, std::size_t... K>
  JACQUARD_INLINE static void load_row(const value& x, int lane, Columns& to, std::index_sequence<K...>) {
    const auto p = leaf_pointers(x);
    ([&] {
      auto& c = detail::get<K>(to.columns);
      for (std::size_t j = 0; j < c.size(); ++j) {
        if (lane == 0) c[j] = std::remove_cvref_t<decltype(c[j])>(std::get<K>(p)[j]);
        else c[j].put(lane, std::get<K>(p)[j]);
      }
    }(), ...);
  }
  template <class Columns, std::size_t... K>
  JACQUARD_INLINE static void store_row(value& x, int lane, const Columns& from, std::index_sequence<K...>) {
    const auto p = leaf_pointers(x);
    ([&] {
      const auto& c = detail::get<K>(from.columns);
      for (std::size_t j = 0; j < c.size(); ++j) std::get<K>(p)[j] = c[j][lane];
    }(), ...);
  }
  /// Squares of as many structs as elements are transposed in registers, the largest that fit: one that overlaps the one before rather than
  /// several smaller ones. Structs of one element lie as lanes do.
  template <int W, bool Loading, std::size_t First = 0, class Columns>
  JACQUARD_INLINE void move_squares(std::size_t at, Columns& c) const {
    if constexpr (row::count == 1 && Loading) c.template column<0>() = load_lanes<W>(static_cast<const typename row::element*>(elements(at)));
    else if constexpr (row::count == 1) store_lanes(c.template column<0>(), elements(at));
    else if constexpr (First < row::count) {
      constexpr std::size_t side = side_of_square(First, W);
      constexpr std::size_t first = First + side <= row::count ? First : row::count - side;
      constexpr auto columns = std::make_integer_sequence<int, int(side)>{};
      constexpr auto groups = std::make_integer_sequence<int, W / int(side)>{};
      if constexpr (Loading) load_square<W, first>(at, c, columns, groups);
      else store_square<W, first>(at, c, columns, groups);
      move_squares<W, Loading, first + side>(at, c);
    }
  }
  template <int W, std::size_t First, class Columns, int... J, int... G>
  JACQUARD_INLINE void load_square(std::size_t at, Columns& c, std::integer_sequence<int, J...>, std::integer_sequence<int, G...>) const {
    using element = typename row::element;
    constexpr int side = int(sizeof...(J)), groups = int(sizeof...(G));
    lanes<element, side> parts[sizeof...(J)][sizeof...(G)];
    for (int g = 0; g < groups; ++g) {
      lanes<element, side> rows[sizeof...(J)];
      for (int l = 0; l < side; ++l) rows[l] = load_lanes<side>(static_cast<const element*>(elements(at + std::size_t(g * side + l)) + First));
      transpose_lanes<element, side>(rows);
      for (int j = 0; j < side; ++j) parts[j][g] = rows[j];
    }
    ((c.template column<First + std::size_t(J)>() = joined_lanes<W>(parts[J])), ...);
  }
  template <int W, std::size_t First, class Columns, class J, int... G>
  JACQUARD_INLINE void store_square(std::size_t at, Columns& c, J columns, std::integer_sequence<int, G...>) const {
    (store_group<First, G>(at, c, columns), ...);
  }
  template <std::size_t First, int Group, class Columns, int... J>
  JACQUARD_INLINE void store_group(std::size_t at, Columns& c, std::integer_sequence<int, J...> all) const {
    using element = typename row::element;
    constexpr int side = int(sizeof...(J));
    const auto part = [all](const auto& x) __attribute__((always_inline)) { return lanes_from<Group * side>(x, x, all); };
    lanes<element, side> rows[] = {part(c.template column<First + std::size_t(J)>())...};
    transpose_lanes<element, side>(rows);
    for (int l = 0; l < side; ++l) store_lanes(rows[l], elements(at + std::size_t(Group * side + l)) + First);
  }
  JACQUARD_INLINE auto* elements(std::size_t i) const {
    using element = std::conditional_t<std::is_const_v<T>, const typename row::element, typename row::element>;
    return reinterpret_cast<element*>(&items_[i]);
  }

  std::span<T> items_;
};

}  // namespace detail
}  // namespace jacquard
