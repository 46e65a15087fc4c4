#pragma once
// sort: sorts several arrays together along one dimension, by the first of them. Deliberately ascending only; descending
// order and argsort are made of it.

#include <tuple>

#include "jacquard/prims/bitcast_convert_type.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/gather_scatter.hpp"
#include "jacquard/prims/iota.hpp"
#include "jacquard/prims/reshape.hpp"
#include "jacquard/prims/row_order.hpp"
#include "jacquard/prims/row_pairs.hpp"

namespace jacquard {

namespace detail {

/// The rows of an array along one dimension.
struct row_layout {
  std::int64_t size, stride, count;

  constexpr row_layout(const shape& dims, std::int64_t dimension) : size(dims[int(dimension)]), stride(1) {
    for (int d = int(dimension) + 1; d < dims.rank(); ++d) stride *= dims[d];
    count = size == 0 ? 0 : dims.elements() / size;
  }
  constexpr std::int64_t start(std::int64_t row) const { return (row / stride) * size * stride + row % stride; }
};

/// `x` with the elements of each row along `dimension` taken from the places `order` (same shape).
template <class Array = array>
constexpr array take_along(const lazy<Array>& x, const lazy<Array>& order, std::int64_t dimension) {
  const shape dims = x.shape();
  const int last = dims.rank() - 1;
  const std::int64_t n = dims[int(dimension)];
  const std::int64_t rows = n == 0 ? 0 : dims.elements() / n;
  const shape matrix{rows, n};
  const array columns = lax::reshape(move_axis(x, int(dimension), last), matrix);
  const array places = lax::reshape(move_axis(order, int(dimension), last), shape{rows, n, 1});
  const array taken = lax::gather(columns, places, {{}, {1}, {1}, {0}, {0}}, {1, 1}, index_mode::promise_in_bounds);
  return move_axis(lax::reshape(taken, move_axis(x, int(dimension), last).shape()), last, int(dimension));
}

}  // namespace detail

/// The operands sorted together along `dimension`, ascending by the first num_keys of them: by the first, then where that
/// is equal by the second, ... -0 equals 0, NaN is last, complex numbers compare by the real part, then the imaginary one.
/// Shapes  equal; kept.
/// Errors  type_error: no operand; shape_error: different shapes, or a dimension outside [0, rank); value_error: num_keys.
/// Rules   derivative: the tangents taken in the same order.
/// Cost    O(n) a row for one key that is not complex and at least radix_sort_pays elements (narrow_radix_sort_pays where a key has up to 32 bits),
///         else O(n log n); always stable, whatever is_stable says.
struct sort_p {
  static constexpr std::string_view name = "sort";
  struct params {
    std::int64_t dimension;
    bool is_stable;
    std::int64_t num_keys;
    static constexpr std::string_view fields = "dimension is_stable num_keys";
    constexpr bool operator==(const params&) const = default;
  };

  static constexpr bool allocates = true;

  static constexpr void abstract_eval(inference& c, const params& p) {
    bool same = !c.in.empty();
    for (const aval& a : c.in) same = same && a.dims == c.in[0].dims;
    if (c.in.empty()) c.fail(error_kind::type, ": Sort requires at least one operand; pass an array");
    else if (!same) {
      text got;
      detail::put_shapes(got, c.in);
      c.fail(error_kind::shape, ": Arguments to sort must have equal shapes, got: ", got, "; broadcast them first");
    } else if (p.dimension < 0 || p.dimension >= c.in[0].rank())
      c.fail(error_kind::shape, ": dimension ", p.dimension, " is out of bounds for array of shape ", c.in[0].dims,
             "; wanted one in [0, ", c.in[0].rank(), ")");
    else if (p.num_keys < 1 || p.num_keys > std::int64_t(c.in.size()))
      c.fail(error_kind::value, ": num_keys=", p.num_keys, " must be between 1 and the number of operands, ",
             c.in.size());
    else c.outputs.append(c.in.begin(), c.in.end());
  }
  /// Comparisons: n log2 n a row, rounded up.
  static constexpr void cost(auto& c, const params& p) {
    int rounds = 0;
    for (std::int64_t n = c.in[0].dims[int(p.dimension)]; (std::int64_t(1) << rounds) < n;) ++rounds;
    c.cost.flops = double(c.in[0].elements()) * rounds;
  }
  static constexpr void jvp(auto& c, const params& p) {
    std::vector<array> operands(c.x.begin(), c.x.end());
    operands.push_back(lax::iota(i64, c.x[0].shape(), p.dimension));
    const array order = bind_list<own<sort_p, decltype(c)>>(p, location{}, operands)[c.x.size()];
    for (std::size_t k = 0; k < c.x.size(); ++k)
      if (!c.t[k].is_none()) c.ty[k] = detail::take_along(c.t[k], order, p.dimension);
  }
  static constexpr void batch(auto& c, const params& p) {
    std::vector<array> operands;
    for (std::size_t k = 0; k < c.x.size(); ++k)
      operands.push_back(detail::batch_materialise(c.x[k], c.dims[k], c.size));
    const params q{p.dimension + 1, p.is_stable, p.num_keys};
    for (const array& y : bind_list<own<sort_p, decltype(c)>>(q, location{}, operands)) c.outputs.push_back({y, 0});
  }
  /// Padding is sorted behind everything else, by a key of its own.
  static constexpr void mask(auto& c, const params& p) {
    const dimension_list& dims = c.dims[0];
    std::vector<array> operands;
    const bool ragged = !dims[std::size_t(p.dimension)].is_constant();
    if (ragged) {
      const array inside = lax::zeros(aval(u8, c.scope.padded(dims)));
      operands.push_back(c.scope.filled(inside, dims, {p.dimension}, array(literal(1, u8, false))));
    }
    for (const array& x : c.x) operands.push_back(c.scope.fitted(x, dims));
    const array_list y = bind_list<sort_p>({p.dimension, p.is_stable, p.num_keys + ragged}, location{}, operands);
    for (std::size_t k = 0; k < c.x.size(); ++k) c.outputs.push_back({y[k + ragged], dims});
  }
  /// Each element's place is the number of those before it; it is moved there as a whole number, so that its bits stay.
  static constexpr void of_few(auto& c, const params& p) {
    using all_pairs = detail::row_pairs<own<array, decltype(c)>>;
    const aval t = c.x[0].aval();
    const bool is_number = (is_floating(t.type) && size_of(t.type) >= 4) || (is_integer(t.type) && size_of(t.type) >= 4);
    if (c.x.size() != 1 || !is_number || !all_pairs::are_few(t, p.dimension)) return;
    const all_pairs pairs(c.x[0], p.dimension);
    const auto before = [&](const array& a, const array& b) {
      const array less = lax::lt(a, b);
      if (!is_floating(t.type)) return less;
      return lax::or_(less, lax::and_(lax::ne(b, b), lax::eq(a, a)));
    };
    const array own_x = pairs.own(c.x[0]), other = pairs.other(c.x[0]), is_earlier = lax::lt(pairs.other_place(), pairs.own_place());
    const array counts = lax::or_(before(other, own_x), lax::and_(lax::not_(before(own_x, other)), is_earlier));
    const array place = lax::reduce_sum(lax::convert_element_type(counts, i32), pairs.others());
    const dtype word = is_floating(t.type) ? (size_of(t.type) == 8 ? i64 : i32) : t.type;
    array bits = c.x[0];
    if (word != t.type) bits = lax::bitcast_convert_type(bits, word);
    const array goes_here = lax::eq(pairs.other(place), pairs.own_place()), moved = pairs.other(bits);
    const array nothing = lax::broadcast_in_dim(array(literal(0, word, false)), moved.shape(), {});
    array sorted = lax::reduce_sum(lax::select(goes_here, moved, nothing), pairs.others());
    if (word != t.type) sorted = lax::bitcast_convert_type(sorted, t.type);
    c.results.push_back(sorted);
  }
  /// All operands of one type.
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const detail::row_layout rows(a.in_types[0].dims, p.dimension);
    std::vector<detail::row_order::item> items;
    std::vector<std::uint64_t> more;
    detail::row_order order(rows.size, p.num_keys * (is_complex_v<T> ? 2 : 1), items, more);
    for (std::int64_t r = 0; r < rows.count; ++r) {
      const std::int64_t at = rows.start(r);
      std::int64_t word = 0;
      for (std::int64_t k = 0; k < p.num_keys; ++k) word = order.set_key(a.in[std::size_t(k)] + at, rows.stride, word);
      order.sort();
      for (std::size_t k = 0; k < a.in.size(); ++k) order.permute(a.in[k] + at, a.out[k] + at, rows.stride);
    }
  }
  /// Operands of any types: tuples of pointers to their elements and to those of the results.
  template <class... T>
  static constexpr void kernel_of_each(const std::tuple<const T*...>& in, const std::tuple<T*...>& out, const shape& dims, const params& p) {
    const detail::row_layout rows(dims, p.dimension);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      const auto words = [&](std::size_t k, std::int64_t own) { return k < std::size_t(p.num_keys) ? own : 0; };
      std::vector<detail::row_order::item> items;
      std::vector<std::uint64_t> more;
      detail::row_order order(rows.size, (words(K, is_complex_v<T> ? 2 : 1) + ...), items, more);
      for (std::int64_t r = 0; r < rows.count; ++r) {
        const std::int64_t at = rows.start(r);
        std::int64_t word = 0;
        ((void)(K < std::size_t(p.num_keys) ? word = order.set_key(std::get<K>(in) + at, rows.stride, word) : word), ...);
        order.sort();
        (order.permute(std::get<K>(in) + at, std::get<K>(out) + at, rows.stride), ...);
      }
    }(std::index_sequence_for<T...>{});
  }
  static void run(const auto& c, const params& p) {
    const detail::row_layout rows(c.in[0].type->dims, p.dimension);
    std::int64_t words = 0;
    for (std::int64_t k = 0; k < p.num_keys; ++k) words += is_complex(c.in[std::size_t(k)].type->type) ? 2 : 1;
    const auto sort_rows = [&](void* memory) {
      detail::row_order order(rows.size, words, detail::has_narrow_key(c.in[0].type->type), memory);
      for (std::int64_t r = 0; r < rows.count; ++r) {
        const std::int64_t at = rows.start(r);
        std::int64_t word = 0;
        for (std::size_t k = 0; k < std::size_t(p.num_keys); ++k)
          visit_dtype(c.in[k].type->type, [&]<class T>(std::type_identity<T>) {
            word = order.set_key(static_cast<const T*>(c.in[k].data) + at, rows.stride, word);
          });
        order.sort();
        for (std::size_t k = 0; k < c.in.size(); ++k)
          visit_dtype(c.in[k].type->type, [&]<class T>(std::type_identity<T>) {
            order.permute(static_cast<const T*>(c.in[k].data) + at, static_cast<T*>(c.out[k].data) + at, rows.stride);
          });
      }
    };
    alignas(detail::row_order::item) unsigned char few[2 * detail::row_order::few * sizeof(detail::row_order::item)];
    const std::int64_t bytes = detail::row_order::bytes(rows.size, words);
    if (bytes <= std::int64_t(sizeof few)) return sort_rows(few);
    const detail::scratch_block many(bytes);
    sort_rows(many.data);
  }
};

namespace lax {
/// See sort_p. Several arrays, sorted by the first num_keys of them.
template <class Array = array>
constexpr array_list sort(view<const lazy<Array>> operands, std::int64_t dimension, std::int64_t num_keys = 1,
                          bool is_stable = true, location where = location::current()) {
  return bind_list<sort_p>({dimension, is_stable, num_keys}, where, operands);
}
/// See sort_p. One array.
template <class Array = array>
constexpr array sort(const lazy<Array>& x, std::int64_t dimension, location where = location::current()) {
  return bind<sort_p>({dimension, true, 1}, where, x);
}
}  // namespace lax

}  // namespace jacquard
