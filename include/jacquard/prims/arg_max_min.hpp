#pragma once
// argmax and argmin: where the largest and the smallest element are. One family: they share everything but the comparison.

#include <cstring>
#include <limits>
#include <type_traits>

#include "jacquard/core/wide_vectors.hpp"
#include "jacquard/prims/bitwise.hpp"
#include "jacquard/prims/reduce_max_min.hpp"
#include "jacquard/prims/row_pairs.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array argmax(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where = location::current());
template <class Array = array>
constexpr array argmin(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where = location::current());
}  // namespace lax

namespace detail {

#if defined(__x86_64__) && !defined(__CUDACC__)
/// Where the extremes of columns side by side are, a vector of `Bytes` of each row at a time; -1 where a column has NaN. Compilers lower vectors that the
/// target of a function has not before they inline it: hence one function for each. A row's number is as wide as its elements, so that what
/// compares these chooses it.
#define JACQUARD_EXTREMES_OF_COLUMNS(Bytes, target)                                                                            \
  template <bool Smallest, int Vectors, class T>                                                                               \
  target void extremes_of_columns(std::integral_constant<int, Bytes>, const T* x, std::int64_t n, std::int64_t step, std::int64_t* found) { \
    using row_number = std::conditional_t<sizeof(T) == 8, double, std::int32_t>;                                               \
    typedef T values __attribute__((vector_size(Bytes)));                                                                      \
    typedef row_number rows __attribute__((vector_size(Bytes)));                                                               \
    using bits = decltype(values{} < values{});                                                                                \
    constexpr int lanes = Bytes / int(sizeof(T));                                                                              \
    values best[Vectors];                                                                                                      \
    bits odd[Vectors];                                                                                                         \
    rows place[Vectors];                                                                                                       \
    for (int k = 0; k < Vectors; ++k) {                                                                                        \
      std::memcpy(&best[k], x + k * lanes, Bytes);                                                                             \
      odd[k] = best[k] != best[k], place[k] = rows{};                                                                          \
    }                                                                                                                          \
    for (std::int64_t r = 1; r < n; ++r) {                                                                                     \
      const rows at = rows{} + row_number(r);                                                                                  \
      for (int k = 0; k < Vectors; ++k) {                                                                                      \
        values a;                                                                                                              \
        std::memcpy(&a, x + r * step + k * lanes, Bytes);                                                                      \
        bits ahead;                                                                                                            \
        if constexpr (Smallest) ahead = a < best[k];                                                                           \
        else ahead = a > best[k];                                                                                              \
        best[k] = ahead ? a : best[k];                                                                                         \
        const rows there = (rows)((bits)at & ahead);                                                                           \
        place[k] = there > place[k] ? there : place[k];                                                                        \
        odd[k] |= a != a;                                                                                                      \
      }                                                                                                                        \
    }                                                                                                                          \
    for (int k = 0; k < Vectors; ++k)                                                                                          \
      for (int l = 0; l < lanes; ++l) found[k * lanes + l] = odd[k][l] ? -1 : std::int64_t(place[k][l]);                       \
  }
JACQUARD_EXTREMES_OF_COLUMNS(32, [[gnu::target("avx2")]])
JACQUARD_EXTREMES_OF_COLUMNS(64, [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]])
#undef JACQUARD_EXTREMES_OF_COLUMNS
#endif

/// What the two share. P::find is the lax function, P::ahead says which of two numbers it looks for.
template <class P>
struct index_of_extreme {
  struct params {
    int_list axes;  ///< exactly one
    dtype index_dtype;
    static constexpr std::string_view fields = "axes index_dtype";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr type_set domain = ordered;
  static constexpr std::uint32_t index_results = 1;
  static constexpr bool no_derivative = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (!contains(domain, x.type)) return elementwise_type(c, domain);
    if (p.axes.size() != 1 || p.axes[0] < 0 || p.axes[0] >= x.rank())
      return c.fail(error_kind::value, ": Invalid axis ", p.axes, " for operand shape ", x.dims,
                    "; wanted one axis in [0, ", x.rank(), ")");
    if (x.dims[int(p.axes[0])] == 0)
      return c.fail(error_kind::value, " requires non-empty reduced dimension, got operand shape ", x.dims,
                    " and axis ", p.axes[0], "; reduce another axis or check the size first");
    if (!is_integer(p.index_dtype))
      return c.fail(error_kind::type, ": index_dtype must be an integer type, but got ", long_name(p.index_dtype),
                    "; pass e.g. jq::i32");
    return {p.index_dtype, shape(x.dims.without(int(p.axes[0])))};
  }
  static constexpr void cost(auto& c) { c.cost.flops = double(c.in[0].elements()); }
  static constexpr batched batch(auto& c, const params& p) {
    return batch_reduction(c, p.axes,
                           [&](const array& x, const int_list& axes) { return P::find(x, axes[0], p.index_dtype); });
  }
  static constexpr masked mask(auto& c, const params& p) {  // of equal elements the first one counts, so padding never does
    return mask_reduction(c, {p.axes, {}, extreme_literal(c.x[0].aval(), P::finds_smallest)},
                          [&](const array& x) { return P::find(x, p.axes[0], p.index_dtype); });
  }
  /// The smallest of the places of elements that are the extreme; of NaNs, where there are any, since these equal nothing.
  static constexpr void of_few(auto& c, const params& p) {
    using pairs = row_pairs<own<array, decltype(c)>>;
    const array x = c.x[0];
    const aval t = x.aval();
    const int axis = int(p.axes[0]);
    c.is_of_examples = are_many_rows(t, axis);
    if (is_boolean(t.type) || !(pairs::are_few(t, axis) || c.is_of_examples)) return;
    int_list rest;
    for (int d = 0; d < t.rank(); ++d)
      if (d != axis) rest.push_back(d);
    const array extreme = lax::broadcast_in_dim(P::reduced(x, p.axes), t.dims, rest);
    array hit = lax::eq(x, extreme);
    if (is_inexact(t.type)) hit = lax::or_(hit, lax::ne(x, x));
    const array place = lax::iota(p.index_dtype, t.dims, axis), last(literal(t.dims[axis] - 1, p.index_dtype, false));
    c.results.push_back(lax::reduce_min(lax::select(hit, place, lax::broadcast_in_dim(last, t.dims, {})), p.axes));
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    const shape& from = a.in_types[0].dims;
    const int axis = int(p.axes[0]);
    std::int64_t inner = 1;
    for (int d = axis + 1; d < from.rank(); ++d) inner *= from[d];
    const std::int64_t results = a.out_types[0].elements(), n = from[axis];
    if (inner > 1 && found_by_vectors(a.in[0], results / inner, n, inner, a.index_out[0])) return;
    detail::in_wide_vectors([&] {
      std::int64_t o = 0;
      while (inner != 1 && o < results) {
        const std::int64_t left = inner - o % inner;
        const T* const x = a.in[0] + (o / inner) * n * inner + o % inner;
        if (left >= columns) find_in_columns<columns>(x, n, inner, a.index_out[0] + o), o += columns;
        else if (left >= lanes) find_in_columns<lanes>(x, n, inner, a.index_out[0] + o), o += lanes;
        else if (left >= few) find_in_columns<few>(x, n, inner, a.index_out[0] + o), o += few;
        else find_in_columns<1>(x, n, inner, a.index_out[0] + o), ++o;
      }
      for (; o < results; ++o) a.index_out[0][o] = find_in_row(a.in[0] + o * n, n);
    });
  }
  /// Whether a is to be found rather than b, which comes before it.
  template <class T>
  static constexpr bool better(T a, T b) {
    return (int(P::ahead(a, b)) | (int(math::is_nan(a)) & int(!math::is_nan(b)))) != 0;
  }

 private:
  /// Rows so short that vectors lie across them.
  static constexpr bool are_many_rows(const aval& t, int axis) {
    constexpr std::int64_t shortest = 2, longest = 16, least = 64;
    const std::int64_t n = t.dims[axis];
    return axis + 1 == t.rank() && n >= shortest && n <= longest && t.elements() >= least * n && is_floating(t.type) && size_of(t.type) >= 4;
  }
  static constexpr std::int64_t block = 128, lanes = 16, columns = 64, few = 4;
  template <class T>
  struct best_value {
    T value;
    bool unsure;  ///< there may be NaN
  };
  template <class T>
  static constexpr std::int64_t find_in_row(const T* row, std::int64_t n) {
    std::int64_t best = 0, i = 1;
    for (; i + block <= n; i += block) best = best_with(row, best, i, i + block, best_in_block<block>(row + i));
    for (; i + 2 * lanes <= n; i += 2 * lanes) best = best_with(row, best, i, i + 2 * lanes, best_in_block<2 * lanes>(row + i));
    if (n - i <= few) return best_of(row, best, i, n, 1);
    T value = row[i], odd = T(value - value);
    for (std::int64_t k = i + 1; k < n; ++k) take(row[k], value, odd);
    return best_with(row, best, i, n, {value, !(odd == T(0))});
  }
  /// The best of one element and those `from` to before `to`, whose best value is `there`.
  template <class T>
  static constexpr std::int64_t best_with(const T* row, std::int64_t best, std::int64_t from, std::int64_t to, best_value<T> there) {
    if (there.unsure) return best_of(row, best, from, to, 1);
    if (P::ahead(there.value, row[best]))
      for (best = from; row[best] != there.value;) ++best;
    return best;
  }
  /// In all columns of so many matrices (n, step), where this processor has vectors of their elements; else nothing is done.
  template <class T>
  static constexpr bool found_by_vectors(const T* x, std::int64_t matrices, std::int64_t n, std::int64_t step, std::int64_t* found) {
#if defined(__x86_64__) && !defined(__CUDACC__)
    if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
      if (std::is_constant_evaluated() || n > std::numeric_limits<std::int32_t>::max()) return false;
      for (std::int64_t m = 0; m < matrices; ++m, x += n * step, found += step) {
        const auto piece = [&](auto bytes, auto vectors, std::int64_t c) {
          extremes_of_columns<P::finds_smallest, decltype(vectors)::value>(bytes, x + c, n, step, found + c);
        };
        if (!by_columns<T, 4>(step, piece)) return false;
        for (std::int64_t c = 0; c < step; ++c)
          if (found[c] < 0) found[c] = best_of(x + c, 0, 1, n, step);
      }
      return true;
    }
#endif
    return false;
  }
  /// In columns side by side, block by block of rows: a column is looked at once more where a block has a better element.
  template <std::int64_t Columns, class T>
  static constexpr void find_in_columns(const T* x, std::int64_t n, std::int64_t step, std::int64_t* found) {
    constexpr std::int64_t rows = 64;
    for (std::int64_t c = 0; c < Columns; ++c) found[c] = 0;
    for (std::int64_t i = 1; i < n; i += rows) {
      const std::int64_t end = std::min(i + rows, n);
      T best[std::size_t(Columns)], odd[std::size_t(Columns)];
      for (std::int64_t c = 0; c < Columns; ++c) best[c] = x[i * step + c], odd[c] = T(best[c] - best[c]);
      for (std::int64_t r = i + 1; r < end; ++r)
        for (std::int64_t c = 0; c < Columns; ++c) take(x[r * step + c], best[c], odd[c]);
      for (std::int64_t c = 0; c < Columns; ++c) {
        if (!(odd[c] == T(0))) found[c] = best_of(x + c, found[c], i, end, step);
        else if (P::ahead(best[c], x[found[c] * step + c]))
          for (found[c] = i; x[found[c] * step + c] != best[c];) ++found[c];
      }
    }
  }
  /// The better one of x and `best`; x - x is added to `odd`, which shows NaN and infinities.
  template <class T>
  static constexpr void take(T x, T& best, T& odd) {
    best = P::ahead(x, best) ? x : best;
    odd = T(odd + T(x - x));
  }
  /// The best of elements `from` to before `to` and one before them, without a branch: in short rows none can be foreseen.
  template <class T>
  static constexpr std::int64_t best_of(const T* row, std::int64_t best, std::int64_t from, std::int64_t to, std::int64_t step) {
    for (std::int64_t i = from; i < to; ++i) best += (i - best) * std::int64_t(better(row[i * step], row[best * step]));
    return best;
  }
  /// Of so many elements, in lanes that the compiler makes vectors of. NaN shows in x - x, as do infinities.
  template <std::int64_t Count, class T>
  static constexpr best_value<T> best_in_block(const T* x) {
    T best[lanes], odd[lanes];
    for (std::int64_t l = 0; l < lanes; ++l) best[l] = x[l], odd[l] = T(x[l] - x[l]);
    for (std::int64_t i = lanes; i < Count; i += lanes)
      for (std::int64_t l = 0; l < lanes; ++l) take(x[i + l], best[l], odd[l]);
    for (std::int64_t l = 1; l < lanes; ++l) {
      if (P::ahead(best[l], best[0])) best[0] = best[l];
      odd[0] = T(odd[0] + odd[l]);
    }
    return {best[0], !(odd[0] == T(0))};
  }
};
}  // namespace detail

/// The index of the largest element of `x` along one axis: the first of equal ones, the first NaN if there is one.
/// Shapes  x [d0 ... dn-1] -> x without the axis, of dtype index_dtype.
/// Errors  type_error: complex numbers, or an index dtype that is no integer; value_error: an axis out of range or of size 0.
/// Rules   no derivative.
/// Cost    reads x once.
struct argmax_p : detail::index_of_extreme<argmax_p> {
  static constexpr std::string_view name = "argmax";
  static constexpr bool finds_smallest = false;
  template <class T>
  static constexpr bool ahead(T a, T b) {
    return a > b;
  }
  static constexpr array find(const auto& x, std::int64_t axis, dtype t) { return lax::argmax(x, axis, t); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_max(x, axes); }
};

/// The index of the smallest element of `x` along one axis: the first of equal ones, the first NaN if there is one.
/// Shapes  x [d0 ... dn-1] -> x without the axis, of dtype index_dtype.
/// Errors  type_error: complex numbers, or an index dtype that is no integer; value_error: an axis out of range or of size 0.
/// Rules   no derivative.
/// Cost    reads x once.
struct argmin_p : detail::index_of_extreme<argmin_p> {
  static constexpr std::string_view name = "argmin";
  static constexpr bool finds_smallest = true;
  template <class T>
  static constexpr bool ahead(T a, T b) {
    return a < b;
  }
  static constexpr array find(const auto& x, std::int64_t axis, dtype t) { return lax::argmin(x, axis, t); }
  static constexpr array reduced(const auto& x, const int_list& axes) { return lax::reduce_min(x, axes); }
};

namespace lax {
/// See argmax_p.
template <class Array>
constexpr array argmax(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where) {
  return bind<argmax_p>({{axis}, index_dtype}, where, x);
}
/// See argmin_p.
template <class Array>
constexpr array argmin(const lazy<Array>& x, std::int64_t axis, dtype index_dtype, location where) {
  return bind<argmin_p>({{axis}, index_dtype}, where, x);
}
}  // namespace lax

}  // namespace jacquard
