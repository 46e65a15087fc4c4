#pragma once
// scatter_mul, scatter_min and scatter_max: updates that multiply, or take extremes with, what is there and each other. The rest of
// the family is in gather_scatter.hpp.

#include "jacquard/prims/div.hpp"
#include "jacquard/prims/max_min.hpp"
#include "jacquard/prims/mul.hpp"
#include "jacquard/prims/sort.hpp"

namespace jacquard {

namespace detail {

/// Zeros like `x` with `updates` added at the places of a scatter.
template <class Array = array>
constexpr array scattered_sum(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates, const scatter_params& p) {
  return bind<scatter_add_p>(p, location{}, lax::zeros(x.aval()), indices, updates);
}

/// The places, numbered in row-major order, that the elements of the updates of a scatter go to: i64 [number of them], -1 if dropped.
template <class Family, class Array = array>
constexpr array update_places(const lazy<Array>& x, const lazy<Array>& indices, const aval& updates, const scatter_params& p) {
  const array numbers = lax::reshape(lax::iota(i64, x.size()), x.shape());
  return lax::reshape(Family::read_back(numbers, indices, updates, p, -1), shape{updates.elements()});
}

/// A vector moved on by `by` places, towards the front if that is negative; `fill` comes in.
template <class Array = array>
constexpr array moved_by(const lazy<Array>& x, std::int64_t by, double fill) {
  return lax::pad(x, array(literal(fill, x.dtype(), x.weak_type())), {by}, {-by});
}

/// For each element of an array of `count` ones multiplied by the factors at their places: the tangent of the product. A segmented scan
/// of pairs over the factors in the order of their places, which is exact beside zeros.
/// Source: Hillis, Steele, "Data parallel algorithms", 1986.
template <class Array = array>
constexpr array product_tangent(const lazy<Array>& places, const lazy<Array>& factors, const lazy<Array>& tangents, std::int64_t count) {
  const std::int64_t n = places.size();
  const array keys[] = {places, lax::iota(i64, n)};
  const array_list sorted = lax::sort(keys, 0);
  const array at = sorted[0], one = lax::full(shape{n}, literal(1.0, factors.dtype(), factors.weak_type()));
  // What is dropped is in one place, too, and its product may be too large for anything but NaN times zero.
  array v = lax::select(lax::lt(at, array(std::int64_t(0))), one, take_along(factors, sorted[1], 0)), t = take_along(tangents, sorted[1], 0);
  for (std::int64_t step = 1; step < n; step *= 2) {
    const array together = lax::eq(at, moved_by(at, step, -2));
    const array before = moved_by(v, step, 1), change = moved_by(t, step, 0);
    const array left = lax::mul(change, v), right = lax::mul(before, t);
    t = lax::select(together, lax::add(left, right), t);
    v = lax::select(together, lax::mul(before, v), v);
  }
  const array is_last = lax::ne(at, moved_by(at, -1, -2));
  const array target = lax::select(is_last, at, array(std::int64_t(-1)));
  const array zero = lax::zeros(factors.aval().with(shape{count}));
  return lax::scatter_add(zero, lax::reshape(target, shape{n, 1}), t, {{}, {0}, {0}}, index_mode::fill_or_drop, false, location{});
}

/// What scatter_min and scatter_max share.
template <class P>
struct scatter_extreme : scatter_family<P> {
  using params = scatter_params;
  static constexpr type_set domain = ordered;
  static constexpr std::uint32_t linear = 0;
  static constexpr bool jointly_linear = false;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, c.in[0].type)) return elementwise_type(c, domain);
    return scatter_family<P>::abstract_eval(c, p);
  }
  static constexpr void cost(auto& c) { c.cost.flops = double(c.in[2].elements()); }
  /// The mean over those that are the extreme.
  static constexpr void jvp(auto& c, const params& p) {
    const auto &x = c.x[0], &indices = c.x[1], &updates = c.x[2], &y = c.y[0];
    const auto number = [&](const array& b) { return lax::convert_element_type(b, x.dtype(), x.weak_type()); };
    const array read = scatter_family<P>::read_back(y, indices, updates.aval(), p, 0);
    const array here = number(lax::eq(x, y)), there = number(lax::eq(updates, read));
    const array count = lax::add(here, scattered_sum(x, indices, there, p));
    array sum;
    if (!c.t[0].is_none()) sum = lax::mul(c.t[0], here);
    if (!c.t[2].is_none()) sum = add_tangents(sum, scattered_sum(x, indices, lax::mul(c.t[2], there), p));
    if (!sum.is_none()) c.ty[0] = lax::div(sum, count);
  }
  static constexpr literal neutral(const aval& t) { return extreme_literal(t, P::finds_smallest); }
};

}  // namespace detail

/// `operand` with each element at the place of an update multiplied by it; where several meet, by all of them.
/// Shapes  operand [d...], indices [rows..., k], updates as the result of the corresponding gather -> [d...].
/// Errors  as gather; type_error: operand and updates of different dtypes, bool.
/// Rules   linear in the operand, transpose = scatter_mul; derivative in the updates: with unique_indices the operand gathered, else
///         the product rule for all that meet, exact with any number of zeros, in O(m log m) for m elements of updates.
/// Cost    copies the operand, then reads the updates once.
struct scatter_mul_p : detail::scatter_family<scatter_mul_p> {
  static constexpr std::string_view name = "scatter_mul";
  static constexpr scalar_op puts_by = scalar_op::multiply;
  static constexpr type_set domain = numbers;
  static constexpr std::uint32_t linear = 0b001;
  static constexpr bool jointly_linear = false;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(domain, c.in[0].type)) return detail::elementwise_type(c, domain);
    return scatter_family::abstract_eval(c, p);
  }
  static constexpr void cost(auto& c) { c.cost.flops = double(c.in[2].elements()); }
  static constexpr void jvp(auto& c, const params& p) {
    const auto &x = c.x[0], &indices = c.x[1], &updates = c.x[2];
    if (!c.t[0].is_none()) c.ty[0] = bind<own<scatter_mul_p, decltype(c)>>(p, location{}, c.t[0], indices, updates);
    if (c.t[2].is_none() || updates.size() == 0) return;
    array change;
    if (p.unique_indices) {
      const array read = read_back(x, indices, updates.aval(), p, 0);
      change = detail::scattered_sum(x, indices, lax::mul(c.t[2], read), p);
    } else {
      const shape flat{updates.size()};
      const array places = detail::update_places<scatter_family>(x, indices, updates.aval(), p);
      const array t = detail::product_tangent(places, lax::reshape(updates, flat), lax::reshape(c.t[2], flat), x.size());
      change = lax::mul(x, lax::reshape(t, x.shape()));
    }
    c.ty[0] = detail::add_tangents(c.ty[0], change);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    return bind<own<scatter_mul_p, decltype(c)>>(p, location{}, ct, c.x[1], c.x[2]);
  }
  static constexpr literal neutral(const aval& t) { return literal(1.0, t.type, t.weak); }
  template <class T>
  static constexpr T combine(T there, T update) {
    return math::multiply(there, update);
  }
};

/// `operand` with each element at the place of an update replaced by the smaller of the two; of all that meet there. NaN if one is.
/// Shapes  as scatter_mul.
/// Errors  as gather; type_error: operand and updates of different dtypes, complex numbers.
/// Rules   derivative: the mean over those of the element and its updates that are the smallest.
/// Cost    copies the operand, then reads the updates once.
struct scatter_min_p : detail::scatter_extreme<scatter_min_p> {
  static constexpr std::string_view name = "scatter_min";
  static constexpr scalar_op puts_by = scalar_op::min;
  static constexpr bool finds_smallest = true;
  template <class T>
  static constexpr T combine(T there, T update) {
    return math::min(there, update);
  }
};

/// `operand` with each element at the place of an update replaced by the larger of the two; of all that meet there. NaN if one is.
/// Shapes  as scatter_mul.
/// Errors  as gather; type_error: operand and updates of different dtypes, complex numbers.
/// Rules   derivative: the mean over those of the element and its updates that are the largest.
/// Cost    copies the operand, then reads the updates once.
struct scatter_max_p : detail::scatter_extreme<scatter_max_p> {
  static constexpr std::string_view name = "scatter_max";
  static constexpr scalar_op puts_by = scalar_op::max;
  static constexpr bool finds_smallest = false;
  template <class T>
  static constexpr T combine(T there, T update) {
    return math::max(there, update);
  }
};

namespace detail {
/// Applies scatter P.
template <class P>
constexpr array scatter_by(const array& x, const array& indices, const array& updates, const scatter_dimension_numbers& n, index_mode mode, bool unique,
                           const location& where) {
  return bind<P>({n.update_window_dims, n.inserted_window_dims, n.scatter_dims_to_operand_dims, n.operand_batching_dims,
                  n.scatter_indices_batching_dims, unique, mode},
                 where, x, indices, match_literal_to(updates, x));
}
}  // namespace detail

namespace lax {
/// See scatter_mul_p.
template <class Array = array>
constexpr array scatter_mul(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates, const scatter_dimension_numbers& n,
                            index_mode mode = index_mode::fill_or_drop, bool unique_indices = false, location where = location::current()) {
  return detail::scatter_by<scatter_mul_p>(x, indices, updates, n, mode, unique_indices, where);
}
/// See scatter_min_p.
template <class Array = array>
constexpr array scatter_min(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates, const scatter_dimension_numbers& n,
                            index_mode mode = index_mode::fill_or_drop, bool unique_indices = false, location where = location::current()) {
  return detail::scatter_by<scatter_min_p>(x, indices, updates, n, mode, unique_indices, where);
}
/// See scatter_max_p.
template <class Array = array>
constexpr array scatter_max(const lazy<Array>& x, const lazy<Array>& indices, const lazy<Array>& updates, const scatter_dimension_numbers& n,
                            index_mode mode = index_mode::fill_or_drop, bool unique_indices = false, location where = location::current()) {
  return detail::scatter_by<scatter_max_p>(x, indices, updates, n, mode, unique_indices, where);
}
}  // namespace lax

}  // namespace jacquard
