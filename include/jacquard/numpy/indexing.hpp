#pragma once
// Reading parts of arrays: x(i, jq::slice(a, b), jq::ellipsis, jq::newaxis, indices), x[i], take and take_along_axis. An
// index is a number (checked where it is known), a slice, a traced integer (moved inside the array), or an array of integers
// (by numpy's rules for advanced indexing; likewise moved inside), or a mask, which stands for the places at which it holds and
// therefore needs known values (not under jit). Writing is in updates.hpp.

#include "jacquard/core/list.hpp"
#include "jacquard/numpy/mask_places.hpp"
#include "jacquard/numpy/reductions.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
#include "jacquard/prims/gather_scatter.hpp"
#include "jacquard/prims/rev.hpp"
#include "jacquard/prims/slice.hpp"
#include "jacquard/prims/squeeze.hpp"

namespace jacquard {

struct newaxis_t {};
/// As an index: a new dimension of size 1.
inline constexpr newaxis_t newaxis{};
struct ellipsis_t {};
/// As an index: all dimensions that the other indices leave.
inline constexpr ellipsis_t ellipsis{};

/// As an index: start, start + step, ... before stop, by Python's rules; jq::none omits an end, slice() takes everything.
struct slice {
  std::int64_t start = none, stop = none, step = 1;
  location where;

  constexpr explicit slice(location l = location::current()) : where(l) {}
  constexpr slice(std::int64_t first, std::int64_t end, std::int64_t by = 1, location l = location::current())
      : start(first), stop(end), step(by), where(l) {}
  template <std::integral I>
  slice(I) = delete;  // is it the start or the end? write slice(i, jq::none) or slice(0, i)
};

namespace detail {

template <class Array>
class index_plan;
/// What is done with indices that are arrays. Known to these alone, so that accesses by numbers and slices do not compile it.
struct array_indexing {
  std::vector<array> (*places_of_mask)(const array& mask, const location&);
  array (*take_lists)(const array& x, const index_plan<array>&);
  array (*take_scalars)(const array& x, const index_plan<array>&);
};
template <class Array>
struct indexing_by_arrays;

enum class index_kind : std::uint8_t { absent, number, range, new_axis, rest, scalar, list, wrong };

/// One index as the user gave it.
struct index_entry {
  index_kind kind = index_kind::wrong;
  std::int64_t number = 0;
  jacquard::slice range{location{}};
  array value;  ///< an array of integers: `scalar` of rank 0, else `list`
  const array_indexing* by_arrays = nullptr;  ///< where there is a value
  location where;

  static const index_entry absent;  ///< the default of indices that are not given
  constexpr index_entry() : kind(index_kind::absent) {}
  template <axis_number I>
  constexpr index_entry(I i, location l = location::current())
      : kind(index_kind::number), number(std::int64_t(i)), where(l) {}
  constexpr index_entry(const jacquard::slice& s, location = {}) : kind(index_kind::range), range(s), where(s.where) {}
  constexpr index_entry(newaxis_t, location l = location::current()) : kind(index_kind::new_axis), where(l) {}
  constexpr index_entry(ellipsis_t, location l = location::current()) : kind(index_kind::rest), where(l) {}
  /// The name of the function jq::all, written without a call, stands for everything.
  template <class Axes = reduction_axes>
  constexpr index_entry(array (*f)(const operand&, const lazy<Axes>&, keepdims_option), location l = location::current())
      : where(l) {
    if (f == static_cast<decltype(f)>(&jacquard::all)) kind = index_kind::range;
  }
  template <class Array = array>
  constexpr index_entry(const lazy<Array>& a, location l = location::current()) : value(a), by_arrays(&indexing_by_arrays<Array>::value), where(l) {
    if (!a.is_none()) kind = a.ndim() == 0 ? index_kind::scalar : index_kind::list;
    if (a.kind() != array_kind::literal || !is_integer(a.dtype())) return;
    kind = index_kind::number;
    number = number_of(a.as_literal());
  }
  template <foreign_array T>
  index_entry(const T& a, location l = location::current());
  static constexpr std::int64_t number_of(const literal& l) { return l.get<std::int64_t>(); }
  constexpr bool is_mask() const { return !value.is_none() && is_boolean(value.dtype()); }
};
inline constexpr index_entry index_entry::absent{};

/// The indices that were given, of those that an access can take.
template <class Entry>
constexpr list<Entry> index_entries(std::initializer_list<const Entry*> all) {
  list<Entry> r;
  for (const Entry* e : all)
    if (e->kind != index_kind::absent) r.push_back(*e);
  return r;
}

/// One index after resolution: what it does to dimension `dim` of the array. A range runs over `count` places.
struct index_item {
  index_kind kind = index_kind::range;
  int dim = 0;
  std::int64_t start = 0, count = 1, step = 1;
  array value{};
};

/// start, count and step of a slice of a dimension of size n, as in Python.
constexpr index_item resolve_slice(const jacquard::slice& s, int dim, std::int64_t n) {
  const bool forwards = s.step > 0;
  const std::int64_t low = forwards ? 0 : -1, high = forwards ? n : n - 1;
  const auto place = [&](std::int64_t i, std::int64_t omitted) {
    if (i == none) return omitted;
    if (i < 0) i += n;
    return i < low ? low : i > high ? high : i;
  };
  const std::int64_t first = place(s.start, forwards ? low : high), end = place(s.stop, forwards ? high : low);
  const std::int64_t whole = n > 0 ? n : 1;  // a longer step finds one element, too
  const std::int64_t step = s.step > whole ? whole : s.step < -whole ? -whole : s.step;
  const std::int64_t span = forwards ? end - first : first - end, by = forwards ? step : -step;
  return {index_kind::range, dim, first, span > 0 ? (span - 1) / by + 1 : 0, step};
}

/// All indices of one access, resolved, and the shapes that follow from them.
template <class Array>
class index_plan {
 public:
  std::vector<index_item> items;
  array bad;                 ///< none, or the result after an error
  bool has_lists = false;    ///< then numbers and scalars are part of the advanced index too
  bool has_scalars = false;
  const array_indexing* by_arrays = nullptr;  ///< where there are arrays
  shape rows;                ///< the broadcast shape of the advanced indices
  shape plain, result;       ///< the shape of the part without and with new axes
  int first_row = 0;         ///< where `rows` begins in `plain`

  constexpr index_plan(std::string_view operation, const Array& x, view<const index_entry> entries, const location& l)
      : operation_(operation), about_{x}, where_(l) {
    for (const index_entry& e : entries) {
      if (!where_.known()) where_ = e.where;
      if (!e.value.is_none()) about_.push_back(e.value), by_arrays = e.by_arrays;
    }
    resolve(x.shape(), entries);
    if (ok()) lay_out(x.shape());
  }
  constexpr const location& where() const { return where_; }
  constexpr bool is_static() const { return !has_lists && !has_scalars; }
  constexpr bool is_advanced(const index_item& i) const {
    return i.kind == index_kind::list || (has_lists && (i.kind == index_kind::number || i.kind == index_kind::scalar));
  }
  /// Whether the item takes a whole dimension as it is.
  static constexpr bool is_whole_range(const index_item& i, const shape& dims) {
    return i.kind == index_kind::range && i.step == 1 && i.count == dims[i.dim];
  }

 private:
  constexpr bool ok() const { return bad.is_none(); }
  template <class... Parts>
  constexpr void fail(error_kind kind, const Parts&... parts) {
    if (ok()) bad = operand_error(about_, make_error(kind, operation_, ": ", parts...), where_);
  }

  constexpr void resolve(const shape& dims, view<const index_entry> entries) {
    int used = 0, rests = 0;
    for (const index_entry& e : entries) {
      rests += e.kind == index_kind::rest;
      if (e.kind != index_kind::rest && e.kind != index_kind::new_axis) used += e.is_mask() ? e.value.ndim() : 1;
    }
    if (rests > 1)
      return fail(error_kind::value, "an index can only have a single ellipsis, got ", rests,
                  "; use jq::all for one dimension");
    if (used > dims.rank())
      return fail(error_kind::value, "too many indices for array: array is ", dims.rank(), "-dimensional, but ", used,
                  " were indexed; wanted at most ", dims.rank());
    int dim = 0;
    const auto rest = [&] {
      for (int n = dims.rank() - used; n > 0; --n, ++dim) items.push_back({index_kind::range, dim, 0, dims[dim], 1});
    };
    for (const index_entry& e : entries) {
      if (e.kind == index_kind::rest) rest();
      else if (e.kind == index_kind::new_axis) items.push_back({index_kind::new_axis, -1});
      else if (e.is_mask()) resolve_mask(e, dim, dims);
      else resolve_one(e, dim, dims[dim]), ++dim;
      if (!ok()) return;
    }
    if (rests == 0) rest();
  }
  constexpr void resolve_one(const index_entry& e, int dim, std::int64_t n) {
    const bool outside = e.number < -n || e.number >= n, is_array = !e.value.is_none() && !e.value.weak_type();
    // A number that came as an array is moved inside as other arrays are.
    const index_kind kind = e.kind == index_kind::number && outside && is_array ? index_kind::scalar : e.kind;
    if (kind == index_kind::number) {
      if (outside)
        return fail(error_kind::value, "index ", e.number, " is out of bounds for axis ", dim, " with size ", n,
                    "; wanted one in [", -n, ", ", n, ")");
      items.push_back({index_kind::number, dim, e.number < 0 ? e.number + n : e.number});
    } else if (e.kind == index_kind::range) {
      if (e.range.step == 0) return fail(error_kind::value, "slice step cannot be zero; wanted a positive or negative step");
      items.push_back(resolve_slice(e.range, dim, n));
    } else if (e.kind == index_kind::wrong) {
      fail(error_kind::type, "got a function or an empty array as index ", dim, "; wanted an integer, jq::slice, jq::all, ",
           "jq::ellipsis, jq::newaxis or an array of integers");
    } else if (!is_integer(e.value.dtype())) {
      fail(error_kind::type, "got an index of dtype ", long_name(e.value.dtype()), " for axis ", dim, "; wanted integers, convert it with x.astype(jq::i32)");
    } else {
      has_lists = has_lists || kind == index_kind::list;
      has_scalars = has_scalars || kind == index_kind::scalar;
      items.push_back({kind, dim, 0, 1, 1, e.value});
    }
  }

  /// A mask over the dimensions from `dim` on stands for the indices of its elements that hold: one list per dimension.
  constexpr void resolve_mask(const index_entry& e, int& dim, const shape& dims) {
    const shape over = e.value.shape();
    for (int d = 0; d < over.rank(); ++d)
      if (over[d] != dims[dim + d])
        return fail(error_kind::shape, "got a mask of shape ", over, " for an array of shape ", dims, ", from axis ", dim,
                    " on; wanted the same dimensions");
    if (over.rank() == 0)
      return fail(error_kind::type, "got a mask without dimensions for axis ", dim, "; wanted one with the dimensions that it selects from, or integers; ",
                  "jq::where chooses between arrays by one bool");
    if (std::is_constant_evaluated() || !has_value(e.value))
      return fail(error_kind::type, "got an index of dtype bool for axis ", dim, ", whose values are not known here; wanted integers; a mask ",
                  "would make a shape that depends on values, use jq::where, jq::extract(mask, x, size) or x.at(mask).set(...)");
    has_lists = true;
    for (const array& places : by_arrays->places_of_mask(e.value, where_))
      items.push_back({index_kind::list, dim++, 0, 1, 1, places});
  }

  constexpr void lay_out(const shape& dims) {
    int groups = 0;
    bool inside = false;
    for (const index_item& i : items) {
      if (is_advanced(i) && !inside) ++groups;
      inside = is_advanced(i);
      if (i.kind != index_kind::list) continue;
      shape joined;
      if (!broadcast_shapes(rows, i.value.shape(), joined))
        return fail(error_kind::shape, "index arrays could not be broadcast together with shapes ", rows, " and ",
                    i.value.shape(), " for an array of shape ", dims, "; make their dimensions equal or 1");
      rows = joined;
    }
    bool placed = groups != 1;
    if (groups > 1) place_rows();  // separated by a slice: in front, as in numpy
    for (const index_item& i : items) {
      if (is_advanced(i) && !placed) {
        place_rows();
        placed = true;
      }
      if (i.kind == index_kind::range) plain.push_back(i.count), result.push_back(i.count);
      else if (i.kind == index_kind::new_axis) result.push_back(1);
    }
    if (result.overflowed())
      fail(error_kind::shape, "the part would have more than ", max_rank, " dimensions; reshape the array or the index first");
  }
  constexpr void place_rows() {
    first_row = plain.rank();
    for (std::int64_t d : rows) plain.push_back(d), result.push_back(d);
  }

  std::string_view operation_;
  std::vector<array> about_;  ///< the operands, for errors
  location where_;
};

/// The ranges of an access (and its numbers, where they are no part of an advanced index) taken by one slice and one rev.
template <class Array = array>
constexpr array take_ranges(const lazy<Array>& x, const index_plan<lazy<Array>>& p) {
  int_list start = int_list::filled(x.ndim(), 0), limit = x.shape(), strides = int_list::filled(x.ndim(), 1), reversed;
  for (const index_item& i : p.items) {
    if (i.kind != index_kind::range && (i.kind != index_kind::number || p.has_lists)) continue;
    const bool backwards = i.step < 0;
    const std::int64_t last = i.start + (i.count - 1) * i.step, low = backwards ? last : i.start;
    start[i.dim] = i.count == 0 ? 0 : low;
    strides[i.dim] = backwards ? -i.step : i.step;
    limit[i.dim] = i.count == 0 ? 0 : (backwards ? i.start : last) + 1;
    if (backwards && i.count > 1) reversed.push_back(i.dim);
    if (i.count <= 1) strides[i.dim] = 1;
  }
  return lax::rev(lax::slice(x, start, limit, strides, p.where()), reversed, p.where());
}
/// The traced scalars of an access taken by one dynamic_slice; dimensions of size 1 stay.
template <class Array = array>
constexpr array take_scalars(const lazy<Array>& x, const index_plan<lazy<Array>>& p) {
  std::vector<array> start(std::size_t(x.ndim()), array(0));
  int_list sizes = x.shape();
  for (const index_item& i : p.items)
    if (i.kind == index_kind::scalar) start[std::size_t(i.dim)] = i.value, sizes[i.dim] = 1;
  return lax::dynamic_slice(x, start, sizes, p.where());
}

/// Indices into a dimension of size n as one column of index vectors, i64[rows, 1]; `positions` are their dimensions among
/// the rows. Negative ones count from the end.
template <class Array = array>
constexpr array index_column(const lazy<Array>& index, std::int64_t n, const shape& rows, const int_list& positions,
                             const location& where) {
  array numbers = index;
  if (index.dtype() == u64) numbers = lax::min(index, array(literal(std::uint64_t(1) << 62, false)), where);  // too large stays so
  array i = as_type(numbers, {i64, false}, where);
  if (index.kind() != array_kind::literal && is_signed_integer(index.dtype())) {
    const array wrapped = lax::add(i, array(literal(n)), where);
    i = lax::select(lax::lt(i, array(literal(std::int64_t(0))), where), wrapped, i, where);
  }
  return lax::broadcast_in_dim(i, shape(rows.with(rows.rank(), 1)), positions, where);
}
/// The index of an item as an array; numbers and the start of a range as literals.
template <class Array = array>
constexpr array advanced_index(const index_item& i) {
  if (i.kind == index_kind::number || i.kind == index_kind::range) return array(literal(i.start));
  return i.value;
}
/// Positions of the dimensions of an index array of the given rank, among rows of which `rows` begin at `first`.
constexpr int_list row_positions(int rank, int rows, int first) {
  int_list r;
  for (int d = 0; d < rank; ++d) r.push_back(first + rows - rank + d);
  return r;
}

/// The lists of an access taken by one gather; its other dimensions are whole here.
template <class Array = array>
constexpr array take_lists(const lazy<Array>& x, const index_plan<lazy<Array>>& p) {
  const shape dims = x.shape();
  gather_dimension_numbers n;
  std::vector<array> columns;
  int_list sizes = dims;
  for (const index_item& i : p.items) {
    if (!p.is_advanced(i)) continue;
    const array index = advanced_index(i);
    columns.push_back(index_column(index, dims[i.dim], p.rows, row_positions(index.ndim(), p.rows.rank(), 0), p.where()));
    n.collapsed_slice_dims.push_back(i.dim);
    n.start_index_map.push_back(i.dim);
    sizes[i.dim] = 1;
  }
  const int windows = dims.rank() - n.collapsed_slice_dims.size();
  for (int d = 0; d < windows; ++d) n.offset_dims.push_back(d < p.first_row ? d : d + p.rows.rank());
  return lax::gather(x, lax::concatenate(columns, p.rows.rank(), p.where()), n, sizes, index_mode::clip, p.where());
}

template <class Array = array>
constexpr std::vector<array> places_of_mask(const lazy<Array>& mask, const location& where) {
  return places_of<Array>(mask, none, array(std::int64_t(0)), where);
}
/// A constant, since clang compiles functions of unknown callers too late for constant evaluation otherwise.
template <class Array>
struct indexing_by_arrays {
  static constexpr array_indexing value{&places_of_mask<Array>, &take_lists<Array>, &take_scalars<Array>};
};
template <foreign_array T>
index_entry::index_entry(const T& a, location l) : index_entry(operand(a, l).value, l) {}

/// The part of x that the indices name.
template <class Array = array>
constexpr array read_index(std::string_view operation, const lazy<Array>& x, view<const index_entry> entries,
                           const location& where) {
  const index_plan p(operation, x, entries, where);
  if (!p.bad.is_none()) return p.bad;
  const array y = take_ranges(x, p);
  if (p.has_lists) return lax::reshape(p.by_arrays->take_lists(y, p), p.result, p.where());
  int_list dropped;
  for (const index_item& i : p.items)
    if (i.kind == index_kind::number || i.kind == index_kind::scalar) dropped.push_back(i.dim);
  array window = y;
  if (p.has_scalars) window = p.by_arrays->take_scalars(y, p);
  if (p.plain == p.result) return lax::squeeze(window, dropped, p.where());
  return lax::reshape(window, p.result, p.where());
}

}  // namespace detail

/// The part of the array that the indices name; missing ones take everything.
/// Errors: value_error for a number out of bounds or too many indices; type_error for an index that is no integer, or a mask whose
/// values are not known; shape_error for index arrays that do not broadcast, or a mask of other dimensions.
template <class Index>
constexpr array array::operator()(const lazy<Index>& i, const lazy<Index>& j, const lazy<Index>& k, const lazy<Index>& l,
                                  const lazy<Index>& m, const lazy<Index>& n, const lazy<Index>& o, const lazy<Index>& p,
                                  const lazy<Index>& q) const {
  return detail::read_index("indexing", *this, detail::index_entries({&i, &j, &k, &l, &m, &n, &o, &p, &q}), location{});
}
/// Row `i`, or whatever part a single index names. Errors: as operator().
template <class Index>
constexpr array array::operator[](const lazy<Index>& i) const {
  return (*this)(i);
}

/// x at `indices` along an axis, whose place their shape takes; without an axis, of the raveled array.
/// Errors: value_error for an axis out of range; type_error for indices that are no integers.
template <class Operand = operand>
constexpr array take(const lazy<Operand>& x, const lazy<Operand>& indices, int axis = none) {
  int d = 0;
  array bad;
  if (axis != none) bad = detail::resolve_one_axis("take", x, axis, x.value.ndim(), d);
  if (!bad.is_none()) return bad;
  list<detail::index_entry> entries(std::size_t(d), detail::index_entry(jacquard::slice(x.where)));
  entries.push_back(detail::index_entry(indices.value, x.where));
  const array flat = lax::reshape(x.value, shape{x.value.size()}, x.where);
  if (axis == none) return detail::read_index("take", flat, entries, x.where);
  return detail::read_index("take", x.value, entries, x.where);
}

/// Element [i..., indices[i..., j], ...] of x along an axis; the other dimensions broadcast. Counterpart of argsort.
/// Errors: value_error for an axis out of range; type_error for indices that are no integers; shape_error for other shapes.
template <class Operand = operand>
constexpr array take_along_axis(const lazy<Operand>& x, const lazy<Operand>& indices, int axis) {
  const shape from = x.value.shape(), wanted = indices.value.shape();
  const int rank = from.rank();
  int d = 0;
  const array bad = detail::resolve_one_axis("take_along_axis", x, axis, rank, d);
  if (!bad.is_none()) return bad;
  shape rows;
  bool ok = wanted.rank() == rank && detail::broadcast_shapes(shape(from.without(d)), shape(wanted.without(d)), rows);
  if (!ok)
    return detail::bad_operands(x, indices, error_kind::shape, "take_along_axis: got an array of shape ", from,
                                " and indices of shape ", wanted, "; wanted equal ranks, and dimensions equal or 1 but for axis ",
                                d);
  if (!is_integer(indices.value.dtype()))
    return detail::bad_operands(x, indices, error_kind::type, "take_along_axis: got indices of dtype ",
                                long_name(indices.value.dtype()), "; wanted integers, convert them with x.astype(jq::i32)");
  const shape operand_dims(rows.with(d, from[d])), index_dims(rows.with(d, wanted[d]));
  const array table = detail::broadcast_operand(x.value, operand_dims, false, x.where);
  const array places = detail::broadcast_operand(indices.value, index_dims, false, x.where);
  const array column = detail::index_column(places, from[d], index_dims, int_list::iota(rank), x.where);
  const int_list others = detail::other_axes(rank, {d});
  return lax::gather(table, column, {{}, {d}, {d}, others, others}, int_list::filled(rank, 1), index_mode::clip, x.where);
}

}  // namespace jacquard
