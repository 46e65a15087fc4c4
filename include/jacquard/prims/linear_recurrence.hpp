#pragma once
// linear_recurrence: h_i = a_i h_(i-1) + b_i along an axis, in one pass. The derivatives of running products, extremes and log-sums
// are such recurrences, and so are its own derivative and transpose; filters and discounted sums are others.

#include "jacquard/prims/add.hpp"
#include "jacquard/prims/batching.hpp"
#include "jacquard/prims/cumulative.hpp"
#include "jacquard/prims/mul.hpp"

namespace jacquard {

namespace lax {
template <class Array = array>
constexpr array linear_recurrence(const lazy<Array>& a, const lazy<Array>& b, std::int64_t axis, bool reverse = false,
                                  location where = location::current());
}  // namespace lax

/// Element i along `axis` is h_i = a_i h_(i-1) + b_i, with 0 before the first; from the end if `reverse`.
/// Shapes  a and b equal, kept; dtype kept.
/// Errors  type_error: bool, or two dtypes; shape_error: different shapes, or an axis outside [0, rank).
/// Rules   linear in b, transpose = the recurrence in the other direction with a moved by one place; derivative in a: the same
///         recurrence of t_i h_(i-1) (Martin, Cundy, "Parallelizing linear recurrent neural nets over sequence length", 2018, eq. 9).
/// Cost    O(size); f32, f16 and bf16 carry h in f64.
struct linear_recurrence_p {
  static constexpr std::string_view name = "linear_recurrence";
  using params = cumulative_params;
  static constexpr type_set domain = numbers;
  static constexpr int arity = 2;
  static constexpr std::uint32_t linear = 0b10;

  static constexpr aval abstract_eval(inference& c, const params& p) {
    const aval &a = c.in[0], &b = c.in[1];
    if (a.type != b.type)
      return c.fail(error_kind::type, " requires arguments to have the same dtypes, got ", long_name(a.type), ", ", long_name(b.type),
                    "; convert one of them with x.astype(...)");
    if (!(a.dims == b.dims))
      return c.fail(error_kind::shape, ": got arguments of shapes ", a.dims, " and ", b.dims, ", wanted equal ones; broadcast one of them first");
    aval r = detail::cumulative_type(c, domain, p);
    r.weak = a.weak && b.weak;
    return r;
  }
  static constexpr void cost(auto& c) { c.cost.flops = 2 * double(c.in[0].elements()); }
  static constexpr void jvp(auto& c, const params& p) {
    array change = c.t[1];
    if (!c.t[0].is_none()) {
      const array before = detail::moved_on(c.y[0], p, 0);
      change = detail::add_tangents(change, lax::mul(c.t[0], before));
    }
    if (!change.is_none()) c.ty[0] = bind<own<linear_recurrence_p, decltype(c)>>(p, location{}, c.x[0], change);
  }
  static constexpr array transpose(int, const auto& ct, const auto& c, const params& p) {
    const params back{p.axis, !p.reverse};
    return bind<own<linear_recurrence_p, decltype(c)>>(back, location{}, detail::moved_on(c.x[0], back, 0), ct);
  }
  static constexpr batched batch(auto& c, const params& p) {
    if (c.dims[0] == c.dims[1])
      return {lax::linear_recurrence(c.x[0], c.x[1], p.axis >= c.dims[0] ? p.axis + 1 : p.axis, p.reverse), c.dims[0]};
    const array a = detail::batch_materialise(c.x[0], c.dims[0], c.size), b = detail::batch_materialise(c.x[1], c.dims[1], c.size);
    return {lax::linear_recurrence(a, b, p.axis + 1, p.reverse), 0};
  }
  /// Padding is zero in both operands: it keeps a recurrence from the end at 0 until it reaches the logical part.
  static constexpr masked mask(auto& c, const params& p) {
    std::vector<array> x{c.zeroed(0, {p.axis}), c.zeroed(1, {p.axis})};
    for (array& v : x) v = c.scope.fitted(v, c.dims[0]);
    return {c.scope.guarded(lax::linear_recurrence(x[0], x[1], p.axis, p.reverse), c.dims[0], {p.axis}), c.dims[0]};
  }
  template <class T>
  static constexpr void kernel(const kernel_args<T>& a, const params& p) {
    using state = detail::wide_accumulator<T>;
    const T *const factor = a.in[0], *const term = a.in[1];
    T* const out = a.out[0];
    const auto visit = [&](state& h, std::int64_t at, bool first) __attribute__((always_inline)) {
      if (first) h = state(term[at]);
      else h = math::add(math::multiply(state(factor[at]), h), state(term[at]));
      out[at] = T(h);
    };
    detail::for_each_running<state>(a.in_types[0].dims, p, visit);
  }
};

namespace lax {
/// See linear_recurrence_p.
template <class Array>
constexpr array linear_recurrence(const lazy<Array>& a, const lazy<Array>& b, std::int64_t axis, bool reverse, location where) {
  return bind<linear_recurrence_p>({axis, reverse}, where, detail::match_literal(a, b), detail::match_literal(b, a));
}
}  // namespace lax

}  // namespace jacquard
