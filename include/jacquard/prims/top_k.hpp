#pragma once
// top_k: the largest elements of each row and where they are.

#include <cstring>

#include "jacquard/prims/sort.hpp"

namespace jacquard {

/// The k largest elements along the last dimension in descending order, and their indices. NaN is the largest of all, of equal elements
/// the one with the lower index comes first.
/// Shapes  x [..., n] -> [..., k], and the same of dtype i64.
/// Errors  type_error: complex numbers; shape_error: a scalar; value_error: k outside [0, n].
/// Rules   derivative: the tangents taken at the same places.
/// Cost    O(n log k) a row: a heap of the best so far (Knuth 5.2.3); where these are few, a list of them in order.
struct top_k_p {
  static constexpr std::string_view name = "top_k";
  struct params {
    std::int64_t k;
    static constexpr std::string_view fields = "k";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = ordered;
  static constexpr std::uint32_t index_results = 0b10;
  static constexpr bool allocates = true;
  static constexpr int arity = 1;

  static constexpr void abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (!contains(domain, x.type)) return void(detail::elementwise_type(c, domain));
    if (x.rank() == 0) return void(c.fail(error_kind::shape, ": got a scalar, wanted at least one dimension"));
    if (p.k < 0 || p.k > x.dims.back())
      return void(c.fail(error_kind::value, ": got k ", p.k, " for an operand of shape ", x.dims, "; wanted one in [0, ", x.dims.back(),
                         "], the size of the last dimension"));
    const shape out(x.dims.without(x.rank() - 1).with(x.rank() - 1, p.k));
    c.outputs.push_back(x.with(out));
    c.outputs.push_back({i64, out});
  }
  static constexpr void cost(auto& c, const params& p) {
    int rounds = 1;
    while ((std::int64_t(1) << rounds) < p.k) ++rounds;
    c.cost.flops = double(c.in[0].elements()) * rounds;
  }
  static constexpr void jvp(auto& c, const params&) {
    const int last = c.t[0].ndim() - 1;
    const shape dims = c.y[1].shape();
    int_list others;
    for (int d = 0; d < last; ++d) others.push_back(d);
    const array places = lax::reshape(c.y[1], shape(dims.with(last + 1, 1)));
    c.ty[0] = lax::gather(c.t[0], places, {{}, {last}, {last}, others, others}, int_list::filled(last + 1, 1), index_mode::promise_in_bounds, location{});
  }
  static constexpr void batch(auto& c, const params& p) {
    const array x = detail::batch_to_front(c.x[0], c.dims[0]);
    for (const array& y : bind_list<own<top_k_p, decltype(c)>>(p, location{}, view<const array>(&x, 1))) c.outputs.push_back({y, 0});
  }
  /// Padding is the smallest value, behind all elements that are as small.
  static constexpr void mask(auto& c, const params& p) {
    const int last = c.x[0].ndim() - 1;
    c.reads_sizes = true;
    const dimension k = c.scope.decode(p.k, decode<params>(c.twin).k);
    if (!k.is_constant())
      c.scope.fail(make_error(error_kind::not_implemented, "mask: top_k of as many elements as a size, ", k, ", is not implemented; make it a constant, "
                              "or sort"));
    c.scope.require_at_least(c.dims[0][std::size_t(last)], k);
    const array x = c.scope.filled(c.x[0], c.dims[0], {last}, array(detail::extreme_literal(c.x[0].aval(), false)));
    dimension_list dims = c.dims[0];
    dims[std::size_t(last)] = k;
    for (const array& y : bind_list<own<top_k_p, decltype(c)>>(p, location{}, view<const array>(&x, 1)))
      c.outputs.push_back({c.scope.guarded(y, dims, int_list::iota(last)), dims});
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const std::int64_t n = a.in_types[0].dims.back(), rows = n == 0 ? 0 : a.in_types[0].elements() / n;
    std::vector<item> heap(std::size_t(p.k), item{});
    for (std::int64_t r = 0; r < rows; ++r) {
      const T* row = a.in[0] + r * n;
      select(row, n, p.k, heap.data());
      for (std::int64_t i = 0; i < p.k; ++i) {
        const std::int64_t at = heap[std::size_t(i)].place;
        a.out[0][r * p.k + i] = row[at];
        a.index_out[1][r * p.k + i] = at;
      }
    }
  }

 private:
  struct item {
    std::uint64_t word = 0;
    std::int64_t place = 0;
  };
  /// Whether a comes behind b in the result.
  static constexpr bool behind(const item& a, const item& b) { return a.word != b.word ? a.word < b.word : a.place > b.place; }
  /// Lets the item at `at` sink in a heap of `k` items, the last of the result on top.
  static constexpr void sink(item* heap, std::int64_t at, std::int64_t k) {
    const item moved = heap[at];
    for (std::int64_t child = 2 * at + 1; child < k; at = child, child = 2 * at + 1) {
      if (child + 1 < k && behind(heap[child + 1], heap[child])) ++child;
      if (!behind(heap[child], moved)) break;
      heap[at] = heap[child];
    }
    heap[at] = moved;
  }
  /// Puts x among `n` items in order, behind equal ones.
  static constexpr void insert(item* items, std::int64_t n, item x) {
    for (; n > 0 && items[n - 1].word < x.word; --n) items[n] = items[n - 1];
    items[n] = x;
  }
  /// Whether all of a block are at most `bound`; NaN is not.
  template <std::int64_t Block, class T>
  static constexpr bool none_above(const T* x, const T& bound) {
    if constexpr (std::is_floating_point_v<T>)
      if (!__builtin_is_constant_evaluated()) return no_lane_above(x, bound);
    int above = 0;
    for (std::int64_t j = 0; j < Block; ++j) above += !(x[j] <= bound);
    return above == 0;
  }
  /// The same in vectors, of 64 bytes.
  template <class T>
  static bool no_lane_above(const T* x, T bound) {
    typedef T lanes __attribute__((vector_size(16)));
    typedef std::int64_t words __attribute__((vector_size(16)));
    lanes part[4];
    std::memcpy(part, x, sizeof part);
    const words below = (words)(part[0] <= bound) & (words)(part[1] <= bound) & (words)(part[2] <= bound) & (words)(part[3] <= bound);
    return (below[0] & below[1]) == -1;
  }
  /// The first k items of the result in order.
  template <class T>
  static constexpr void select(const T* row, std::int64_t n, std::int64_t k, item* heap) {
    if (k == 0) return;
    const bool few = k <= 16;  // one branch that cannot be foreseen each, where a heap has some
    for (std::int64_t i = 0; i < k; ++i) {
      const item x{detail::order_key(row[i])[0], i};
      if (few) insert(heap, i, x);
      else heap[i] = x;
    }
    for (std::int64_t i = few ? 0 : k / 2; i-- > 0;) sink(heap, i, k);
    item& worst = heap[few ? k - 1 : 0];
    T last_value = row[worst.place];
    const auto offer = [&](std::int64_t i) {
      if (row[i] <= last_value) return;  // an equal one comes behind
      const std::uint64_t word = detail::order_key(row[i])[0];
      if (word <= worst.word) return;  // NaN is among them
      if (few) insert(heap, k - 1, {word, i});
      else {
        worst = {word, i};
        sink(heap, 0, k);
      }
      last_value = row[worst.place];
    };
    // Most have nothing to offer, which a few instructions see.
    constexpr std::int64_t block = std::is_floating_point_v<T> ? 64 / std::int64_t(sizeof(T)) : 8;
    std::int64_t i = k;
    for (; i + block <= n; i += block) {
      if (none_above<block>(row + i, last_value)) continue;
      for (std::int64_t j = 0; j < block; ++j) offer(i + j);
    }
    for (; i < n; ++i) offer(i);
    for (std::int64_t end = few ? 0 : k - 1; end > 0; --end) {
      const item last = heap[0];
      heap[0] = heap[end];
      heap[end] = last;
      sink(heap, 0, end);
    }
  }
};

namespace lax {
/// See top_k_p: values and indices.
template <class Array = array>
constexpr array_list top_k(const lazy<Array>& x, std::int64_t k, location where = location::current()) {
  return bind_list<top_k_p>({k}, where, view<const lazy<Array>>(&x, 1));
}
}  // namespace lax

}  // namespace jacquard
