#pragma once
// Functional updates: x.at(i).set(v) is x with a part replaced, x itself stays. Indices are those of indexing.hpp, and a
// mask of dtype bool; places outside the array are left out, or moved inside with jq::index_mode::clip. Values broadcast to the part
// and take the dtype of x.

#include "jacquard/numpy/indexing.hpp"
#include "jacquard/prims/scatter_reductions.hpp"

namespace jacquard {

struct unique_indices_t {};
/// Promises that no place is named twice by the index arrays of an update.
inline constexpr unique_indices_t unique_indices{};

/// What a functional update is promised, and what becomes of places outside the array.
struct update_option {
  bool unique = false;
  index_mode mode = index_mode::fill_or_drop;
  constexpr update_option() = default;
  constexpr update_option(unique_indices_t) : unique(true) {}
  constexpr update_option(index_mode m) : mode(m) {}
  constexpr update_option(unique_indices_t, index_mode m) : unique(true), mode(m) {}
};

namespace detail {

enum class update_kind : std::uint8_t { set, add, multiply, min, max, divide, power };
constexpr std::string_view name_of(update_kind k) {
  constexpr std::string_view names[] = {"at.set", "at.add", "at.multiply", "at.min", "at.max", "at.divide", "at.power"};
  return names[int(k)];
}
/// The new elements at places that hold `old`.
template <class Array = array>
constexpr array updated(update_kind k, const lazy<Array>& old, const lazy<Array>& v, const location& where) {
  switch (k) {
    case update_kind::add: return lax::add(old, v, where);
    case update_kind::multiply: return lax::mul(old, v, where);
    case update_kind::min: return lax::min(old, v, where);
    case update_kind::max: return lax::max(old, v, where);
    case update_kind::divide: return lax::div(old, v, where);
    case update_kind::power: return lax::pow(old, v, where);
    default: return v;
  }
}

/// The new elements where `here` holds, those of x elsewhere. What is multiplied, divided or raised is 1 elsewhere: an infinite result or slope
/// there would make derivatives NaN, though nothing reads it.
template <class Array = array>
constexpr array updated_part(update_kind k, const lazy<Array>& x, const lazy<Array>& here, const lazy<Array>& v, const location& where) {
  if (k != update_kind::multiply && k != update_kind::divide && k != update_kind::power) return lax::select(here, updated(k, x, v, where), x, where);
  const array one(literal(1, x.dtype(), x.weak_type())), old = lax::select(here, x, one, where), by = lax::select(here, v, one, where);
  return lax::select(here, updated(k, old, by, where), x, where);
}

/// The value of an update in the dtype of x, of shape `part`, into `out`.
template <class Operand = operand, class Array = array>
constexpr array update_value(update_kind k, const lazy<Array>& x, const lazy<Operand>& v, const shape& part, array& out) {
  const dtype from = v.value.dtype(), to = x.dtype();
  if (category_of(from) > category_of(to))
    return bad_operands(v, operand(x, v.where), error_kind::type, name_of(k), ": got a value of dtype ", long_name(from),
                        " for an array of dtype ", long_name(to),
                        ", which would lose information; convert one of them with x.astype(...)");
  shape joined;
  if (!broadcast_shapes(v.value.shape(), part, joined) || !(joined == part))
    return bad_operands(v, operand(x, v.where), error_kind::shape, name_of(k), ": got a value of shape ", v.value.shape(),
                        " for a part of shape ", part, "; wanted a shape that broadcasts to it");
  out = broadcast_operand(as_type(v.value, {to, x.weak_type()}, v.where), part, false, v.where);
  return {};
}

/// Where `mask`, over the leading dimensions of x, holds.
template <class Operand = operand, class Array = array>
constexpr array update_masked(update_kind k, const lazy<Array>& x, const index_entry& mask, const lazy<Operand>& v) {
  const shape dims = x.shape(), over = mask.value.shape();
  bool fits = over.rank() <= dims.rank();
  shape rest;
  for (int d = 0; d < dims.rank(); ++d)
    if (d >= over.rank()) rest.push_back(dims[d]);
    else fits = fits && over[d] == dims[d];
  if (!fits)
    return bad_operands(v, operand(x, v.where), error_kind::shape, name_of(k), ": got a mask of shape ", over,
                        " for an array of shape ", dims, "; wanted the shape of its leading dimensions");
  array value;
  const array bad = update_value(k, x, v, rest, value);
  if (!bad.is_none()) return bad;
  const array spread = lax::broadcast_in_dim(value, dims, row_positions(rest.rank(), dims.rank(), 0), v.where);
  const array here = lax::broadcast_in_dim(mask.value, dims, int_list::iota(over.rank()), v.where);
  return updated_part(k, x, here, spread, v.where);
}

/// A part at places that are all known: a window, or a grid with steps. `value` has the shape of the part.
template <class Array = array>
constexpr array update_window(update_kind k, const lazy<Array>& x, const index_plan<lazy<Array>>& p, const lazy<Array>& value) {
  const shape dims = x.shape();
  const location& where = p.where();
  int_list low = int_list::filled(dims.rank(), 0), limit = dims, high = low, gaps = low, reversed;
  shape window = dims;
  bool dense = true;
  for (const index_item& i : p.items) {
    if (i.kind == index_kind::new_axis) continue;
    if (i.count == 0) return x;
    const std::int64_t step = i.count == 1 ? 1 : i.step, last = i.start + (i.count - 1) * step;
    low[i.dim] = step < 0 ? last : i.start;
    limit[i.dim] = (step < 0 ? i.start : last) + 1;
    high[i.dim] = dims[i.dim] - limit[i.dim];
    gaps[i.dim] = (step < 0 ? -step : step) - 1;
    window[i.dim] = i.count;
    if (step < 0) reversed.push_back(i.dim);
    dense = dense && gaps[i.dim] == 0;
  }
  const array v = lax::rev(lax::reshape(value, window, where), reversed, where);
  if (dense && window == dims) return updated(k, x, v, where);
  if (dense) {
    array old;
    if (k != update_kind::set) old = lax::slice(x, low, limit, {}, where);
    std::vector<array> start;
    for (std::int64_t s : low) start.push_back(array(s));
    return lax::dynamic_update_slice(x, updated(k, old, v, where), start, where);
  }
  const array zero(literal(0, x.dtype(), x.weak_type()));
  const array spread = lax::pad(v, zero, low, high, gaps, where);
  const array here = lax::pad(lax::full(window, literal(true), where), array(literal(false)), low, high, gaps, where);
  return updated_part(k, x, here, spread, where);
}

/// An update at computed places as a scatter. Ranges with step 1 become windows, everything else index vectors, whose rows
/// are the dimensions of the part that are no windows, in order.
template <class Array>
class scatter_places {
 public:
  array indices;
  scatter_dimension_numbers numbers;
  int_list sizes;  ///< of a window in x

  constexpr scatter_places(const shape& dims, const index_plan<Array>& p) : sizes(dims) {
    find_rows(p);
    std::vector<array> columns;
    for (std::size_t k = 0; k < p.items.size(); ++k) {
      const index_item& i = p.items[k];
      if (i.kind == index_kind::new_axis) continue;
      sizes[i.dim] = is_window(i) ? i.count : 1;
      if (index_plan<Array>::is_whole_range(i, dims)) continue;
      columns.push_back(column(i, dims[i.dim], row_of_item_[k], p));
      numbers.scatter_dims_to_operand_dims.push_back(i.dim);
      if (!is_window(i)) numbers.inserted_window_dims.push_back(i.dim);
    }
    indices = lax::concatenate(columns, rows_.rank(), p.where());
  }
  /// The numbers of the gather that reads the same places.
  constexpr gather_dimension_numbers as_gather() const {
    return {numbers.update_window_dims, numbers.inserted_window_dims, numbers.scatter_dims_to_operand_dims, {}, {}};
  }

 private:
  static constexpr bool is_window(const index_item& i) { return i.kind == index_kind::range && i.step == 1; }

  /// Walks the dimensions of the part: which are windows, which are rows.
  constexpr void find_rows(const index_plan<Array>& p) {
    int at = 0;
    bool placed = !p.has_lists;
    for (const index_item& i : p.items) {
      if (!placed && at == p.first_row && (p.first_row == 0 || p.is_advanced(i))) {
        placed = true;
        first_list_row_ = rows_.rank();
        for (std::int64_t d : p.rows) rows_.push_back(d);
        at += p.rows.rank();
      }
      row_of_item_.push_back(rows_.rank());
      if (i.kind != index_kind::range) continue;
      if (is_window(i)) numbers.update_window_dims.push_back(at);
      else rows_.push_back(i.count);
      ++at;
    }
  }
  /// The column of index vectors of one item; a range with steps counts along its own row.
  constexpr array column(const index_item& i, std::int64_t n, int row, const index_plan<Array>& p) const {
    if (i.kind == index_kind::range && !is_window(i)) {
      const array steps = lax::mul(lax::iota(i64, i.count, p.where()), i.step, p.where());
      const array places = lax::add(steps, i.start, p.where());
      return lax::broadcast_in_dim(places, shape(rows_.with(rows_.rank(), 1)), {row}, p.where());
    }
    const array index = advanced_index(i);
    return index_column(index, n, rows_, row_positions(index.ndim(), p.rows.rank(), first_list_row_), p.where());
  }

  shape rows_;
  std::vector<int> row_of_item_;
  int first_list_row_ = 0;
};

/// A part at computed places. `value` has the shape of the part.
template <class Array = array>
constexpr array update_places(update_kind k, const lazy<Array>& x, const index_plan<lazy<Array>>& p, const lazy<Array>& value, update_option o) {
  const location& where = p.where();
  const bool once = o.unique || !p.has_lists;
  const scatter_places s(x.shape(), p);
  switch (k) {
    case update_kind::add: return lax::scatter_add(x, s.indices, value, s.numbers, o.mode, once, where);
    case update_kind::multiply: return lax::scatter_mul(x, s.indices, value, s.numbers, o.mode, once, where);
    case update_kind::min: return lax::scatter_min(x, s.indices, value, s.numbers, o.mode, once, where);
    case update_kind::max: return lax::scatter_max(x, s.indices, value, s.numbers, o.mode, once, where);
    case update_kind::set: return lax::scatter(x, s.indices, value, s.numbers, o.mode, once, where);
    default: break;
  }
  // Divisors and exponents that meet multiply.
  const array ones = lax::full(x.shape(), literal(1, x.dtype(), x.weak_type()), where);
  const array by = lax::scatter_mul(ones, s.indices, value, s.numbers, o.mode, once, where);
  if (k != update_kind::power) return updated(k, x, by, where);
  // x^1 has no slope in the exponent where x < 0: what is not named is no power at all.
  const array yes = lax::full(value.shape(), literal(true), where), no = lax::full(x.shape(), literal(false), where);
  return updated_part(k, x, lax::scatter(no, s.indices, yes, s.numbers, o.mode, once, where), by, where);
}
/// A part at computed places read in a given mode.
template <class Array = array>
constexpr array read_places(const lazy<Array>& x, const index_plan<lazy<Array>>& p, index_mode mode, const double* fill) {
  const scatter_places s(x.shape(), p);
  if (fill && mode == index_mode::fill_or_drop)
    return lax::reshape(lax::gather_fill(x, s.indices, s.as_gather(), s.sizes, *fill, p.where()), p.result, p.where());
  return lax::reshape(lax::gather(x, s.indices, s.as_gather(), s.sizes, mode, p.where()), p.result, p.where());
}

/// A part of an array that is about to be replaced.
template <class Array>
class index_update {
 public:
  constexpr index_update(const Array& x, list<index_entry> entries) : x_(x), entries_(std::move(entries)) {}

  /// x with the part replaced by v. Where index arrays name a place twice, the last value stays.
  /// Errors: those of indexing; type_error for a value of a higher category (a float for integers); shape_error for one
  /// that does not broadcast to the part. The same for the other updates.
  constexpr array set(const operand& v, update_option o = {}) const { return updated_by(update_kind::set, v, o); }
  /// x with v added to the part; places named twice get both.
  constexpr array add(const operand& v, update_option o = {}) const { return updated_by(update_kind::add, v, o); }
  /// x with the part multiplied by v; places named twice by both. The promise jq::unique_indices makes its derivative cheaper.
  constexpr array multiply(const operand& v, update_option o = {}) const { return updated_by(update_kind::multiply, v, o); }
  /// x with the smaller of the part and v.
  constexpr array min(const operand& v, update_option o = {}) const { return updated_by(update_kind::min, v, o); }
  /// x with the larger of the part and v.
  constexpr array max(const operand& v, update_option o = {}) const { return updated_by(update_kind::max, v, o); }
  /// x with the part divided by v, of floating point or complex numbers. Errors: also type_error for others.
  constexpr array divide(const operand& v, update_option o = {}) const { return updated_by(update_kind::divide, v, o); }
  /// x with the part to the power v, of floating point or complex numbers. Errors: also type_error for others.
  constexpr array power(const operand& v, update_option o = {}) const { return updated_by(update_kind::power, v, o); }
  /// x with the part replaced by f of it, once where index arrays name a place twice.
  template <class F>
  constexpr array apply(F f, update_option o = {}, location where = location::current()) const {
    return set(operand(f(get(where)), where), o);
  }
  /// The part itself; places outside the array are moved inside.
  constexpr array get(location where = location::current()) const { return read_index("at.get", x_, entries_, where); }
  /// The part itself. With index_mode::fill_or_drop, places outside the array give `fill`, by default NaN, the smallest signed or the
  /// largest unsigned integer, or true.
  constexpr array get(index_mode mode, location where = location::current()) const { return read(mode, nullptr, where); }
  constexpr array get(index_mode mode, double fill, location where = location::current()) const { return read(mode, &fill, where); }

 private:
  constexpr array updated_by(update_kind k, const operand& v, update_option o) const {
    if ((k == update_kind::divide || k == update_kind::power) && !is_inexact(x_.dtype()))
      return bad_operands(v, operand(x_, v.where), error_kind::type, name_of(k), ": got an array of dtype ", long_name(x_.dtype()),
                          ", wanted floating point or complex numbers; convert it with x.astype(jq::f32)");
    if (entries_.size() == 1 && entries_[0].is_mask()) return update_masked(k, x_, entries_[0], v);
    const index_plan p(name_of(k), x_, entries_, v.where);
    array value;
    if (!p.bad.is_none()) return p.bad;
    const array bad = update_value(k, x_, v, p.result, value);
    if (!bad.is_none()) return bad;
    value = lax::reshape(value, p.plain, p.where());
    if (p.is_static()) return update_window(k, x_, p, value);
    return update_places(k, x_, p, value, o);
  }
  constexpr array read(index_mode mode, const double* fill, const location& where) const {
    const index_plan p("at.get", x_, entries_, where);
    if (!p.bad.is_none()) return p.bad;
    if (p.is_static()) return read_index("at.get", x_, entries_, where);
    return read_places(x_, p, mode, fill);
  }

  array x_;
  list<index_entry> entries_;
};

}  // namespace detail

/// The part of the array that the indices name, for updates. Errors: none before the update.
template <class Index>
constexpr auto array::at(const lazy<Index>& i, const lazy<Index>& j, const lazy<Index>& k, const lazy<Index>& l,
                         const lazy<Index>& m, const lazy<Index>& n, const lazy<Index>& o, const lazy<Index>& p,
                         const lazy<Index>& q) const {
  return detail::index_update(*this, detail::index_entries({&i, &j, &k, &l, &m, &n, &o, &p, &q}));
}

/// x with element [i..., indices[i..., j], ...] along an axis replaced by values[i..., j, ...]; the other dimensions broadcast. Counterpart of
/// take_along_axis. Places outside are left out; of values for one place the last one stays.
/// Errors: value_error for an axis out of range; type_error for indices that are no integers, or values of a higher category; shape_error.
template <class Operand = operand>
constexpr array put_along_axis(const lazy<Operand>& x, const lazy<Operand>& indices, const lazy<Operand>& values, int axis, update_option o = {}) {
  const shape dims = x.value.shape(), wanted = indices.value.shape();
  const int rank = dims.rank();
  int d = 0;
  array bad = detail::resolve_one_axis("put_along_axis", x, axis, rank, d);
  if (!bad.is_none()) return bad;
  shape places(dims.with(d, wanted.rank() == rank ? wanted[d] : 1)), joined;
  places = shape(places.without(d + 1));
  if (wanted.rank() != rank || !detail::broadcast_shapes(wanted, places, joined) || !(joined == places))
    return detail::bad_operands(x, indices, error_kind::shape, "put_along_axis: got an array of shape ", dims, " and indices of shape ", wanted,
                                "; wanted equal ranks, and dimensions of the indices that are equal or 1 but for axis ", d);
  if (!is_integer(indices.value.dtype()))
    return detail::bad_operands(x, indices, error_kind::type, "put_along_axis: got indices of dtype ", long_name(indices.value.dtype()),
                                "; wanted integers, convert them with x.astype(jq::i32)");
  array v;
  if (bad = detail::update_value(detail::update_kind::set, x.value, values, places, v); !bad.is_none()) return bad;
  const array column = detail::index_column(detail::broadcast_operand(indices.value, places, false, x.where), dims[d], places, int_list::iota(rank), x.where);
  const int_list others = detail::other_axes(rank, {d});
  return lax::scatter(x.value, column, v, {{}, {d}, {d}, others, others}, o.mode, o.unique, x.where);
}

}  // namespace jacquard
