#pragma once
// mask_cotangent: the identity whose transpose forgets part of the cotangent. Masking puts it where padding could leak into
// the cotangents of what is not padding; compiled programs drop it, so it costs nothing where nothing is differentiated.

#include "jacquard/prims/elementwise.hpp"
#include "jacquard/prims/select_n.hpp"

namespace jacquard {

/// `x`; the operand `keep` says of each element whether cotangents pass it.
/// Shapes  x [d...], keep bool[d...] -> [d...].
/// Errors  type_error: `keep` is not bool; shape_error: different shapes.
/// Rules   linear in x; transpose = the cotangent where `keep` is true, else zero.
/// Cost    none.
struct mask_cotangent_p {
  static constexpr std::string_view name = "mask_cotangent";
  static constexpr int arity = 2;
  static constexpr std::uint32_t linear = 0b01;
  static constexpr bool identity = true;

  static constexpr aval abstract_eval(inference& c) {
    const aval &x = c.in[0], &keep = c.in[1];
    if (!is_boolean(keep.type))
      return c.fail(error_kind::type, ": got `keep` of dtype ", long_name(keep.type), ", wanted bool; compare it first");
    if (!(keep.dims == x.dims))
      return c.fail(error_kind::shape, ": got `keep` of shape ", keep.dims, " for an operand of shape ", x.dims,
                    "; broadcast it first");
    return x;
  }
  static void evaluate(auto& c) { c.out[0] = c.in[0]; }
  static constexpr array transpose(int, const auto& ct, const auto& c) {
    return lax::select(c.x[1], ct, array(literal(0.0, ct.dtype(), ct.weak_type())));
  }
  static constexpr batched batch(auto& c) {
    std::vector<array> operands;
    detail::align_batch(c, operands);
    for (std::size_t k = 0; k < 2; ++k)  // a scalar operand beside a batched one
      if (operands[k].ndim() < operands[1 - k].ndim()) operands[k] = lax::broadcast_in_dim(operands[k], operands[1 - k].shape(), {});
    return {bind_list<mask_cotangent_p>({}, location{}, operands)[0], 0};
  }
  static constexpr masked mask(auto& c) {
    std::vector<array> operands;
    const dimension_list dims = detail::align_masked(c, operands);
    return {bind_list<mask_cotangent_p>({}, location{}, operands)[0], dims};
  }
};

namespace lax {
/// See mask_cotangent_p.
template <class Array = array>
constexpr array mask_cotangent(const lazy<Array>& x, const lazy<Array>& keep, location where = location::current()) {
  return bind<mask_cotangent_p>({}, where, x, keep);
}
}  // namespace lax

}  // namespace jacquard
