#pragma once
// What a masking rule is given. A masked value is an array padded to static sizes together with its logical dimensions; only
// the logical prefix means anything, the padding may hold NaN. The services behind `mask_scope` move and fill padded arrays,
// so that rules bind nothing but their own primitive. Deliberately an interface: transforms/mask_scope implements it.

#include "jacquard/core/dimension_bounds.hpp"
#include "jacquard/core/jaxpr.hpp"

namespace jacquard {

/// A padded array and its logical dimensions. Along each dimension it has mask_scope::padded elements.
struct masked {
  array value;
  dimension_list dims;
};

/// Sizes while masking, and what rules need to do with padded arrays.
class mask_scope {
 public:
  /// The run-time value of a size, i64[].
  constexpr virtual array size(const dimension& d) = 0;
  /// i64[rank], the run-time sizes of an array.
  constexpr virtual array shape_of(const dimension_list& dims) = 0;
  /// Bounds of a size: every name lies between 0 and its padded size.
  constexpr virtual dimension_bounds range(const dimension& d) const = 0;
  /// The size that two tracings on different sizes saw as these integers.
  constexpr virtual dimension decode(std::int64_t first, std::int64_t second) = 0;
  /// `x` with `fill` (a scalar, or shaped like x) beyond the logical size along those of `axes` that have symbolic sizes.
  constexpr virtual array filled(const array& x, const dimension_list& dims, const int_list& axes, const array& fill) = 0;
  /// `x` itself, through which no cotangents pass that lie beyond the logical size along `axes`.
  constexpr virtual array guarded(const array& x, const dimension_list& dims, const int_list& axes) = 0;
  /// A scalar operand that meets arrays of these dimensions, such that their padding does not enter its cotangent.
  constexpr virtual array spread(const array& x, const dimension_list& dims) = 0;
  /// Elements start, ..., start + count - 1 of `x` along dimension d, zeros where x has none. 0 <= start <= last.
  constexpr virtual array window(const array& x, int d, const array& start, std::int64_t last, std::int64_t count) = 0;
  constexpr virtual array window(const array& x, int d, std::int64_t start, std::int64_t count) = 0;
  /// `x` with `update` written from element `start` on along dimension d, where it fits.
  constexpr virtual array placed(const array& x, const array& update, int d, const array& start) = 0;
  /// The elements of `x` in row-major order of their logical indices under other dimensions.
  constexpr virtual array reindexed(const array& x, const dimension_list& from, const dimension_list& to) = 0;
  /// States that a >= b. Errors: value_error if it is false, for all sizes or for those that are known.
  constexpr virtual void require_at_least(const dimension& a, const dimension& b) = 0;
  constexpr virtual void fail(const error_record& e) = 0;

  /// The values of all names, for the body of a call; `evaluate` takes their counterparts within the body, and how often that runs
  /// each time, 1 but for the bodies of loops.
  constexpr virtual std::vector<array> name_values() const = 0;
  constexpr virtual std::vector<masked> evaluate(const jaxpr& body, const jaxpr& twin, view<const array> name_values,
                                                 view<const array> arguments, view<const dimension_list> dims, const dimension& trips) = 0;
  /// Whether the loops around run at all, bool[]; none where that is known. In a ragged batch the body of an empty one is evaluated
  /// on garbage, for other examples: what may not end on that has to ask.
  constexpr virtual array loops_run() = 0;
  /// What programs need to be masked that are traced when this scope is gone: the names without their values.
  constexpr virtual function_ref context() const = 0;

  /// The number of elements that hold any logical size.
  constexpr std::int64_t padded(const dimension& d) const {
    const std::int64_t high = range(d).high;
    return high > 0 ? high : 0;
  }
  constexpr shape padded(const dimension_list& dims) const {
    shape s;
    for (const dimension& d : dims) s.push_back(padded(d));
    return s;
  }
  /// The same with a symbolic start.
  constexpr array window(const array& x, int d, const dimension& start, std::int64_t count) {
    if (start.is_constant()) return window(x, d, start.constant(), count);
    return window(x, d, size(start), range(start).high, count);
  }
  /// `x` cut or extended by zeros to the padded sizes of `dims`.
  constexpr array fitted(const array& x, const dimension_list& dims) {
    array y = x;
    for (int d = 0; d < x.ndim(); ++d)
      if (const std::int64_t n = padded(dims[std::size_t(d)]); x.shape()[d] != n) y = window(y, d, 0, n);
    return y;
  }

 protected:
  constexpr ~mask_scope() = default;
};

namespace detail {
constexpr bool has_symbolic(const dimension_list& dims) {
  for (const dimension& d : dims)
    if (!d.is_constant()) return true;
  return false;
}
constexpr dimension_list constant_dims(const shape& s) {
  dimension_list r;
  for (std::int64_t d : s) r.push_back(dimension(d));
  return r;
}
/// 0 in the dtype of an array.
constexpr array zero_of(const aval& a) { return array(literal(0.0, a.type, a.weak)); }
}  // namespace detail

/// Arguments of a masking rule.
struct mask_call {
  view<const array> x;
  view<const dimension_list> dims;  ///< of the operands
  param_view params;                ///< as seen by a first tracing, on sizes that stand for names
  param_view twin;                  ///< the same equation's parameters in a second tracing, on other sizes
  mask_scope& scope;
  small_vector<masked, 2> outputs{};
  bool reads_sizes = false;         ///< the rule has asked for the sizes among the parameters

  /// A list of sizes among the parameters.
  template <class Params, class List>
  constexpr dimension_list sizes(List Params::*field) {
    reads_sizes = true;
    const Params a = decode<Params>(params), b = decode<Params>(twin);
    dimension_list r;
    for (int i = 0; i < (a.*field).size(); ++i)
      r.push_back(scope.decode((a.*field)[i], i < (b.*field).size() ? (b.*field)[i] : -1));
    return r;
  }
  /// The same of integers that must not depend on sizes.
  template <class Params, class List>
  constexpr int_list constants(std::string_view what, List Params::*field) {
    int_list r;
    for (const dimension& d : sizes(field)) {
      if (!d.is_constant())
        scope.fail(make_error(error_kind::not_implemented, "mask: ", what, " that depend on a size, ", d, ", are not implemented; make "
                              "them constants"));
      r.push_back(d.constant());
    }
    return r;
  }
  /// Operand k with zeros in its padding along `axes`.
  constexpr array zeroed(std::size_t k, const int_list& axes) const {
    return scope.filled(x[k], dims[k], axes, detail::zero_of(x[k].aval()));
  }
};

namespace detail {

/// Operands of an elementwise equation, padded alike. Returns their dimensions.
constexpr dimension_list align_masked(mask_call& c, std::vector<array>& operands) {
  dimension_list dims;
  for (const dimension_list& d : c.dims)
    if (d.size() > dims.size()) dims = d;
  for (std::size_t k = 0; k < c.x.size(); ++k) {
    if (!c.dims[k].empty()) operands.push_back(c.scope.fitted(c.x[k], dims));
    else operands.push_back(c.scope.spread(c.x[k], dims));
  }
  return dims;
}

constexpr dimension_list without(dimension_list dims, const int_list& axes) {
  dimension_list r;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (!axes.contains(std::int64_t(d))) r.push_back(dims[d]);
  return r;
}
constexpr dimension_list permuted(const dimension_list& dims, const int_list& order) {
  dimension_list r;
  for (std::int64_t d : order) r.push_back(dims[std::size_t(d)]);
  return r;
}

/// Masks a reduction, a function of the operand; its initial value takes the place of padding.
template <class Reduce>
constexpr masked mask_reduction(mask_call& c, reduction r, Reduce&& reduce) {
  r.initial.weak = c.x[0].aval().weak;
  return {reduce(c.scope.filled(c.x[0], c.dims[0], r.axes, array(r.initial))), without(c.dims[0], r.axes)};
}

/// The smallest or greatest value of a dtype without complex ones.
constexpr literal extreme_literal(const aval& a, bool greatest) {
  if (is_floating(a.type)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return literal(greatest ? infinity : -infinity, a.type, a.weak);
  }
  const int bits = 8 * int(size_of(a.type)), value_bits = is_boolean(a.type) ? 1 : is_signed_integer(a.type) ? bits - 1 : bits;
  std::uint64_t v = value_bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << value_bits) - 1;
  if (!greatest) v = is_signed_integer(a.type) ? ~v : 0;
  literal r;
  r.type = a.type;
  r.weak = a.weak;
  r.low = v;
  return r;
}

}  // namespace detail
}  // namespace jacquard
