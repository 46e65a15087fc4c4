#pragma once
// slice and pad, which are each other's transpose: parts of an array at fixed places, and an array set into a larger one.
// Deliberately without negative or missing bounds: numpy's indexing turns those into these.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/broadcast.hpp"
#include "jacquard/prims/neg.hpp"
#include "jacquard/prims/select_n.hpp"
#include "jacquard/prims/transpose.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array slice(const lazy<Array>& x, const int_list& start, const int_list& limit,
                      const int_list& strides = {}, location where = location::current());
template <class Array = array>
constexpr array pad(const lazy<Array>& x, const lazy<Array>& value, const int_list& low, const int_list& high,
                    const int_list& interior = {}, location where = location::current());
}  // namespace lax

/// The elements of `x` whose index in dimension d is start, start + stride, ... below limit.
/// Shapes  x [n_d] -> [ceil((limit_d - start_d) / stride_d)].
/// Errors  shape_error: bounds that are not 0 <= start <= limit <= n, strides below 1, a wrong number of them.
/// Rules   linear; transpose = pad with zeros.
/// Cost    copies the part once.
struct slice_p {
  static constexpr std::string_view name = "slice";
  struct params {
    int_list start, limit, strides;
    static constexpr std::string_view fields = "start_indices limit_indices strides";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 1;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    bool ok = p.start.size() == x.rank() && p.limit.size() == x.rank() && p.strides.size() == x.rank();
    shape out;
    for (int d = 0; ok && d < x.rank(); ++d) {
      ok = 0 <= p.start[d] && p.start[d] <= p.limit[d] && p.limit[d] <= x.dims[d] && p.strides[d] > 0;
      if (ok) out.push_back((p.limit[d] - p.start[d] + p.strides[d] - 1) / p.strides[d]);
    }
    if (!ok)
      return c.fail(error_kind::shape, ": got start_indices ", p.start, ", limit_indices ", p.limit,
                    " and strides ", p.strides, " for an operand of shape ", x.dims,
                    "; wanted 0 <= start <= limit <= size and stride >= 1, one of each per dimension");
    return x.with(out);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    int_list high, interior;
    const shape part = ct.shape();
    for (int d = 0; d < part.rank(); ++d) {
      const std::int64_t end = part[d] == 0 ? p.start[d] : p.start[d] + (part[d] - 1) * p.strides[d] + 1;
      high.push_back(c.in[0].dims[d] - end);
      interior.push_back(p.strides[d] - 1);
    }
    return lax::pad(ct, array(literal(0.0, c.in[0].type, c.in[0].weak)), p.start, high, interior);
  }
  static constexpr batched batch(auto& c, const params& p) {
    const int d = c.dims[0];
    return {lax::slice(c.x[0], p.start.with(d, 0), p.limit.with(d, c.size), p.strides.with(d, 1)), d};
  }
  static constexpr masked mask(auto& c, const params&) {
    const dimension_list start = c.sizes(&params::start), limit = c.sizes(&params::limit);
    const int_list strides = c.constants("strides", &params::strides);
    dimension_list dims;
    array y = c.x[0];
    for (int d = 0; d < strides.size(); ++d) {
      const dimension &from = start[std::size_t(d)], &to = limit[std::size_t(d)], &n = c.dims[0][std::size_t(d)];
      c.scope.require_at_least(from, 0);
      c.scope.require_at_least(to, from);
      c.scope.require_at_least(n, to);
      dims.push_back(dimension::floor_div(to - from + (strides[d] - 1), strides[d]));
      const std::int64_t count = c.scope.padded(dims.back());
      if (!(from == 0) || !(to == n)) y = c.scope.window(y, d, from, count == 0 ? 0 : (count - 1) * strides[d] + 1);
    }
    for (std::int64_t s : strides)
      if (s != 1) return {lax::slice(y, int_list::filled(y.ndim(), 0), y.shape(), strides), dims};
    return {y, dims};
  }
  static constexpr params resized(const params& p, const shape& dims) {
    params q = p;
    for (int d = 0; d < dims.rank(); ++d) q.limit[d] = dims[d] == 0 ? p.start[d] : p.start[d] + (dims[d] - 1) * p.strides[d] + 1;
    return q;
  }
  static constexpr void indices(view_call& c, const params& p) {
    for (int d = 0; d < c.in.rank(); ++d) c.from.push_back({d, p.start[d], p.strides[d]});
  }
};

/// `x` with `low` elements equal to `value` before each dimension, `high` after it and `interior` between its elements.
/// Negative low and high remove elements, after the interior ones are in.
/// Shapes  x [n_d], value [] -> [low_d + n_d + max(n_d - 1, 0) * interior_d + high_d].
/// Errors  type_error: different dtypes. shape_error: a padding value that is no scalar, interior below 0, a result with a
///         negative size, a wrong number of paddings.
/// Rules   linear in both together; transpose = slice for x, the sum over the padding for value.
/// Cost    writes the result once and x over it.
struct pad_p {
  static constexpr std::string_view name = "pad";
  struct params {
    int_list low, high, interior;
    static constexpr std::string_view fields = "low high interior";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 0b11;
  static constexpr bool jointly_linear = true;
  static constexpr bool moves_data = true;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval& x = c.in[0];
    if (x.type != c.in[1].type)
      return c.fail(error_kind::type, ": got an operand of dtype ", long_name(x.type),
                    " and a padding value of dtype ", long_name(c.in[1].type),
                    "; convert one of them with x.astype(...)");
    if (c.in[1].rank() != 0)
      return c.fail(error_kind::shape, ": got a padding value of shape ", c.in[1].dims,
                    ", wanted a scalar; index it first");
    bool ok = p.low.size() == x.rank() && p.high.size() == x.rank() && p.interior.size() == x.rank();
    shape out;
    for (int d = 0; ok && d < x.rank(); ++d) {
      constexpr std::int64_t most = INT64_MAX / 4;  // sums of four of them can be counted
      const std::int64_t spread = p.interior[d] < 0 ? -1 : detail::counted_product(std::max<std::int64_t>(x.dims[d] - 1, 0), p.interior[d]);
      ok = p.low[d] >= -most && p.low[d] <= most && p.high[d] >= -most && p.high[d] <= most && spread >= 0 && spread <= most && x.dims[d] <= most;
      out.push_back(ok ? p.low[d] + x.dims[d] + spread + p.high[d] : 0);
      ok = ok && out[d] >= 0;
    }
    if (!ok)
      return c.fail(error_kind::shape, ": got low ", p.low, ", high ", p.high, " and interior ", p.interior,
                    " for an operand of shape ", x.dims,
                    "; wanted one of each per dimension, interior >= 0 and no dimension cut below 0 or longer than can be counted");
    return {x.type, out, x.weak && c.in[1].weak};
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    const array kept = unpad(ct, c.in[0], p);
    if (k == 0) return kept;
    return lax::add(total(ct), lax::neg(total(kept)));
  }
  static constexpr batched batch(auto& c, const params& p) {
    const params q{p.low.with(0, 0), p.high.with(0, 0), p.interior.with(0, 0)};
    const array x = detail::batch_materialise(c.x[0], c.dims[0], c.size);
    if (c.dims[1] == not_mapped) return {lax::pad(x, c.x[1], q.low, q.high, q.interior), 0};
    // One padding value per example: pad with zeros, then put the values where a padded mask says so.
    const array inside = lax::full(x.shape(), literal(true));
    const array mask = lax::pad(inside, array(literal(false)), q.low, q.high, q.interior);
    const array zero = array(literal(0.0, x.dtype(), true));
    const array padded = lax::pad(x, zero, q.low, q.high, q.interior);
    return {lax::select_n(mask, lax::broadcast_in_dim(c.x[1], mask.shape(), {0}), padded), 0};
  }
  /// The padding of x becomes part of the padding that is asked for.
  static constexpr masked mask(auto& c, const params&) {
    const dimension_list low = c.sizes(&params::low), high = c.sizes(&params::high);
    const int_list interior = c.constants("interior paddings", &params::interior);
    dimension_list dims;
    params q{{}, {}, interior};
    for (int d = 0; d < interior.size(); ++d) {
      const std::size_t k = std::size_t(d);
      dimension between;
      if (interior[d] != 0) between = dimension::positive_part(c.dims[0][k] - 1) * dimension(interior[d]);
      dims.push_back(low[k] + c.dims[0][k] + between + high[k]);
      c.scope.require_at_least(dims[k], 0);
      const std::int64_t n = c.x[0].shape()[d], most = c.scope.range(low[k]).high, least = c.scope.range(low[k]).low;
      q.low.push_back(most);
      q.high.push_back(c.scope.padded(dims[k]) + (most - least) - (most + n + std::max<std::int64_t>(n - 1, 0) * interior[d]));
    }
    const array x = c.scope.filled(c.x[0], c.dims[0], int_list::iota(interior.size()), c.x[1]);
    array y = lax::pad(x, c.x[1], q.low, q.high, q.interior);
    for (int d = 0; d < interior.size(); ++d)
      if (const dimension& l = low[std::size_t(d)]; !l.is_constant())
        y = c.scope.window(y, d, dimension(q.low[d]) - l, c.scope.padded(dims[std::size_t(d)]));
    return {c.scope.guarded(y, dims, int_list::iota(interior.size())), dims};
  }
  static constexpr void parts(parts_call& c, const params& p) {
    result_part part;
    for (int d = 0; d < c.out.rank(); ++d) {
      if (p.interior[d] != 0) return;
      part.begin.push_back(p.low[d]);  // which may be below 0, and the end beyond that of the result
      part.end.push_back(p.low[d] + c.in[0].dims[d]);
      part.shift.push_back(-p.low[d]);
    }
    c.parts.push_back(part);
    c.elsewhere = 1;
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    put_dimension(a, p, 0, a.in_types[0].dims.elements(), a.in[0], a.out_types[0].dims.elements(), a.out[0]);
  }

 private:
  /// Writes the part of the result from dimension `d` on, `outs` elements, from that of the operand, `ins` elements.
  template <class T>
  static constexpr void put_dimension(const kernel_args<T>& a, const params& p, int d, std::int64_t ins, const T* in, std::int64_t outs, T* out) {
    if (outs == 0) return;
    if (d == p.low.size()) {
      *out = *in;
      return;
    }
    const std::int64_t n = a.in_types[0].dims[d], rows = a.out_types[0].dims[d], low = p.low[d], step = p.interior[d] + 1;
    const std::int64_t room = rows - 1 - low, first = low < 0 ? (step - 1 - low) / step : 0;  // elements first..last stay inside the result
    const std::int64_t count = std::max<std::int64_t>(std::min(n - 1, room < 0 ? -1 : room / step) - first + 1, 0);
    const std::int64_t in_row = n == 0 ? 0 : ins / n, out_row = outs / rows, before = count == 0 ? rows : low + first * step;
    fill_elements(out, before * out_row, a.in[1][0]);
    if (count == 0) return;
    in += first * in_row;
    out += before * out_row;
    if (step == 1 && d + 1 == p.low.size()) {
      std::copy(in, in + count, out);
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        put_dimension(a, p, d + 1, in_row, in + i * in_row, out_row, out + i * step * out_row);
        if (i + 1 < count) fill_elements(out + (i * step + 1) * out_row, (step - 1) * out_row, a.in[1][0]);
      }
    }
    const std::int64_t covered = (count - 1) * step + 1;
    fill_elements(out + covered * out_row, (rows - before - covered) * out_row, a.in[1][0]);
  }
  static constexpr array total(const auto& x) { return lax::reduce_sum(x, int_list::iota(x.ndim())); }
  /// The part of `ct` that came from the operand; zero where the operand was cut off.
  static constexpr array unpad(const auto& ct, const aval& x, const params& p) {
    int_list low, high, strides;
    for (int d = 0; d < x.rank(); ++d) {
      low.push_back(-p.low[d]);
      high.push_back(-p.high[d]);
      strides.push_back(p.interior[d] + 1);
    }
    const array inner = lax::pad(ct, array(literal(0.0, x.type, x.weak)), low, high);
    return lax::slice(inner, int_list::filled(x.rank(), 0), inner.shape(), strides);
  }
};

namespace lax {

/// See slice_p; without `strides` every element is taken. The whole of x is x.
template <class Array>
constexpr array slice(const lazy<Array>& x, const int_list& start, const int_list& limit, const int_list& strides,
                      location where) {
  const shape dims = x.shape();
  const int_list zero = int_list::filled(dims.rank(), 0), one = int_list::filled(dims.rank(), 1);
  const int_list& steps = strides.empty() ? one : strides;
  if (start == zero && limit == dims && steps == one) return x;
  return bind<slice_p>({start, limit, steps}, where, x);
}
/// See pad_p; without `interior` there is no padding between elements. No padding at all returns x.
template <class Array>
constexpr array pad(const lazy<Array>& x, const lazy<Array>& value, const int_list& low, const int_list& high,
                    const int_list& interior, location where) {
  const int_list zero = int_list::filled(x.ndim(), 0);
  const int_list& between = interior.empty() ? zero : interior;
  const array v = detail::match_literal_to(value, x);
  if (low == zero && high == zero && between == zero && v.dtype() == x.dtype() && v.ndim() == 0) return x;
  return bind<pad_p>({low, high, between}, where, x, v);
}

}  // namespace lax

}  // namespace jacquard
