#pragma once
// pdot: dot_general of which one contracted dimension is a mapped axis, so that its operands are never multiplied member by member. As in
// collectives.hpp, it becomes an ordinary product inside vmap. Deliberately not what psum of a dot_general is: see its transpose.

#include "jacquard/prims/collectives.hpp"
#include "jacquard/prims/dot_general.hpp"

namespace jacquard {

/// The product of lhs and rhs, summed over the members of a mapped axis and over pairs of contracting dimensions, for each index of the
/// paired batch dimensions; the same for each member.
/// Shapes  as dot_general_p.
/// Errors  value_error: an axis that is not mapped here. type_error: different dtypes, bool. shape_error: as dot_general_p.
/// Rules   linear in each operand; transpose = that of dot_general_p, of the member's own operand. mask: none.
/// Cost    that of one dot_general, and one reduction over the axis.
struct pdot_p : detail::collective<pdot_p> {
  static constexpr std::string_view name = "pdot";
  struct params {
    name_text axis;
    int_list lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
    static constexpr std::string_view fields = "axis_name lhs_contracting rhs_contracting lhs_batch rhs_batch";
    constexpr bool operator==(const params&) const = default;
  };
  static constexpr std::uint32_t linear = 0b11;
  /// Of a member that runs its own program: the psum of its product.
  static void evaluate(auto& c, const params& p) {
    const array product = bind<dot_general_p>(of_one_member(p), location{}, c.in[0], c.in[1]);
    const psum_p::params over{p.axis};
    const param_pack encoded = encode(over);
    evaluate_call sum{view<const array>(&product, 1), c.out, encoded};
    psum_p::evaluate(sum, over);
  }

  static constexpr aval abstract_eval(inference& c, const params& p) {
    if (!contains(numbers, c.in[0].type)) return detail::elementwise_type(c, numbers);
    if (c.axis_size(p.axis) < 0) return {};
    return dot_general_p::abstract_eval(c, of_one_member(p));
  }
  static constexpr array transpose(int k, const auto& ct, const auto& c, const params& p) {
    return dot_general_p::transpose(k, ct, c, of_one_member(p));
  }
  static constexpr batched batch(auto& c, const params& p) {
    const array &x = c.x[0], &y = c.x[1];
    const int dx = c.dims[0], dy = c.dims[1];
    dot_general_p::params n = of_one_member(p);
    if (c.axis != p.axis) {
      if (dx == not_mapped && dy == not_mapped) return {bind<pdot_p>(p, location{}, x, y), not_mapped};
      const auto [q, at] = dot_general_p::mapped(n, x.ndim(), y.ndim(), dx, dy);
      return {bind<pdot_p>({p.axis, q.lhs_contracting, q.rhs_contracting, q.lhs_batch, q.rhs_batch}, location{}, x, y), at};
    }
    if (dx == not_mapped && dy == not_mapped) return {psum_p::repeat(bind<dot_general_p>(n, location{}, x, y), c.size), not_mapped};
    if (dx == not_mapped) return {bind<dot_general_p>(n, location{}, x, lax::reduce_sum(y, {dy})), not_mapped};
    if (dy == not_mapped) return {bind<dot_general_p>(n, location{}, lax::reduce_sum(x, {dx}), y), not_mapped};
    n = dot_general_p::beside(n, dx, dy);
    n.lhs_contracting.push_back(dx);
    n.rhs_contracting.push_back(dy);
    return {bind<dot_general_p>(n, location{}, x, y), not_mapped};
  }

 private:
  static constexpr dot_general_p::params of_one_member(const params& p) { return {p.lhs_contracting, p.rhs_contracting, p.lhs_batch, p.rhs_batch}; }
};

namespace lax {
/// See pdot_p.
template <class Array = array>
constexpr array pdot(const lazy<Array>& lhs, const lazy<Array>& rhs, const name_text& axis, const dot_dimension_numbers& n = {},
                     location where = location::current()) {
  return bind<pdot_p>({axis, n.lhs_contracting, n.rhs_contracting, n.lhs_batch, n.rhs_batch}, where, detail::match_literal(lhs, rhs),
                      detail::match_literal(rhs, lhs));
}
}  // namespace lax

}  // namespace jacquard
